/* x: [frames, channels] from its first element on; row 0 is frame `fed` of its segment.
   levels: per channel sign, on, off; v = sign * x is the oriented count, -v the other side's.
   lanes: [channels, 4] = next allowed onset, onset, peak, and a word with the bits of the largest v
   since the onset below and the open side (+1, -1; 0 when closed) above.
   marks: [2 or 4, words, channels], one bit a frame, the first frame highest: where v rises to its
   level, where it stands below its release, and the same of -v when both sides are watched.
   events: see op/device_step.h. */

KERNEL void crossings_begin(GLOBAL index* RESTRICT events) {
  if (GLOBAL_ID == 0) {
    events[0] = 0;
  }
}

KERNEL void crossings_mark(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL const float* RESTRICT levels,
                           GLOBAL const float* RESTRICT previous, GLOBAL int* RESTRICT marks,
                           const index frames, const int channels, const int sides) {
  const index c = GLOBAL_ID;
  if (c >= channels) {
    return;
  }
  const float sign = levels[c];
  const float on = levels[channels + c];
  const float off = levels[2 * channels + c];
  const index words = (frames + 31) / 32;
  for (index word = GLOBAL_ID_1; word < words; word += GLOBAL_SIZE_1) {
    const index begin = 32 * word;
    const int count = frames - begin < 32 ? (int)(frames - begin) : 32;
    const index at = x_first + begin * x_stride + c;
    float before = sign * (begin == 0 ? previous[c] : x[at - x_stride]);
    unsigned int rises = 0u;
    unsigned int falls = 0u;
    unsigned int rises_below = 0u;
    unsigned int falls_below = 0u;
    for (int i = 0; i < count; ++i) {
      const float v = sign * x[at + i * x_stride];
      const unsigned int bit = 0x80000000u >> i;
      rises |= before < on && v >= on ? bit : 0u;
      falls |= v < off ? bit : 0u;
      rises_below |= -before < on && -v >= on ? bit : 0u;
      falls_below |= -v < off ? bit : 0u;
      before = v;
    }
    GLOBAL int* to = marks + word * channels + c;
    to[0] = (int)rises;
    to[words * channels] = (int)falls;
    if (sides == 2) {
      to[2 * words * channels] = (int)rises_below;
      to[3 * words * channels] = (int)falls_below;
    }
  }
}

/* One bit for each word of marks that has any, 32 words to a word; see next_mark.
   summary: [2 or 4, blocks, channels]. */
KERNEL void crossings_summary(GLOBAL const int* RESTRICT marks, GLOBAL int* RESTRICT summary,
                              const index frames, const int channels, const int sides) {
  const index c = GLOBAL_ID;
  const index words = (frames + 31) / 32;
  const index blocks = (words + 31) / 32;
  for (index block = GLOBAL_ID_1; block < 2 * sides * blocks && c < channels;
       block += GLOBAL_SIZE_1) {
    const index plane = block / blocks;
    const index begin = 32 * (block % blocks);
    unsigned int some = 0u;
    for (index word = begin; word < begin + 32 && word < words; ++word) {
      some |=
          marks[(plane * words + word) * channels + c] != 0 ? 0x80000000u >> (word - begin) : 0u;
    }
    summary[block * channels + c] = (int)some;
  }
}

/* The first marked frame of one plane and channel from `from` on; `frames` when there is none.
   Eight words of the summary are asked for at once: waiting for one after the other would take as
   long as everything else together. */
FUNCTION index next_mark(GLOBAL const int* marks, GLOBAL const int* summary, const int channels,
                         const index frames, const index from) {
  const index words = (frames + 31) / 32;
  const index blocks = (words + 31) / 32;
  index word = from / 32;
  if (word >= words) {
    return frames;
  }
  unsigned int found = (unsigned int)marks[word * channels] & (0xffffffffu >> (from % 32));
  if (found == 0u) {
    ++word;
    index block = word / 32;
    unsigned int some = block < blocks
                            ? (unsigned int)summary[block * channels] & (0xffffffffu >> (word % 32))
                            : 0u;
    while (some == 0u && ++block < blocks) {
      unsigned int any = 0u;
      if (block + 8 <= blocks) {
        UNROLL
        for (int i = 0; i < 8; ++i) {
          any |= (unsigned int)summary[(block + i) * channels];
        }
        if (any == 0u) {
          block += 7;
          continue;
        }
      }
      some = (unsigned int)summary[block * channels];
    }
    if (some == 0u) {
      return frames;
    }
    word = 32 * block + LEADING_ZEROS(some);
    found = (unsigned int)marks[word * channels];
  }
  return 32 * word + LEADING_ZEROS(found);
}

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

/* The state machine of one channel, from mark to mark. `value` of an event and of an open lane is
   still the one it had before this block, or at its onset. */
KERNEL void crossings_walk(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL const float* RESTRICT levels,
                           GLOBAL float* RESTRICT previous, GLOBAL const int* RESTRICT marks,
                           GLOBAL const int* RESTRICT summary, GLOBAL index* RESTRICT lanes,
                           GLOBAL index* events, const index capacity, const index fed,
                           const index frames, const index min_frames, const index refractory,
                           const int channels, const int sides, const int polarity) {
  const index c = GLOBAL_ID;
  if (c >= channels || frames == 0) {
    return;
  }
  const index words = (frames + 31) / 32;
  const index plane = words * channels;
  const index summary_plane = (words + 31) / 32 * channels;
  GLOBAL index* lane = lanes + 4 * c;
  index next_allowed = lane[0];
  index onset = lane[1];
  index peak = lane[2];
  float value = AS_FLOAT((int)lane[3]);
  int open = (int)(lane[3] >> 32);
  index at = 0;
  index above = -1; /* the next rises, once looked for */
  index below = sides == 2 ? -1 : frames;
  while (at < frames) {
    if (open != 0) {
      const int side = open > 0 ? 1 : 3;
      const index fall = next_mark(marks + side * plane + c, summary + side * summary_plane + c,
                                   channels, frames, at);
      if (fall < frames) {
        const index last = fed + fall;
        if (last - onset >= min_frames) {
          const int minus = sides == 2 ? (open < 0 ? 1 : 0) : (polarity < 0 ? 1 : 0);
          add_event(events, capacity, onset, peak, last, word_of(value, (int)(4 * c) + minus));
          next_allowed = last + refractory;
        }
        open = 0;
      }
      at = fall; /* what closes may open the other side at the same sample */
    } else {
      const index from = next_allowed > fed + at ? next_allowed - fed : at;
      if (above < from) {
        above = next_mark(marks + c, summary + c, channels, frames, from);
      }
      if (sides == 2 && below < from) {
        below = next_mark(marks + 2 * plane + c, summary + 2 * summary_plane + c, channels, frames,
                          from);
      }
      const index rise = above <= below ? above : below;
      if (rise < frames) {
        open = above <= below ? 1 : -1;
        onset = fed + rise;
        peak = onset;
        value = levels[c] * x[x_first + rise * x_stride + c];
        value = open > 0 ? value : -value;
      }
      at = rise + 1;
    }
  }
  lane[0] = next_allowed;
  lane[1] = onset;
  lane[2] = peak;
  lane[3] = word_of(value, open);
  previous[c] = x[x_first + (frames - 1) * x_stride + c];
}

/* Looks for the first largest v of an event, from the frames of this block that belong to it.
   peak: the event's peak and the word with its value. */
FUNCTION void find_peak(GLOBAL const float* x, const index x_stride, const float orientation,
                        const index fed, const index onset, const index end, GLOBAL index* peak,
                        GLOBAL index* value_word) {
  const index begin = onset >= fed ? onset - fed + 1 : 0;
  float best = AS_FLOAT((int)*value_word);
  index best_at = -1;
  for (index t = begin; t < end; ++t) {
    const float v = orientation * x[t * x_stride];
    if (v > best) {
      best = v;
      best_at = t;
    }
  }
  if (best_at >= 0) {
    *peak = fed + best_at;
    *value_word = word_of(best, (int)(*value_word >> 32));
  }
}

/* One item for each channel's open event, then one for each event found. Values of events turn from
   oriented counts into counts. */
KERNEL void crossings_peak(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL const float* RESTRICT levels,
                           GLOBAL index* RESTRICT lanes, GLOBAL index* RESTRICT events,
                           const index capacity, const index fed, const index frames,
                           const int channels, const int sides) {
  const index found = events[0] < capacity ? events[0] : capacity;
  for (index task = GLOBAL_ID; task < channels + found; task += GLOBAL_SIZE) {
    if (task < channels) {
      GLOBAL index* lane = lanes + 4 * task;
      const int open = (int)(lane[3] >> 32);
      if (open != 0) {
        find_peak(x + x_first + task, x_stride, open > 0 ? levels[task] : -levels[task], fed,
                  lane[1], frames, lane + 2, lane + 3);
      }
    } else {
      GLOBAL index* event = events + 4 * (task - channels + 1);
      const int tag = (int)(event[3] >> 32);
      const int c = tag / 4;
      const float orientation = sides == 2 && (tag & 1) != 0 ? -levels[c] : levels[c];
      find_peak(x + x_first + c, x_stride, orientation, fed, event[0], event[2] - fed, event + 1,
                event + 3);
      event[3] = word_of(AS_FLOAT((int)event[3]) * orientation, tag);
    }
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
