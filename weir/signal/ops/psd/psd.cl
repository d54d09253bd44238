/* y: rows of the table from `first` on, their sums times factor, twice that where a frequency
   stands for its negative as well. */
KERNEL void psd_rows(GLOBAL const float* RESTRICT sums, GLOBAL float* RESTRICT y,
                     const index y_first, const index y_stride, const int channels,
                     const index first, const index rows, const index size, const float factor,
                     const float twice) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index row = GLOBAL_ID_1; row < rows; row += GLOBAL_SIZE_1) {
    const index bin = first + row;
    const float by = bin > 0 && 2 * bin < size ? twice : factor;
    y[y_first + row * y_stride + c] = by * sums[bin * 2 * channels + c];
  }
}
