/* x: [frames, channels] from its first element on; row 0 is frame `fed` of its segment.
   levels: per channel sign, on, off; v = sign * x is the oriented count, -v the other side's.
   lanes: [channels, 4] = next allowed onset, onset, peak, and a word with the bits of the largest v
   since the onset below and the open side (+1, -1; 0 when closed) above.
   flags: [2 or 3, blocks, channels], one bit for each word of 32 frames, 32 words to a block, the
   first highest: words that may reach a level; that nowhere stand below the release; the same of -v
   when both sides are watched. 0 before and after a call.
   events: see op/device_step.h. */

KERNEL void crossings_begin(GLOBAL index* RESTRICT events) {
  if (GLOBAL_ID == 0) {
    events[0] = 0;
  }
}

/* Flags of one channel's word from its largest and smallest sample, both NaN where any is: then it
   may reach, and may fall. Flags are rare, so they are added where they are. */
FUNCTION void flag_word(GLOBAL int* flags, const index plane, const int bit, const int sides,
                        const float sign, const float on, const float off, const float largest,
                        const float smallest) {
  const float v_largest = sign > 0.0f ? largest : -smallest;
  const float v_smallest = sign > 0.0f ? smallest : -largest;
  if (!(v_largest < on) || (sides == 2 && !(-v_smallest < on))) {
    ATOMIC_ADD(flags, bit);
  }
  if (v_smallest >= off) {
    ATOMIC_ADD(flags + plane, bit);
  }
  if (sides == 2 && -v_largest >= off) {
    ATOMIC_ADD(flags + 2 * plane, bit);
  }
}

/* An item has a word of four channels, at once where `fours` says that they lie so. */
KERNEL void crossings_mark(GLOBAL const float* RESTRICT x, const index x_first,
                           const index x_stride, GLOBAL const float* RESTRICT levels,
                           GLOBAL int* flags, GLOBAL index* RESTRICT events, const index frames,
                           const int channels, const int sides, const int fours, const int across,
                           const int tile_rows) {
  const int c = 4 * ((int)GLOBAL_ID_1 * across + LOCAL_ID % across);
  const index words = (frames + 31) / 32;
  const index plane = (words + 31) / 32 * channels;
  if (c == 0 && GLOBAL_ID == 0) {
    events[0] = 0;
  }
  const index tile = GROUP_ID * tile_rows;
  const index tile_end = tile + tile_rows < words ? tile + tile_rows : words;
  for (index word = tile + LOCAL_ID / across; word < tile_end && c < channels;
       word += LOCAL_SIZE / across) {
    const index begin = 32 * word;
    const int count = frames - begin < 32 ? (int)(frames - begin) : 32;
    const int bit = (int)(0x80000000u >> (word % 32));
    GLOBAL const float* from = x + x_first + begin * x_stride + c;
    GLOBAL int* to = flags + word / 32 * channels + c;
    if (fours != 0 && c + 4 <= channels && count == 32) {
      float4 largest = *(GLOBAL const float4*)from;
      float4 smallest = largest;
      for (int i = 0; i < 32; i += 8) {
        UNROLL
        for (int j = 0; j < 8; ++j) {
          const float4 four = *(GLOBAL const float4*)(from + (i + j) * x_stride);
          largest.x = GREATER(largest.x, four.x);
          largest.y = GREATER(largest.y, four.y);
          largest.z = GREATER(largest.z, four.z);
          largest.w = GREATER(largest.w, four.w);
          smallest.x = LESSER(smallest.x, four.x);
          smallest.y = LESSER(smallest.y, four.y);
          smallest.z = LESSER(smallest.z, four.z);
          smallest.w = LESSER(smallest.w, four.w);
        }
      }
      flag_word(to + 0, plane, bit, sides, levels[c + 0], levels[channels + c + 0],
                levels[2 * channels + c + 0], largest.x, smallest.x);
      flag_word(to + 1, plane, bit, sides, levels[c + 1], levels[channels + c + 1],
                levels[2 * channels + c + 1], largest.y, smallest.y);
      flag_word(to + 2, plane, bit, sides, levels[c + 2], levels[channels + c + 2],
                levels[2 * channels + c + 2], largest.z, smallest.z);
      flag_word(to + 3, plane, bit, sides, levels[c + 3], levels[channels + c + 3],
                levels[2 * channels + c + 3], largest.w, smallest.w);
    } else {
      for (int j = 0; j < 4 && c + j < channels; ++j) {
        float largest = from[j];
        float smallest = largest;
        for (int i = 1; i < count; ++i) {
          largest = GREATER(largest, from[i * x_stride + j]);
          smallest = LESSER(smallest, from[i * x_stride + j]);
        }
        flag_word(to + j, plane, bit, sides, levels[c + j], levels[channels + c + j],
                  levels[2 * channels + c + j], largest, smallest);
      }
    }
  }
}

FUNCTION index word_of(const float value, const int upper) {
  return ((index)upper << 32) | (index)(unsigned int)AS_INT(value);
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
