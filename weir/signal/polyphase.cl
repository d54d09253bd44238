/* Edges: 0 zero, 1 odd, 2 reflect, 3 nearest.
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
  return SELECT(edge == 1, 2.0f * middle - inner, SELECT(edge == 2, inner, middle));
}

/* Output first + k: taps in the order of the rows, in runs of `run` that are then added.
   phases: first row, taps and first tap of each phase. */
KERNEL void polyphase_sum(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT past, const int channels, const int width,
                          const index fed, GLOBAL const float* RESTRICT taps,
                          GLOBAL const int* RESTRICT phases, const index up, const index down,
                          const int run, const index first, const index outputs) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index k = GLOBAL_ID_1; k < outputs; k += GLOBAL_SIZE_1) {
    const index at = (first + k) * down;
    GLOBAL const int* phase = phases + 3 * (at % up);
    const index row = at / up + phase[0];
    const int length = phase[1];
    GLOBAL const float* tap = taps + phase[2];
    const index kept = SELECT(row < fed, fed - row, 0);
    const int before = (int)SELECT(kept < length, kept, length);
    index slot = polyphase_slot(row, width);
    float total = 0.0f;
    for (int from = 0; from < length; from += run) {
      const int to = SELECT(from + run < length, from + run, length);
      float sum = 0.0f;
      int i = from;
      for (; i < to && i < before; ++i) {
        sum = FMA(past[slot * channels + c], tap[i], sum);
        slot = SELECT(slot + 1 == width, 0, slot + 1);
      }
      for (; i < to; ++i) {
        sum = FMA(x[x_first + (row + i - fed) * x_stride + c], tap[i], sum);
      }
      total += sum;
    }
    y[y_first + k * y_stride + c] = total;
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

/* Keeps the last rows of x. */
KERNEL void polyphase_keep(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL float* RESTRICT past, const int channels,
                           const int width, const index fed, const index count) {
  const index c = GLOBAL_ID;
  const index begin = SELECT(count > width, count - width, 0);
  for (index i = begin + GLOBAL_ID_1; i < count && c < channels; i += GLOBAL_SIZE_1) {
    past[polyphase_slot(fed + i, width) * channels + c] = x[x_first + i * x_stride + c];
  }
}
