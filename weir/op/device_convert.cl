/* Rows x, y: [frames, channels] from their first elements on. x is int16 counts where `integer` is
   not 0 and float32 otherwise: `counts` and `floats` are the same buffer. Tables have one number a
   channel. An item does four channels of its rows, at once where `fours` says that they lie so. */
FUNCTION float4 stored_values(GLOBAL const short* counts, GLOBAL const float* floats,
                              const int integer, const index at) {
  if (integer == 0) {
    return *(GLOBAL const float4*)(floats + at);
  }
  const short4 stored = *(GLOBAL const short4*)(counts + at);
  float4 four;
  four.x = (float)stored.x;
  four.y = (float)stored.y;
  four.z = (float)stored.z;
  four.w = (float)stored.w;
  return four;
}

FUNCTION float stored_value(GLOBAL const short* counts, GLOBAL const float* floats,
                            const int integer, const index at) {
  return integer != 0 ? (float)counts[at] : floats[at];
}

KERNEL void shift_rows(GLOBAL const short* RESTRICT counts, GLOBAL const float* RESTRICT floats,
                       const int integer, const index x_first, const index x_stride,
                       GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                       GLOBAL const float* RESTRICT shift, const index frames, const int channels,
                       const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 add = *(GLOBAL const float4*)(shift + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = stored_values(counts, floats, integer, x_first + t * x_stride + c);
      four.x = four.x + add.x;
      four.y = four.y + add.y;
      four.z = four.z + add.z;
      four.w = four.w + add.w;
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      const float value = stored_value(counts, floats, integer, x_first + t * x_stride + i);
      y[y_first + t * y_stride + i] = value + shift[i];
    }
  }
}

KERNEL void physical_rows(GLOBAL const short* RESTRICT counts, GLOBAL const float* RESTRICT floats,
                          const int integer, const index x_first, const index x_stride,
                          GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                          GLOBAL const float* RESTRICT gain, GLOBAL const float* RESTRICT offset,
                          const index frames, const int channels, const int fours, const int across,
                          const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 times = *(GLOBAL const float4*)(gain + c);
    const float4 add = *(GLOBAL const float4*)(offset + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = stored_values(counts, floats, integer, x_first + t * x_stride + c);
      four.x = FMA(four.x, times.x, add.x);
      four.y = FMA(four.y, times.y, add.y);
      four.z = FMA(four.z, times.z, add.z);
      four.w = FMA(four.w, times.w, add.w);
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      const float value = stored_value(counts, floats, integer, x_first + t * x_stride + i);
      y[y_first + t * y_stride + i] = FMA(value, gain[i], offset[i]);
    }
  }
}

/* Rounded half to even and clipped; NaN becomes 0. Sets the bit of a lane that is outside. */
FUNCTION short to_count(const float scaled, const int bit, int* outside) {
  const float rounded = (float)ROUND_EVEN(scaled);
  if (rounded >= -32768.0f && rounded <= 32767.0f) {
    return (short)rounded;
  }
  *outside |= bit;
  return rounded > 0.0f ? 32767 : rounded < 0.0f ? -32768 : 0;
}

FUNCTION void count_outside(GLOBAL int* clipped, const int outside) {
  for (int i = 0; i < 4; ++i) {
    if ((outside >> i & 1) != 0) {
      ATOMIC_ADD(clipped + i, 1);
    }
  }
}

KERNEL void int16_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL short* RESTRICT y, const index y_first, const index y_stride,
                       GLOBAL const float* RESTRICT scale, GLOBAL int* clipped, const index frames,
                       const int channels, const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 times = *(GLOBAL const float4*)(scale + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      const float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      int outside = 0;
      short4 whole;
      whole.x = to_count(four.x * times.x, 1, &outside);
      whole.y = to_count(four.y * times.y, 2, &outside);
      whole.z = to_count(four.z * times.z, 4, &outside);
      whole.w = to_count(four.w * times.w, 8, &outside);
      *(GLOBAL short4*)(y + y_first + t * y_stride + c) = whole;
      if (outside != 0) {
        count_outside(clipped + c, outside);
      }
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      int outside = 0;
      y[y_first + t * y_stride + i] =
          to_count(x[x_first + t * x_stride + i] * scale[i], 1, &outside);
      if (outside != 0) {
        ATOMIC_ADD(clipped + i, 1);
      }
    }
  }
}
