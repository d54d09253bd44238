/* Outputs of one item, which share their rows. */
#define TOGETHER 8

/* b^2 - a c, by differences: the two products nearly cancel where the signal is slow. */
FUNCTION float energy_of(const float a, const float b, const float c) {
  const float u = b - a;
  const float v = c - b;
  return b * (u - v) + u * v;
}

/* x holds `count` rows from row `fed` of the segment on; past: [3, channels], row k at k mod 3. */
FUNCTION float row_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                      const int channels, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % 3) * channels];
}

/* Energies of rows first to end - 1, the first in row 0 of y. The first and the last row of the
   segment have those of their neighbours; `last` is the last row there is. */
KERNEL void teager_kaiser(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT past, const int channels, const index fed,
                          const index first, const index end, const index last) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* rows = x + x_first + c;
  GLOBAL float* to = y + y_first + c;
  for (index i = GLOBAL_ID_1; first + i * TOGETHER < end; i += GLOBAL_SIZE_1) {
    const index t = first + i * TOGETHER;
    if (t > fed && t + TOGETHER <= last) {
      GLOBAL const float* from = rows + (t - 1 - fed) * x_stride;
      float value[TOGETHER + 2];
      UNROLL for (int k = 0; k < TOGETHER + 2; ++k) {
        value[k] = *from;
        from += x_stride;
      }
      UNROLL for (int k = 0; k < TOGETHER; ++k) {
        if (t + k < end) {
          to[(t + k - first) * y_stride] = energy_of(value[k], value[k + 1], value[k + 2]);
        }
      }
    } else {
      for (index k = t; k < end && k < t + TOGETHER; ++k) {
        float energy = 0.0f;
        if (last >= 2) {
          const index middle = SELECT(k < 1, (index)1, SELECT(k < last, k, last - 1));
          energy = energy_of(row_at(rows, x_stride, past + c, channels, fed, middle - 1),
                             row_at(rows, x_stride, past + c, channels, fed, middle),
                             row_at(rows, x_stride, past + c, channels, fed, middle + 1));
        }
        to[(k - first) * y_stride] = energy;
      }
    }
  }
}
