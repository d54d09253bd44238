/* Rows x, y: [frames, channels] from their first elements on. x is int16 counts where `integer` is
   not 0 and float32 otherwise: `counts` and `floats` are the same buffer.
   Per channel: terms = [weight, 1 / weight, fold]; places = [-1 for members of the only set, set
   that the channel loses the reference of or -1]. A group does whole rows: nothing it reads is read
   from far away twice. */
FUNCTION float reference_value(GLOBAL const short* counts, GLOBAL const float* floats,
                               const int integer, const index at) {
  if (integer != 0) {
    return (float)counts[at];
  }
  return floats[at];
}

/* y = x + fold - reference / weight for the rows of this group. */
FUNCTION void subtract_references(GLOBAL const short* counts, GLOBAL const float* floats,
                                  const int integer, const index x_first, const index x_stride,
                                  GLOBAL float* y, const index y_first, const index y_stride,
                                  GLOBAL const float* terms, GLOBAL const int* places,
                                  LOCAL const float* references, const int sets, const int channels,
                                  const int rows) {
  for (int row = 0; row < rows; ++row) {
    for (int c = LOCAL_ID; c < channels; c += LOCAL_SIZE) {
      float value = reference_value(counts, floats, integer, x_first + row * x_stride + c);
      if (integer != 0) {
        value = value + terms[2 * channels + c];
      }
      const int set = places[channels + c];
      /* By selection: a NaN stays out of the channels that take no part. */
      const float reference = set < 0 ? 0.0f : references[row * sets + set];
      y[y_first + row * y_stride + c] = value - reference * terms[channels + c];
    }
  }
}

/* Order-preserving bits: of counts the 16 lower ones, of floats all 32. A NaN is the largest of
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

/* Of 32 channels: from keys to one word for each bit, and a last word for which of them are
   numbers. */
FUNCTION void slice_bits(LOCAL unsigned int* slices) {
  unsigned int words[32];
  unsigned int numbers = 0u;
  UNROLL
  for (int i = 0; i < 32; ++i) {
    words[i] = slices[i];
    numbers |= words[i] != 0xffffffffu ? 1u << i : 0u;
  }
  transpose_bits(words);
  UNROLL
  for (int i = 0; i < 32; ++i) {
    slices[i] = words[i];
  }
  slices[32] = numbers;
}

/* The key of 0-based `rank` among the candidates, highest bit first. Afterwards the candidates are
   those that have this key, and the result's `place` is the rank among them.
   slices: [words, 33]; candidates: every `step`-th of [words]. */
FUNCTION unsigned int select_key(LOCAL const unsigned int* slices, LOCAL unsigned int* candidates,
                                 const int step, const int words, const int bits, const int rank,
                                 int* place) {
  unsigned int key = 0u;
  int left = rank;
  for (int bit = bits - 1; bit >= 0; --bit) {
    int zeros = 0;
    for (int w = 0; w < words; ++w) {
      zeros += POPCOUNT(candidates[w * step] & ~slices[w * 33 + bit]);
    }
    const unsigned int flip = left < zeros ? 0xffffffffu : 0u;
    if (flip == 0u) {
      left -= zeros;
      key |= 1u << bit;
    }
    for (int w = 0; w < words; ++w) {
      candidates[w * step] &= slices[w * 33 + bit] ^ flip;
    }
  }
  *place = left;
  return key;
}

/* How many numbers a set has in a row; they become the candidates. */
FUNCTION int gather_candidates(LOCAL const unsigned int* slices, LOCAL unsigned int* candidates,
                               const int step, const int words, GLOBAL const int* members) {
  int count = 0;
  for (int w = 0; w < words; ++w) {
    const unsigned int some = (unsigned int)members[w] & slices[w * 33 + 32];
    candidates[w * step] = some;
    count += POPCOUNT(some);
  }
  return count;
}

/* The median of a set in a row; the mean of the middle two of an even count. */
FUNCTION float median_of_set(LOCAL const unsigned int* slices, LOCAL unsigned int* candidates,
                             const int step, const int words, GLOBAL const int* members,
                             const int integer) {
  const int bits = integer != 0 ? 16 : 32;
  const int count = gather_candidates(slices, candidates, step, words, members);
  if (count == 0) {
    return AS_FLOAT(0x7fffffff);
  }
  int place = 0;
  const unsigned int lower =
      select_key(slices, candidates, step, words, bits, (count - 1) / 2, &place);
  unsigned int upper = lower;
  if (count % 2 == 0) {
    int equal = 0;
    for (int w = 0; w < words; ++w) {
      equal += POPCOUNT(candidates[w * step]);
    }
    if (place + 1 >= equal) {
      gather_candidates(slices, candidates, step, words, members);
      upper = select_key(slices, candidates, step, words, bits, count / 2, &place);
    }
  }
  if (integer != 0) {
    return 0.5f * (float)((int)lower - 32768 + (int)upper - 32768);
  }
  const float a = float_of_key(lower);
  const float b = float_of_key(upper);
  return a == b ? a : 0.5f * a + 0.5f * b; /* a sum could overflow */
}

/* Local memory: slices [rows, words, 33], references [rows, sets], candidates [words, selectors].
   members: [sets, words], one bit a channel. */
KERNEL void reference_median(GLOBAL const short* counts, GLOBAL const float* floats,
                             const int integer, const index x_first, const index x_stride,
                             GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                             GLOBAL const float* RESTRICT terms, GLOBAL const int* RESTRICT places,
                             GLOBAL const int* RESTRICT members, const index frames,
                             const int channels, const int sets, const int group_rows,
                             const int selectors, LOCAL_ARG) {
  LOCAL_MEM(unsigned int, local_words);
  const int words = (channels + 31) / 32;
  LOCAL unsigned int* slices = local_words;
  LOCAL float* references = (LOCAL float*)(slices + group_rows * words * 33);
  LOCAL unsigned int* candidates = slices + group_rows * (words * 33 + sets);
  const index first = GROUP_ID * group_rows;
  const index after = frames - first;
  const int rows = after < group_rows ? (int)after : group_rows;
  const index x_at = x_first + first * x_stride;
  for (int row = 0; row < rows; ++row) {
    for (int c = LOCAL_ID; c < 32 * words; c += LOCAL_SIZE) {
      unsigned int key = 0xffffffffu;
      if (c < channels) {
        const float value = reference_value(counts, floats, integer, x_at + row * x_stride + c);
        key = integer != 0 ? (unsigned int)((int)value + 32768) : key_of_float(value * terms[c]);
      }
      slices[(row * words + c / 32) * 33 + c % 32] = key;
    }
  }
  SYNC;
  for (int task = LOCAL_ID; task < rows * words; task += LOCAL_SIZE) {
    slice_bits(slices + task * 33);
  }
  SYNC;
  if (LOCAL_ID < selectors) {
    for (int task = LOCAL_ID; task < rows * sets; task += selectors) {
      const int set = task / rows;
      const int row = task % rows;
      references[row * sets + set] =
          median_of_set(slices + row * words * 33, candidates + LOCAL_ID, selectors, words,
                        members + set * words, integer);
    }
  }
  SYNC;
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
KERNEL void reference_mean(GLOBAL const short* counts, GLOBAL const float* floats,
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
