/* Rows x, y: [frames, channels] from their first elements on. x is int16 counts where `integer` is
   not 0 and float32 otherwise: `counts` and `floats` are the same buffer.
   Per channel: terms = [weight, 1 / weight, fold]; places = [-1 for members of the only set, set
   that the channel loses the reference of or -1]. A group does whole rows: nothing it reads is read
   from far away twice, and its loads of one channel's rows wait for memory together. */
FUNCTION float reference_value(GLOBAL const short* counts, GLOBAL const float* floats,
                               const int integer, const index at) {
  if (integer != 0) {
    return (float)counts[at];
  }
  return floats[at];
}

/* y = x + fold - reference / weight for the rows of this group. */
FUNCTION void subtract_references(GLOBAL const short* RESTRICT counts,
                                  GLOBAL const float* RESTRICT floats, const int integer,
                                  const index x_first, const index x_stride,
                                  GLOBAL float* RESTRICT y, const index y_first,
                                  const index y_stride, GLOBAL const float* RESTRICT terms,
                                  GLOBAL const int* RESTRICT places, LOCAL const float* references,
                                  const int sets, const int channels, const int rows) {
  for (int c = LOCAL_ID; c < channels; c += LOCAL_SIZE) {
    const int set = places[channels + c];
    const float per_weight = terms[channels + c];
    const float fold = terms[2 * channels + c];
    for (int row = 0; row < rows; ++row) {
      float value = reference_value(counts, floats, integer, x_first + row * x_stride + c);
      if (integer != 0) {
        value = value + fold;
      }
      /* By selection: a NaN stays out of the channels that take no part. */
      const float reference = set < 0 ? 0.0f : references[row * sets + set];
      y[y_first + row * y_stride + c] = value - reference * per_weight;
    }
  }
}

/* Order-preserving bits: of counts the 16 upper ones, of floats all 32. A NaN is the largest of
   all, which no number is. */
FUNCTION unsigned int key_of_float(const float value) {
  const unsigned int bits = (unsigned int)AS_INT(value);
  const unsigned int ordered = (bits & 0x80000000u) != 0u ? ~bits : bits ^ 0x80000000u;
  return IS_NAN(value) ? 0xffffffffu : ordered;
}
FUNCTION float float_of_key(const unsigned int key) {
  return AS_FLOAT((int)((key & 0x80000000u) != 0u ? key ^ 0x80000000u : ~key));
}

/* Bit i of word j becomes bit j of word i: blocks change places across the diagonal, 16 x 16 first.
   Source: recursive transposition, Warren, Hacker's Delight, 7-3. */
FUNCTION void transpose_bits(unsigned int* words) {
  unsigned int lower = 0xffffffffu;
  UNROLL
  for (int half_size = 16; half_size > 0; half_size /= 2) {
    lower ^= lower << half_size;
    UNROLL
    for (int i = 0; i < 32; ++i) {
      if ((i & half_size) == 0) {
        const unsigned int moved = ((words[i] >> half_size) ^ words[i + half_size]) & lower;
        words[i] ^= moved << half_size;
        words[i + half_size] ^= moved;
      }
    }
  }
}

/* One descent of a bit search, as the item of 32 channels sees it. */
struct search {
  unsigned int candidates; /* Of these channels: those that share the bits decided so far. */
  unsigned int key;        /* These bits. */
  int rank;                /* The place among all candidates. */
};

/* `plane`: the channels' bits; `zeros`: how many candidates of all channels have none. */
FUNCTION void decide_bit(struct search* of, const unsigned int plane, const int bit,
                         const int zeros) {
  const unsigned int flip = of->rank < zeros ? 0xffffffffu : 0u;
  of->rank -= flip == 0u ? zeros : 0;
  of->key |= flip == 0u ? 1u << bit : 0u;
  of->candidates &= plane ^ flip;
}

/* Both searches of a row take one bit further. sums: one word a bit, 0 before. */
FUNCTION void search_bit(struct search* lower, struct search* upper, const unsigned int plane,
                         const int bit, LOCAL int* sums) {
  const int zeros = POPCOUNT(lower->candidates & ~plane) | POPCOUNT(upper->candidates & ~plane)
                                                               << 16;
  if (zeros != 0) {
    ATOMIC_ADD(sums + bit, zeros);
  }
  SYNC;
  const int all_zeros = sums[bit];
  decide_bit(lower, plane, bit, all_zeros & 0xffff);
  decide_bit(upper, plane, bit, (int)((unsigned int)all_zeros >> 16));
}

FUNCTION float mean_of_keys(const unsigned int lower, const unsigned int upper, const int integer) {
  if (integer != 0) {
    return 0.5f * (float)((int)(lower >> 16) - 32768 + (int)(upper >> 16) - 32768);
  }
  const float a = float_of_key(lower);
  const float b = float_of_key(upper);
  return a == b ? a : 0.5f * a + 0.5f * b; /* a sum could overflow */
}

/* An item has 32 channels of one row: their keys become bit planes in its registers, and all items
   of the row search the middle two values together, highest bit first. Local memory: keys [rows,
   words, 33], sums [rows, 33], references [rows, sets]. members: [sets, words], one bit a channel.
 */
KERNEL void reference_median(GLOBAL const short* RESTRICT counts,
                             GLOBAL const float* RESTRICT floats, const int integer,
                             const index x_first, const index x_stride, GLOBAL float* RESTRICT y,
                             const index y_first, const index y_stride,
                             GLOBAL const float* RESTRICT terms, GLOBAL const int* RESTRICT places,
                             GLOBAL const int* RESTRICT members, const index frames,
                             const int channels, const int sets, const int group_rows, LOCAL_ARG) {
  LOCAL_MEM(unsigned int, keys);
  const int words = (channels + 31) / 32;
  LOCAL int* all_sums = (LOCAL int*)(keys + group_rows * words * 33);
  LOCAL float* references = (LOCAL float*)(all_sums + group_rows * 33);
  const index first = GROUP_ID * group_rows;
  const index after = frames - first;
  const int rows = after < group_rows ? (int)after : group_rows;
  const index x_at = x_first + first * x_stride;
  for (int c = LOCAL_ID; c < 32 * words; c += LOCAL_SIZE) {
    const float weight = c < channels ? terms[c] : 0.0f;
    for (int row = 0; row < rows; ++row) {
      unsigned int key = 0xffffffffu;
      if (c < channels) {
        const float value = reference_value(counts, floats, integer, x_at + row * x_stride + c);
        key =
            integer != 0 ? (unsigned int)((int)value + 32768) << 16 : key_of_float(value * weight);
      }
      keys[(row * words + c / 32) * 33 + c % 32] = key;
    }
  }
  SYNC;
  const int busy = LOCAL_ID < rows * words;
  const int row = busy ? LOCAL_ID / words : 0;
  const int word = busy ? LOCAL_ID % words : 0;
  unsigned int planes[32];
  unsigned int numbers = 0u;
  UNROLL
  for (int i = 0; i < 32; ++i) {
    planes[i] = keys[(row * words + word) * 33 + i];
    numbers |= busy && planes[i] != 0xffffffffu ? 1u << i : 0u;
  }
  transpose_bits(planes);
  LOCAL int* sums = all_sums + row * 33;
  for (int set = 0; set < sets; ++set) {
    for (int i = LOCAL_ID; i < group_rows * 33; i += LOCAL_SIZE) {
      all_sums[i] = 0;
    }
    SYNC;
    struct search lower;
    lower.candidates = (unsigned int)members[set * words + word] & numbers;
    lower.key = 0u;
    ATOMIC_ADD(sums + 32, POPCOUNT(lower.candidates));
    SYNC;
    const int count = sums[32];
    struct search upper = lower;
    lower.rank = (count - 1) / 2;
    upper.rank = count / 2;
    UNROLL
    for (int bit = 31; bit >= 16; --bit) {
      search_bit(&lower, &upper, planes[bit], bit, sums);
    }
    if (integer == 0) {
      UNROLL
      for (int bit = 15; bit >= 0; --bit) {
        search_bit(&lower, &upper, planes[bit], bit, sums);
      }
    }
    if (busy && word == 0) {
      references[row * sets + set] =
          count > 0 ? mean_of_keys(lower.key, upper.key, integer) : AS_FLOAT(0x7fffffff);
    }
    SYNC;
  }
  subtract_references(counts, floats, integer, x_at, x_stride, y, y_first + first * y_stride,
                      y_stride, terms, places, references, sets, channels, rows);
}

/* Of one set: 32 partial sums of each row, added in halves; the order is the CPU's. NaN, if the sum
   is one: the mean of what is a number follows then. */
FUNCTION float mean_of_numbers(GLOBAL const float* x, GLOBAL const float* terms,
                               GLOBAL const int* channel, const int count) {
  float sum = 0.0f;
  int numbers = 0;
  for (int i = 0; i < count; ++i) {
    const float term = x[channel[i]] * terms[channel[i]];
    if (!IS_NAN(term)) {
      sum = sum + term;
      ++numbers;
    }
  }
  return numbers > 0 ? sum / (float)numbers : AS_FLOAT(0x7fffffff);
}

FUNCTION float mean_of_counts(const int sum, const int count) {
  return (float)((real)sum / (real)count);
}

/* Local memory: partial sums [rows, 32], references [rows, sets]. Groups of 32 items for each row.
   members of set s: list[offsets[s]] to list[offsets[s + 1]]. */
KERNEL void reference_mean(GLOBAL const short* RESTRICT counts, GLOBAL const float* RESTRICT floats,
                           const int integer, const index x_first, const index x_stride,
                           GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                           GLOBAL const float* RESTRICT terms, GLOBAL const int* RESTRICT places,
                           GLOBAL const int* RESTRICT offsets, GLOBAL const int* RESTRICT list,
                           const index frames, const int channels, const int sets,
                           const int group_rows, LOCAL_ARG) {
  LOCAL_MEM(float, partial);
  LOCAL int* partial_counts = (LOCAL int*)partial;
  LOCAL float* references = partial + group_rows * 32;
  const index first = GROUP_ID * group_rows;
  const index after = frames - first;
  const int rows = after < group_rows ? (int)after : group_rows;
  const index x_at = x_first + first * x_stride;
  const int own = LOCAL_ID / 32;
  const int lane = LOCAL_ID % 32;
  if (sets == 1) {
    float sum = 0.0f;
    int sum_counts = 0;
    for (int c = lane; c < channels && own < rows; c += 32) {
      const index at = x_at + own * x_stride + c;
      if (integer != 0) {
        sum_counts += counts[at] & places[c];
      } else {
        const float term = floats[at] * terms[c];
        sum = sum + (places[c] != 0 ? term : 0.0f);
      }
    }
    if (integer != 0) {
      partial_counts[LOCAL_ID] = sum_counts;
    } else {
      partial[LOCAL_ID] = sum;
    }
    SYNC;
    for (int width = 16; width > 0; width /= 2) {
      if (lane < width) {
        if (integer != 0) {
          partial_counts[LOCAL_ID] += partial_counts[LOCAL_ID + width];
        } else {
          partial[LOCAL_ID] = partial[LOCAL_ID] + partial[LOCAL_ID + width];
        }
      }
      SYNC;
    }
    if (lane == 0 && own < rows) {
      const float mean = integer != 0 ? mean_of_counts(partial_counts[LOCAL_ID], offsets[1])
                                      : partial[LOCAL_ID] / (float)offsets[1];
      references[own] =
          IS_NAN(mean) ? mean_of_numbers(floats + x_at + own * x_stride, terms, list, offsets[1])
                       : mean;
    }
  } else {
    for (int task = LOCAL_ID; task < rows * sets; task += LOCAL_SIZE) {
      const int set = task / rows;
      const int row = task % rows;
      const int begin = offsets[set];
      const int count = offsets[set + 1] - begin;
      if (integer != 0) {
        int sum = 0;
        for (int i = 0; i < count; ++i) {
          sum += counts[x_at + row * x_stride + list[begin + i]];
        }
        references[row * sets + set] = mean_of_counts(sum, count);
      } else {
        references[row * sets + set] =
            mean_of_numbers(floats + x_at + row * x_stride, terms, list + begin, count);
      }
    }
  }
  SYNC;
  subtract_references(counts, floats, integer, x_at, x_stride, y, y_first + first * y_stride,
                      y_stride, terms, places, references, sets, channels, rows);
}
