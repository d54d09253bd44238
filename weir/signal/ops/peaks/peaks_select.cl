/* Which of the peaks that peaks_mark.cl found stay, by distance, prominence and width, in float64.
   Arguments as there. past: the `kept` rows before x, frame f in row f mod kept. scales has the
   least width and where it is measured at its end. Channel c competes with rivals[first_rivals[c]]
   and those after it, up to those of the next. */

/* Frames from one selection to the next. */
#define PEAK_GRID 128

struct peak_rows {
  GLOBAL const float* x;
  GLOBAL const float* past;
  GLOBAL const float* levels;
  GLOBAL const real* scales;
  index stride;
  index kept;
  index fed;
  index turns_at; /* fed mod kept */
  int channels;
  float side;
};

/* A sample as it came. */
FUNCTION float sample(const struct peak_rows* rows, const int c, const index frame) {
  const index row = frame - rows->fed;
  if (row >= 0) {
    return rows->x[row * rows->stride + c];
  }
  const index place = rows->turns_at + row;
  return rows->past[(place < 0 ? place + rows->kept : place) * rows->channels + c];
}

/* Oriented, so that larger is more extreme. */
FUNCTION real physical(const struct peak_rows* rows, const int c, const index frame) {
  return (real)(sample(rows, c, frame) * (rows->side * rows->levels[c])) * rows->scales[c];
}

FUNCTION int bit_of(const index frame) {
  return (int)(0x80000000u >> (frame % 32));
}

/* The bits of a word for the frames from `from` on, before `to`. */
FUNCTION unsigned int bits_between(const index word, const index from, const index to) {
  const index begin = 32 * word;
  if (from >= begin + 32 || to <= begin) {
    return 0u;
  }
  const unsigned int late = from > begin ? 0xffffffffu >> (from - begin) : 0xffffffffu;
  return to < begin + 32 ? late & ~(0xffffffffu >> (to - begin)) : late;
}

/* What a selection goes by. Its channels are `span` from `first` on; a group of items has them all,
   of one side. */
struct selection {
  struct peak_rows rows;
  GLOBAL int* peaks; /* Of the side, both. */
  GLOBAL int* kept;
  GLOBAL const index* opens;
  GLOBAL const int* first_rivals;
  GLOBAL const int* rivals;
  index words;
  index slots;
  index distance;
  index longest;
  index now; /* What is selected by. */
  int ended; /* Nothing comes after it. */
  int first;
  int span;
};

/* A peak that competes. Channel -1: none. */
struct contender {
  real height;
  index peak;
  int channel;
};

FUNCTION int wins(const struct contender* a, const struct contender* b) {
  if (a->height != b->height) {
    return a->height > b->height ? 1 : 0;
  }
  if (a->peak != b->peak) {
    return a->peak > b->peak ? 1 : 0;
  }
  return a->channel > b->channel ? 1 : 0;
}

FUNCTION struct contender contender_at(const struct selection* of, const int c, const index peak) {
  struct contender one;
  one.height = physical(&of->rows, c, peak);
  one.peak = peak;
  one.channel = c;
  return one;
}

/* Every peak of a channel before this frame has been seen: an open top's middle is to come. */
FUNCTION index known_of(const struct selection* of, const int c) {
  const index start = of->opens[of->now / PEAK_GRID % of->slots * of->rows.channels + c];
  return start < 0 ? of->now : (start + of->now - 1) / 2;
}

/* 0: it has to wait, 1: it is kept, -1: it has lost. */
FUNCTION int verdict(const struct selection* of, const struct contender* own) {
  const index from = own->peak - of->distance + 1 > 0 ? own->peak - of->distance + 1 : 0;
  const index to = own->peak + of->distance;
  const int channels = of->rows.channels;
  int waits = 0;
  for (int i = of->first_rivals[own->channel]; i < of->first_rivals[own->channel + 1]; ++i) {
    const int c = of->rivals[i];
    if (of->ended == 0 && to > known_of(of, c)) {
      return 0;
    }
    for (index w = from / 32; 32 * w < to; ++w) {
      const index at = w % of->words * channels + c;
      const unsigned int there = (unsigned int)of->peaks[at] & bits_between(w, from, to);
      if ((there & (unsigned int)of->kept[at]) != 0u) {
        waits |= 2;
      }
      unsigned int left = there;
      while (left != 0u && waits == 0) {
        const int bit = LEADING_ZEROS(left);
        left &= ~(0x80000000u >> bit);
        const struct contender rival = contender_at(of, c, 32 * w + bit);
        waits |= wins(&rival, own);
      }
    }
  }
  return (waits & 2) != 0 ? -1 : waits != 0 ? 0 : 1;
}

/* Decides what can be, of a word's open peaks. Returns whether any could. */
FUNCTION int settle_word(const struct selection* of, const index word, const int c) {
  const index at = word % of->words * of->rows.channels + c;
  unsigned int left = (unsigned int)of->peaks[at] & ~(unsigned int)of->kept[at];
  int settled = 0;
  while (left != 0u) {
    const int bit = LEADING_ZEROS(left);
    left &= ~(0x80000000u >> bit);
    const struct contender own = contender_at(of, c, 32 * word + bit);
    const int what = verdict(of, &own);
    if (what > 0) {
      of->kept[at] |= bit_of(own.peak);
    } else if (what < 0) {
      of->peaks[at] &= ~bit_of(own.peak);
    }
    settled |= what;
  }
  return settled;
}

/* Of the open peaks of the words from `from` on and the channels of an item, once nothing more can
   be settled: the first frame, or that of one not seen yet; and the highest of those that have
   waited too long. */
FUNCTION index look_over(const struct selection* of, const index from, struct contender* best) {
  const int count = (int)(of->now / 32 - from) * of->span;
  index oldest = of->now;
  best->height = (real)0;
  best->peak = 0;
  best->channel = -1;
  for (int i = LOCAL_ID; i < of->span; i += LOCAL_SIZE) {
    const index known = known_of(of, of->first + i);
    oldest = known < oldest ? known : oldest;
  }
  for (int i = LOCAL_ID; i < count; i += LOCAL_SIZE) {
    const index word = from + i / of->span;
    const int c = of->first + i % of->span;
    const index at = word % of->words * of->rows.channels + c;
    unsigned int left = (unsigned int)of->peaks[at] & ~(unsigned int)of->kept[at];
    while (left != 0u) {
      const int bit = LEADING_ZEROS(left);
      const index peak = 32 * word + bit;
      left &= ~(0x80000000u >> bit);
      oldest = peak < oldest ? peak : oldest;
      if (peak + of->longest <= of->now) {
        const struct contender one = contender_at(of, c, peak);
        if (best->channel < 0 || wins(&one, best) != 0) {
          *best = one;
        }
      }
    }
  }
  return oldest;
}

/* A group selects for `span` channels of a side at the grid times after `from`, up to `to`, or at
   the segment's `end`. What is above one settles it and decisions are final, so their order does
   not matter: items settle what they can until nobody can. Then the highest that has waited too
   long is kept by force; or, if none has, the group goes straight to the next time when one may
   have: until then more frames only settle more. Local memory: three numbers an item, and a flag.
 */
KERNEL void peaks_select(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT levels,
                         GLOBAL const real* RESTRICT scales,
                         GLOBAL const int* RESTRICT first_rivals, GLOBAL const int* RESTRICT rivals,
                         GLOBAL int* marks, GLOBAL const index* RESTRICT opens,
                         GLOBAL int* counters, const index kept, const index words,
                         const index slots, const index fed, const index from, const index to,
                         const index end, const index distance, const index longest,
                         const int channels, const int span, const int first_side, LOCAL_ARG) {
  LOCAL_MEM(index, oldest_of);
  LOCAL real* heights = (LOCAL real*)(oldest_of + LOCAL_SIZE);
  LOCAL index* peaks = (LOCAL index*)(heights + LOCAL_SIZE);
  LOCAL int* places = (LOCAL int*)(peaks + LOCAL_SIZE);
  LOCAL int* flag = places + LOCAL_SIZE;
  const int groups = channels / span;
  const int side = (int)GROUP_ID / groups;
  struct selection of;
  of.rows.x = x + x_first;
  of.rows.past = past;
  of.rows.levels = levels;
  of.rows.scales = scales;
  of.rows.stride = x_stride;
  of.rows.kept = kept;
  of.rows.fed = fed;
  of.rows.turns_at = fed % kept;
  of.rows.channels = channels;
  of.rows.side = (float)(side == 0 ? first_side : -first_side);
  of.peaks = marks + 2 * side * words * channels;
  of.kept = of.peaks + words * channels;
  of.opens = opens + side * slots * channels;
  of.first_rivals = first_rivals;
  of.rivals = rivals;
  of.words = words;
  of.slots = slots;
  of.distance = distance;
  of.longest = longest;
  of.now = end > 0 ? end : from;
  of.ended = end > 0 ? 1 : 0;
  of.first = (int)GROUP_ID % groups * span;
  of.span = span;
  index low = (from > longest ? from - longest : 0) / 32;
  int left = of.ended != 0 || to > from ? 1 : 0;
  while (left != 0) {
    if (LOCAL_ID == 0) {
      flag[0] = 0;
    }
    SYNC;
    const int count = (int)((of.now + 31) / 32 - low) * span;
    for (int i = LOCAL_ID; i < count; i += LOCAL_SIZE) {
      if (settle_word(&of, low + i / span, of.first + i % span) != 0) {
        flag[0] = 1;
      }
    }
    SYNC;
    const int settled = flag[0] == 0 ? 1 : 0;
    if (settled != 0 && of.ended == 0) {
      struct contender best;
      oldest_of[LOCAL_ID] = look_over(&of, low, &best);
      heights[LOCAL_ID] = best.height;
      peaks[LOCAL_ID] = best.peak;
      places[LOCAL_ID] = best.channel;
    }
    SYNC;
    if (settled != 0 && of.ended == 0) {
      index oldest = oldest_of[0];
      int highest = 0;
      for (int i = 1; i < LOCAL_SIZE; ++i) {
        oldest = oldest_of[i] < oldest ? oldest_of[i] : oldest;
        const int level = heights[i] == heights[highest] ? 1 : 0;
        const int later = peaks[i] == peaks[highest] ? (places[i] > places[highest] ? 1 : 0)
                                                     : (peaks[i] > peaks[highest] ? 1 : 0);
        const int above = level != 0 ? later : (heights[i] > heights[highest] ? 1 : 0);
        highest = places[i] >= 0 && (places[highest] < 0 || above != 0) ? i : highest;
      }
      if (places[highest] < 0) {
        const index next = (oldest + longest + PEAK_GRID - 1) / PEAK_GRID * PEAK_GRID;
        low = of.now > longest ? (of.now - longest) / 32 : 0;
        left = of.now < to ? 1 : 0;
        of.now = next < to ? next : to;
      } else if (LOCAL_ID == 0) {
        of.kept[peaks[highest] / 32 % words * channels + places[highest]] |= bit_of(peaks[highest]);
        ATOMIC_ADD(counters + 1, 1);
      }
    } else {
      left = settled == 0 ? 1 : 0;
    }
    SYNC;
  }
}
