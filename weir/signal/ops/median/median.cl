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

/* The value that at most half of the window is less than and more than half is not greater than.
   NaN where the window has one: the one that the networks make of it. */
FUNCTION float median_one(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                          const int channels, const int width, const index fed, const index count,
                          const index row) {
  const int middle = width / 2;
  float result = 0.0f;
  int found = 0;
  for (int i = 0; i < width && found < 2; ++i) {
    const float value = median_at(x, x_stride, past, channels, width, fed, count, row + i);
    int less = 0;
    int not_greater = 0;
    for (int j = 0; j < width; ++j) {
      const float other = median_at(x, x_stride, past, channels, width, fed, count, row + j);
      less += SELECT(other < value, 1, 0);
      not_greater += SELECT(other <= value, 1, 0);
    }
    if (IS_NAN(value)) {
      result = LESSER(value, value);
      found = 2;
    } else if (less <= middle && not_greater > middle) {
      result = value;
      found = 1;
    }
  }
  return result + 0.0f;
}

FUNCTION void median_exchange(float* values, const int i, const int j, const int count) {
  if (j < count) {
    const float smaller = LESSER(values[i], values[j]);
    values[j] = GREATER(values[i], values[j]);
    values[i] = smaller;
  }
}

/* Odd-even merge sort of 8; without what lies past `count`, as if that were the greatest, it sorts
   fewer. Neighbours come first: the halves of later windows begin with the same exchanges. */
FUNCTION void median_sort(float* values, const int count) {
  median_exchange(values, 0, 1, count);
  median_exchange(values, 2, 3, count);
  median_exchange(values, 0, 2, count);
  median_exchange(values, 1, 3, count);
  median_exchange(values, 1, 2, count);
  median_exchange(values, 4, 5, count);
  median_exchange(values, 6, 7, count);
  median_exchange(values, 4, 6, count);
  median_exchange(values, 5, 7, count);
  median_exchange(values, 5, 6, count);
  median_exchange(values, 0, 4, count);
  median_exchange(values, 2, 6, count);
  median_exchange(values, 2, 4, count);
  median_exchange(values, 1, 5, count);
  median_exchange(values, 3, 7, count);
  median_exchange(values, 3, 5, count);
  median_exchange(values, 1, 2, count);
  median_exchange(values, 3, 4, count);
  median_exchange(values, 5, 6, count);
}

/* Outputs of one item of median_slide. */
#define TOGETHER 16
/* Rows of a window before its middle one: a constant of the build. */
#define REACH reach

/* TOGETHER medians of windows of 2 * `reach` + 1 rows, the first from x on. Two neighbours share
   2 * reach rows; of these only the middle two can be a median, and the row that each has alone
   decides. `reach` is a constant at every call, so that all loops unroll; for an even one the
   second half of a window is the first half of a later one, and compilers sort it once. Adding 0
   gives zeros one sign. */
FUNCTION void median_slide(const int reach, GLOBAL const float* x, const index x_stride,
                           GLOBAL float* y, const index y_stride) {
  float row[TOGETHER + 16];
  UNROLL for (int i = 0; i < TOGETHER + 2 * reach; ++i) {
    row[i] = *x;
    x += x_stride;
  }
  UNROLL for (int k = 0; k < TOGETHER; k += 2) {
    float a[8];
    float b[8];
    UNROLL for (int i = 0; i < reach; ++i) {
      a[i] = row[k + 1 + i];
      b[i] = row[k + 1 + reach + i];
    }
    median_sort(a, reach);
    median_sort(b, reach);
    float low = LESSER(a[0], b[reach - 1]);
    float high = GREATER(a[0], b[reach - 1]);
    UNROLL for (int i = 1; i < reach; ++i) {
      const float smaller = LESSER(a[i], b[reach - 1 - i]);
      const float larger = GREATER(a[i], b[reach - 1 - i]);
      low = GREATER(low, smaller);
      high = LESSER(high, larger);
    }
    const float before = LESSER(high, row[k]);
    const float after = LESSER(high, row[k + 2 * reach + 1]);
    y[0] = GREATER(low, before) + 0.0f;
    y[y_stride] = GREATER(low, after) + 0.0f;
    y += 2 * y_stride;
  }
}

/* Output first + k in row k of y: the median of the rows first + k - reach to first + k + reach.
   The outputs from `head` on that `chunks` items hold are found together: all their rows are in x.
   The others are found one by one. */
FUNCTION void median_outputs(const int reach, GLOBAL const float* x, const index x_stride,
                             GLOBAL float* y, const index y_stride, GLOBAL const float* past,
                             const int channels, const int width, const index fed,
                             const index count, const index first, const index outputs,
                             const index head, const index chunks) {
  const index alone = outputs - chunks * TOGETHER;
  for (index i = GLOBAL_ID_1; i < alone + chunks; i += GLOBAL_SIZE_1) {
    if (i < alone) {
      const index k = SELECT(i < head, i, i + chunks * TOGETHER);
      y[k * y_stride] =
          median_one(x, x_stride, past, channels, width, fed, count, first + k - reach);
    } else {
      const index k = head + (i - alone) * TOGETHER;
      median_slide(reach, x + (first + k - reach - fed) * x_stride, x_stride, y + k * y_stride,
                   y_stride);
    }
  }
}

KERNEL void median_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const float* RESTRICT past, const int channels, const int width,
                        const index fed, const index count, const index first, const index outputs,
                        const index head, const index chunks, const int reach) {
  const index c = GLOBAL_ID;
  if (c < channels) {
    median_outputs(REACH, x + x_first + c, x_stride, y + y_first + c, y_stride, past + c, channels,
                   width, fed, count, first, outputs, head, chunks);
  }
}

/* What a window that is searched holds: a NaN and both zeros are +0. */
FUNCTION float median_kept(const float value) {
  return SELECT(IS_NAN(value), 0.0f, value) + 0.0f;
}

/* The median of the window from `row` on, by its bits: the largest key that at most half of the
   keys are less than. Keys order as the values do. */
FUNCTION float median_search(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                             const int channels, const int width, const index fed,
                             const index count, const index row) {
  int found = (int)(1u << 31);
  for (int bit = 31; bit >= 0; --bit) {
    const int candidate = found ^ (int)(1u << bit);
    int less = 0;
    for (int i = 0; i < width; ++i) {
      const int bits =
          AS_INT(median_kept(median_at(x, x_stride, past, channels, width, fed, count, row + i)));
      less += SELECT(SELECT(bits < 0, bits ^ 0x7fffffff, bits) < candidate, 1, 0);
    }
    found = SELECT(less <= width / 2, candidate, found);
  }
  return AS_FLOAT(SELECT(found < 0, found ^ 0x7fffffff, found));
}

/* Outputs of one item of median_rows_wide. */
#define IN_TURN 32

/* Output first + k in row k of y, for any width: IN_TURN in turn, the first of them by its bits.
   From one window to the next a value goes and one comes, so the median moves by one value at most:
   counts of the values less than and equal to it say when, and one pass finds where to. */
KERNEL void median_rows_wide(GLOBAL const float* RESTRICT x, const index x_first,
                             const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                             const index y_stride, GLOBAL const float* RESTRICT past,
                             const int channels, const int width, const index fed,
                             const index count, const index first, const index outputs) {
  const index c = GLOBAL_ID;
  const int middle = width / 2;
  for (index k = GLOBAL_ID_1 * IN_TURN; k < outputs && c < channels; k += GLOBAL_SIZE_1 * IN_TURN) {
    const index end = SELECT(k + IN_TURN < outputs, k + IN_TURN, outputs);
    GLOBAL const float* rows = x + x_first + c;
    float median =
        median_search(rows, x_stride, past + c, channels, width, fed, count, first + k - middle);
    int less = 0;
    int equal = 0;
    int nans = 0;
    for (int i = 0; i < width; ++i) {
      const float value =
          median_at(rows, x_stride, past + c, channels, width, fed, count, first + k - middle + i);
      less += SELECT(median_kept(value) < median, 1, 0);
      equal += SELECT(median_kept(value) == median, 1, 0);
      nans += SELECT(IS_NAN(value), 1, 0);
    }
    for (index at = k; at < end; ++at) {
      y[y_first + at * y_stride + c] = SELECT(nans > 0, AS_FLOAT(0x7fc00000), median);
      const index row = first + at - middle;
      const float going = median_at(rows, x_stride, past + c, channels, width, fed, count, row);
      const float coming =
          median_at(rows, x_stride, past + c, channels, width, fed, count, row + width);
      nans += SELECT(IS_NAN(coming), 1, 0) - SELECT(IS_NAN(going), 1, 0);
      less +=
          SELECT(median_kept(coming) < median, 1, 0) - SELECT(median_kept(going) < median, 1, 0);
      equal +=
          SELECT(median_kept(coming) == median, 1, 0) - SELECT(median_kept(going) == median, 1, 0);
      const int down = less > middle;
      if (at + 1 < end && (down || less + equal <= middle)) {
        const float toward = SELECT(down, -1.0f, 1.0f);
        float next = 0.0f;
        int times = 0;
        for (int i = 1; i <= width; ++i) {
          const float value = toward * median_kept(median_at(rows, x_stride, past + c, channels,
                                                             width, fed, count, row + i));
          if (value > toward * median && (times == 0 || value <= next)) {
            times = SELECT(times > 0 && value == next, times + 1, 1);
            next = value;
          }
        }
        less = SELECT(down, less - times, less + equal);
        equal = times;
        median = toward * next;
      }
    }
  }
}
