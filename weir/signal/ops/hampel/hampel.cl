/* Outputs of one item, which moves one window over them. */
#define IN_TURN 64
/* Widest window that stands in an item's registers. */
#define MOST_NARROW 33
/* Samples in the window: a constant of the build of hampel_narrow. */
#define WIDTH width
/* Rows that are loaded before any is used. */
#define AHEAD 4

/* x holds rows from row `fed` of the segment on; past: [width, channels], row k at k mod width. */
FUNCTION float hampel_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                         const int channels, const int width, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % width) * channels];
}

FUNCTION float hampel_kept(const float value) {
  return SELECT(IS_NAN(value), 0.0f, value);
}

/* Whether a sample is further from the middle of a sorted window, one cell in LOCAL_SIZE, than
   `factor` times the MAD: the least of the larger ends of the stretches of half the window. */
FUNCTION int hampel_is_far(LOCAL const float* cells, const int reach, const float factor,
                           const float here) {
  const float middle = cells[reach * LOCAL_SIZE];
  float least = AS_FLOAT(0x7f800000);
  for (int i = 0; i <= reach; ++i) {
    const float below = middle - cells[(reach - i) * LOCAL_SIZE];
    const float above = cells[(2 * reach - i) * LOCAL_SIZE] - middle;
    const float larger = SELECT(below > above, below, above);
    least = SELECT(larger < least, larger, least);
  }
  const float distance = here - middle;
  return AS_FLOAT(AS_INT(distance) & 0x7fffffff) > least * factor;
}

/* Outputs of rows first to end - 1, the first in row 0 of y: in the window of each, which is in the
   first `rows` rows, or as they are where `passes` or before the first whole window. replaced: a
   count of each channel. Local memory: a window of each item. */
KERNEL void hampel_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const float* RESTRICT past, GLOBAL int* RESTRICT replaced,
                        const int channels, const int width, const float factor, const int passes,
                        const index fed, const index first, const index end, LOCAL_ARG) {
  LOCAL_MEM(float, windows);
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  LOCAL float* cells = windows + LOCAL_ID;
  GLOBAL const float* from = x + x_first + c;
  GLOBAL float* to = y + y_first + c;
  const int reach = width / 2;
  int count = 0;
  for (index turn = first + GLOBAL_ID_1 * IN_TURN; turn < end; turn += GLOBAL_SIZE_1 * IN_TURN) {
    const index stop = SELECT(turn + IN_TURN < end, turn + IN_TURN, end);
    int filled = 0;
    int nans = 0;
    for (index t = turn; t < stop; ++t) {
      const float here = hampel_at(from, x_stride, past + c, channels, width, fed, t);
      float result = here;
      if (passes == 0 && t >= reach) {
        if (filled == 0) {
          for (; filled < width; ++filled) {
            const float value =
                hampel_at(from, x_stride, past + c, channels, width, fed, t - reach + filled);
            nans += SELECT(IS_NAN(value), 1, 0);
            const float kept = hampel_kept(value);
            int at = filled;
            while (at > 0 && cells[(at - 1) * LOCAL_SIZE] > kept) {
              cells[at * LOCAL_SIZE] = cells[(at - 1) * LOCAL_SIZE];
              --at;
            }
            cells[at * LOCAL_SIZE] = kept;
          }
        } else {
          const float coming = hampel_at(from, x_stride, past + c, channels, width, fed, t + reach);
          const float going =
              hampel_at(from, x_stride, past + c, channels, width, fed, t - reach - 1);
          nans += SELECT(IS_NAN(coming), 1, 0) - SELECT(IS_NAN(going), 1, 0);
          const float in = hampel_kept(coming);
          const float out = hampel_kept(going);
          float value = cells[0];
          float before = -AS_FLOAT(0x7f800000);
          for (int i = 0; i + 1 < width; ++i) {
            const float next = cells[(i + 1) * LOCAL_SIZE];
            const float left = SELECT(value < out, value, next);
            const float lower = SELECT(left < in, left, in);
            cells[i * LOCAL_SIZE] = SELECT(before > lower, before, lower);
            before = left;
            value = next;
          }
          cells[(width - 1) * LOCAL_SIZE] = SELECT(before > in, before, in);
        }
        if (nans == 0 && hampel_is_far(cells, reach, factor, here)) {
          result = cells[reach * LOCAL_SIZE];
          ++count;
        }
      }
      to[(t - first) * y_stride] = result;
    }
  }
  if (count > 0) {
    ATOMIC_ADD(replaced + c, count);
  }
}

/* `out` goes from a sorted window and `in` comes, in one pass. */
FUNCTION void hampel_replace(const int width, float* sorted, const float out, const float in) {
  float before = -AS_FLOAT(0x7f800000);
  float value = sorted[0];
  UNROLL for (int i = 0; i + 1 < width; ++i) {
    const float next = sorted[i + 1];
    const float left = SELECT(value < out, value, next);
    const float lower = SELECT(left < in, left, in);
    sorted[i] = SELECT(before > lower, before, lower);
    before = left;
    value = next;
  }
  sorted[width - 1] = SELECT(before > in, before, in);
}

FUNCTION int hampel_far_here(const int width, const float* sorted, const float factor,
                             const float here) {
  const int reach = width / 2;
  const float middle = sorted[reach];
  float least = AS_FLOAT(0x7f800000);
  UNROLL for (int i = 0; i <= reach; ++i) {
    const float below = middle - sorted[reach - i];
    const float above = sorted[2 * reach - i] - middle;
    const float larger = SELECT(below > above, below, above);
    least = SELECT(larger < least, larger, least);
  }
  const float distance = here - middle;
  return AS_FLOAT(AS_INT(distance) & 0x7fffffff) > least * factor;
}

/* One item's outputs of rows turn to stop - 1; returns how many were replaced. */
FUNCTION int hampel_turn(const int width, GLOBAL const float* x, const index x_stride,
                         GLOBAL float* y, const index y_stride, GLOBAL const float* past,
                         const int channels, const float factor, const index fed, const index turn,
                         const index stop) {
  const int reach = width / 2;
  float sorted[MOST_NARROW];
  int count = 0;
  int nans = 0;
  int filled = 0;
  UNROLL for (int i = 0; i < width; ++i) {
    sorted[i] = AS_FLOAT(0x7f800000);
  }
  float here[AHEAD];
  float coming[AHEAD];
  float going[AHEAD];
  for (index first = turn; first < stop; first += AHEAD) {
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      const index t = SELECT(first + i < stop, first + i, stop - 1);
      here[i] = hampel_at(x, x_stride, past, channels, width, fed, t);
      coming[i] = t >= reach ? hampel_at(x, x_stride, past, channels, width, fed, t + reach) : 0.0f;
      going[i] =
          t > reach ? hampel_at(x, x_stride, past, channels, width, fed, t - reach - 1) : 0.0f;
    }
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      const index t = first + i;
      if (t < stop) {
        float result = here[i];
        if (t >= reach) {
          if (filled == 0) {
            filled = 1;
            for (int k = 0; k < width; ++k) {
              const float value = hampel_at(x, x_stride, past, channels, width, fed, t - reach + k);
              nans += SELECT(IS_NAN(value), 1, 0);
              hampel_replace(width, sorted, AS_FLOAT(0x7f800000), hampel_kept(value));
            }
          } else {
            nans += SELECT(IS_NAN(coming[i]), 1, 0) - SELECT(IS_NAN(going[i]), 1, 0);
            hampel_replace(width, sorted, hampel_kept(going[i]), hampel_kept(coming[i]));
          }
          if (nans == 0 && hampel_far_here(width, sorted, factor, here[i])) {
            result = sorted[reach];
            ++count;
          }
        }
        y[i * y_stride] = result;
      }
    }
    y += AHEAD * y_stride;
  }
  return count;
}

/* As hampel_rows where nothing passes for the end's sake, with the windows in registers. */
KERNEL void hampel_narrow(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT past, GLOBAL int* RESTRICT replaced,
                          const int channels, const int width, const float factor, const index fed,
                          const index first, const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  int count = 0;
  for (index turn = first + GLOBAL_ID_1 * IN_TURN; turn < end; turn += GLOBAL_SIZE_1 * IN_TURN) {
    const index stop = SELECT(turn + IN_TURN < end, turn + IN_TURN, end);
    count +=
        hampel_turn(WIDTH, x + x_first + c, x_stride, y + y_first + (turn - first) * y_stride + c,
                    y_stride, past + c, channels, factor, fed, turn, stop);
  }
  if (count > 0) {
    ATOMIC_ADD(replaced + c, count);
  }
}
