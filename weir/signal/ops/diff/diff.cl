/* Outputs of one item, which share the rows of all but the last. */
#define TOGETHER 8
/* How many times differences are taken: a constant of the build. */
#define ORDER order

/* x, y: [frames, channels] from their first elements on; x holds `count` rows from row `fed` of the
   segment on. past: [n, channels], row k of the segment at k mod n. Before the segment stand its
   first row or, for `zero`, zeros. */
FUNCTION float diff_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                       const int channels, const int n, const int zero, const index fed,
                       const index row) {
  if (row < 0 && zero != 0) {
    return 0.0f;
  }
  const index at = SELECT(row < 0, (index)0, row);
  return at >= fed ? x[(at - fed) * x_stride] : past[(at % n) * channels];
}

/* TOGETHER outputs from frame `first` of the block on: the n-th difference, each taken of the ones
   before in turn as NumPy takes them. */
FUNCTION void diff_outputs(const int order, GLOBAL const float* x, const index x_stride,
                           GLOBAL float* y, const index y_stride, GLOBAL const float* past,
                           const int channels, const int zero, const index fed, const index count,
                           const index first) {
  float value[TOGETHER + 8];
  if (first >= order && first + TOGETHER <= count) {
    GLOBAL const float* from = x + (first - order) * x_stride;
    UNROLL for (int i = 0; i < TOGETHER + order; ++i) {
      value[i] = *from;
      from += x_stride;
    }
  } else {
    UNROLL for (int i = 0; i < TOGETHER + order; ++i) {
      const index row = first + i - order;
      value[i] =
          row < count ? diff_at(x, x_stride, past, channels, order, zero, fed, fed + row) : 0.0f;
    }
  }
  UNROLL for (int k = 0; k < order; ++k) {
    UNROLL for (int i = 0; i + 1 < TOGETHER + order; ++i) {
      if (i + 1 < TOGETHER + order - k) {
        value[i] = value[i + 1] - value[i];
      }
    }
  }
  UNROLL for (int i = 0; i < TOGETHER; ++i) {
    if (first + i < count) {
      y[(first + i) * y_stride] = value[i];
    }
  }
}

KERNEL void diff_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                      GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                      GLOBAL const float* RESTRICT past, const int channels, const int zero,
                      const index fed, const index count, const int order) {
  const index c = GLOBAL_ID;
  if (c < channels) {
    for (index i = GLOBAL_ID_1; i * TOGETHER < count; i += GLOBAL_SIZE_1) {
      diff_outputs(ORDER, x + x_first + c, x_stride, y + y_first + c, y_stride, past + c, channels,
                   zero, fed, count, i * TOGETHER);
    }
  }
}
