/* Frames from one restart of the sums to the next. */
#define GRID 256
/* Rows that are loaded before any is used: loads that wait for each other take all the time. */
#define AHEAD 8

/* x holds rows from row `fed` of the segment on; past: [kept, channels], row k at k mod kept. sums:
   [3, channels]: of the distances from the centre, of their squares, and how many samples are not
   finite. stretches: [capacity, 3, channels], those of the rows from k * GRID on at k mod capacity.
 */
FUNCTION float running_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                          const int channels, const index kept, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % kept) * channels];
}

/* The rows from `row` on, of which `count` matter. */
FUNCTION void running_load(float* values, const int count, GLOBAL const float* x,
                           const index x_stride, GLOBAL const float* past, const int channels,
                           const index kept, const index fed, const index row) {
  if (row >= fed && count == AHEAD) {
    GLOBAL const float* from = x + (row - fed) * x_stride;
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      values[i] = *from;
      from += x_stride;
    }
  } else {
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      values[i] = i < count ? running_at(x, x_stride, past, channels, kept, fed, row + i) : 0.0f;
    }
  }
}

typedef struct {
  real sum;
  real squares;
  real bad;
} running_sums;

FUNCTION int is_bad(const float value) {
  return (AS_INT(value) & 0x7f800000) == 0x7f800000;
}

FUNCTION void running_add(running_sums* sums, const float value, const real middle) {
  const int skip = is_bad(value);
  const real distance = skip ? (real)0 : (real)value - middle;
  sums->sum += distance;
  sums->squares += distance * distance;
  sums->bad += skip ? (real)1 : (real)0;
}

FUNCTION void running_subtract(running_sums* sums, const float value, const real middle) {
  const int skip = is_bad(value);
  const real distance = skip ? (real)0 : (real)value - middle;
  sums->sum -= distance;
  sums->squares -= distance * distance;
  sums->bad -= skip ? (real)1 : (real)0;
}

FUNCTION void running_add_rows(running_sums* sums, const index first, const index end,
                               const real middle, GLOBAL const float* x, const index x_stride,
                               GLOBAL const float* past, const int channels, const index kept,
                               const index fed) {
  float values[AHEAD];
  for (index row = first; row < end; row += AHEAD) {
    const int count = (int)SELECT(end - row < AHEAD, end - row, (index)AHEAD);
    running_load(values, count, x, x_stride, past, channels, kept, fed, row);
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      if (i < count) {
        running_add(sums, values[i], middle);
      }
    }
  }
}

/* Keeps the first row of a segment as the centre: 0 where it is not finite. */
KERNEL void running_begin(GLOBAL const float* RESTRICT x, const index x_first,
                          GLOBAL float* RESTRICT centre, const int channels) {
  for (index c = GLOBAL_ID; c < channels; c += GLOBAL_SIZE) {
    const float value = x[x_first + c];
    centre[c] = SELECT(is_bad(value), 0.0f, value);
  }
}

/* Adds `count` rows to the stretches they belong to, an item each. */
KERNEL void running_stretches(GLOBAL const float* RESTRICT x, const index x_first,
                              const index x_stride, GLOBAL const float* RESTRICT centre,
                              GLOBAL real* RESTRICT stretches, const int channels,
                              const index capacity, const index fed, const index count) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index number = fed / GRID + GLOBAL_ID_1; number * GRID < fed + count;
       number += GLOBAL_SIZE_1) {
    GLOBAL real* to = stretches + (number % capacity) * 3 * channels + c;
    running_sums sums = {0, 0, 0};
    index first = number * GRID;
    if (first < fed) {
      sums.sum = to[0];
      sums.squares = to[channels];
      sums.bad = to[2 * channels];
      first = fed;
    }
    const index end = SELECT((number + 1) * GRID < fed + count, (number + 1) * GRID, fed + count);
    running_add_rows(&sums, first, end, (real)centre[c], x + x_first + c, x_stride, x, channels, 1,
                     fed);
    to[0] = sums.sum;
    to[channels] = sums.squares;
    to[2 * channels] = sums.bad;
  }
}

/* The sums of the rows first to last: up to the grid one by one, whole stretches, and then the rest
   by itself, as if it were a stretch. */
FUNCTION running_sums running_window(const index first, const index last, const real middle,
                                     GLOBAL const real* stretches, const index capacity,
                                     GLOBAL const float* x, const index x_stride,
                                     GLOBAL const float* past, const int channels, const index kept,
                                     const index fed) {
  running_sums sums = {0, 0, 0};
  index number = (first + GRID - 1) / GRID;
  const index head = SELECT(number * GRID < last + 1, number * GRID, last + 1);
  running_add_rows(&sums, first, head, middle, x, x_stride, past, channels, kept, fed);
  for (; number * GRID + GRID - 1 <= last; ++number) {
    GLOBAL const real* from = stretches + (number % capacity) * 3 * channels;
    sums.sum += from[0];
    sums.squares += from[channels];
    sums.bad += from[2 * channels];
  }
  if (number * GRID <= last) {
    running_sums rest = {0, 0, 0};
    running_add_rows(&rest, number * GRID, last + 1, middle, x, x_stride, past, channels, kept,
                     fed);
    sums.sum += rest.sum;
    sums.squares += rest.squares;
    sums.bad += rest.bad;
  }
  return sums;
}

FUNCTION float running_result(const running_sums* sums, const float here, const real middle,
                              const real part, const int divide) {
  const real mean = sums->sum * part;
  float result = (float)((real)here - middle - mean);
  if (divide != 0) {
    const real square = sums->squares * part;
    const real variance = square - mean * mean;
    result = variance > square * (real)1e-13 ? result / (float)sqrt((float)variance) : 0.0f;
  }
  return sums->bad > 0 ? AS_FLOAT(0x7fc00000) : result;
}

/* Outputs of frames first to end - 1, the first in row 0 of y. An item does those of one channel
   between two restarts: at the first of them the sums come of its whole window, else from `before`,
   and the last item leaves them in `after`. `rows` are there. */
KERNEL void running_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                         GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT centre,
                         GLOBAL const real* RESTRICT stretches, GLOBAL const real* RESTRICT before,
                         GLOBAL real* RESTRICT after, const int channels, const index capacity,
                         const int divide, const index reach, const index fed, const index rows,
                         const index first, const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const index kept = 2 * reach + 2;
  GLOBAL const float* from = x + x_first + c;
  GLOBAL const float* old = past + c;
  const real middle = (real)centre[c];
  const real whole = (real)1 / (real)(2 * reach + 1);
  for (index block = first / GRID + GLOBAL_ID_1; block * GRID < end; block += GLOBAL_SIZE_1) {
    const index begin = SELECT(block * GRID < first, first, block * GRID);
    const index stop = SELECT((block + 1) * GRID < end, (block + 1) * GRID, end);
    running_sums sums = {0, 0, 0};
    index moved = begin; /* Frames from here on move the sums. */
    if (begin % GRID == 0) {
      sums = running_window(SELECT(begin < reach, (index)0, begin - reach),
                            SELECT(begin + reach < rows, begin + reach, rows - 1), middle,
                            stretches + c, capacity, from, x_stride, old, channels, kept, fed);
      moved = begin + 1;
    } else {
      sums.sum = before[c];
      sums.squares = before[channels + c];
      sums.bad = before[2 * channels + c];
    }
    float here[AHEAD];
    float coming[AHEAD];
    float going[AHEAD];
    for (index turn = begin; turn < stop; turn += AHEAD) {
      const int count = (int)SELECT(stop - turn < AHEAD, stop - turn, (index)AHEAD);
      const int within = turn >= reach + 1 && turn + AHEAD + reach <= rows;
      running_load(here, count, from, x_stride, old, channels, kept, fed, turn);
      if (within) {
        running_load(coming, count, from, x_stride, old, channels, kept, fed, turn + reach);
        running_load(going, count, from, x_stride, old, channels, kept, fed, turn - reach - 1);
      }
      UNROLL for (int i = 0; i < AHEAD; ++i) {
        const index at = turn + i;
        if (i < count) {
          real part = whole;
          if (within) {
            if (at >= moved) {
              running_add(&sums, coming[i], middle);
              running_subtract(&sums, going[i], middle);
            }
          } else {
            if (at >= moved && at + reach < rows) {
              running_add(&sums, running_at(from, x_stride, old, channels, kept, fed, at + reach),
                          middle);
            }
            if (at >= moved && at > reach) {
              running_subtract(&sums,
                               running_at(from, x_stride, old, channels, kept, fed, at - reach - 1),
                               middle);
            }
            const index low = SELECT(at < reach, (index)0, at - reach);
            const index high = SELECT(at + reach < rows, at + reach, rows - 1);
            part = (real)1 / (real)(high - low + 1);
          }
          y[y_first + (at - first) * y_stride + c] =
              running_result(&sums, here[i], middle, part, divide);
        }
      }
    }
    if (stop == end) {
      after[c] = sums.sum;
      after[channels + c] = sums.squares;
      after[2 * channels + c] = sums.bad;
    }
  }
}
