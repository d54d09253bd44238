FUNCTION float squared(const float value) {
  return value * value;
}

/* x, y: [frames, channels] from their first elements on; an item does four channels of its rows, at
   once where `fours` says that they lie so. */
KERNEL void square(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                   GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                   const index frames, const int channels, const int fours, const int across,
                   const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    GLOBAL const float* from = x + x_first + t * x_stride + c;
    GLOBAL float* to = y + y_first + t * y_stride + c;
    if (fours != 0 && c + 4 <= channels) {
      float4 four = *(GLOBAL const float4*)from;
      four.x = squared(four.x);
      four.y = squared(four.y);
      four.z = squared(four.z);
      four.w = squared(four.w);
      *(GLOBAL float4*)to = four;
    } else {
      for (int i = 0; i < 4 && c + i < channels; ++i) {
        to[i] = squared(from[i]);
      }
    }
  }
}
