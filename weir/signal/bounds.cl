/* By selection, so that NaN passes. */
FUNCTION float clipped(const float value, const float least, const float most) {
  return SELECT(value < least, least, SELECT(value > most, most, value));
}

/* x, y: [frames, channels] from their first elements on; least, most: the bounds of each channel.
   An item does four channels of its rows, at once where `fours` says that they lie so. */
KERNEL void clip_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                      GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                      GLOBAL const float* RESTRICT least, GLOBAL const float* RESTRICT most,
                      const index frames, const int channels, const int fours, const int across,
                      const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 low = *(GLOBAL const float4*)(least + c);
    const float4 high = *(GLOBAL const float4*)(most + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      four.x = clipped(four.x, low.x, high.x);
      four.y = clipped(four.y, low.y, high.y);
      four.z = clipped(four.z, low.z, high.z);
      four.w = clipped(four.w, low.w, high.w);
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] = clipped(x[x_first + t * x_stride + i], least[i], most[i]);
    }
  }
}
