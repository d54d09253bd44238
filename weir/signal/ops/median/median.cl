/* x, y: [frames, channels] from their first elements on. Rows count from the segment's first frame;
   x holds `count` rows from row `fed` on. past: [width, channels], row n at n mod width.
   Rows before the segment and from fed + count on are zeros. */
FUNCTION float median_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                         const int channels, const int width, const index fed, const index count,
                         const index row) {
  if (row < 0 || row >= fed + count) {
    return 0.0f;
  }
  if (row >= fed) {
    return x[(row - fed) * x_stride];
  }
  return past[(row % width) * channels];
}

/* Output k is the median of the rows first + k - half to first + k + half: the value that at most
   half of the window is less than and more than half is not greater than. NaN where the window has
   one. */
KERNEL void median_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const float* RESTRICT past, const int channels, const int width,
                        const index fed, const index count, const index first,
                        const index outputs) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const int half_width = width / 2;
  for (index k = GLOBAL_ID_1; k < outputs; k += GLOBAL_SIZE_1) {
    const index row = first + k - half_width;
    float result = 0.0f;
    int found = 0;
    for (int i = 0; i < width && found < 2; ++i) {
      const float value =
          median_at(x + x_first + c, x_stride, past + c, channels, width, fed, count, row + i);
      int less = 0;
      int not_greater = 0;
      for (int j = 0; j < width; ++j) {
        const float other =
            median_at(x + x_first + c, x_stride, past + c, channels, width, fed, count, row + j);
        less += SELECT(other < value, 1, 0);
        not_greater += SELECT(other <= value, 1, 0);
      }
      if (IS_NAN(value)) {
        result = value;
        found = 2;
      } else if (less <= half_width && not_greater > half_width) {
        result = value;
        found = 1;
      }
    }
    y[y_first + k * y_stride + c] = result;
  }
}

/* Keeps the last rows of x. */
KERNEL void median_keep(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT past, const int channels, const int width,
                        const index fed, const index count) {
  const index c = GLOBAL_ID;
  const index begin = SELECT(count > width, count - width, 0);
  for (index i = begin + GLOBAL_ID_1; i < count && c < channels; i += GLOBAL_SIZE_1) {
    past[((fed + i) % width) * channels + c] = x[x_first + i * x_stride + c];
  }
}
