/* x holds `count` rows from row `fed` of the segment on; past: [kept, channels], row k at k mod
   kept. sums: [3, channels]: of the distances from the centre, their squares, and how many samples
   are not finite. */
FUNCTION float running_at(GLOBAL const float* x, const index x_stride, GLOBAL const float* past,
                          const int channels, const index kept, const index fed, const index row) {
  return row >= fed ? x[(row - fed) * x_stride] : past[(row % kept) * channels];
}

FUNCTION int is_bad(const float value) {
  return (AS_INT(value) & 0x7f800000) == 0x7f800000;
}

/* Keeps the first row of a segment as the centre: 0 where it is not finite. */
KERNEL void running_begin(GLOBAL const float* RESTRICT x, const index x_first,
                          GLOBAL float* RESTRICT centre, const int channels) {
  for (index c = GLOBAL_ID; c < channels; c += GLOBAL_SIZE) {
    const float value = x[x_first + c];
    centre[c] = SELECT(is_bad(value), 0.0f, value);
  }
}

/* Outputs of frames first to end - 1, the first in row 0 of y. An item does those of one channel
   between two restarts: at the first of them the sums come of its whole window, else from `before`,
   and the last item leaves them in `after`. `rows` are there. */
KERNEL void running_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                         GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT centre,
                         GLOBAL const real* RESTRICT before, GLOBAL real* RESTRICT after,
                         const int channels, const int divide, const index reach,
                         const index restart, const index fed, const index rows, const index first,
                         const index end) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const index kept = 2 * reach + 2;
  GLOBAL const float* from = x + x_first + c;
  GLOBAL const float* old = past + c;
  const real middle = (real)centre[c];
  for (index block = first / restart + GLOBAL_ID_1; block * restart < end; block += GLOBAL_SIZE_1) {
    index t = SELECT(block * restart < first, first, block * restart);
    const index stop = SELECT((block + 1) * restart < end, (block + 1) * restart, end);
    real sum = 0;
    real squares = 0;
    real bad = 0;
    const int anew = t % restart == 0;
    if (anew) {
      const index low = SELECT(t < reach, (index)0, t - reach);
      const index high = SELECT(t + reach < rows, t + reach, rows - 1);
      for (index row = low; row <= high; ++row) {
        const float value = running_at(from, x_stride, old, channels, kept, fed, row);
        const int skip = is_bad(value);
        const real distance = skip ? (real)0 : (real)value - middle;
        sum += distance;
        squares += distance * distance;
        bad += skip ? (real)1 : (real)0;
      }
    } else {
      sum = before[c];
      squares = before[channels + c];
      bad = before[2 * channels + c];
    }
    for (index at = t; at < stop; ++at) {
      if ((at > t || !anew) && at + reach < rows) {
        const float value = running_at(from, x_stride, old, channels, kept, fed, at + reach);
        const int skip = is_bad(value);
        const real distance = skip ? (real)0 : (real)value - middle;
        sum += distance;
        squares += distance * distance;
        bad += skip ? (real)1 : (real)0;
      }
      if ((at > t || !anew) && at > reach) {
        const float value = running_at(from, x_stride, old, channels, kept, fed, at - reach - 1);
        const int skip = is_bad(value);
        const real distance = skip ? (real)0 : (real)value - middle;
        sum -= distance;
        squares -= distance * distance;
        bad -= skip ? (real)1 : (real)0;
      }
      const index low = SELECT(at < reach, (index)0, at - reach);
      const index high = SELECT(at + reach < rows, at + reach, rows - 1);
      const real part = (real)1 / (real)(high - low + 1);
      const real mean = sum * part;
      const float value = running_at(from, x_stride, old, channels, kept, fed, at);
      float result = (float)((real)value - middle - mean);
      if (divide != 0) {
        const real square = squares * part;
        const real variance = square - mean * mean;
        result = variance > square * (real)1e-13 ? result / (float)sqrt((float)variance) : 0.0f;
      }
      y[y_first + (at - first) * y_stride + c] = bad > 0 ? AS_FLOAT(0x7fc00000) : result;
    }
    if (stop == end) {
      after[c] = sum;
      after[channels + c] = squares;
      after[2 * channels + c] = bad;
    }
  }
}

/* Keeps the last rows of x. */
KERNEL void running_keep(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL float* RESTRICT past, const int channels, const index kept,
                         const index fed, const index count) {
  const index c = GLOBAL_ID;
  const index begin = SELECT(count > kept, count - kept, (index)0);
  for (index i = begin + GLOBAL_ID_1; i < count && c < channels; i += GLOBAL_SIZE_1) {
    past[((fed + i) % kept) * channels + c] = x[x_first + i * x_stride + c];
  }
}
