/* x, y: [frames, channels] from their first elements on; signs: the sign of each channel's gain.
   Signs change as bits and negative values by selection, so that NaN passes in both modes. */
KERNEL void rectify(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                    GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                    GLOBAL const float* RESTRICT signs, const index frames, const int channels,
                    const int half_wave) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const int sign = AS_INT(signs[c]) & (int)0x80000000;
  for (index t = GLOBAL_ID_1; t < frames; t += GLOBAL_SIZE_1) {
    const float value = x[x_first + t * x_stride + c];
    const float physical = AS_FLOAT(AS_INT(value) ^ sign);
    const float magnitude = AS_FLOAT((AS_INT(value) & 0x7fffffff) | sign);
    const float half_value = SELECT(physical < 0.0f, 0.0f, value);
    y[y_first + t * y_stride + c] = SELECT(half_wave != 0, half_value, magnitude);
  }
}
