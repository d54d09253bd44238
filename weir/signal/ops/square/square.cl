/* x, y: [frames, channels] from their first elements on. */
KERNEL void square(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                   GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                   const index frames, const int channels) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index t = GLOBAL_ID_1; t < frames; t += GLOBAL_SIZE_1) {
    const float value = x[x_first + t * x_stride + c];
    y[y_first + t * y_stride + c] = value * value;
  }
}
