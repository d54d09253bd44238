/* Frames times a matrix. Two kernels: one for outputs with many inputs in common, one for outputs
   of few terms. Either adds an output's products in the order of the inputs. */
#define GREATEST 3.402823466e38f

/* Outputs in panels of WIDTH, each with the inputs it needs: entry e of a panel is input columns[e]
   and one weight for each output. An item sums EACH frames of EACH outputs in registers; samples
   and weights of DEPTH entries stand in local memory, twice: the next ones come while these are
   summed. */
#define FRAMES 128
#define WIDTH 64
#define EACH 8
#define ACROSS 8
#define ITEMS 128
#define DEPTH 8
/* Samples lie by entries; so many apart, neither what is written nor what is read meets in a bank.
 */
#define SAMPLE_ROW 132
#define LOADS 8

/* An output's sum of its own terms: what has no term is not even multiplied by 0. */
FUNCTION float matrix_terms(GLOBAL const float* row, GLOBAL const int* columns,
                            GLOBAL const float* weights, const int count) {
  float sum = 0.0f;
  for (int e = 0; e < count; ++e) {
    const float weight = weights[(index)e * WIDTH];
    sum = weight == 0.0f ? sum : FMA(weight, row[columns[e]], sum);
  }
  return sum;
}

/* An item's part of the samples and weights of the entries from `columns` on; past `left` of them,
   zeros. */
FUNCTION void matrix_fetch(GLOBAL const float* x, const index x_stride, const int rows,
                           GLOBAL const int* columns, GLOBAL const float* weights, const int left,
                           float* samples, float4* taps) {
  const int entry = LOCAL_ID % DEPTH;
  const int first = LOCAL_ID / DEPTH;
  if (entry < left) {
    GLOBAL const float* column = x + columns[entry];
    UNROLL
    for (int i = 0; i < LOADS; ++i) {
      const int f = first + i * (ITEMS / DEPTH);
      samples[i] = column[(f < rows ? f : rows - 1) * x_stride];
    }
  } else {
    UNROLL
    for (int i = 0; i < LOADS; ++i) {
      samples[i] = 0.0f;
    }
  }
  if (LOCAL_ID * 4 / WIDTH < left) {
    *taps = *(GLOBAL const float4*)(weights + 4 * LOCAL_ID);
  } else {
    taps->x = 0.0f;
    taps->y = 0.0f;
    taps->z = 0.0f;
    taps->w = 0.0f;
  }
}

/* Puts it where the group finds it. */
FUNCTION void matrix_share(const float* samples, const float4* taps, LOCAL float* all_samples,
                           LOCAL float* all_taps) {
  LOCAL float* row = all_samples + LOCAL_ID % DEPTH * SAMPLE_ROW + LOCAL_ID / DEPTH;
  UNROLL
  for (int i = 0; i < LOADS; ++i) {
    row[i * (ITEMS / DEPTH)] = samples[i];
  }
  /* One by one: OpenCL aligns local memory to 8 bytes only. */
  all_taps[4 * LOCAL_ID] = taps->x;
  all_taps[4 * LOCAL_ID + 1] = taps->y;
  all_taps[4 * LOCAL_ID + 2] = taps->z;
  all_taps[4 * LOCAL_ID + 3] = taps->w;
}

/* DEPTH entries more into the sums of an item. */
FUNCTION void matrix_add(float (*sums)[EACH], LOCAL const float* samples, LOCAL const float* taps) {
  UNROLL
  for (int e = 0; e < DEPTH; ++e) {
    float x[EACH];
    float w[EACH];
    LOAD_FOUR(x, samples + e * SAMPLE_ROW);
    LOAD_FOUR(x + 4, samples + e * SAMPLE_ROW + 4);
    LOAD_FOUR(w, taps + e * WIDTH);
    LOAD_FOUR(w + 4, taps + e * WIDTH + 4 * ACROSS);
    UNROLL
    for (int f = 0; f < EACH; ++f) {
      UNROLL
      for (int o = 0; o < EACH; ++o) {
        sums[f][o] = FMA(w[o], x[f], sums[f][o]);
      }
    }
  }
}

/* The sums of an item into `rows` rows at most, four outputs from `lane` on and four half a panel
   on. What is no number is summed again from its own terms only. */
FUNCTION void matrix_store(float (*sums)[EACH], GLOBAL const float* x, const index x_stride,
                           GLOBAL float* y, const index y_stride, GLOBAL const int* columns,
                           GLOBAL const float* weights, const int count, const int outputs,
                           const int rows, const int aligned, const int lane) {
  UNROLL
  for (int f = 0; f < EACH; ++f) {
    UNROLL
    for (int j = 0; j < 2; ++j) {
      const int k = 4 * j * ACROSS + lane;
      float* four = sums[f] + 4 * j;
      UNROLL
      for (int i = 0; i < 4; ++i) {
        if (!(ABS(four[i]) <= GREATEST) && f < rows && k + i < outputs) {
          four[i] = matrix_terms(x + f * x_stride, columns, weights + k + i, count);
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

/* x: [frames, inputs], y: [frames, outputs] from their first elements on; panels: [first entry,
   entries] each; `aligned` says that four outputs may be stored at once. A group of ITEMS has
   FRAMES frames of a panel; the panels of a tile of frames follow each other, so that its samples
   stay near by. */
KERNEL void channel_matrix_panels(GLOBAL const float* RESTRICT x, const index x_first,
                                  const index x_stride, GLOBAL float* RESTRICT y,
                                  const index y_first, const index y_stride,
                                  GLOBAL const int* RESTRICT panels,
                                  GLOBAL const int* RESTRICT columns,
                                  GLOBAL const float* RESTRICT weights, const index frames,
                                  const int outputs, const int panel_count, const int aligned,
                                  LOCAL_ARG) {
  LOCAL_MEM(float, samples);
  LOCAL float* taps = samples + 2 * DEPTH * SAMPLE_ROW;
  const int panel = (int)(GROUP_ID % panel_count);
  const index tile = GROUP_ID / panel_count * FRAMES;
  const int rows = frames - tile < FRAMES ? (int)(frames - tile) : FRAMES;
  const int count = panels[2 * panel + 1];
  const int own = LOCAL_ID / ACROSS * EACH;
  const int lane = LOCAL_ID % ACROSS * 4;
  GLOBAL const float* from = x + x_first + tile * x_stride;
  GLOBAL const int* entries = columns + panels[2 * panel];
  GLOBAL const float* rates = weights + (index)panels[2 * panel] * WIDTH;
  float next_samples[LOADS];
  float4 next_taps;
  float sums[EACH][EACH];
  UNROLL
  for (int f = 0; f < EACH; ++f) {
    UNROLL
    for (int o = 0; o < EACH; ++o) {
      sums[f][o] = 0.0f;
    }
  }
  matrix_fetch(from, x_stride, rows, entries, rates, count, next_samples, &next_taps);
  matrix_share(next_samples, &next_taps, samples, taps);
  SYNC;
  for (int e = 0; e < count; e += DEPTH) {
    const int half_now = e / DEPTH % 2;
    const int half_next = 1 - half_now;
    matrix_fetch(from, x_stride, rows, entries + e + DEPTH, rates + (index)(e + DEPTH) * WIDTH,
                 count - e - DEPTH, next_samples, &next_taps);
    matrix_add(sums, samples + half_now * DEPTH * SAMPLE_ROW + own,
               taps + half_now * DEPTH * WIDTH + lane);
    matrix_share(next_samples, &next_taps, samples + half_next * DEPTH * SAMPLE_ROW,
                 taps + half_next * DEPTH * WIDTH);
    SYNC;
  }
  matrix_store(sums, from + own * x_stride, x_stride,
               y + y_first + (tile + own) * y_stride + panel * WIDTH, y_stride, entries, rates,
               count, outputs - panel * WIDTH, rows - own, aligned, lane);
}

/* Outputs of few terms, in panels of 32 with as many entries as its richest output has terms: entry
   e of a panel is an input and a weight for each output, 0 where there are no more terms. An item
   has one output of ROWS_EACH frames; a group has 128 outputs, so that what it takes lies together.
 */
#define PANEL 32
#define GROUP_OUTPUTS 128
#define ROWS_EACH 4

KERNEL void channel_matrix_terms(GLOBAL const float* RESTRICT x, const index x_first,
                                 const index x_stride, GLOBAL float* RESTRICT y,
                                 const index y_first, const index y_stride,
                                 GLOBAL const int* RESTRICT panels,
                                 GLOBAL const int* RESTRICT columns,
                                 GLOBAL const float* RESTRICT weights, const index frames,
                                 const int outputs, const int parts) {
  const int k = (int)(GROUP_ID % parts) * GROUP_OUTPUTS + LOCAL_ID % GROUP_OUTPUTS;
  const index slots = LOCAL_SIZE / GROUP_OUTPUTS;
  const index row = (GROUP_ID / parts * slots + LOCAL_ID / GROUP_OUTPUTS) * ROWS_EACH;
  if (k >= outputs || row >= frames) {
    return;
  }
  const int panel = k / PANEL;
  const index first = (index)panels[2 * panel] * PANEL + k % PANEL;
  const int count = panels[2 * panel + 1];
  const index last = frames - 1 - row;
  GLOBAL const float* from = x + x_first + row * x_stride;
  float sums[ROWS_EACH];
  index at[ROWS_EACH];
  UNROLL
  for (int r = 0; r < ROWS_EACH; ++r) {
    sums[r] = 0.0f;
    at[r] = (r < last ? r : last) * x_stride;
  }
  for (int e = 0; e < count; ++e) {
    const float weight = weights[first + (index)e * PANEL];
    GLOBAL const float* column = from + columns[first + (index)e * PANEL];
    UNROLL
    for (int r = 0; r < ROWS_EACH; ++r) {
      const float sum = FMA(weight, column[at[r]], sums[r]);
      sums[r] = weight == 0.0f ? sums[r] : sum;
    }
  }
  GLOBAL float* to = y + y_first + row * y_stride + k;
  for (int r = 0; r < ROWS_EACH && r <= last; ++r) {
    to[r * y_stride] = sums[r];
  }
}
