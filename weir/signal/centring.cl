FUNCTION float centred(const float value, const float middle, const float rest,
                       const float factor) {
  return ((value - middle) - rest) * factor;
}

/* x, y: [frames, channels] from their first elements on; middle, rest, factor: of each channel. An
   item does four channels of its rows, at once where `fours` says that they lie so. */
KERNEL void centre_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const float* RESTRICT middle, GLOBAL const float* RESTRICT rest,
                        GLOBAL const float* RESTRICT factor, const index frames, const int channels,
                        const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 m = *(GLOBAL const float4*)(middle + c);
    const float4 r = *(GLOBAL const float4*)(rest + c);
    const float4 f = *(GLOBAL const float4*)(factor + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      four.x = centred(four.x, m.x, r.x, f.x);
      four.y = centred(four.y, m.y, r.y, f.y);
      four.z = centred(four.z, m.z, r.z, f.z);
      four.w = centred(four.w, m.w, r.w, f.w);
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] =
          centred(x[x_first + t * x_stride + i], middle[i], rest[i], factor[i]);
    }
  }
}
