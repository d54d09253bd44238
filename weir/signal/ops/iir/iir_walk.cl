/* Walks over rings of states: see iir_zero_phase.cl. One item is one value of one channel of one
   chain; a group has `lanes` channels of one chain. A state is [2 * sections, channels]. */
#define SECTIONS sections
#define MOST 32 /* sections; a build for fewer says so */
#define STEPS 4 /* rows in registers before their turn comes */

FUNCTION index wrapped(const index row, const index ring) {
  return SELECT(row >= ring, row - ring, SELECT(row < 0, row + ring, row));
}

/* One value of one channel of a walk: from row `p` of a ring of states on, `count` rows forward or
   back. A row moves the state s on by s += (M - 1) s + row. With `keep` the state before a row goes
   to the same row of `kept`. Local memory holds [2 + STEPS, LOCAL_SIZE]. */
FUNCTION real walk(const int values, real s, GLOBAL const real* RESTRICT matrix,
                   GLOBAL const real* rows, GLOBAL real* kept, const index state, const index ring,
                   index p, const index count, const int direction, const int keep, const int lanes,
                   LOCAL real* local_memory) {
  const int lane = LOCAL_ID % lanes;
  const int value = LOCAL_ID / lanes;
  LOCAL real* ahead = local_memory + 2 * LOCAL_SIZE + LOCAL_ID;
  real m[2 * MOST];
  UNROLL for (int k = 0; k < values; ++k) {
    m[k] = matrix[value * values + k];
  }
  real next[STEPS];
  UNROLL for (int k = 0; k < STEPS; ++k) {
    next[k] = SELECT(k < count, rows[wrapped(p + direction * k, ring) * state], 0);
  }
  SYNC; /* nobody still reads what an earlier walk left */
  for (index n = 0; n < count; n += STEPS) {
    UNROLL for (int k = 0; k < STEPS; ++k) {
      ahead[k * LOCAL_SIZE] = next[k];
    }
    UNROLL for (int k = 0; k < STEPS; ++k) {
      next[k] = SELECT(n + STEPS + k < count,
                       rows[wrapped(p + direction * (STEPS + k), ring) * state], 0);
    }
    const int steps = (int)SELECT(count - n < STEPS, count - n, STEPS);
    for (int k = 0; k < steps; ++k) {
      /* Two in turn: nobody writes what others still read. */
      LOCAL real* all = local_memory + (k & 1) * LOCAL_SIZE;
      all[LOCAL_ID] = s;
      SYNC;
      if (keep) {
        kept[wrapped(p + direction * k, ring) * state] = s;
      }
      real sum = ahead[k * LOCAL_SIZE];
      UNROLL for (int i = 0; i < values; ++i) {
        sum = FMA(m[i], all[i * lanes + lane], sum);
      }
      s += sum;
    }
    p = wrapped(p + direction * STEPS, ring);
  }
  return s;
}

/* Chain j takes the rows j * length - before up to (j + 1) * length - before of the `count` rows of
   a call, in this order or against it; row 0 of the call is row `begin` of a ring. */
#define WALK_ARGS                                                                   \
  GLOBAL const real *RESTRICT matrix, GLOBAL real *RESTRICT work, const index rows, \
      const index ring, const index begin, const int direction, const index count,  \
      const int before, const index length, const index chains, const int channels, \
      const int lanes
#define WALK_PLACES                                                                              \
  const index groups = (channels + lanes - 1) / lanes;                                           \
  const index j = GROUP_ID / groups;                                                             \
  const index c = GROUP_ID % groups * lanes + LOCAL_ID % lanes;                                  \
  const index state = (index)2 * SECTIONS * channels;                                            \
  const int real_channel = c < channels;                                                         \
  const index at = (index)(LOCAL_ID / lanes) * channels + SELECT(real_channel, c, channels - 1); \
  const index low = SELECT(j > 0, j * length - before, 0);                                       \
  const index most = (j + 1) * length - before;                                                  \
  const index high = SELECT(most < count, most, count);                                          \
  const index p = wrapped(begin + SELECT(direction > 0, low, high - 1), ring)

/* Each chain from rest, the first from `first` unless that is negative. The state after it goes to
   row (end + j) of a ring of `end_ring` states at `ends`, that of the last chain to `last` unless
   that is negative. */
KERNEL void iir_level(WALK_ARGS, const index first, const index ends, const index end_ring,
                      const index end, const index last, const int sections, LOCAL_ARG) {
  LOCAL_MEM(real, local_memory);
  WALK_PLACES;
  real s = 0;
  if (j == 0 && first >= 0) {
    s = work[first + at];
  }
  s = walk(2 * SECTIONS, s, matrix, work + rows + at, work + rows + at, state, ring, p, high - low,
           direction, 0, lanes, local_memory);
  if (real_channel) {
    work[ends + wrapped(end + j, end_ring) * state + at] = s;
    if (last >= 0 && j == chains - 1) {
      work[last + at] = s;
    }
  }
}

/* Where each row of each chain begins goes to the same row of `kept`. Chain j begins with row
   j of `others` (the first with `first`; at rest where these are negative), moved over rows
   far_begin + j
   * far_jump on of a ring at `far`, far_count of them, by far_matrix. The state from
   there goes to `middle` and the state after the last row to `last`, both of the last chain and
   unless they are negative. */
KERNEL void iir_starts(WALK_ARGS, GLOBAL const real* RESTRICT far_matrix, const index far,
                       const index far_ring, const index far_begin, const int far_jump,
                       const index far_count, const index first, const index others,
                       const index kept, const index middle, const index last, const int sections,
                       LOCAL_ARG) {
  LOCAL_MEM(real, local_memory);
  WALK_PLACES;
  const index from = SELECT(j > 0, SELECT(others < 0, others, others + j * state), first);
  real s = 0;
  if (from >= 0) {
    s = work[from + at];
  }
  for (int near = 0; near < 2; ++near) { /* one text of the walk: compilers take long over it */
    const index row = wrapped(far_begin + j * far_jump, far_ring);
    s = walk(2 * SECTIONS, s, SELECT(near, matrix, far_matrix), work + SELECT(near, rows, far) + at,
             work + kept + at, state, SELECT(near, ring, far_ring), SELECT(near, p, row),
             SELECT(near, high - low, far_count), direction, near && real_channel, lanes,
             local_memory);
    if (!near && middle >= 0 && j == chains - 1 && real_channel) {
      work[middle + at] = s;
    }
  }
  if (last >= 0 && j == chains - 1 && real_channel) {
    work[last + at] = s;
  }
}

/* How the backward pass enters blocks of one cell each: block n of the call is row (first + n) of a
   ring, where `ends` has what each block leaves behind and `kept` gets the state. It is what the
   `ahead` blocks after it left, each moved on over those between. One item is one channel of one
   block: these walks are short, and share the matrix. */
KERNEL void iir_entries(GLOBAL const real* RESTRICT matrix, GLOBAL real* RESTRICT work,
                        const index ends, const index kept, const index ring, const index first,
                        const index count, const index ahead, const int channels,
                        const int sections) {
  const index c = GLOBAL_ID % channels;
  const index n = GLOBAL_ID / channels;
  if (n >= count) {
    return;
  }
  const index state = (index)2 * SECTIONS * channels;
  real s[2 * MOST];
  UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
    s[i] = 0;
  }
  for (index k = ahead; k > 0; --k) {
    GLOBAL const real* row = work + ends + wrapped(first + n + k, ring) * state + c;
    real sum[2 * MOST];
    UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
      sum[i] = row[(index)i * channels];
    }
    UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
      UNROLL for (int j = 0; j < 2 * SECTIONS; ++j) {
        sum[i] = FMA(matrix[i * 2 * SECTIONS + j], s[j], sum[i]);
      }
    }
    UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
      s[i] += sum[i];
    }
  }
  UNROLL for (int i = 0; i < 2 * SECTIONS; ++i) {
    work[kept + wrapped(first + n, ring) * state + (index)i * channels + c] = s[i];
  }
}
