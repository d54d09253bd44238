/* Rows x, y: [frames, channels] from their first elements on, both of one type. Column j of y is
   column list[j] of x: channels that are wanted stand side by side before they leave. */
KERNEL void pick_floats(GLOBAL const int* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL int* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const int* RESTRICT list, const index frames, const int channels) {
  const index c = GLOBAL_ID;
  for (index t = GLOBAL_ID_1; t < frames && c < channels; t += GLOBAL_SIZE_1) {
    y[y_first + t * y_stride + c] = x[x_first + t * x_stride + list[c]];
  }
}

KERNEL void pick_counts(GLOBAL const short* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL short* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const int* RESTRICT list, const index frames, const int channels) {
  const index c = GLOBAL_ID;
  for (index t = GLOBAL_ID_1; t < frames && c < channels; t += GLOBAL_SIZE_1) {
    y[y_first + t * y_stride + c] = x[x_first + t * x_stride + list[c]];
  }
}
