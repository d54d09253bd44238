/* x holds rows from row `fed` of the segment on; past: [kept, channels], row k at k mod kept. */
FUNCTION float blank_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                        const int channels, const index kept, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % kept) * channels];
}

/* Rows first to end - 1 of the segment, the first in row 0 of y. stretches: [count, 2], first and
   end of what is blanked, in order. Rows before `begun` were never seen; the segment has `frames`.
 */
KERNEL void blank_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                       GLOBAL const float* RESTRICT past, GLOBAL const index* RESTRICT stretches,
                       const index count, const int linear, const int channels, const index kept,
                       const index begun, const index frames, const index fed, const index first,
                       const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* from = x + x_first + c;
  for (index t = first + GLOBAL_ID_1; t < end; t += GLOBAL_SIZE_1) {
    index low = 0; /* Stretches from here on begin after t. */
    index high = count;
    while (low < high) {
      const index middle = (low + high) / 2;
      if (stretches[2 * middle] <= t) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    const int blanked = low > 0 && t < stretches[2 * low - 1];
    float result = 0.0f;
    if (!blanked) {
      result = blank_at(from, x_stride, past + c, channels, kept, fed, t);
    } else if (linear != 0) {
      const index begin = stretches[2 * low - 2];
      const index after = stretches[2 * low - 1];
      const int has_left = begin > begun;
      const int has_right = after < frames;
      const float left =
          has_left ? blank_at(from, x_stride, past + c, channels, kept, fed, begin - 1) : 0.0f;
      const float right =
          has_right ? blank_at(from, x_stride, past + c, channels, kept, fed, after) : left;
      const float part = (float)(t - begin + 1) / (float)(after - begin + 1);
      result = has_left && has_right ? left + (right - left) * part : right;
    }
    y[y_first + (t - first) * y_stride + c] = result;
  }
}
