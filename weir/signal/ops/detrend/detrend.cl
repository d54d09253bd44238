/* x, y: [frames, channels] from their first elements on; row 0 is frame `first`, and `middle` the
   segment's. trend: [2, channels]: level and slope. */
KERNEL void detrend_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                         GLOBAL const real* RESTRICT trend, const real middle, const index first,
                         const index frames, const int channels, const int fours, const int across,
                         const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  GLOBAL const real* slope = trend + channels;
  if (fours != 0 && c + 4 <= channels) {
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      const real u = (real)(first + t) - middle;
      float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      four.x = (float)((real)four.x - (trend[c] + slope[c] * u));
      four.y = (float)((real)four.y - (trend[c + 1] + slope[c + 1] * u));
      four.z = (float)((real)four.z - (trend[c + 2] + slope[c + 2] * u));
      four.w = (float)((real)four.w - (trend[c + 3] + slope[c + 3] * u));
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    const real u = (real)(first + t) - middle;
    for (int i = c; i < channels && i < c + 4; ++i) {
      const real value = (real)x[x_first + t * x_stride + i];
      y[y_first + t * y_stride + i] = (float)(value - (trend[i] + slope[i] * u));
    }
  }
}
