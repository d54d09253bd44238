/* `sign`: the sign bit of the channel's gain. Signs change as bits and negative values by
   selection, so that NaN passes in both modes. */
FUNCTION float rectified(const float value, const float gain_sign, const int half_wave) {
  const int sign = AS_INT(gain_sign) & (int)0x80000000;
  const float physical = AS_FLOAT(AS_INT(value) ^ sign);
  const float magnitude = AS_FLOAT((AS_INT(value) & 0x7fffffff) | sign);
  const float half_value = SELECT(physical < 0.0f, 0.0f, value);
  return SELECT(half_wave != 0, half_value, magnitude);
}

/* x, y: [frames, channels] from their first elements on; signs: the sign of each channel's gain. An
   item does four channels of its rows, at once where `fours` says that they lie so. */
KERNEL void rectify(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                    GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                    GLOBAL const float* RESTRICT signs, const index frames, const int channels,
                    const int half_wave, const int fours, const int across, const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 sign = *(GLOBAL const float4*)(signs + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      four.x = rectified(four.x, sign.x, half_wave);
      four.y = rectified(four.y, sign.y, half_wave);
      four.z = rectified(four.z, sign.z, half_wave);
      four.w = rectified(four.w, sign.w, half_wave);
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] = rectified(x[x_first + t * x_stride + i], signs[i], half_wave);
    }
  }
}
