/* Automatic gain control around a product across channels. Tables are [rows, channels]. */

KERNEL void agc_loud(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                     GLOBAL float* RESTRICT loud, const int channels, const index frames) {
  const int c = (int)GLOBAL_ID;
  for (index f = GLOBAL_ID_1; f < frames && c < channels; f += GLOBAL_SIZE_1) {
    loud[f * channels + c] = ABS(x[x_first + f * x_stride + c]);
  }
}

/* The rows from frame `first` on without their gain; x holds those from frame `fed` on, past those
   before, frame f in row f mod kept. What is not controlled passes, with a gain of 1. */
KERNEL void agc_level(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                      GLOBAL const float* RESTRICT past, GLOBAL const int* RESTRICT controlled,
                      GLOBAL float* RESTRICT gain, GLOBAL float* RESTRICT level, const int channels,
                      const index kept, const index fed, const index first, const index rows) {
  const int c = (int)GLOBAL_ID;
  for (index row = GLOBAL_ID_1; row < rows && c < channels; row += GLOBAL_SIZE_1) {
    const index frame = first + row;
    const float value = frame >= fed ? x[x_first + (frame - fed) * x_stride + c]
                                     : past[frame % kept * channels + c];
    const index at = row * channels + c;
    const float by = gain[at];
    if (controlled[c] != 0) {
      level[at] = by == 0.0f ? 0.0f : value / by;
    } else {
      level[at] = value;
      gain[at] = 1.0f;
    }
  }
}

KERNEL void agc_apply(GLOBAL const float* RESTRICT gain, GLOBAL float* RESTRICT y,
                      const index y_first, const index y_stride, const int channels,
                      const index rows) {
  const int c = (int)GLOBAL_ID;
  for (index row = GLOBAL_ID_1; row < rows && c < channels; row += GLOBAL_SIZE_1) {
    y[y_first + row * y_stride + c] *= gain[row * channels + c];
  }
}
