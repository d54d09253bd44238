/* Which of the peaks that peaks_mark.cl found and peaks_select.cl kept are prominent and wide
   enough, in float64. Arguments as there; scales has the least width and where it is measured at
   its end. */

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

/* The bits of a word for the frames from `from` on, before `to`. */
FUNCTION unsigned int bits_between(const index word, const index from, const index to) {
  const index begin = 32 * word;
  if (from >= begin + 32 || to <= begin) {
    return 0u;
  }
  const unsigned int late = from > begin ? 0xffffffffu >> (from - begin) : 0xffffffffu;
  return to < begin + 32 ? late & ~(0xffffffffu >> (to - begin)) : late;
}

/* Where the signal falls to its lowest before it rises above the peak or the window ends. */
struct peak_base {
  index frame;
  real value;
};
FUNCTION struct peak_base base_of(const struct peak_rows* rows, const int c, const index peak,
                                  const int step, const index last) {
  const real top = physical(rows, c, peak);
  struct peak_base base;
  base.frame = peak;
  base.value = top;
  for (index at = peak; (last - at) * step >= 0; at += step) {
    const real value = physical(rows, c, at);
    if (!(value <= top)) {
      break;
    }
    if (value < base.value) {
      base.frame = at;
      base.value = value;
    }
  }
  return base;
}

/* Where the signal crosses `height` on the way from the peak to a base, between samples. */
FUNCTION real crossing(const struct peak_rows* rows, const int c, const index peak,
                       const struct peak_base* base, const int step, const real height) {
  index at = peak;
  while ((base->frame - at) * step > 0 && height < physical(rows, c, at)) {
    at += step;
  }
  const real value = physical(rows, c, at);
  real place = (real)at;
  if (value < height) {
    place -= (real)step * ((height - value) / (physical(rows, c, at - step) - value));
  }
  return place;
}

/* Whether a peak is as prominent and as wide as is asked for. Samples from `begin` to `last`. */
FUNCTION int stands_out(const struct peak_rows* rows, const int c, const index peak,
                        const index half_window, const index begin, const index last) {
  const index left_end = peak - half_window > begin ? peak - half_window : begin;
  const index right_end = peak + half_window < last ? peak + half_window : last;
  const struct peak_base left = base_of(rows, c, peak, -1, left_end);
  const struct peak_base right = base_of(rows, c, peak, 1, right_end);
  const real top = physical(rows, c, peak);
  const real prominence = top - (left.value < right.value ? right.value : left.value);
  GLOBAL const real* width = rows->scales + 3 * rows->channels;
  if (!(prominence >= rows->scales[2 * rows->channels + c])) {
    return 0;
  }
  if (width[0] <= (real)0) {
    return 1;
  }
  const real height = top - prominence * width[1];
  return crossing(rows, c, peak, &right, 1, height) - crossing(rows, c, peak, &left, -1, height) >=
                 width[0]
             ? 1
             : 0;
}

/* `tag` as op/device_step.h has it. Rows beyond the capacity are counted and not stored. */
FUNCTION void add_peak(const struct peak_rows* rows, const int c, const index peak,
                       const index last, const int tag, GLOBAL index* events,
                       const index capacity) {
  const float top = sample(rows, c, peak);
  index start = peak;
  while (sample(rows, c, start - 1) == top) {
    --start;
  }
  index end = peak + 1;
  while (sample(rows, c, end) == top) {
    ++end;
  }
  const index row = ATOMIC_ADD((GLOBAL int*)events, 1);
  if (row < capacity) {
    GLOBAL index* to = events + 4 * (row + 1);
    to[0] = start;
    to[1] = (end - start) << 32 | (peak - start);
    to[2] = last;
    to[3] = ((index)tag << 32) | (index)(unsigned int)AS_INT(top);
  }
}

/* Takes out the peaks from frame `from` on, before `to`, and appends those that stand out. An item
   has a side and a channel of a word. */
KERNEL void peaks_take(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                       GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT levels,
                       GLOBAL const real* RESTRICT scales, GLOBAL int* marks, GLOBAL index* events,
                       const index capacity, const index kept, const index words, const index fed,
                       const index from, const index to, const index begin, const index last,
                       const index half_window, const index horizon, const int channels,
                       const int sides, const int first_side) {
  const int number = (int)GLOBAL_ID;
  if (number >= sides * channels) {
    return;
  }
  const int c = number % channels;
  const int polarity = number < channels ? first_side : -first_side;
  const int tag = (int)(0x80000000u | (unsigned int)(4 * c + (polarity > 0 ? 0 : 1)));
  struct peak_rows rows;
  rows.x = x + x_first;
  rows.past = past;
  rows.levels = levels;
  rows.scales = scales;
  rows.stride = x_stride;
  rows.kept = kept;
  rows.fed = fed;
  rows.turns_at = fed % kept;
  rows.channels = channels;
  rows.side = (float)polarity;
  GLOBAL int* own = marks + 2 * (number / channels) * words * channels + c;
  for (index w = from / 32 + GLOBAL_ID_1; 32 * w < to; w += GLOBAL_SIZE_1) {
    GLOBAL int* peaks = own + w % words * channels;
    const unsigned int here = (unsigned int)peaks[0] & bits_between(w, from, to);
    unsigned int left = here;
    while (left != 0u) {
      const int bit = LEADING_ZEROS(left);
      left &= ~(0x80000000u >> bit);
      const index peak = 32 * w + bit;
      if (half_window == 0 || stands_out(&rows, c, peak, half_window, begin, last) != 0) {
        add_peak(&rows, c, peak, peak + horizon, tag, events, capacity);
      }
    }
    if (here != 0u) {
      peaks[0] &= ~(int)here;
      peaks[words * channels] &= ~(int)here;
    }
  }
}
