/* Local maxima of at least a height, of every channel by itself: what needs no more thought.
   x: [frames, channels] from its first element on; row 0 is frame `fed` of its segment.
   levels: per channel sign and least; v = side * sign * x is the oriented sample, for `sides` sides
   from `first_side` on (+1, then -1).
   previous: the row before x. starts, befores: [sides, channels], the first frame of a top that has
   not ended (-1: there is none) and the oriented sample before it.
   events: see op/device_step.h. */

KERNEL void peaks_begin(GLOBAL index* RESTRICT events) {
  if (GLOBAL_ID == 0) {
    events[0] = 0;
  }
}

/* A top ends before row `t` of a channel's column; its samples are `top`. */
FUNCTION void end_top(GLOBAL const float* column, const index x_stride, const float previous,
                      const index open, const index fed, const index t, const float top,
                      const float turn, const int tag, GLOBAL index* events, const index capacity) {
  index s = t - 1;
  while (s > 0 && column[(s - 1) * x_stride] == top) {
    --s;
  }
  index start = open;
  if (s > 0) {
    start = column[(s - 1) * x_stride] * turn < top * turn ? fed + s : -1;
  } else if (s == 0 && previous != top) {
    start = previous * turn < top * turn ? fed : -1;
  }
  if (start < 0) {
    return;
  }
  const index row = ATOMIC_ADD((GLOBAL int*)events, 1);
  if (row < capacity) {
    GLOBAL index* to = events + 4 * (row + 1);
    to[0] = start;
    to[1] = (start + fed + t - 1) / 2;
    to[2] = fed + t;
    to[3] = ((index)tag << 32) | (index)(unsigned int)AS_INT(top);
  }
}

/* An item has one channel of 32 rows. */
KERNEL void peaks_find(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL const float* RESTRICT levels, GLOBAL const float* RESTRICT previous,
                       GLOBAL const index* RESTRICT starts, GLOBAL index* events,
                       const index capacity, const index fed, const index frames,
                       const int channels, const int sides, const int first_side) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* column = x + x_first + c;
  for (index begin = 32 * GLOBAL_ID_1; begin < frames; begin += 32 * GLOBAL_SIZE_1) {
    float last = begin == 0 ? previous[c] : column[(begin - 1) * x_stride];
    for (int i = 0; i < 32; i += 8) {
      float values[8];
      UNROLL
      for (int j = 0; j < 8; ++j) {
        const index row = begin + i + j < frames ? begin + i + j : frames - 1;
        values[j] = column[row * x_stride];
      }
      UNROLL
      for (int j = 0; j < 8; ++j) {
        for (int side = 0; side < sides; ++side) {
          const int polarity = side == 0 ? first_side : -first_side;
          const float turn = polarity > 0 ? levels[c] : -levels[c];
          if (begin + i + j < frames && last * turn >= levels[channels + c] &&
              values[j] * turn < last * turn) {
            end_top(column, x_stride, previous[c], starts[side * channels + c], fed, begin + i + j,
                    last, turn, 4 * c + (polarity > 0 ? 0 : 1), events, capacity);
          }
        }
        last = values[j];
      }
    }
  }
}

/* After the block: its last row, and the tops that have not ended. */
KERNEL void peaks_keep(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL const float* RESTRICT levels, GLOBAL float* RESTRICT previous,
                       GLOBAL index* RESTRICT starts, GLOBAL float* RESTRICT befores,
                       const index fed, const index frames, const int channels, const int sides,
                       const int first_side) {
  const int c = (int)GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* column = x + x_first + c;
  const float top = column[(frames - 1) * x_stride];
  index s = frames - 1;
  while (s > 0 && column[(s - 1) * x_stride] == top) {
    --s;
  }
  const float before = s > 0 ? column[(s - 1) * x_stride] : previous[c];
  if (before != top) { /* else it is the top of the blocks before, if of any */
    for (int side = 0; side < sides; ++side) {
      const float turn = (side == 0 ? first_side : -first_side) > 0 ? levels[c] : -levels[c];
      const int rises = before * turn < top * turn && top * turn >= levels[channels + c] ? 1 : 0;
      starts[side * channels + c] = rises != 0 ? fed + s : -1;
      befores[side * channels + c] = before * turn;
    }
  }
  previous[c] = top;
}
