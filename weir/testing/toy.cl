/* Kernels that the tests of compute/ run: one per thing a target must do. */

/* y = a x + y, as one rounding. */
KERNEL void toy_axpy(const real a, GLOBAL const real* RESTRICT x, GLOBAL real* RESTRICT y,
                     const index count) {
  for (index i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) {
    y[i] = FMA(a, x[i], y[i]);
  }
}

/* a b + c in two roundings: no target may contract it. */
KERNEL void toy_multiply_add(GLOBAL const float* RESTRICT a, GLOBAL const float* RESTRICT b,
                             GLOBAL const float* RESTRICT c, GLOBAL float* RESTRICT y,
                             const int count) {
  const index i = GLOBAL_ID;
  if (i < count) {
    y[i] = a[i] * b[i] + c[i];
  }
}

/* One sum per group, by halves in local memory; groups have a power of two of items. */
KERNEL void toy_sums(GLOBAL const real* RESTRICT x, GLOBAL real* RESTRICT sums, const int count,
                     LOCAL_ARG) {
  LOCAL_MEM(real, part);
  const int at = LOCAL_ID;
  part[at] = SELECT(GLOBAL_ID < count, x[GLOBAL_ID], (real)0);
  SYNC;
  for (int width = LOCAL_SIZE / 2; width > 0; width /= 2) {
    if (at < width) {
      part[at] = part[at] + part[at + width];
    }
    SYNC;
  }
  if (at == 0) {
    sums[GROUP_ID] = part[0];
  }
}

/* y = y[t - 1] / 2 + x, one item for each channel; the first row has `extra` more. */
KERNEL void toy_running_sum(GLOBAL const float* RESTRICT x, const index x_first,
                            const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                            const index y_stride, GLOBAL float* RESTRICT sums, const index frames,
                            const int channels, const float extra) {
  const index c = GLOBAL_ID;
  if (c < channels && frames > 0) {
    float sum = sums[c];
    for (index t = 0; t < frames; ++t) {
      sum = 0.5f * sum + x[x_first + t * x_stride + c];
      y[y_first + t * y_stride + c] = sum + (t == 0 ? extra : 0.0f);
    }
    sums[c] = sum;
  }
}

/* Who am I: rows of a plane. */
KERNEL void toy_ids(GLOBAL int* RESTRICT plane, const int width, const int height) {
  for (index row = GLOBAL_ID_1; row < height; row += GLOBAL_SIZE_1) {
    if (GLOBAL_ID < width) {
      plane[row * width + GLOBAL_ID] = (int)(row * 1000 + GLOBAL_ID);
    }
  }
}

/* y = x added `times` times. */
#define TIMES times
KERNEL void toy_repeat(GLOBAL const float* RESTRICT x, GLOBAL float* RESTRICT y, const index count,
                       const int times) {
  const index i = GLOBAL_ID;
  float parts[4];
  if (i < count) {
    UNROLL for (int k = 0; k < TIMES; ++k) {
      parts[k] = x[i];
    }
    float sum = 0.0f;
    UNROLL for (int k = 0; k < TIMES; ++k) {
      sum += parts[k];
    }
    y[i] = sum;
  }
}

/* y = x weighted by what came with the launch. */
KERNEL void toy_weigh(GLOBAL const float* RESTRICT x, GLOBAL float* RESTRICT y, const index count,
                      const floats128 weights) {
  for (index i = GLOBAL_ID; i < count; i += GLOBAL_SIZE) {
    y[i] = weights.at[i % 128] * x[i];
  }
}

/* Of x and y, NaN where either is. */
KERNEL void toy_order(GLOBAL const float* RESTRICT x, GLOBAL const float* RESTRICT y,
                      GLOBAL float* RESTRICT lesser, GLOBAL float* RESTRICT greater,
                      const index count) {
  const index i = GLOBAL_ID;
  if (i < count) {
    lesser[i] = LESSER(x[i], y[i]);
    greater[i] = GREATER(x[i], y[i]);
  }
}

/* Only some items meet the barrier: wrong on purpose. */
KERNEL void toy_divergent(GLOBAL int* RESTRICT out) {
  if (LOCAL_ID == 0) {
    SYNC;
  }
  out[LOCAL_ID] = LOCAL_ID;
}
