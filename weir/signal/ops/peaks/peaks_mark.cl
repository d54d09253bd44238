/* Local maxima that have passed height and threshold, and go on to other rules: compares in
   float64, as the CPU does. x: [frames, channels] from its first element on; row 0 is frame `fed`
   of its segment. levels, previous, starts, befores: as in peaks.cl. scales: per channel gain,
   threshold and prominence. marks: [sides, 2, words, channels]: a bit for each frame, the first
   highest, frames 32 w to 32 w + 31 in word w mod words. Of the two, the first marks the peaks that
   wait, the second those of them that are kept. opens: [sides, slots, channels]: the first frame of
   the top that is open at grid time k in slot k mod slots; -1 where there is none, or one that is
   too long to be a peak. counters: flat tops that were too long, peaks kept by force. */

/* Frames from one selection to the next. */
#define PEAK_GRID 128

FUNCTION int bit_of(const index frame) {
  return (int)(0x80000000u >> (frame % 32));
}

/* One channel, one polarity, of a block. */
struct peak_lane {
  GLOBAL const float* column;
  index stride;
  index fed;
  index open; /* Of the top that began before the block: as peaks.cl has it. */
  float open_before;
  float previous;
  float turn;
  float least;
  real gain;
  real threshold;
  int tag;
};

/* The first frame of the top whose last row is `t` - 1, and the oriented sample before it. -1: it
   did not rise, or began more than `most` rows ago. */
FUNCTION index top_start(const struct peak_lane* of, const index t, const index most,
                         float* before) {
  const float top = t > 0 ? of->column[(t - 1) * of->stride] : of->previous;
  index s = t - 1;
  while (s > 0 && t - s <= most && of->column[(s - 1) * of->stride] == top) {
    --s;
  }
  if (t - s > most) {
    return -1;
  }
  const float last = s > 0 ? of->column[(s - 1) * of->stride] : of->previous;
  if (s < 0 || (s == 0 && last == top)) {
    *before = of->open_before;
    return of->open >= 0 && of->fed + t - of->open > most ? -1 : of->open;
  }
  *before = last * of->turn;
  return last * of->turn < top * of->turn ? of->fed + s : -1;
}

/* Where peaks go: into `marks`, of one side and channel, or, with `longest` 0, to the events. */
struct peak_sink {
  GLOBAL int* marks;
  GLOBAL index* events;
  GLOBAL int* too_flat;
  index capacity;
  index words;
  index longest;
  int channels;
};

/* `tag` as op/device_step.h has it. Rows beyond the capacity are counted and not stored. */
FUNCTION void add_peak(GLOBAL index* events, const index capacity, const index onset,
                       const index peak, const index last, const float value, const int tag) {
  const index row = ATOMIC_ADD((GLOBAL int*)events, 1);
  if (row < capacity) {
    GLOBAL index* to = events + 4 * (row + 1);
    to[0] = onset;
    to[1] = peak;
    to[2] = last;
    to[3] = ((index)tag << 32) | (index)(unsigned int)AS_INT(value);
  }
}

/* A top of samples `top` ends before row `t`, which is `after`. Returns the bit of its middle if it
   is a peak and that lies in word `own`; puts others where they belong. */
FUNCTION int end_top(const struct peak_lane* of, const struct peak_sink* to, const index t,
                     const float top, const float after, const index own) {
  float before = 0.0f;
  const index end = of->fed + t;
  const index start = top_start(of, t, end + 1, &before);
  if (start < 0) {
    return 0;
  }
  const real height = (real)(top * of->turn) * of->gain;
  const real rise = height - (real)before * of->gain;
  const real fall = height - (real)(after * of->turn) * of->gain;
  const real step = end - start > 1 ? (real)0 : fall < rise ? fall : rise;
  const index peak = (start + end - 1) / 2;
  if (!(step >= of->threshold)) {
    return 0;
  }
  if (to->longest == 0) {
    add_peak(to->events, to->capacity, start, peak, end, top, of->tag);
  } else if (end - start > to->longest) {
    ATOMIC_ADD(to->too_flat, 1);
  } else if (peak / 32 == own) {
    return bit_of(peak);
  } else {
    ATOMIC_ADD(to->marks + peak / 32 % to->words * to->channels, bit_of(peak));
  }
  return 0;
}

/* The peaks whose tops end in the rows from `begin` on, of word `own`. */
FUNCTION int find_peaks(const struct peak_lane* of, const struct peak_sink* to, const index begin,
                        const index end, const index own) {
  float last = begin == 0 ? of->previous : of->column[(begin - 1) * of->stride];
  int found = 0;
  for (index t = begin; t < end; t += 8) {
    float values[8];
    UNROLL
    for (int j = 0; j < 8; ++j) {
      values[j] = of->column[(t + j < end ? t + j : end - 1) * of->stride];
    }
    UNROLL
    for (int j = 0; j < 8; ++j) {
      if (t + j < end && last * of->turn >= of->least && values[j] * of->turn < last * of->turn) {
        found |= end_top(of, to, t + j, last, values[j], own);
      }
      last = values[j];
    }
  }
  return found;
}

/* An item has a side and a channel of a word: finds the tops that end in it, and the one that is
   open after it where peaks are selected then. */
KERNEL void peaks_mark(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL const float* RESTRICT levels, GLOBAL const real* RESTRICT scales,
                       GLOBAL const float* RESTRICT previous, GLOBAL const index* RESTRICT starts,
                       GLOBAL const float* RESTRICT befores, GLOBAL int* marks,
                       GLOBAL index* RESTRICT opens, GLOBAL int* counters, GLOBAL index* events,
                       const index capacity, const index words, const index slots, const index fed,
                       const index frames, const index longest, const int channels, const int sides,
                       const int first_side) {
  const int number = (int)GLOBAL_ID;
  if (number >= sides * channels) {
    return;
  }
  const int side = number / channels;
  const int c = number % channels;
  const int polarity = side == 0 ? first_side : -first_side;
  struct peak_lane lane;
  lane.column = x + x_first + c;
  lane.stride = x_stride;
  lane.fed = fed;
  lane.open = starts[number];
  lane.open_before = befores[number];
  lane.previous = previous[c];
  lane.turn = polarity > 0 ? levels[c] : -levels[c];
  lane.least = levels[channels + c];
  lane.gain = scales[c];
  lane.threshold = scales[channels + c];
  lane.tag = 4 * c + (polarity > 0 ? 0 : 1);
  struct peak_sink sink;
  sink.marks = marks + 2 * side * words * channels + c;
  sink.events = events;
  sink.too_flat = counters;
  sink.capacity = capacity;
  sink.words = words;
  sink.longest = longest;
  sink.channels = channels;
  for (index w = fed / 32 + GLOBAL_ID_1; 32 * w < fed + frames; w += GLOBAL_SIZE_1) {
    const index begin = 32 * w > fed ? 32 * w - fed : 0;
    const index end = 32 * w + 32 < fed + frames ? 32 * w + 32 - fed : frames;
    const int found = find_peaks(&lane, &sink, begin, end, w);
    if (found != 0) {
      ATOMIC_ADD(sink.marks + w % words * channels, found);
    }
    const index grid = (fed + end) / PEAK_GRID;
    if (slots > 0 && grid * PEAK_GRID == fed + end) {
      float before = 0.0f;
      const index start = top_start(&lane, end, longest, &before);
      const int high = lane.column[(end - 1) * x_stride] * lane.turn >= lane.least ? 1 : 0;
      opens[(side * slots + grid % slots) * channels + c] = high != 0 ? start : -1;
    }
  }
}
