/* From flagged words to events: the rules. Arguments as in crossings.cl. */

FUNCTION index word_of(const float value, const int upper) {
  return ((index)upper << 32) | (index)(unsigned int)AS_INT(value);
}

/* Rows beyond the capacity are counted and not stored. */
FUNCTION void add_event(GLOBAL index* events, const index capacity, const index onset,
                        const index peak, const index last, const index value_and_tag) {
  const index row = ATOMIC_ADD((GLOBAL int*)events, 1);
  if (row < capacity) {
    GLOBAL index* to = events + 4 * (row + 1);
    to[0] = onset;
    to[1] = peak;
    to[2] = last;
    to[3] = value_and_tag;
  }
}

/* Marks of a word, one bit a frame, the first highest: where v rises to its level, where it stands
   below its release, and the same of -v. */
struct marks {
  unsigned int rises;
  unsigned int falls;
  unsigned int rises_below;
  unsigned int falls_below;
};
FUNCTION struct marks marks_of(GLOBAL const float* x, const index x_stride, const float previous,
                               const float sign, const float on, const float off,
                               const index frames, const index word) {
  const index begin = 32 * word;
  const int count = frames - begin < 32 ? (int)(frames - begin) : 32;
  float values[32];
  UNROLL
  for (int i = 0; i < 32; ++i) {
    values[i] = i < count ? x[(begin + i) * x_stride] : AS_FLOAT(0x7fffffff);
  }
  float before = sign * (begin == 0 ? previous : x[(begin - 1) * x_stride]);
  struct marks found;
  found.rises = 0u;
  found.falls = 0u;
  found.rises_below = 0u;
  found.falls_below = 0u;
  UNROLL
  for (int i = 0; i < 32; ++i) {
    const float v = sign * values[i];
    const unsigned int bit = 0x80000000u >> i;
    found.rises |= before < on && v >= on ? bit : 0u;
    found.falls |= v < off ? bit : 0u;
    found.rises_below |= -before < on && -v >= on ? bit : 0u;
    found.falls_below |= -v < off ? bit : 0u;
    before = v;
  }
  return found;
}

/* What the items of a channel's group share while they walk: flags of as many blocks as there are
   items, and marks of as many words. Local memory: [10, items]. */
struct shared_marks {
  LOCAL int* reach;
  LOCAL int* hold; /* [2, items] */
  LOCAL int* ends;
  LOCAL int* words;
  LOCAL int* marks; /* [4, items]: rises and falls of v, and of -v */
  int items;
};

/* The state machine of one channel, and the rules it follows. */
struct detector {
  index next_allowed;
  index onset;
  index peak;
  float value; /* Of an open lane: the one it had before this block, or at its onset. */
  int open;
  index at; /* All frames before have been seen. */
};
struct rules {
  GLOBAL const float* x; /* The channel's first sample. */
  index x_stride;
  float previous;
  float sign;
  float on;
  float off;
  index fed;
  index frames;
  index min_frames;
  index refractory;
  int sides;
  int polarity;
  int channel;
};

/* Puts those of the flagged words that have the places from `begin` on, in order, into the list,
   and their marks beside it. Returns how many. */
FUNCTION int list_marks(const struct shared_marks* of, const struct rules* rules, const int own,
                        const index first_word, const int begin) {
  int place = of->ends[LOCAL_ID] - POPCOUNT(own) - begin;
  unsigned int left = (unsigned int)own;
  while (left != 0u && place < of->items) {
    const int bit = LEADING_ZEROS(left);
    if (place >= 0) {
      of->words[place] = 32 * LOCAL_ID + bit;
    }
    left &= ~(0x80000000u >> bit);
    ++place;
  }
  SYNC;
  const int all = of->ends[of->items - 1] - begin;
  const int count = all < of->items ? all : of->items;
  if (LOCAL_ID < count) {
    const struct marks found =
        marks_of(rules->x, rules->x_stride, rules->previous, rules->sign, rules->on, rules->off,
                 rules->frames, first_word + of->words[LOCAL_ID]);
    of->marks[LOCAL_ID] = (int)found.rises;
    of->marks[of->items + LOCAL_ID] = (int)found.falls;
    of->marks[2 * of->items + LOCAL_ID] = (int)found.rises_below;
    of->marks[3 * of->items + LOCAL_ID] = (int)found.falls_below;
  }
  SYNC;
  return count;
}

/* The first frame from `from` on that stands below the release of `side`, 0 or 1; `end` when none
   before it does. Words that are listed have their marks; others are read where their flag does not
   say that there is nothing to find. */
FUNCTION index next_fall(const struct shared_marks* of, const struct rules* rules, const int side,
                         const index from, const index first_word, const index end, const int count,
                         int* next) {
  index frame = from;
  while (frame < end) {
    const int word = (int)(frame / 32 - first_word);
    const unsigned int hold = (unsigned int)of->hold[side * of->items + word / 32];
    if (word % 32 == 0 && hold == 0xffffffffu) {
      frame = 32 * (first_word + word + 32);
      continue;
    }
    while (*next < count && of->words[*next] < word) {
      ++*next;
    }
    unsigned int falls = 0u;
    if (*next < count && of->words[*next] == word) {
      falls = (unsigned int)of->marks[(2 * side + 1) * of->items + *next];
    } else if ((hold << (word % 32) & 0x80000000u) == 0u) {
      const struct marks found = marks_of(rules->x, rules->x_stride, rules->previous, rules->sign,
                                          rules->on, rules->off, rules->frames, first_word + word);
      falls = side == 0 ? found.falls : found.falls_below;
    }
    falls &= 0xffffffffu >> (frame % 32);
    frame = 32 * (first_word + word);
    if (falls != 0u) {
      return frame + LEADING_ZEROS(falls);
    }
    frame += 32;
  }
  return end;
}

/* The first frame from `from` on, of the listed words, that rises to a level; -1 when none does. */
FUNCTION index next_rise(const struct shared_marks* of, const int sides, const index from,
                         const index first_word, const int count, int* next, int* side) {
  for (; *next < count; ++*next) {
    const index frame = 32 * (first_word + of->words[*next]);
    if (frame + 32 <= from) {
      continue;
    }
    const unsigned int rest = from > frame ? 0xffffffffu >> (from - frame) : 0xffffffffu;
    const unsigned int above = (unsigned int)of->marks[*next] & rest;
    const unsigned int below =
        sides == 2 ? (unsigned int)of->marks[2 * of->items + *next] & rest : 0u;
    if ((above | below) != 0u) {
      const int first = LEADING_ZEROS(above | below);
      *side = (above << first & 0x80000000u) != 0u ? 0 : 1;
      return frame + first;
    }
  }
  return -1;
}

/* From mark to mark through the words listed; an event open after them waits for the next call. */
FUNCTION void walk(struct detector* of, const struct shared_marks* marks, const struct rules* rules,
                   const index first_word, const index end, const int count, GLOBAL index* events,
                   const index capacity) {
  int next = 0;
  while (of->at < end) {
    if (of->open != 0) {
      const index fall =
          next_fall(marks, rules, of->open > 0 ? 0 : 1, of->at, first_word, end, count, &next);
      if (fall < end) {
        const index last = rules->fed + fall;
        if (last - of->onset >= rules->min_frames) {
          const int minus = (rules->sides == 2 ? of->open : rules->polarity) < 0 ? 1 : 0;
          add_event(events, capacity, of->onset, of->peak, last,
                    word_of(of->value, 4 * rules->channel + minus));
          of->next_allowed = last + rules->refractory;
        }
        of->open = 0;
      }
      of->at = fall; /* what closes may open the other side at the same sample */
    } else {
      const index allowed = of->next_allowed - rules->fed;
      const index from = of->next_allowed > rules->fed + of->at ? allowed : of->at;
      int side = 0;
      const index rise = next_rise(marks, rules->sides, from, first_word, count, &next, &side);
      if (rise < 0) {
        return;
      }
      of->open = side == 0 ? 1 : -1;
      of->onset = rules->fed + rise;
      of->peak = of->onset;
      of->value = rules->sign * rules->x[rise * rules->x_stride];
      of->value = side == 0 ? of->value : -of->value;
      of->at = rise + 1;
    }
  }
}

/* ends: how many words are flagged in the blocks up to and with each item's. */
FUNCTION void sum_up(LOCAL int* ends, const int own) {
  ends[LOCAL_ID] = own;
  SYNC;
  for (int step = 1; step < LOCAL_SIZE; step *= 2) {
    const int before = LOCAL_ID >= step ? ends[LOCAL_ID - step] : 0;
    SYNC;
    ends[LOCAL_ID] += before;
    SYNC;
  }
}

/* A group has one channel: its items list the flagged words of as many blocks and find their marks
   side by side, then one of them walks. */
KERNEL void crossings_walk(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL const float* RESTRICT levels,
                           GLOBAL float* previous, GLOBAL int* flags, GLOBAL index* RESTRICT lanes,
                           GLOBAL index* events, const index capacity, const index fed,
                           const index frames, const index min_frames, const index refractory,
                           const int channels, const int sides, const int polarity, LOCAL_ARG) {
  LOCAL_MEM(int, room);
  const int c = (int)GROUP_ID;
  const int items = LOCAL_SIZE;
  struct shared_marks of;
  of.reach = room;
  of.hold = room + items;
  of.ends = room + 3 * items;
  of.words = room + 4 * items;
  of.marks = room + 5 * items;
  of.items = items;
  struct rules rules;
  rules.x = x + x_first + c;
  rules.x_stride = x_stride;
  rules.previous = previous[c];
  rules.sign = levels[c];
  rules.on = levels[channels + c];
  rules.off = levels[2 * channels + c];
  rules.fed = fed;
  rules.frames = frames;
  rules.min_frames = min_frames;
  rules.refractory = refractory;
  rules.sides = sides;
  rules.polarity = polarity;
  rules.channel = c;
  GLOBAL index* lane = lanes + 4 * c;
  struct detector detector;
  detector.next_allowed = lane[0];
  detector.onset = lane[1];
  detector.peak = lane[2];
  detector.value = AS_FLOAT((int)lane[3]);
  detector.open = (int)(lane[3] >> 32);
  detector.at = 0;
  const index blocks = (frames + 1023) / 1024;
  int carry = 0; /* the last word before is flagged */
  for (index first = 0; first < blocks; first += items) {
    const index block = first + LOCAL_ID;
    GLOBAL int* flag = flags + block * channels + c;
    of.reach[LOCAL_ID] = block < blocks ? flag[0] : 0;
    for (int side = 0; side < sides; ++side) {
      of.hold[side * items + LOCAL_ID] = block < blocks ? flag[(side + 1) * blocks * channels] : 0;
    }
    if (block < blocks) {
      for (int plane = 0; plane <= sides; ++plane) {
        flag[plane * blocks * channels] = 0;
      }
    }
    SYNC;
    /* The word after one that reaches a level is where its event most likely ends. */
    const unsigned int reach = (unsigned int)of.reach[LOCAL_ID];
    const int before = LOCAL_ID > 0 ? of.reach[LOCAL_ID - 1] & 1 : carry;
    unsigned int own = reach | reach >> 1 | (before != 0 ? 0x80000000u : 0u);
    const index words_left = (frames + 31) / 32 - 32 * block;
    own = words_left <= 0 ? 0u : words_left < 32 ? own & ~(0xffffffffu >> words_left) : own;
    sum_up(of.ends, POPCOUNT(own));
    carry = of.reach[items - 1] & 1;
    const int flagged = of.ends[items - 1];
    const index after = 1024 * (first + items);
    const index end = after < frames ? after : frames;
    for (int begin = 0; begin < flagged; begin += items) {
      const int count = list_marks(&of, &rules, (int)own, 32 * first, begin);
      const index seen =
          begin + count == flagged ? end : 32 * (32 * first + of.words[count - 1] + 1);
      if (LOCAL_ID == 0) {
        walk(&detector, &of, &rules, 32 * first, seen, count, events, capacity);
      }
      SYNC;
    }
    if (LOCAL_ID == 0) {
      if (flagged == 0 && detector.open != 0) {
        walk(&detector, &of, &rules, 32 * first, end, 0, events, capacity);
      }
      detector.at = end;
    }
    SYNC;
  }
  if (LOCAL_ID == 0) {
    lane[0] = detector.next_allowed;
    lane[1] = detector.onset;
    lane[2] = detector.peak;
    lane[3] = word_of(detector.value, detector.open);
    previous[c] = x[x_first + (frames - 1) * x_stride + c];
  }
}

/* The segment ends at frame `end`: what is open is final, and has no offset. */
KERNEL void crossings_close(GLOBAL const float* RESTRICT levels, GLOBAL index* RESTRICT lanes,
                            GLOBAL index* events, const index capacity, const index end,
                            const index min_frames, const int channels, const int sides,
                            const int polarity) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  GLOBAL index* lane = lanes + 4 * c;
  const int open = (int)(lane[3] >> 32);
  if (open != 0 && end - lane[1] >= min_frames) {
    const int minus = sides == 2 ? (open < 0 ? 1 : 0) : (polarity < 0 ? 1 : 0);
    const float value = AS_FLOAT((int)lane[3]) * (open > 0 ? levels[c] : -levels[c]);
    add_event(events, capacity, lane[1], lane[2], end, word_of(value, (int)(4 * c) + 2 + minus));
  }
  lane[3] = 0;
}
