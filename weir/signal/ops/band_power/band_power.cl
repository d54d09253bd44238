/* Weighted sums of the powers of each window. spectra: [windows, bins, 2, channels]; y: a row for
   each window, `bands` columns for each channel. places: [bands + 1, 3]: first bin, how many, and
   where their weights begin; the last is what the others are shares of, none of it where it has no
   bins. */
FUNCTION float weighed(GLOBAL const float* from, const int channels, GLOBAL const int* place,
                       GLOBAL const float* weights) {
  float sum = 0.0f;
  float excess = 0.0f;
  for (int i = 0; i < place[1]; ++i) {
    GLOBAL const float* value = from + (index)(place[0] + i) * 2 * channels;
    const float power = FMA(value[channels], value[channels], value[0] * value[0]);
    const float more = weights[place[2] + i] * power - excess;
    const float next = sum + more;
    excess = (next - sum) - more;
    sum = next;
  }
  return sum;
}

KERNEL void band_power_rows(GLOBAL const float* RESTRICT spectra, GLOBAL float* RESTRICT y,
                            const index y_first, const index y_stride,
                            GLOBAL const int* RESTRICT places, GLOBAL const float* RESTRICT weights,
                            const int channels, const int bins, const int bands,
                            const index windows) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index w = GLOBAL_ID_1; w < windows; w += GLOBAL_SIZE_1) {
    GLOBAL const float* from = spectra + w * bins * 2 * channels + c;
    GLOBAL float* to = y + y_first + w * y_stride + (index)c * bands;
    GLOBAL const int* all = places + 3 * bands;
    const float total = all[1] > 0 ? weighed(from, channels, all, weights) : 1.0f;
    for (int b = 0; b < bands; ++b) {
      const float power = weighed(from, channels, places + 3 * b, weights);
      to[b] = all[1] > 0 ? power / total : power;
    }
  }
}
