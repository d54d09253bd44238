/* Rows of the powers of some windows. spectra: [windows, bins, 2, channels]; y: a row for each
   window, `count` columns for each channel, those of the bins from `first_bin` on. Powers are
   doubled where a frequency stands for its negative as well. A group of 256 items turns 32 bins of
   32 channels round, so that reads and writes each lie side by side. Local memory: [32, 33]. */
KERNEL void spectrogram_rows(GLOBAL const float* RESTRICT spectra, GLOBAL float* RESTRICT y,
                             const index y_first, const index y_stride, const int channels,
                             const int bins, const int first_bin, const int count, const int size,
                             LOCAL_ARG) {
  LOCAL_MEM(float, tile);
  const int lane = LOCAL_ID & 31;
  const int line = LOCAL_ID >> 5;
  const int lines = LOCAL_SIZE >> 5;
  const int across = (count + 31) / 32;
  const int down = (channels + 31) / 32;
  const int w = (int)(GROUP_ID / (across * down));
  const int place = (int)(GROUP_ID % (across * down));
  const int tile_bin = place % across * 32;
  const int tile_channel = place / across * 32;
  for (int i = line; i < 32; i += lines) {
    const int bin = first_bin + tile_bin + i;
    const int c = tile_channel + lane;
    if (tile_bin + i < count && c < channels) {
      GLOBAL const float* value = spectra + ((index)w * bins + bin) * 2 * channels + c;
      const float power = FMA(value[channels], value[channels], value[0] * value[0]);
      tile[i * 33 + lane] = bin > 0 && 2 * bin < size ? 2.0f * power : power;
    }
  }
  SYNC;
  for (int i = line; i < 32; i += lines) {
    const int c = tile_channel + i;
    if (tile_bin + lane < count && c < channels) {
      y[y_first + w * y_stride + (index)c * count + tile_bin + lane] = tile[lane * 33 + i];
    }
  }
}
