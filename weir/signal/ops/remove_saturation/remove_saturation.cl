/* Rows whose marks one item makes. */
#define TOGETHER 64

/* x holds rows from row `fed` of the segment on; past: [kept, channels], row k at k mod kept. */
FUNCTION float saturation_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                             const int channels, const index kept, const index fed,
                             const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % kept) * channels];
}

/* marks: [end - first, channels], 1 where a row is bad: a sample from `after` rows before it to
   `before` rows after it is saturated. Rows below `begun` were never seen, `rows` are there.
   levels: [2, channels], counts up to the first and from the second on are saturated. */
KERNEL void saturation_mark(GLOBAL const float* RESTRICT x, const index x_first,
                            const index x_stride, GLOBAL const float* RESTRICT past,
                            GLOBAL const float* RESTRICT levels,
                            GLOBAL unsigned char* RESTRICT marks, const int channels,
                            const index kept, const index before, const index after,
                            const index begun, const index fed, const index rows, const index first,
                            const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* from = x + x_first + c;
  const float least = levels[c];
  const float most = levels[channels + c];
  for (index turn = first + GLOBAL_ID_1 * TOGETHER; turn < end; turn += GLOBAL_SIZE_1 * TOGETHER) {
    const index stop = SELECT(turn + TOGETHER < end, turn + TOGETHER, end);
    index since = before + after + 1; /* Rows since the last saturated one. */
    index row = SELECT(turn - after < begun, begun, turn - after);
    for (index t = turn; t < stop; ++t) {
      for (; row <= t + before; ++row) {
        since += 1;
        if (row < rows) {
          const float value = saturation_at(from, x_stride, past + c, channels, kept, fed, row);
          since = SELECT(value <= least || value >= most, (index)0, since);
        }
      }
      marks[(t - first) * channels + c] = (unsigned char)SELECT(since <= before + after, 1, 0);
    }
  }
}

/* Rows first to end - 1, the first in row 0 of y; marks are those of rows `lowest` to `highest` -
   1, and those from `highest` on are unknown or past the end. counts: [2, channels], of samples
   blanked, and of those in stretches over `longest`. */
KERNEL void saturation_rows(GLOBAL const float* RESTRICT x, const index x_first,
                            const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                            const index y_stride, GLOBAL const float* RESTRICT past,
                            GLOBAL const unsigned char* RESTRICT marks, GLOBAL int* RESTRICT counts,
                            const int channels, const index kept, const index longest,
                            const index begun, const index fed, const index lowest,
                            const index highest, const index first, const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* from = x + x_first + c;
  GLOBAL const unsigned char* bad = marks + c - lowest * channels;
  for (index t = first + GLOBAL_ID_1; t < end; t += GLOBAL_SIZE_1) {
    float result = 0.0f;
    if (bad[t * channels] == 0) {
      result = saturation_at(from, x_stride, past + c, channels, kept, fed, t);
    } else {
      index begin = t;
      index after = t + 1;
      while (begin > lowest && begin > t - longest && bad[(begin - 1) * channels] != 0) {
        --begin;
      }
      while (after < highest && after < t + longest + 1 && bad[after * channels] != 0) {
        ++after;
      }
      ATOMIC_ADD(counts + c, 1);
      if (after - begin <= longest) {
        const int has_left = begin > begun;
        const int has_right = after < highest;
        const float left =
            has_left ? saturation_at(from, x_stride, past + c, channels, kept, fed, begin - 1)
                     : 0.0f;
        const float right =
            has_right ? saturation_at(from, x_stride, past + c, channels, kept, fed, after) : left;
        const float part = (float)(t - begin + 1) / (float)(after - begin + 1);
        result = has_left && has_right ? left + (right - left) * part : right;
      } else if (longest > 0) {
        ATOMIC_ADD(counts + channels + c, 1);
      }
    }
    y[y_first + (t - first) * y_stride + c] = result;
  }
}
