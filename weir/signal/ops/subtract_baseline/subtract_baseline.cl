FUNCTION int baseline_bad(const float value) {
  return (AS_INT(value) & 0x7f800000) == 0x7f800000;
}

/* A row of the segment below `count`: in x from row `fed` on, before it in the past. */
FUNCTION float baseline_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                           const int channels, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[row * channels];
}

/* Orders as the value does. */
FUNCTION unsigned int baseline_key(const float value) {
  const unsigned int bits = (unsigned int)AS_INT(value);
  return SELECT((bits >> 31) != 0u, ~bits, bits ^ 0x80000000u);
}

/* Of the finite ones among the first `count` rows, the one that `rank` others are below: two bits
   of its key in each pass. */
FUNCTION float baseline_rank(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                             const int channels, const index fed, const index count,
                             const index rank) {
  unsigned int found = 0u;
  for (int shift = 30; shift >= 0; shift -= 2) {
    const unsigned int step = 1u << shift;
    index less_1 = 0;
    index less_2 = 0;
    index less_3 = 0;
    for (index row = 0; row < count; ++row) {
      const float value = baseline_at(x, x_stride, past, channels, fed, row);
      const unsigned int key = baseline_key(value);
      const int good = !baseline_bad(value);
      less_1 += SELECT(good && key < found + step, 1, 0);
      less_2 += SELECT(good && key < found + 2u * step, 1, 0);
      less_3 += SELECT(good && key < found + 3u * step, 1, 0);
    }
    found += SELECT(less_1 <= rank, step, 0u) + SELECT(less_2 <= rank, step, 0u) +
             SELECT(less_3 <= rank, step, 0u);
  }
  return AS_FLOAT((int)SELECT((found >> 31) != 0u, found ^ 0x80000000u, ~found));
}

/* The one after it in order: itself where there are more of it. */
FUNCTION float baseline_next(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                             const int channels, const index fed, const index count,
                             const index rank, const float lower) {
  index not_above = 0;
  float next = 3.402823466e38f;
  for (index row = 0; row < count; ++row) {
    const float value = baseline_at(x, x_stride, past, channels, fed, row);
    if (!baseline_bad(value)) {
      not_above += SELECT(value <= lower, 1, 0);
      next = SELECT(value > lower && value < next, value, next);
    }
  }
  return SELECT(not_above > rank + 1, lower, next);
}

/* The mean or median of the first `count` rows of each channel: baseline is [2, channels], a float
   and what it leaves. */
KERNEL void baseline_find(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL const float* RESTRICT past, GLOBAL float* RESTRICT baseline,
                          const int channels, const int median, const index fed,
                          const index count) {
  for (index c = GLOBAL_ID; c < channels; c += GLOBAL_SIZE) {
    GLOBAL const float* rows = x + x_first + c;
    index good = 0;
    real sum = 0;
    for (index row = 0; row < count; ++row) {
      const float value = baseline_at(rows, x_stride, past + c, channels, fed, row);
      if (!baseline_bad(value)) {
        good += 1;
        sum += (real)value;
      }
    }
    real middle = sum / (real)good; /* NaN where there is none. */
    if (median != 0 && good > 0) {
      const index rank = (good - 1) / 2;
      const float lower = baseline_rank(rows, x_stride, past + c, channels, fed, count, rank);
      middle = (real)lower;
      if (good % 2 == 0) {
        const float upper =
            baseline_next(rows, x_stride, past + c, channels, fed, count, rank, lower);
        middle = (middle + (real)upper) / 2;
      }
    }
    const float near = (float)middle;
    baseline[c] = near;
    baseline[channels + c] = (float)(middle - (real)near);
  }
}

/* Rows first to end - 1 of the segment minus the baseline; `kept` rows are kept. */
KERNEL void baseline_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT baseline,
                          const int channels, const index kept, const index fed, const index first,
                          const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const float middle = baseline[c];
  const float rest = baseline[channels + c];
  for (index row = first + GLOBAL_ID_1; row < end; row += GLOBAL_SIZE_1) {
    const float value =
        row >= fed ? x[x_first + (row - fed) * x_stride + c] : past[(row % kept) * channels + c];
    y[y_first + (row - first) * y_stride + c] = (value - middle) - rest;
  }
}
