/* Frames times a matrix whose outputs stand in panels, each with the inputs it needs: entry e of a
   panel is input columns[e] and one weight for each output of the panel. An item sums EACH frames
   of some outputs in registers, in the order of the entries; samples and weights of DEPTH entries
   are taken from memory once for the group. */
#define FRAMES 128
#define EACH 8
#define DEPTH 16
/* Samples lie by entries; so many apart, neither what is written nor what is read meets in a bank.
 */
#define SAMPLE_ROW 132
#define MOST_FOURS 2
#define GREATEST 3.402823466e38f

/* An output's sum of its own terms: what has no term is not even multiplied by 0. */
FUNCTION float matrix_terms(GLOBAL const float* row, GLOBAL const int* columns,
                            GLOBAL const float* weights, const int width, const int count) {
  float sum = 0.0f;
  for (int e = 0; e < count; ++e) {
    const float weight = weights[(index)e * width];
    sum = weight == 0.0f ? sum : FMA(weight, row[columns[e]], sum);
  }
  return sum;
}

/* The samples and weights of the entries from `columns` on; past `left` of them, zeros. */
FUNCTION void matrix_load(GLOBAL const float* x, const index x_stride, const int rows,
                          GLOBAL const int* columns, GLOBAL const float* weights, const int width,
                          const int left, LOCAL float* samples, LOCAL float* taps) {
  const int entry = LOCAL_ID % DEPTH;
  const int column = entry < left ? columns[entry] : 0;
  for (int f = LOCAL_ID / DEPTH; f < FRAMES; f += LOCAL_SIZE / DEPTH) {
    samples[entry * SAMPLE_ROW + f] = entry < left && f < rows ? x[f * x_stride + column] : 0.0f;
  }
  for (int i = LOCAL_ID; i < DEPTH * width; i += LOCAL_SIZE) {
    taps[i] = i < left * width ? weights[i] : 0.0f;
  }
}

/* DEPTH entries more into the sums of an item. */
FUNCTION void matrix_add(float (*sums)[4 * MOST_FOURS], LOCAL const float* samples,
                         LOCAL const float* taps, const int width, const int across,
                         const int fours) {
  UNROLL
  for (int e = 0; e < DEPTH; ++e) {
    float x[EACH];
    float w[4 * MOST_FOURS];
    UNROLL
    for (int f = 0; f < EACH; f += 4) {
      LOAD_FOUR(x + f, samples + e * SAMPLE_ROW + f);
    }
    UNROLL
    for (int j = 0; j < fours; ++j) {
      LOAD_FOUR(w + 4 * j, taps + e * width + 4 * j * across);
    }
    UNROLL
    for (int f = 0; f < EACH; ++f) {
      UNROLL
      for (int o = 0; o < 4 * fours; ++o) {
        sums[f][o] = FMA(w[o], x[f], sums[f][o]);
      }
    }
  }
}

/* The sums of an item into `rows` rows at most. What is no number is summed again from its own
   terms only. */
FUNCTION void matrix_store(float (*sums)[4 * MOST_FOURS], GLOBAL const float* x,
                           const index x_stride, GLOBAL float* y, const index y_stride,
                           GLOBAL const int* columns, GLOBAL const float* weights, const int count,
                           const int outputs, const int rows, const int aligned, const int width,
                           const int across, const int fours, const int lane) {
  UNROLL
  for (int f = 0; f < EACH; ++f) {
    UNROLL
    for (int j = 0; j < fours; ++j) {
      const int k = 4 * j * across + lane;
      float* four = sums[f] + 4 * j;
      UNROLL
      for (int i = 0; i < 4; ++i) {
        if (!(ABS(four[i]) <= GREATEST) && f < rows && k + i < outputs) {
          four[i] = matrix_terms(x + f * x_stride, columns, weights + k + i, width, count);
        }
      }
      GLOBAL float* to = y + f * y_stride + k;
      if (aligned != 0 && f < rows && k + 4 <= outputs) {
        float4 all;
        all.x = four[0];
        all.y = four[1];
        all.z = four[2];
        all.w = four[3];
        *(GLOBAL float4*)to = all;
      } else {
        for (int i = 0; i < 4 && f < rows && k + i < outputs; ++i) {
          to[i] = four[i];
        }
      }
    }
  }
}

/* The panels of a tile of frames follow each other, so that its samples stay near by. */
FUNCTION void matrix_group(GLOBAL const float* x, const index x_stride, GLOBAL float* y,
                           const index y_stride, GLOBAL const int* panels,
                           GLOBAL const int* columns, GLOBAL const float* weights,
                           const index frames, const int outputs, const int panel_count,
                           const int aligned, const int width, const int fours,
                           LOCAL float* samples) {
  LOCAL float* taps = samples + DEPTH * SAMPLE_ROW;
  const int across = width / 4 / fours;
  const int panel = (int)(GROUP_ID % panel_count);
  const index tile = GROUP_ID / panel_count * FRAMES;
  const int rows = frames - tile < FRAMES ? (int)(frames - tile) : FRAMES;
  const int count = panels[2 * panel + 1];
  const int own = LOCAL_ID / across * EACH;
  const int lane = LOCAL_ID % across * 4;
  GLOBAL const float* from = x + tile * x_stride;
  GLOBAL const int* entries = columns + panels[2 * panel];
  GLOBAL const float* rates = weights + (index)panels[2 * panel] * width;
  float sums[EACH][4 * MOST_FOURS];
  UNROLL
  for (int f = 0; f < EACH; ++f) {
    UNROLL
    for (int o = 0; o < 4 * fours; ++o) {
      sums[f][o] = 0.0f;
    }
  }
  for (int e = 0; e < count; e += DEPTH) {
    SYNC;
    matrix_load(from, x_stride, rows, entries + e, rates + (index)e * width, width, count - e,
                samples, taps);
    SYNC;
    matrix_add(sums, samples + own, taps + lane, width, across, fours);
  }
  matrix_store(sums, from + own * x_stride, x_stride, y + (tile + own) * y_stride + panel * width,
               y_stride, entries, rates, count, outputs - panel * width, rows - own, aligned, width,
               across, fours, lane);
}

/* x: [frames, inputs], y: [frames, outputs] from their first elements on; panels: [first entry,
   entries] each; `aligned` says that four outputs may be stored at once. A group of 256 items has
   128 frames of 128 outputs. */
KERNEL void channel_matrix_wide(GLOBAL const float* RESTRICT x, const index x_first,
                                const index x_stride, GLOBAL float* RESTRICT y, const index y_first,
                                const index y_stride, GLOBAL const int* RESTRICT panels,
                                GLOBAL const int* RESTRICT columns,
                                GLOBAL const float* RESTRICT weights, const index frames,
                                const int outputs, const int panel_count, const int aligned,
                                LOCAL_ARG) {
  LOCAL_MEM(float, samples);
  matrix_group(x + x_first, x_stride, y + y_first, y_stride, panels, columns, weights, frames,
               outputs, panel_count, aligned, 128, 2, samples);
}

/* The same for panels of 32 outputs, by groups of 128 items. */
KERNEL void channel_matrix_narrow(GLOBAL const float* RESTRICT x, const index x_first,
                                  const index x_stride, GLOBAL float* RESTRICT y,
                                  const index y_first, const index y_stride,
                                  GLOBAL const int* RESTRICT panels,
                                  GLOBAL const int* RESTRICT columns,
                                  GLOBAL const float* RESTRICT weights, const index frames,
                                  const int outputs, const int panel_count, const int aligned,
                                  LOCAL_ARG) {
  LOCAL_MEM(float, samples);
  matrix_group(x + x_first, x_stride, y + y_first, y_stride, panels, columns, weights, frames,
               outputs, panel_count, aligned, 32, 1, samples);
}
