/* The zero-phase filter as two scans over time, one forward and one back; see iir.cl for a scan.
   Forward output lies in a ring of rows, cut into cells as long as a block of the scan; blocks of
   the backward pass are whole cells. iir_ahead_sum, iir_level, iir_starts (both in iir_walk.cl) and
   iir_ahead_filter take the forward pass over a call's frames; the last finds on its way what each
   cell, read backwards, leaves behind where it begins. Then iir_level finds the same of each new
   block, iir_starts the state in which the backward pass enters each cell that has become final,
   iir_back_filter its samples. iir_turn goes round the end of the segment.
   A state is [2 * sections, channels]. work holds every state; the kernels are told where. Rows of
   rings are contiguous, [frames, channels]. */
#define SECTIONS sections
#define MOST 32      /* sections; a build for fewer says so */
#define SUM_AHEAD 16 /* rows in registers before their turn comes */
#define AHEAD 32     /* the same, of the filters */
#define PADDED(values) (((values) + 3) / 4 * 4)

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

FUNCTION index wrapped(const index row, const index ring) {
  return SELECT(row >= ring, row - ring, SELECT(row < 0, row + ring, row));
}

/* sum += table[row] * v, for each of `cells` cells. */
FUNCTION void add_row(const int values, const int cells, real* sum, GLOBAL const real* RESTRICT at,
                      const float* v, const int v_stride) {
  UNROLL for (int four = 0; four < values; four += 4) {
    real h[4];
    LOAD_FOUR(h, at + four);
    UNROLL for (int n = 0; n < 4; ++n) {
      const int i = four + n;
      for (int b = 0; b < cells; ++b) {
        if (i < values) {
          sum[b * values + i] = FMA(h[n], (real)v[b * v_stride], sum[b * values + i]);
        }
      }
    }
  }
}

FUNCTION void read_rows(const int rows, float* to, GLOBAL const float* x, const index step) {
  UNROLL for (int k = 0; k < rows; ++k) {
    to[k] = x[k * step];
  }
}

FUNCTION void rest(const int values, real* s) {
  UNROLL for (int i = 0; i < values; ++i) {
    s[i] = 0;
  }
}

/* What `count` rows from x on, each `step` elements after the one before, leave behind; with two
   cells also those from `second` on, which share what is read of the table.
   table: [block, PADDED(values)] from the row of the first. */
FUNCTION void sum_rows(const int values, const int cells, real* sum, GLOBAL const float* x,
                       GLOBAL const float* second, const index step,
                       GLOBAL const real* RESTRICT table, const int count) {
  int t = 0;
  float v[2 * SUM_AHEAD];
  if (count >= SUM_AHEAD) {
    read_rows(SUM_AHEAD, v, x, step);
    read_rows((cells - 1) * SUM_AHEAD, v + SUM_AHEAD, second, step);
  }
  for (; t + SUM_AHEAD <= count; t += SUM_AHEAD) {
    float next[2 * SUM_AHEAD] = {0};
    x += SUM_AHEAD * step, second += SUM_AHEAD * step;
    if (t + 2 * SUM_AHEAD <= count) {
      read_rows(SUM_AHEAD, next, x, step);
      read_rows((cells - 1) * SUM_AHEAD, next + SUM_AHEAD, second, step);
    }
    UNROLL for (int k = 0; k < SUM_AHEAD; ++k) {
      add_row(values, cells, sum, table + (t + k) * PADDED(values), v + k, SUM_AHEAD);
    }
    UNROLL for (int k = 0; k < cells * SUM_AHEAD; ++k) {
      v[k] = next[k];
    }
  }
  for (; t < count; ++t, x += step) {
    v[0] = *x;
    add_row(values, 1, sum, table + t * PADDED(values), v, 1);
  }
}

/* An infinity is as bad as a NaN to all that comes later, as it is in the recurrence. */
FUNCTION void poison(const int values, real* sum) {
  UNROLL for (int i = 0; i < values; ++i) {
    sum[i] = FMA(sum[i], (real)0, sum[i]);
  }
}

/* One section, one frame: b0 beta1 beta2 alpha1 alpha2. */
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

/* The recurrence over `count` rows of `in`, each `step` elements after the one before. Rows from
   `skip` on go to `out`, which moves by `out_step`; with `summed` each adds its row of `table`. */
FUNCTION void filter_rows(const int sections, const int summed, const real* k, real* s, real* sum,
                          GLOBAL const real* RESTRICT table, GLOBAL const float* in,
                          const index step, GLOBAL float* out, const index out_step,
                          const int count, const int skip) {
  float v[AHEAD];
  if (count >= AHEAD) {
    read_rows(AHEAD, v, in, step);
  }
  int t = 0;
  for (; t + AHEAD <= count; t += AHEAD) {
    float next[AHEAD] = {0};
    in += AHEAD * step;
    if (t + 2 * AHEAD <= count) {
      read_rows(AHEAD, next, in, step);
    }
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      const float y = cascade(sections, k, v[i], s);
      if (summed) {
        add_row(2 * sections, 1, sum, table + (t + i) * PADDED(2 * sections), &y, 1);
      }
      if (t + i >= skip) {
        out[i * out_step] = y;
      }
    }
    out += AHEAD * out_step;
    UNROLL for (int i = 0; i < AHEAD; ++i) {
      v[i] = next[i];
    }
  }
  for (; t < count; ++t, in += step, out += out_step) {
    const float y = cascade(sections, k, *in, s);
    if (summed) {
      add_row(2 * sections, 1, sum, table + t * PADDED(2 * sections), &y, 1);
    }
    if (t >= skip) {
      *out = y;
    }
  }
}

#define COEFFICIENTS(k, from, sections)             \
  real k[5 * MOST];                                 \
  UNROLL for (int i = 0; i < 5 * (sections); ++i) { \
    k[i] = from[i];                                 \
  }

/* Block i of the call begins at row i * block - into; the sums of whole ones go to row i of `sums`,
   that of an unfinished last one to `unfinished`; the first goes on from `begun`.

   In the call with which a segment begins (begins), the first `into` rows are in `edge` and
   `padlen` rows of odd extension come before. One more item of each channel takes these: the state
   with which the segment begins goes to `origin`, that after the rows of `edge` to `now`, what
   these leave behind where they begin to `back`, their forward output to `ring`. Shape: table
   [block, PADDED], coefficients [sections, 5], steady [2 sections]. */
#define BEGIN_ARGS                                                                 \
  GLOBAL const float *RESTRICT x, const index x_first, const index x_stride,       \
      GLOBAL const float *RESTRICT edge, GLOBAL const real *RESTRICT coefficients, \
      GLOBAL const real *RESTRICT steady, GLOBAL const real *RESTRICT back_table,  \
      GLOBAL real *RESTRICT work, GLOBAL float *RESTRICT ring, const index origin, \
      const index now, const index back, const int into, const int channels, const int padlen
#define BEGIN_NAMES                                                                            \
  x, x_first, x_stride, edge, coefficients, steady, back_table, work, ring, origin, now, back, \
      into, channels, padlen
FUNCTION void begin_segment(const int sections, const index c, BEGIN_ARGS) {
#define ROW(t) \
  SELECT((t) < into, edge[(t) * (index)channels + c], x[x_first + ((t) - into) * x_stride + c])
  COEFFICIENTS(k, coefficients, sections);
  real s[2 * MOST];
  const float first = ROW(0);
  const float level = SELECT(padlen > 0, 2 * first - ROW(padlen), first);
  UNROLL for (int i = 0; i < 2 * sections; ++i) {
    s[i] = (real)(steady[i] * level);
  }
  for (int t = padlen; t > 0; --t) {
    cascade(sections, k, 2 * first - ROW(t), s);
  }
  store_state(2 * sections, work + origin + c, s, channels);
  real sum[2 * MOST];
  rest(2 * sections, sum);
  filter_rows(sections, 1, k, s, sum, back_table, edge + c, channels, ring + c, channels, into, 0);
  store_state(2 * sections, work + now + c, s, channels);
  store_state(2 * sections, work + back + c, sum, channels);
}

/* One item takes two blocks, which share what is read of the table. */
KERNEL void iir_ahead_sum(BEGIN_ARGS, GLOBAL const real* RESTRICT table, const index sums,
                          const index begun, const index unfinished, const index frames,
                          const int block, const int begins, const int sections) {
  const index c = GLOBAL_ID % channels;
  const index b = GLOBAL_ID / channels * 2;
  const index blocks = (into + frames + block - 1) / block;
  const index whole = (into + frames) / block;
  const index state = (index)2 * SECTIONS * channels;
  real sum[2 * 2 * MOST];
  rest(2 * 2 * SECTIONS, sum);
  if (b + 2 <= whole && (b > 0 || into == 0)) {
    GLOBAL const float* from = x + x_first + (b * block - into) * x_stride + c;
    sum_rows(2 * SECTIONS, 2, sum, from, from + block * x_stride, x_stride, table, block);
    poison(2 * 2 * SECTIONS, sum);
    store_state(2 * SECTIONS, work + sums + b * state + c, sum, channels);
    store_state(2 * SECTIONS, work + sums + (b + 1) * state + c, sum + 2 * SECTIONS, channels);
    return;
  }
  for (index one = b; one < b + 2 && one < blocks; ++one) {
    const index end = SELECT(one < whole, (one + 1) * block - into, frames);
    const index begin = SELECT(one > 0, one * block - into, 0);
    const int seen = SELECT(one > 0, 0, into);
    rest(2 * SECTIONS, sum);
    if (seen > 0 && begins) {
      sum_rows(2 * SECTIONS, 1, sum, edge + c, edge, channels, table, seen);
    } else if (seen > 0) {
      load_state(2 * SECTIONS, sum, work + begun + c, channels);
    }
    sum_rows(2 * SECTIONS, 1, sum, x + x_first + begin * x_stride + c, x, x_stride,
             table + seen * PADDED(2 * SECTIONS), (int)(end - begin));
    if (one < whole) {
      poison(2 * SECTIONS, sum);
    }
    store_state(2 * SECTIONS, work + SELECT(one < whole, sums + one * state, unfinished) + c, sum,
                channels);
  }
  if (b >= blocks && b < blocks + 2 && begins) {
    begin_segment(SECTIONS, c, BEGIN_NAMES);
  }
}

/* Blocks as in iir_ahead_sum. Block i begins with row i of `starts`, the first with `first`, an
   unfinished last one with `last`; the state it has come to goes to `unfinished`. Row 0 of the call
   goes to row `begin` of the ring. What block i leaves behind where it begins goes to row
   (cell + i) of a ring of `cells` states at `backs`; the first goes on from `back`, an unfinished
   last one comes to `back_unfinished`. Items beyond keep the last `kept` rows in a ring of `edges`,
   from row `edge_at` on. */
KERNEL void iir_ahead_filter(GLOBAL const float* RESTRICT x, const index x_first,
                             const index x_stride, GLOBAL float* RESTRICT ring,
                             const index ring_rows, const index begin,
                             GLOBAL const real* RESTRICT coefficients,
                             GLOBAL const real* RESTRICT back_table, GLOBAL real* RESTRICT work,
                             const index starts, const index first, const index last,
                             const index unfinished, const index backs, const index cell,
                             const index cells, const index back, const index back_unfinished,
                             const index frames, const int into, const int block,
                             GLOBAL float* RESTRICT edge, const int kept, const int edge_at,
                             const int edges, const int channels, const int sections) {
  const index c = GLOBAL_ID % channels;
  const index n = GLOBAL_ID / channels;
  const index blocks = (into + frames + block - 1) / block;
  if (n >= blocks) {
    const index row = n - blocks;
    if (row < kept) {
      edge[wrapped(edge_at + row, edges) * channels + c] =
          x[x_first + (frames - kept + row) * x_stride + c];
    }
    return;
  }
  const index b = blocks - 1 - n; /* what iir_ahead_sum read last is nearest */
  const index most = (b + 1) * block - into;
  const index end = SELECT(most < frames, most, frames);
  const index from = SELECT(b > 0, b * block - into, 0);
  const int seen = SELECT(b > 0, 0, into);
  COEFFICIENTS(k, coefficients, SECTIONS);
  real s[2 * MOST];
  real sum[2 * MOST];
  rest(2 * SECTIONS, sum);
  const index whole = SELECT(most > frames, last, starts + b * 2 * SECTIONS * channels);
  load_state(2 * SECTIONS, s, work + SELECT(b > 0, whole, first) + c, channels);
  if (seen > 0) {
    load_state(2 * SECTIONS, sum, work + back + c, channels);
  }
  filter_rows(SECTIONS, 1, k, s, sum, back_table + seen * PADDED(2 * SECTIONS),
              x + x_first + from * x_stride + c, x_stride,
              ring + wrapped(begin + from, ring_rows) * channels + c, channels, (int)(end - from),
              0);
  if (most > frames) {
    store_state(2 * SECTIONS, work + unfinished + c, s, channels);
    store_state(2 * SECTIONS, work + back_unfinished + c, sum, channels);
  } else {
    poison(2 * SECTIONS, sum);
    store_state(2 * SECTIONS, work + backs + wrapped(cell + b, cells) * 2 * SECTIONS * channels + c,
                sum, channels);
  }
}

/* The same of rows that lie in the ring: of `count` rows from cell `cell` on; an unfinished last
   cell comes to `back`. The same bits. */
KERNEL void iir_back_sum(GLOBAL const float* RESTRICT ring, GLOBAL const real* RESTRICT back_table,
                         GLOBAL real* RESTRICT work, const index backs, const index cell,
                         const index cells, const index back, const index count, const int block,
                         const int channels, const int sections) {
  const index c = GLOBAL_ID % channels;
  const index n = GLOBAL_ID / channels;
  if (n * block >= count) {
    return;
  }
  const index slot = wrapped(cell + n, cells);
  const int whole = (n + 1) * block <= count;
  real sum[2 * MOST];
  rest(2 * SECTIONS, sum);
  GLOBAL const float* rows = ring + slot * block * channels + c;
  sum_rows(2 * SECTIONS, 1, sum, rows, rows, channels, back_table,
           (int)SELECT(whole, block, count - n * block));
  if (whole) {
    poison(2 * SECTIONS, sum);
  }
  store_state(2 * SECTIONS, work + SELECT(whole, backs + slot * 2 * SECTIONS * channels, back) + c,
              sum, channels);
}

/* Emits `count` rows, the first of them row `from` of cell `first` of a ring of `cells`. Rows are
   known up to row `known`, counted from where that cell begins. The backward pass enters each cell
   with its row of `entries`; the first `plain` cells have their output in the ring already. */
KERNEL void iir_back_filter(GLOBAL const float* RESTRICT ring, GLOBAL float* RESTRICT y,
                            const index y_first, const index y_stride,
                            GLOBAL const real* RESTRICT coefficients,
                            GLOBAL const real* RESTRICT work, const index entries,
                            const index first, const index cells, const index from,
                            const index count, const index known, const index plain,
                            const int block, const int channels, const int sections) {
  const index c = GLOBAL_ID % channels;
  const index n = (from + count - 1) / block - GLOBAL_ID / channels; /* late rows are nearest */
  if (n < 0) {
    return;
  }
  const index slot = wrapped(first + n, cells);
  const index low = SELECT(n * block > from, n * block, from);
  const index most = SELECT((n + 1) * block < known, (n + 1) * block, known);
  const index emitted = SELECT(most < from + count, most, from + count);
  const index high = SELECT(n < plain, emitted, most);
  GLOBAL const float* in = ring + (slot * block + high - 1 - n * block) * channels + c;
  GLOBAL float* out = y + y_first + (high - 1 - from) * y_stride + c;
  if (n < plain) {
    for (index t = low; t < high; ++t, in -= channels, out -= y_stride) {
      *out = *in;
    }
    return;
  }
  COEFFICIENTS(k, coefficients, SECTIONS);
  real s[2 * MOST];
  load_state(2 * SECTIONS, s, work + entries + slot * 2 * SECTIONS * channels + c, channels);
  filter_rows(SECTIONS, 0, k, s, s, coefficients, in, -(index)channels, out, -y_stride,
              (int)(high - low), (int)(high - emitted));
}

/* Round the end of a segment: the forward pass goes on from `now` over `padlen` rows of odd
   extension (which need rows edge_at, the latest, and before of a ring of `edges`), the backward
   pass comes back over them and over the `left` rows of the unfinished cell `slot`, which it enters
   with that row of `entries`. The state it has come to goes to `turned`.
   extension: [padlen, channels], scratch. */
KERNEL void iir_turn(GLOBAL const float* RESTRICT edge, GLOBAL float* extension,
                     GLOBAL const float* RESTRICT ring, GLOBAL const real* RESTRICT coefficients,
                     GLOBAL const real* RESTRICT steady, GLOBAL real* RESTRICT work,
                     const index now, const index entries, const index turned, const index slot,
                     const index latest, const int edge_at, const int edges, const int padlen,
                     const int left, const int block, const int channels, const int sections) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  COEFFICIENTS(k, coefficients, SECTIONS);
  real s[2 * MOST];
  load_state(2 * SECTIONS, s, work + now + c, channels);
  const float last = edge[(index)edge_at * channels + c];
  float level = ring[latest * channels + c];
  for (int i = 0; i < padlen; ++i) {
    const float inner = edge[wrapped(edge_at - 1 - i, edges) * channels + c];
    level = cascade(SECTIONS, k, 2 * last - inner, s);
    extension[(index)i * channels + c] = level;
  }
  UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
    s[i] = (real)(steady[i] * level);
  }
  for (int i = padlen - 1; i >= 0; --i) {
    cascade(SECTIONS, k, extension[(index)i * channels + c], s);
  }
  if (left > 0) {
    store_state(2 * SECTIONS, work + entries + slot * 2 * SECTIONS * channels + c, s, channels);
    for (int t = left - 1; t >= 0; --t) {
      cascade(SECTIONS, k, ring[(slot * block + t) * channels + c], s);
    }
  }
  store_state(2 * SECTIONS, work + turned + c, s, channels);
}
