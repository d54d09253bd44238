/* Rows x, y: [frames, channels] from their first elements on. x is int16 counts where `integer` is
   not 0 and float32 otherwise: `counts` and `floats` are the same buffer. Tables have one number a
   channel. */
FUNCTION float stored_value(GLOBAL const short* counts, GLOBAL const float* floats,
                            const int integer, const index at) {
  if (integer != 0) {
    return (float)counts[at];
  }
  return floats[at];
}

KERNEL void shift_rows(GLOBAL const short* counts, GLOBAL const float* floats, const int integer,
                       const index x_first, const index x_stride, GLOBAL float* RESTRICT y,
                       const index y_first, const index y_stride,
                       GLOBAL const float* RESTRICT shift, const index frames, const int channels) {
  const index c = GLOBAL_ID;
  for (index t = GLOBAL_ID_1; t < frames && c < channels; t += GLOBAL_SIZE_1) {
    const float value = stored_value(counts, floats, integer, x_first + t * x_stride + c);
    y[y_first + t * y_stride + c] = value + shift[c];
  }
}

KERNEL void physical_rows(GLOBAL const short* counts, GLOBAL const float* floats, const int integer,
                          const index x_first, const index x_stride, GLOBAL float* RESTRICT y,
                          const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT gain, GLOBAL const float* RESTRICT offset,
                          const index frames, const int channels) {
  const index c = GLOBAL_ID;
  for (index t = GLOBAL_ID_1; t < frames && c < channels; t += GLOBAL_SIZE_1) {
    const float value = stored_value(counts, floats, integer, x_first + t * x_stride + c);
    y[y_first + t * y_stride + c] = FMA(value, gain[c], offset[c]);
  }
}

/* Rounded half to even and clipped; clipped samples and NaN, which becomes 0, are counted. */
KERNEL void int16_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL short* RESTRICT y, const index y_first, const index y_stride,
                       GLOBAL const float* RESTRICT scale, GLOBAL int* clipped, const index frames,
                       const int channels) {
  const index c = GLOBAL_ID;
  int outside = 0;
  for (index t = GLOBAL_ID_1; t < frames && c < channels; t += GLOBAL_SIZE_1) {
    const float rounded = (float)ROUND_EVEN(x[x_first + t * x_stride + c] * scale[c]);
    short whole = 0;
    if (rounded >= -32768.0f && rounded <= 32767.0f) {
      whole = (short)rounded;
    } else {
      whole = rounded > 0.0f ? 32767 : rounded < 0.0f ? -32768 : 0;
      ++outside;
    }
    y[y_first + t * y_stride + c] = whole;
  }
  if (outside > 0) {
    ATOMIC_ADD(clipped + c, outside);
  }
}
