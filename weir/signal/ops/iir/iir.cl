/* x, y: [frames, channels] from their first elements on. Delta form (numerics.md, IIR).
   coefficients: [sections, 5] = b0 beta1 beta2 alpha1 alpha2; state: [sections, 2, channels].
   Channels are independent: one work-item each, time in order. */
KERNEL void iir_forward(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                        GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                        GLOBAL const real* RESTRICT coefficients, GLOBAL real* RESTRICT state,
                        const index frames, const int channels, const int sections) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (index t = 0; t < frames; ++t) {
    real v = x[x_first + t * x_stride + c];
    for (int s = 0; s < sections; ++s) {
      GLOBAL const real* k = coefficients + 5 * s;
      GLOBAL real* s1 = state + (index)(2 * s) * channels + c;
      GLOBAL real* s2 = s1 + channels;
      const real w = FMA(k[0], v, *s1);
      *s1 = *s1 + FMA(-k[3], w, FMA(k[1], v, *s2));
      *s2 = FMA(-k[4], w, FMA(k[2], v, *s2));
      v = w;
    }
    y[y_first + t * y_stride + c] = (float)v;
  }
}

/* The state of each channel as if it had been at its first sample for ever.
   steady: [sections, 2] for a level of one. */
KERNEL void iir_settle(GLOBAL const float* RESTRICT x, const index x_first,
                       GLOBAL const real* RESTRICT steady, GLOBAL real* RESTRICT state,
                       const int channels, const int sections) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (int i = 0; i < 2 * sections; ++i) {
    state[(index)i * channels + c] = (real)(steady[i] * x[x_first + c]);
  }
}
