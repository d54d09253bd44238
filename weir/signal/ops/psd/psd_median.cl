/* The powers of every window, and their medians. powers: [windows, bins, channels]. */

/* Those of some windows, from window `first` on. spectra: [windows, bins, 2, channels]. */
KERNEL void psd_keep_powers(GLOBAL const float* RESTRICT spectra, GLOBAL float* RESTRICT powers,
                            const int channels, const index first, const index rows) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index row = GLOBAL_ID_1; row < rows; row += GLOBAL_SIZE_1) {
    GLOBAL const float* value = spectra + row * 2 * channels + c;
    powers[(first + row) * channels + c] =
        FMA(value[channels], value[channels], value[0] * value[0]);
  }
}

/* y: rows of the table from `first` on: medians times factor, twice that where a frequency stands
   for its negative as well. Powers are not negative, so they are ordered as their bits are; an item
   finds those of the middle one from the highest down. */
KERNEL void psd_median_rows(GLOBAL const float* RESTRICT powers, GLOBAL float* RESTRICT y,
                            const index y_first, const index y_stride, const int channels,
                            const index first, const index rows, const index bins,
                            const index windows, const index size, const float factor,
                            const float twice) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const index stride = bins * channels;
  for (index row = GLOBAL_ID_1; row < rows; row += GLOBAL_SIZE_1) {
    const index bin = first + row;
    GLOBAL const float* own = powers + bin * channels + c;
    int bad = 0;
    for (index w = 0; w < windows; ++w) {
      bad |= IS_NAN(own[w * stride]) ? 1 : 0;
    }
    int middle = 0;
    for (int bit = 30; bit >= 0; --bit) {
      const int more = middle | (1 << bit);
      index below = 0;
      for (index w = 0; w < windows; ++w) {
        below += AS_INT(own[w * stride]) < more ? 1 : 0;
      }
      middle = 2 * below <= windows ? more : middle;
    }
    int before = 0; /* the largest below it */
    index below = 0;
    for (index w = 0; w < windows; ++w) {
      const int bits = AS_INT(own[w * stride]);
      below += bits < middle ? 1 : 0;
      before = bits < middle && bits > before ? bits : before;
    }
    const float high = AS_FLOAT(middle);
    const float low = 2 * below == windows ? AS_FLOAT(before) : high;
    const float median = windows % 2 == 1 ? high : 0.5f * high + 0.5f * low;
    const float by = bin > 0 && 2 * bin < size ? twice : factor;
    y[y_first + row * y_stride + c] = bad != 0 ? AS_FLOAT(0x7fc00000) : by * median;
  }
}
