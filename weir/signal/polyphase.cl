/* Edges: 0 zero, 1 odd, 2 reflect, 3 nearest, 4 mirror.
   x: `count` rows from row `fed` of the segment on. past: [width, channels], row n at n mod width:
   the rows before `fed`, those of the start's extension (negative), and those of the end's. */
FUNCTION index polyphase_slot(const index row, const int width) {
  return (row + width) % width;
}

FUNCTION float polyphase_row(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                             const int channels, const int width, const index fed,
                             const index count, const index row) {
  if (row >= fed && row < fed + count) {
    return x[(row - fed) * x_stride];
  }
  return past[polyphase_slot(row, width) * channels];
}

/* What stands past an end, from the rows of the segment: `middle` the last one, `inner` the one
   that mirrors it. */
FUNCTION float polyphase_mirrored(const int edge, const float middle, const float inner) {
  return SELECT(edge == 1, 2.0f * middle - inner, SELECT(edge == 2 || edge == 4, inner, middle));
}

/* One output from row `row` on: taps in the order of the rows, `tap_stride` apart, in runs of `run`
   that are then added. Rows before `fed` are in the ring. */
FUNCTION float polyphase_output(GLOBAL const float* x, const index x_stride,
                                GLOBAL const float* past, const int channels, const int width,
                                const index fed, const index row, GLOBAL const float* tap,
                                const index tap_stride, const int length, const int run) {
  const index kept = SELECT(row < fed, fed - row, 0);
  const int before = (int)SELECT(kept < length, kept, length);
  index slot = polyphase_slot(row, width);
  float total = 0.0f;
  for (int from = 0; from < length; from += run) {
    const int to = SELECT(from + run < length, from + run, length);
    float sum = 0.0f;
    int i = from;
    for (; i < to && i < before; ++i) {
      sum = FMA(past[slot * channels], tap[i * tap_stride], sum);
      slot = SELECT(slot + 1 == width, 0, slot + 1);
    }
    for (; i < to; ++i) {
      sum = FMA(x[(row + i - fed) * x_stride], tap[i * tap_stride], sum);
    }
    total += sum;
  }
  return total;
}

/* Outputs of one item; `down` where their rows are held, else 0; 1 where every channel has taps of
   its own, which stand side by side. */
#define TOGETHER together
#define HELD_DOWN held_down
#define LANE_TAPS lane_taps
/* The most of the former, and most rows that are held at a time: (2 * TOGETHER - 1) * HELD_DOWN. */
#define MOST_TOGETHER 16
#define MOST_HELD 48

/* One run of `length` taps of the outputs polyphase_together makes: sum m from row m * down of x
   on. Every row and every tap is loaded once. `down` * `together` taps at a time, of rows in
   registers, where those that go on into the next step are moved. */
FUNCTION void polyphase_run(const int together, const int down, GLOBAL const float* x,
                            const index x_stride, GLOBAL const float* RESTRICT tap,
                            const index tap_stride, const int length, float* sum) {
  float held[MOST_HELD];
  const int kept = (together - 1) * down;
  const int step = together * down;
  UNROLL for (int m = 0; m < together; ++m) {
    sum[m] = 0.0f;
  }
  UNROLL for (int i = 0; i < kept; ++i) {
    held[i] = *x;
    x += x_stride;
  }
  int base = 0;
  for (; base + step <= length; base += step) {
    UNROLL for (int i = 0; i < step; ++i) {
      held[kept + i] = *x;
      x += x_stride;
    }
    UNROLL for (int i = 0; i < step; ++i) {
      const float weight = tap[(base + i) * tap_stride];
      UNROLL for (int m = 0; m < together; ++m) {
        sum[m] = FMA(held[i + m * down], weight, sum[m]);
      }
    }
    UNROLL for (int i = 0; i < kept; ++i) {
      held[i] = held[step + i];
    }
  }
  const int rest = length - base;
  UNROLL for (int i = 0; i < step - 1; ++i) {
    if (i < rest) {
      held[kept + i] = *x;
      x += x_stride;
    }
  }
  UNROLL for (int i = 0; i < step - 1; ++i) {
    if (i < rest) {
      const float weight = tap[(base + i) * tap_stride];
      UNROLL for (int m = 0; m < together; ++m) {
        sum[m] = FMA(held[i + m * down], weight, sum[m]);
      }
    }
  }
}

/* The same where neighbouring outputs share few rows, or none: every output loads its own. */
FUNCTION void polyphase_run_apart(const int together, const index apart, GLOBAL const float* x,
                                  const index x_stride, GLOBAL const float* RESTRICT tap,
                                  const index tap_stride, const int length, float* sum) {
  UNROLL for (int m = 0; m < together; ++m) {
    sum[m] = 0.0f;
  }
  for (int i = 0; i < length; ++i) {
    const float weight = tap[i * tap_stride];
    UNROLL for (int m = 0; m < together; ++m) {
      sum[m] = FMA(x[m * apart], weight, sum[m]);
    }
    x += x_stride;
  }
}

/* `together` outputs of one phase, output m from row m * down of x on, into every y_stride-th row
   of y: the sums of polyphase_output. What the runs before have made waits in y:
   few filters have so many taps, and all would pay for registers. */
FUNCTION void polyphase_together(const int together, const int held_down, const index down,
                                 GLOBAL const float* x, const index x_stride, GLOBAL float* y,
                                 const index y_stride, GLOBAL const float* RESTRICT tap,
                                 const index tap_stride, const int length, const int run) {
  float sum[MOST_TOGETHER];
  for (int from = 0; from < length; from += run) {
    const int taps = SELECT(from + run < length, run, length - from);
    if (held_down > 0) {
      polyphase_run(together, held_down, x + from * x_stride, x_stride, tap + from * tap_stride,
                    tap_stride, taps, sum);
    } else {
      polyphase_run_apart(together, down * x_stride, x + from * x_stride, x_stride,
                          tap + from * tap_stride, tap_stride, taps, sum);
    }
    UNROLL for (int m = 0; m < together; ++m) {
      const float total = SELECT(from == 0, 0.0f, y[m * y_stride]);
      y[m * y_stride] = total + sum[m];
    }
  }
}

/* Output first + k in row k of y. phases: first row, taps and first tap of each phase. The outputs
   from `head` on that `chunks` chunks of together * up hold are summed together, phase by phase:
   all their rows are in x. The others are summed one by one. */
FUNCTION void polyphase_outputs(const int together, const int held_down, GLOBAL const float* x,
                                const index x_stride, GLOBAL float* y, const index y_stride,
                                GLOBAL const float* past, const int channels, const int width,
                                const index fed, GLOBAL const float* RESTRICT taps,
                                const index tap_stride, GLOBAL const int* phases, const index up,
                                const index down, const int run, const index first,
                                const index outputs, const index head, const index chunks) {
  const index chunk = together * up;
  const index alone = outputs - chunks * chunk;
  for (index i = GLOBAL_ID_1; i < alone; i += GLOBAL_SIZE_1) {
    const index k = SELECT(i < head, i, i + chunks * chunk);
    const index at = (first + k) * down;
    const index frame = SELECT(up == 1, at, at / up);
    GLOBAL const int* phase = phases + 3 * (at - frame * up);
    y[k * y_stride] = polyphase_output(x, x_stride, past, channels, width, fed, frame + phase[0],
                                       taps + phase[2] * tap_stride, tap_stride, phase[1], run);
  }
  for (index i = GLOBAL_ID_1; i < chunks * up; i += GLOBAL_SIZE_1) {
    const index k = head + SELECT(up == 1, i * together, i / up * chunk + i % up);
    const index at = (first + k) * down;
    const index frame = SELECT(up == 1, at, at / up);
    GLOBAL const int* phase = phases + 3 * (at - frame * up);
    polyphase_together(together, held_down, down, x + (frame + phase[0] - fed) * x_stride, x_stride,
                       y + k * y_stride, up * y_stride, taps + phase[2] * tap_stride, tap_stride,
                       phase[1], run);
  }
}

KERNEL void polyphase_sum(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT past, const int channels, const int width,
                          const index fed, GLOBAL const float* RESTRICT taps,
                          GLOBAL const int* RESTRICT phases, const index up, const index down,
                          const int run, const index first, const index outputs, const index head,
                          const index chunks, const int together, const int held_down,
                          const int lane_taps) {
  const index c = GLOBAL_ID;
  if (c < channels) {
    polyphase_outputs(TOGETHER, HELD_DOWN, x + x_first + c, x_stride, y + y_first + c, y_stride,
                      past + c, channels, width, fed, taps + SELECT(LANE_TAPS, c, 0),
                      SELECT(LANE_TAPS, channels, 1), phases, up, down, run, first, outputs, head,
                      chunks);
  }
}

/* Constants of the build for filters whose taps are arguments. */
#define SHORT_TOGETHER together
#define DOWN down
#define LENGTH length
#define RUN run

/* The sums of polyphase_together of up to 128 taps that each meet the rows at a known place: every
   row is loaded once, goes into all sums that meet it and is done with. The first four arguments
   are constants of the build, so that all loops unroll. */
FUNCTION void polyphase_short(const int together, const int down, const int length, const int run,
                              GLOBAL const float* x, const index x_stride, GLOBAL float* y,
                              const index y_stride, const floats128 tap) {
  float sum[MOST_TOGETHER];
  float total[MOST_TOGETHER];
  UNROLL for (int m = 0; m < together; ++m) {
    sum[m] = 0.0f;
    total[m] = 0.0f;
  }
  UNROLL for (int row = 0; row < length + (together - 1) * down; ++row) {
    const float value = *x;
    x += x_stride;
    UNROLL for (int m = 0; m < together; ++m) {
      const int i = row - m * down;
      if (i >= 0 && i < length) {
        if (i > 0 && i % run == 0) {
          total[m] += sum[m];
          sum[m] = 0.0f;
        }
        sum[m] = FMA(value, tap.at[i], sum[m]);
      }
    }
  }
  UNROLL for (int m = 0; m < together; ++m) {
    *y = total[m] + sum[m];
    y += y_stride;
  }
}

/* polyphase_sum at `up` 1, where output k uses `length` rows from row k * down + offset on. */
KERNEL void polyphase_sum_short(GLOBAL const float* RESTRICT x, const index x_first,
                                const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                                const index y_stride, GLOBAL const float* RESTRICT past,
                                const int channels, const int width, const index fed,
                                GLOBAL const float* RESTRICT taps, const index first,
                                const index outputs, const index head, const index chunks,
                                const int together, const int down, const int length, const int run,
                                const int offset, const floats128 tap) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* column = x + x_first + c;
  GLOBAL float* to = y + y_first + c;
  const index start = first * DOWN + offset;
  const index alone = outputs - chunks * SHORT_TOGETHER;
  for (index i = GLOBAL_ID_1; i < alone; i += GLOBAL_SIZE_1) {
    const index k = SELECT(i < head, i, i + chunks * SHORT_TOGETHER);
    to[k * y_stride] = polyphase_output(column, x_stride, past + c, channels, width, fed,
                                        start + k * DOWN, taps, 1, length, run);
  }
  for (index i = GLOBAL_ID_1; i < chunks; i += GLOBAL_SIZE_1) {
    const index k = head + i * SHORT_TOGETHER;
    polyphase_short(SHORT_TOGETHER, DOWN, LENGTH, RUN, column + (start + k * DOWN - fed) * x_stride,
                    x_stride, to + k * y_stride, y_stride, tap);
  }
}

/* Outputs with sums of their own: output k of the segment has that of entry base + k * step. */
KERNEL void polyphase_ends(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                           const index y_stride, GLOBAL const float* RESTRICT past,
                           const int channels, const int width, const index fed,
                           GLOBAL const float* RESTRICT taps, GLOBAL const int* RESTRICT phases,
                           const index base, const index step, const int run, const index first,
                           const index outputs) {
  const index c = GLOBAL_ID;
  for (index i = GLOBAL_ID_1; i < outputs && c < channels; i += GLOBAL_SIZE_1) {
    const index k = first + i;
    GLOBAL const int* phase = phases + 3 * (base + k * step);
    y[y_first + i * y_stride + c] =
        polyphase_output(x + x_first + c, x_stride, past + c, channels, width, fed, k + phase[0],
                         taps + phase[2], 1, phase[1], run);
  }
}

/* Every output, of ratio 1, becomes the magnitude of itself and of the row that it stands at. */
KERNEL void polyphase_magnitude(GLOBAL const float* RESTRICT x, const index x_first,
                                const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                                const index y_stride, GLOBAL const float* RESTRICT past,
                                const int channels, const int width, const index fed,
                                const index first, const index outputs) {
  const index c = GLOBAL_ID;
  for (index k = GLOBAL_ID_1; k < outputs && c < channels; k += GLOBAL_SIZE_1) {
    const index row = first + k;
    float sample = 0.0f;
    if (row < fed) {
      sample = past[polyphase_slot(row, width) * channels + c];
    } else {
      sample = x[x_first + (row - fed) * x_stride + c];
    }
    GLOBAL float* to = y + y_first + k * y_stride + c;
    const float imaginary = *to;
    *to = (float)sqrt(FMA(sample, sample, imaginary * imaginary));
  }
}

/* The `before` rows before the segment's start, from the rows that they mirror. */
KERNEL void polyphase_start(GLOBAL const float* RESTRICT x, const index x_first,
                            const index x_stride, GLOBAL float* past, const int channels,
                            const int width, const index fed, const index count, const int edge,
                            const int before) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL const float* column = x + x_first + c;
  const float middle = polyphase_row(column, x_stride, past + c, channels, width, fed, count, 0);
  for (index i = GLOBAL_ID_1; i < before; i += GLOBAL_SIZE_1) {
    const index inner = SELECT(edge == 3, 0, SELECT(edge == 2, i, i + 1));
    const float value =
        polyphase_row(column, x_stride, past + c, channels, width, fed, count, inner);
    past[polyphase_slot(-1 - i, width) * channels + c] = polyphase_mirrored(edge, middle, value);
  }
}

/* The `after` rows past the segment's last, `end` - 1, and when the start still waits the `before`
   rows before its first: by turns, each from what the other has made. */
KERNEL void polyphase_end(GLOBAL float* past, const int channels, const int width, const index end,
                          const int edge, const int before, const int after) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const int kind = SELECT(edge != 0 && end == 1, 3, edge);
  const int shift = SELECT(kind == 2, 1, 0);
  for (int i = 1; i <= before || i <= after; ++i) {
    const index inner = SELECT(kind == 3, 0, i - shift);
    if (i <= before) {
      const float middle = past[polyphase_slot(0, width) * channels + c];
      const float value = past[polyphase_slot(inner, width) * channels + c];
      past[polyphase_slot(-i, width) * channels + c] = polyphase_mirrored(kind, middle, value);
    }
    if (i <= after) {
      const float middle = past[polyphase_slot(end - 1, width) * channels + c];
      const float value = past[polyphase_slot(end - 1 - inner, width) * channels + c];
      past[polyphase_slot(end - 1 + i, width) * channels + c] =
          SELECT(kind == 0, 0.0f, polyphase_mirrored(kind, middle, value));
    }
  }
}
