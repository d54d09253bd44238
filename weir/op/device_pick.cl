/* Rows x, y: [frames, channels] from their first elements on, both of one type. Column j of y is
   column list[j] of x: channels that are wanted stand side by side. An item does four channels of
   its rows, stored at once where `fours` says that they lie so. */
KERNEL void pick_floats(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const int* RESTRICT list, const index frames, const int channels,
                        const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const int a = list[c];
    const int b = list[c + 1];
    const int d = list[c + 2];
    const int e = list[c + 3];
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      GLOBAL const float* row = x + x_first + t * x_stride;
      float4 four;
      four.x = row[a];
      four.y = row[b];
      four.z = row[d];
      four.w = row[e];
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] = x[x_first + t * x_stride + list[i]];
    }
  }
}

KERNEL void pick_counts(GLOBAL const short* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL short* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const int* RESTRICT list, const index frames, const int channels,
                        const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const int a = list[c];
    const int b = list[c + 1];
    const int d = list[c + 2];
    const int e = list[c + 3];
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      GLOBAL const short* row = x + x_first + t * x_stride;
      short4 four;
      four.x = row[a];
      four.y = row[b];
      four.z = row[d];
      four.w = row[e];
      *(GLOBAL short4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] = x[x_first + t * x_stride + list[i]];
    }
  }
}
