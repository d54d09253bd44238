/* The last of `count` rows that stand from row `fed` of the segment on, into past [kept, channels]:
   row k at k mod kept. */
KERNEL void kept_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                      GLOBAL float* RESTRICT past, const int channels, const index kept,
                      const index fed, const index count) {
  const index c = GLOBAL_ID;
  const index begin = SELECT(count > kept, count - kept, (index)0);
  for (index i = begin + GLOBAL_ID_1; i < count && c < channels; i += GLOBAL_SIZE_1) {
    past[((fed + i) % kept) * channels + c] = x[x_first + i * x_stride + c];
  }
}
