/* The causal filter as a scan over time. Frames lie in blocks and blocks in spans, both counted
   from the first frame the state saw, so where a call cuts them changes no bit. iir_sum finds where
   each block would end had it begun at rest; iir_chain, from those, where each block begins (along
   the blocks of every span from rest, along the spans, along the blocks of every span from its
   start); iir_filter the samples of each block from where it begins.

   One item is one channel of one block or of two (iir_sum_two), or one value of one channel
   of one chain.

   x, y: [frames, channels] from their first elements on. A state is [2 * sections, channels], s1
   and s2 of each section. work holds every state of the scan; the kernels are told where. */
#define SECTIONS sections
#define MOST 32     /* sections; a build for fewer says so */
#define SUM_AHEAD 8 /* rows in registers before their turn comes */
#define AHEAD 16    /* the same, of iir_filter */
#define STEPS 4     /* the same, of a chain */

FUNCTION void load_state(const int values, real* to, GLOBAL const real* from, const int channels) {
  UNROLL for (int i = 0; i < values; ++i) {
    to[i] = from[(index)i * channels];
  }
}

FUNCTION void store_state(const int values, GLOBAL real* to, const real* from, const int channels) {
  UNROLL for (int i = 0; i < values; ++i) {
    to[(index)i * channels] = from[i];
  }
}

#define PADDED(values) (((values) + 3) / 4 * 4)

FUNCTION void read_rows(const int rows, float* to, GLOBAL const float* RESTRICT x,
                        const index x_stride) {
  UNROLL for (int k = 0; k < rows; ++k) {
    to[k] = x[k * x_stride];
  }
}

/* Adds to the sums of `blocks` blocks one row of each. at: the table's row. */
FUNCTION void add_row(const int values, const int blocks, real* sum, GLOBAL const real* RESTRICT at,
                      const float* v, const int v_stride) {
  UNROLL for (int four = 0; four < values; four += 4) {
    real h[4];
    LOAD_FOUR(h, at + four);
    UNROLL for (int n = 0; n < 4; ++n) {
      const int i = four + n;
      for (int b = 0; b < blocks; ++b) {
        if (i < values) {
          sum[b * values + i] = FMA(h[n], (real)v[b * v_stride], sum[b * values + i]);
        }
      }
    }
  }
}

/* What `frames` rows of one channel leave behind at the end of their block.
   table: [block, PADDED(values)] from the row of the first frame. */
FUNCTION void sum_rows(const int values, real* sum, GLOBAL const float* RESTRICT x,
                       const index x_stride, GLOBAL const real* RESTRICT table, const int frames) {
  for (int t = 0; t < frames; ++t) {
    const float v = x[t * x_stride];
    add_row(values, 1, sum, table + t * PADDED(values), &v, 1);
  }
}

/* The same of `blocks` whole blocks, one or two, which share what is read of the table. */
FUNCTION void sum_blocks(const int values, const int blocks, real* sum,
                         GLOBAL const float* RESTRICT x, const index x_stride,
                         GLOBAL const real* RESTRICT table, const int block) {
  float v[2 * SUM_AHEAD];
  for (int b = 0; b < blocks; ++b) {
    read_rows(SUM_AHEAD, v + b * SUM_AHEAD, x + (index)b * block * x_stride, x_stride);
  }
  for (int t = 0; t < block; t += SUM_AHEAD) {
    float next[2 * SUM_AHEAD] = {0};
    x += SUM_AHEAD * x_stride;
    if (t + SUM_AHEAD < block) {
      for (int b = 0; b < blocks; ++b) {
        read_rows(SUM_AHEAD, next + b * SUM_AHEAD, x + (index)b * block * x_stride, x_stride);
      }
    }
    UNROLL for (int k = 0; k < SUM_AHEAD; ++k) {
      add_row(values, blocks, sum, table + (t + k) * PADDED(values), v + k, SUM_AHEAD);
    }
    UNROLL for (int k = 0; k < blocks * SUM_AHEAD; ++k) {
      v[k] = next[k];
    }
  }
}

/* An infinity is as bad as a NaN to all that comes later, as it is in the recurrence. */
FUNCTION void poison(const int values, real* sum) {
  UNROLL for (int i = 0; i < values; ++i) {
    sum[i] = FMA(sum[i], (real)0, sum[i]);
  }
}

/* Block i of the call begins at row i * block - into. Sums of whole blocks go to row i of `sums`;
   that of an unfinished last block goes to `unfinished`, and the first goes on from `begun`. */
#define SUM_ARGS                                                                       \
  GLOBAL const float *RESTRICT x, const index x_first, const index x_stride,           \
      GLOBAL const real *RESTRICT table, GLOBAL real *RESTRICT work, const index sums, \
      const index begun, const index unfinished, const index frames, const int into,   \
      const int block, const int channels
#define SUM_NAMES \
  x, x_first, x_stride, table, work, sums, begun, unfinished, frames, into, block, channels

FUNCTION void sum_some(const int values, const int at_once, SUM_ARGS) {
  const index item = GLOBAL_ID;
  const index c = item % channels;
  const index first = item / channels * at_once;
  const index whole = (into + frames) / block;
  const index state = (index)values * channels;
  real sum[2 * 2 * MOST];
  if (first + at_once <= whole && (first > 0 || into == 0)) {
    UNROLL for (int i = 0; i < at_once * values; ++i) {
      sum[i] = 0;
    }
    sum_blocks(values, at_once, sum, x + x_first + (first * block - into) * x_stride + c, x_stride,
               table, block);
    for (int b = 0; b < at_once; ++b) {
      poison(values, sum + b * values);
      store_state(values, work + sums + (first + b) * state + c, sum + b * values, channels);
    }
    return;
  }
  for (index b = first; b < first + at_once && b * block < into + frames; ++b) {
    const index end = SELECT(b < whole, (b + 1) * block - into, frames);
    const index begin = SELECT(b > 0, b * block - into, 0);
    const int seen = SELECT(b > 0, 0, into);
    UNROLL for (int i = 0; i < values; ++i) {
      sum[i] = 0;
    }
    if (seen > 0) {
      load_state(values, sum, work + begun + c, channels);
    }
    sum_rows(values, sum, x + x_first + begin * x_stride + c, x_stride,
             table + seen * PADDED(values), (int)(end - begin));
    if (b < whole) {
      poison(values, sum);
    }
    store_state(values, work + SELECT(b < whole, sums + b * state, unfinished) + c, sum, channels);
  }
}

/* Chain j takes the rows of `rows` from j * length - before on, as many as there are of its
   `length`, and begins with row j of `starts`; chain 0 begins with `first`; where these are
   negative, at rest. With `keep` each row becomes the state before it. The state after the last
   goes to row j of `ends` and that of the last chain to `last`.

   A row moves the state s on by s += (M - 1) s + row: over a block, or a span. One group has
   `lanes` channels of one chain; local memory holds [2 + STEPS, LOCAL_SIZE]. */
#define CHAIN_ARGS                                                                  \
  GLOBAL const real *RESTRICT matrix, GLOBAL real *RESTRICT work, const index rows, \
      const index first, const index starts, const index ends, const index last,    \
      const index count, const int before, const index length, const index chains,  \
      const int channels, const int lanes, const int keep
#define CHAIN_NAMES                                                                              \
  matrix, work, rows, first, starts, ends, last, count, before, length, chains, channels, lanes, \
      keep

FUNCTION void chain(const int values, CHAIN_ARGS, LOCAL real* local_memory) {
  const int lane = LOCAL_ID % lanes;
  const int value = LOCAL_ID / lanes;
  const index groups = (channels + lanes - 1) / lanes;
  const index j = GROUP_ID / groups;
  const index c = GROUP_ID % groups * lanes + lane;
  const index state = (index)values * channels;
  const index at = (index)value * channels + SELECT(c < channels, c, channels - 1);
  const index begin = SELECT(j > 0, j * length - before, 0);
  const index most = (j + 1) * length - before;
  const index end = SELECT(most < count, most, count);
  const index from = SELECT(j > 0, SELECT(starts < 0, starts, starts + j * state), first);
  LOCAL real* ahead = local_memory + 2 * LOCAL_SIZE + LOCAL_ID;
  real s = 0;
  if (from >= 0) {
    s = work[from + at];
  }
  real m[2 * MOST];
  UNROLL for (int k = 0; k < values; ++k) {
    m[k] = matrix[value * values + k];
  }
  real next[STEPS];
  GLOBAL real* row = work + rows + begin * state + at;
  UNROLL for (int k = 0; k < STEPS; ++k) {
    next[k] = SELECT(begin + k < end, row[k * state], 0);
  }
  for (index n = begin; n < end; n += STEPS) {
    UNROLL for (int k = 0; k < STEPS; ++k) {
      ahead[k * LOCAL_SIZE] = next[k];
    }
    UNROLL for (int k = 0; k < STEPS; ++k) {
      next[k] = SELECT(n + STEPS + k < end, row[(STEPS + k) * state], 0);
    }
    const int steps = (int)SELECT(end - n < STEPS, end - n, STEPS);
    for (int k = 0; k < steps; ++k) {
      /* Two in turn: nobody writes what others still read. */
      LOCAL real* all = local_memory + (k & 1) * LOCAL_SIZE;
      all[LOCAL_ID] = s;
      SYNC;
      if (keep && c < channels) {
        row[k * state] = s;
      }
      real sum = ahead[k * LOCAL_SIZE];
      UNROLL for (int i = 0; i < values; ++i) {
        sum = FMA(m[i], all[i * lanes + lane], sum);
      }
      s += sum;
    }
    row += STEPS * state;
  }
  if (ends >= 0 && c < channels) {
    work[ends + j * state + at] = s;
  }
  if (j == chains - 1 && c < channels) {
    work[last + at] = s;
  }
}

/* One section, one frame. k: b0 beta1 beta2 alpha1 alpha2. s1 is touched once, by the small sum of
   all that moves it. */
FUNCTION real section(const real* k, const real v, real* s) {
  const real w = FMA(k[0], v, s[0]);
  const real drive = FMA(k[1], v, s[1]);
  const real held = FMA(k[2], v, s[1]);
  s[0] += FMA(-k[3], w, drive);
  s[1] = FMA(-k[4], w, held);
  return w;
}

FUNCTION float cascade(const int sections, const real* k, const float x, real* s) {
  real v = x;
  UNROLL for (int i = 0; i < sections; ++i) {
    v = section(k + 5 * i, v, s + 2 * i);
  }
  return (float)v;
}

/* Block i of the call begins with row i of `starts`, the first with `first`, an unfinished last one
   with `last`; the state it has come to goes to `unfinished`. coefficients: [sections, 5]. */
#define FILTER_ARGS                                                                             \
  GLOBAL const float *RESTRICT x, const index x_first, const index x_stride,                    \
      GLOBAL float *RESTRICT y, const index y_first, const index y_stride,                      \
      GLOBAL const real *RESTRICT coefficients, GLOBAL real *RESTRICT work, const index starts, \
      const index first, const index last, const index unfinished, const index frames,          \
      const int into, const int block, const int channels
#define FILTER_NAMES                                                                               \
  x, x_first, x_stride, y, y_first, y_stride, coefficients, work, starts, first, last, unfinished, \
      frames, into, block, channels

FUNCTION void filter(const int sections, FILTER_ARGS) {
  const index c = GLOBAL_ID % channels;
  const index blocks = (into + frames + block - 1) / block;
  const index b = blocks - 1 - GLOBAL_ID / channels; /* what iir_sum read last is nearest */
  const int values = 2 * sections;
  if (b < 0) {
    return;
  }
  const index most = (b + 1) * block - into;
  const index end = SELECT(most < frames, most, frames);
  const index begin = SELECT(b > 0, b * block - into, 0);
  real k[5 * MOST];
  real s[2 * MOST];
  UNROLL for (int i = 0; i < 5 * sections; ++i) {
    k[i] = coefficients[i];
  }
  const index whole = SELECT(most > frames, last, starts + b * values * channels);
  load_state(values, s, work + SELECT(b > 0, whole, first) + c, channels);
  GLOBAL const float* in = x + x_first + begin * x_stride + c;
  GLOBAL float* out = y + y_first + begin * y_stride + c;
  const int count = (int)(end - begin);
  float v[AHEAD];
  if (count >= AHEAD) {
    read_rows(AHEAD, v, in, x_stride);
  }
  int t = 0;
  for (; t + AHEAD <= count; t += AHEAD) {
    float next[AHEAD] = {0};
    in += AHEAD * x_stride;
    if (t + 2 * AHEAD <= count) {
      read_rows(AHEAD, next, in, x_stride);
    }
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      out[i * y_stride] = cascade(sections, k, v[i], s);
    }
    out += AHEAD * y_stride;
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      v[i] = next[i];
    }
  }
  for (; t < count; ++t) {
    *out = cascade(sections, k, *in, s);
    in += x_stride;
    out += y_stride;
  }
  if (most > frames) {
    store_state(values, work + unfinished + c, s, channels);
  }
}

/* A state as if each channel had been at its first sample for ever.
   steady: [2 sections] for a level of one. */
KERNEL void iir_settle(GLOBAL const float* RESTRICT x, const index x_first,
                       GLOBAL const real* RESTRICT steady, GLOBAL real* RESTRICT work,
                       const index state, const int channels, const int sections) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  for (int i = 0; i < 2 * sections; ++i) {
    work[state + (index)i * channels + c] = (real)(steady[i] * x[x_first + c]);
  }
}

KERNEL void iir_sum(SUM_ARGS, const int sections) {
  sum_some(2 * SECTIONS, 1, SUM_NAMES);
}

/* The same bits. Where there are items enough without, two blocks an item spare half of the reads
   of the table. */
KERNEL void iir_sum_two(SUM_ARGS, const int sections) {
  sum_some(2 * SECTIONS, 2, SUM_NAMES);
}

KERNEL void iir_chain(CHAIN_ARGS, const int sections, LOCAL_ARG) {
  LOCAL_MEM(real, local_memory);
  chain(2 * SECTIONS, CHAIN_NAMES, local_memory);
}

KERNEL void iir_filter(FILTER_ARGS, const int sections) {
  filter(SECTIONS, FILTER_NAMES);
}
