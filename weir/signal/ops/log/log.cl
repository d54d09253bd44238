/* ln(max(|count * gain|, floor)) * factor, by the steps of log_cpu.cc: v = 2^e (1 + f), and with
   s = f / (2 + f), ln(1 + f) = f - s (f - 2 (s^2/3 + s^4/5 + ...)). NaN and infinity pass. */
FUNCTION float logarithm(const float count, const float gain, const float floor_value,
                         const float factor) {
  const float magnitude = AS_FLOAT(AS_INT(count) & 0x7fffffff) * gain;
  const float v = SELECT(magnitude < floor_value, floor_value, magnitude);
  const int from_root = AS_INT(v) - 0x3f3504f3;
  const float e = (float)(from_root >> 23);
  const float f = AS_FLOAT((from_root & 0x7fffff) + 0x3f3504f3) - 1.0f;
  const float s = f / (f + 2.0f);
  const float z = s * s;
  float p = z * 0.111111111f + 0.142857143f;
  p = z * p + 0.2f;
  p = z * p + 0.333333333f;
  p = z * p;
  const float part = f - s * (f - (p + p));
  const float low = e * 1.428606820309417e-6f + part;
  const float result = (e * 0.693145751953125f + low) * factor;
  return SELECT(v <= 3.402823466e38f, result, v);
}

/* x, y: [frames, channels] from their first elements on; gain: the magnitude of each channel's. The
   floor and the factor come as their bits. An item does four channels of its rows, at once where
   `fours` says that they lie so. */
KERNEL void log_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                     GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                     GLOBAL const float* RESTRICT gain, const index frames, const int channels,
                     const int floor_bits, const int factor_bits, const int fours, const int across,
                     const int tile_rows) {
  const float least = AS_FLOAT(floor_bits);
  const float factor = AS_FLOAT(factor_bits);
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index tile = GROUP_ID * tile_rows;
  const index end = tile + tile_rows < frames ? tile + tile_rows : frames;
  if (fours != 0 && c + 4 <= channels) {
    const float4 times = *(GLOBAL const float4*)(gain + c);
    for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
      float4 four = *(GLOBAL const float4*)(x + x_first + t * x_stride + c);
      four.x = logarithm(four.x, times.x, least, factor);
      four.y = logarithm(four.y, times.y, least, factor);
      four.z = logarithm(four.z, times.z, least, factor);
      four.w = logarithm(four.w, times.w, least, factor);
      *(GLOBAL float4*)(y + y_first + t * y_stride + c) = four;
    }
    return;
  }
  for (index t = tile + LOCAL_ID / across; t < end; t += LOCAL_SIZE / across) {
    for (int i = c; i < channels && i < c + 4; ++i) {
      y[y_first + t * y_stride + i] =
          logarithm(x[x_first + t * x_stride + i], gain[i], least, factor);
    }
  }
}
