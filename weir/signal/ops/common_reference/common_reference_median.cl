/* The median of rows whose sets lie within 384 channels each; common_reference.cl has the others.
   Rows x, y: [frames, channels] from their first elements on. Per channel: terms = [weight,
   1 / weight, fold]; places = the set that the channel loses the reference of, or -1.
   A group takes whole rows, as keys: integers of the same order. Their bits become planes, words of
   one bit of 32 channels each, in which one item finds the median of a row. For the subtraction the
   rows are read again, which lie near by then. */

/* Order-preserving bits of a float: a NaN is the largest of all, which no number is. */
FUNCTION unsigned int key_of_float(const float value) {
  const unsigned int bits = (unsigned int)AS_INT(value);
  const unsigned int ordered = (bits & 0x80000000u) != 0u ? ~bits : bits ^ 0x80000000u;
  return IS_NAN(value) ? 0xffffffffu : ordered;
}
FUNCTION float float_of_key(const unsigned int key) {
  return AS_FLOAT((int)((key & 0x80000000u) != 0u ? key ^ 0x80000000u : ~key));
}

/* Bit i of word j becomes bit j of word i: blocks change places across the diagonal, the largest
   first. 32 words are one matrix of bits, 16 words are two: their lower and their upper halves.
   Source: recursive transposition, Warren, Hacker's Delight, 7-3. */
FUNCTION void transpose_bits(unsigned int* words, const int count) {
  unsigned int lower = 0xffffffffu;
  UNROLL
  for (int half_size = 16; half_size > 0; half_size /= 2) {
    lower ^= lower << half_size;
    UNROLL
    for (int i = 0; i < 32; ++i) {
      if ((i & half_size) == 0 && i + half_size < count) {
        const unsigned int low = words[i];
        const unsigned int high = words[i + half_size];
        words[i] = (low & lower) | (high << half_size & ~lower);
        words[i + half_size] = (low >> half_size & lower) | (high & ~lower);
      }
    }
  }
}

/* Rows of a group, and how many of them wait for memory together. */
#define ROWS 16
#define AT_ONCE 8

/* Keys of the group's rows, [rows, pitch]: of counts two to a word, of floats one. */
FUNCTION void load_count_keys(GLOBAL const short* RESTRICT counts, const index x_stride,
                              const int channels, const int rows, const int fours,
                              LOCAL unsigned int* keys, const int pitch) {
  for (int pair = LOCAL_ID; pair < pitch - 1; pair += LOCAL_SIZE) {
    const int c = 2 * pair;
    for (int begin = 0; begin < rows; begin += AT_ONCE) {
      unsigned int both[AT_ONCE];
      UNROLL
      for (int i = 0; i < AT_ONCE; ++i) {
        const int row = begin + i < rows ? begin + i : rows - 1;
        GLOBAL const short* at = counts + row * x_stride + c;
        if (fours != 0 && c + 1 < channels) {
          both[i] = *(GLOBAL const unsigned int*)at;
        } else {
          both[i] = c < channels ? (unsigned int)at[0] & 0xffffu : 0u;
          both[i] |= c + 1 < channels ? (unsigned int)at[1] << 16 : 0u;
        }
      }
      UNROLL
      for (int i = 0; i < AT_ONCE; ++i) {
        if (begin + i < rows) {
          keys[(begin + i) * pitch + pair] = both[i] ^ 0x80008000u;
        }
      }
    }
  }
}
FUNCTION void load_float_keys(GLOBAL const float* RESTRICT floats, const index x_stride,
                              GLOBAL const float* RESTRICT weights, const int channels,
                              const int rows, LOCAL unsigned int* keys, const int pitch) {
  for (int c = LOCAL_ID; c < pitch - 1; c += LOCAL_SIZE) {
    const float weight = c < channels ? weights[c] : 0.0f;
    for (int begin = 0; begin < rows; begin += AT_ONCE) {
      float values[AT_ONCE];
      UNROLL
      for (int i = 0; i < AT_ONCE; ++i) {
        const int row = begin + i < rows ? begin + i : rows - 1;
        values[i] = c < channels ? floats[row * x_stride + c] : AS_FLOAT(0x7fffffff);
      }
      UNROLL
      for (int i = 0; i < AT_ONCE; ++i) {
        if (begin + i < rows) {
          keys[(begin + i) * pitch + c] = key_of_float(values[i] * weight);
        }
      }
    }
  }
}

/* The keys become planes in the same memory, [bits, words, ROWS]; the 33rd bit of a float says that
   it is a number. An item turns 32 channels of a row in its registers. Counts: bit j of a word is
   channel 2 * j, bit 16 + j the one after. */
FUNCTION void turn_count_keys(LOCAL unsigned int* keys, const int pitch, const int words) {
  const int row = LOCAL_ID % ROWS;
  const int word = LOCAL_ID / ROWS;
  unsigned int turned[16];
  UNROLL
  for (int i = 0; i < 16; ++i) {
    turned[i] = keys[row * pitch + 16 * word + i];
  }
  SYNC;
  transpose_bits(turned, 16);
  UNROLL
  for (int bit = 0; bit < 16; ++bit) {
    keys[(bit * words + word) * ROWS + row] = turned[bit];
  }
  SYNC;
}
FUNCTION void turn_float_keys(LOCAL unsigned int* keys, const int pitch, const int words) {
  const int row = LOCAL_ID % ROWS;
  const int word = LOCAL_ID / ROWS;
  unsigned int turned[32];
  UNROLL
  for (int i = 0; i < 32; ++i) {
    turned[i] = keys[row * pitch + 32 * word + i];
  }
  SYNC;
  transpose_bits(turned, 32);
  unsigned int all = 0xffffffffu;
  UNROLL
  for (int bit = 0; bit < 32; ++bit) {
    all &= turned[bit];
    keys[(bit * words + word) * ROWS + row] = turned[bit];
  }
  keys[(32 * words + word) * ROWS + row] = ~all;
  SYNC;
}

/* Words of planes that a set spans at most, and fours of them that the sets at hand span. Words
   behind a set have no candidates, and are read with the others: so all loads wait together. */
#define MOST_WORDS 12
#define QUADS quads
#define EACH_WORD(w)                   \
  UNROLL                               \
  for (int w = 0; w < MOST_WORDS; ++w) \
    if (w / 4 < QUADS)

/* The middle two keys of `count` candidates. planes: those of the item's row from its first word
   on, `step` from word to word and `plane` from bit to bit. One descent from the highest bit finds
   both until the candidates without a bit end with the one and those with it begin with the other:
   from there on they are the largest of these and the smallest of those. */
struct middle {
  unsigned int lower;
  unsigned int upper;
};
FUNCTION struct middle middle_keys(LOCAL const unsigned int* planes, const int plane,
                                   unsigned int* candidates, const int quads, const int count,
                                   const int bits) {
  unsigned int words[MOST_WORDS];
  unsigned int apart[MOST_WORDS];
  struct middle found;
  found.lower = 0u;
  found.upper = 0u;
  int rank = (count - 1) / 2;
  int together = 1;
  int bit = bits - 1;
  UNROLL
  for (int w = 0; w < MOST_WORDS; ++w) {
    words[w] = 0u;
    apart[w] = 0u;
  }
  for (; bit >= 0 && together != 0; --bit) {
    EACH_WORD(w) {
      words[w] = planes[bit * plane + w * ROWS];
    }
    int zeros = 0;
    EACH_WORD(w) {
      zeros += POPCOUNT(candidates[w] & ~words[w]);
    }
    together = count % 2 != 0 || rank + 1 != zeros;
    if (together == 0) {
      EACH_WORD(w) {
        apart[w] = candidates[w] & words[w];
      }
      found.upper = found.lower | 1u << bit;
    }
    const unsigned int flip = rank < zeros ? 0xffffffffu : 0u;
    EACH_WORD(w) {
      candidates[w] &= words[w] ^ flip;
    }
    rank -= flip == 0u ? zeros : 0;
    found.lower |= flip == 0u ? 1u << bit : 0u;
  }
  if (together != 0) {
    found.upper = found.lower;
  }
  for (; bit >= 0; --bit) {
    EACH_WORD(w) {
      words[w] = planes[bit * plane + w * ROWS];
    }
    unsigned int with = 0u;
    unsigned int without = 0u;
    EACH_WORD(w) {
      with |= candidates[w] & words[w];
      without |= apart[w] & ~words[w];
    }
    const unsigned int all_lower = with != 0u ? 0u : 0xffffffffu;
    const unsigned int all_upper = without != 0u ? 0u : 0xffffffffu;
    EACH_WORD(w) {
      candidates[w] &= words[w] | all_lower;
      apart[w] &= ~words[w] | all_upper;
    }
    found.lower |= with != 0u ? 1u << bit : 0u;
    found.upper |= without != 0u ? 0u : 1u << bit;
  }
  return found;
}

FUNCTION float mean_of_keys(const struct middle keys, const int bits) {
  if (bits == 16) {
    return 0.5f * (float)((int)keys.lower - 32768 + (int)keys.upper - 32768);
  }
  const float a = float_of_key(keys.lower);
  const float b = float_of_key(keys.upper);
  return a == b ? a : 0.5f * a + 0.5f * b; /* a sum could overflow */
}

/* An item searches a row for a set. references: [rows, sets]. members: [sets, 12], one bit a
   channel from the set's first word on, which is starts[set]. */
FUNCTION void find_medians(LOCAL const unsigned int* planes, const int words,
                           GLOBAL const int* RESTRICT members, GLOBAL const int* RESTRICT starts,
                           const int sets, const int quads, const int bits,
                           LOCAL float* references) {
  for (int task = LOCAL_ID; task < ROWS * sets; task += LOCAL_SIZE) {
    const int row = task % ROWS;
    const int set = task / ROWS;
    LOCAL const unsigned int* of_row = planes + starts[set] * ROWS + row;
    unsigned int candidates[MOST_WORDS];
    int count = 0;
    UNROLL
    for (int w = 0; w < MOST_WORDS; ++w) {
      candidates[w] = 0u;
    }
    EACH_WORD(w) {
      candidates[w] = (unsigned int)members[set * MOST_WORDS + w];
      candidates[w] &= bits == 16 ? 0xffffffffu : of_row[(32 * words + w) * ROWS];
      count += POPCOUNT(candidates[w]);
    }
    const struct middle keys = middle_keys(of_row, words * ROWS, candidates, quads, count, bits);
    references[row * sets + set] = count > 0 ? mean_of_keys(keys, bits) : AS_FLOAT(0x7fffffff);
  }
}

/* By selection: a NaN stays out of the channels that take no part. */
FUNCTION float without_reference(const float value, GLOBAL const float* RESTRICT terms,
                                 GLOBAL const int* RESTRICT places, const int c, const int channels,
                                 LOCAL const float* references) {
  const float reference = places[c] < 0 ? 0.0f : references[places[c]];
  return value - reference * terms[channels + c];
}

/* y = x - reference / weight for a group's rows, four channels to an item. */
FUNCTION void subtract_from_floats(GLOBAL const float* RESTRICT x, const index x_stride,
                                   GLOBAL float* RESTRICT y, const index y_stride,
                                   GLOBAL const float* RESTRICT terms,
                                   GLOBAL const int* RESTRICT places, LOCAL const float* references,
                                   const int sets, const int channels, const int rows,
                                   const int fours) {
  const int whole = fours != 0 ? channels / 4 : 0;
  const int across = whole < LOCAL_SIZE ? whole : LOCAL_SIZE;
  const int down = across > 0 ? LOCAL_SIZE / across : 1;
  const int first_row = across > 0 ? LOCAL_ID / across : 0;
  for (int q = across > 0 ? LOCAL_ID % across : 0; q < whole && first_row < down; q += across) {
    const int c = 4 * q;
    for (int row = first_row; row < rows; row += down) {
      float4 four = *(GLOBAL const float4*)(x + row * x_stride + c);
      LOCAL const float* of_row = references + row * sets;
      four.x = without_reference(four.x, terms, places, c, channels, of_row);
      four.y = without_reference(four.y, terms, places, c + 1, channels, of_row);
      four.z = without_reference(four.z, terms, places, c + 2, channels, of_row);
      four.w = without_reference(four.w, terms, places, c + 3, channels, of_row);
      *(GLOBAL float4*)(y + row * y_stride + c) = four;
    }
  }
  for (int c = 4 * whole + LOCAL_ID; c < channels; c += LOCAL_SIZE) {
    for (int row = 0; row < rows; ++row) {
      y[row * y_stride + c] = without_reference(x[row * x_stride + c], terms, places, c, channels,
                                                references + row * sets);
    }
  }
}
/* The same of counts, with their folds. */
FUNCTION void subtract_from_counts(GLOBAL const short* RESTRICT x, const index x_stride,
                                   GLOBAL float* RESTRICT y, const index y_stride,
                                   GLOBAL const float* RESTRICT terms,
                                   GLOBAL const int* RESTRICT places, LOCAL const float* references,
                                   const int sets, const int channels, const int rows,
                                   const int fours) {
  GLOBAL const float* folds = terms + 2 * channels;
  const int whole = fours != 0 ? channels / 4 : 0;
  const int across = whole < LOCAL_SIZE ? whole : LOCAL_SIZE;
  const int down = across > 0 ? LOCAL_SIZE / across : 1;
  const int first_row = across > 0 ? LOCAL_ID / across : 0;
  for (int q = across > 0 ? LOCAL_ID % across : 0; q < whole && first_row < down; q += across) {
    const int c = 4 * q;
    for (int row = first_row; row < rows; row += down) {
      const short4 stored = *(GLOBAL const short4*)(x + row * x_stride + c);
      LOCAL const float* of_row = references + row * sets;
      float4 four;
      four.x = without_reference((float)stored.x + folds[c], terms, places, c, channels, of_row);
      four.y =
          without_reference((float)stored.y + folds[c + 1], terms, places, c + 1, channels, of_row);
      four.z =
          without_reference((float)stored.z + folds[c + 2], terms, places, c + 2, channels, of_row);
      four.w =
          without_reference((float)stored.w + folds[c + 3], terms, places, c + 3, channels, of_row);
      *(GLOBAL float4*)(y + row * y_stride + c) = four;
    }
  }
  for (int c = 4 * whole + LOCAL_ID; c < channels; c += LOCAL_SIZE) {
    for (int row = 0; row < rows; ++row) {
      y[row * y_stride + c] = without_reference((float)x[row * x_stride + c] + folds[c], terms,
                                                places, c, channels, references + row * sets);
    }
  }
}

/* Local memory of both: keys, then planes, in key_words; references. */
KERNEL void reference_median_counts(GLOBAL const short* RESTRICT x, const index x_first,
                                    const index x_stride, GLOBAL float* RESTRICT y,
                                    const index y_first, const index y_stride,
                                    GLOBAL const float* RESTRICT terms,
                                    GLOBAL const int* RESTRICT places,
                                    GLOBAL const int* RESTRICT members,
                                    GLOBAL const int* RESTRICT starts, const index frames,
                                    const int channels, const int sets, const int key_words,
                                    const int quads, const int fours, LOCAL_ARG) {
  LOCAL_MEM(unsigned int, keys);
  LOCAL float* references = (LOCAL float*)(keys + key_words);
  const int words = (channels + 31) / 32;
  const index first = GROUP_ID * ROWS;
  const int rows = frames - first < ROWS ? (int)(frames - first) : ROWS;
  GLOBAL const short* from = x + x_first + first * x_stride;
  load_count_keys(from, x_stride, channels, rows, fours, keys, 16 * words + 1);
  SYNC;
  turn_count_keys(keys, 16 * words + 1, words);
  find_medians(keys, words, members, starts, sets, quads, 16, references);
  SYNC;
  subtract_from_counts(from, x_stride, y + y_first + first * y_stride, y_stride, terms, places,
                       references, sets, channels, rows, fours);
}
KERNEL void reference_median_floats(GLOBAL const float* RESTRICT x, const index x_first,
                                    const index x_stride, GLOBAL float* RESTRICT y,
                                    const index y_first, const index y_stride,
                                    GLOBAL const float* RESTRICT terms,
                                    GLOBAL const int* RESTRICT places,
                                    GLOBAL const int* RESTRICT members,
                                    GLOBAL const int* RESTRICT starts, const index frames,
                                    const int channels, const int sets, const int key_words,
                                    const int quads, const int fours, LOCAL_ARG) {
  LOCAL_MEM(unsigned int, keys);
  LOCAL float* references = (LOCAL float*)(keys + key_words);
  const int words = (channels + 31) / 32;
  const index first = GROUP_ID * ROWS;
  const int rows = frames - first < ROWS ? (int)(frames - first) : ROWS;
  GLOBAL const float* from = x + x_first + first * x_stride;
  load_float_keys(from, x_stride, terms, channels, rows, keys, 32 * words + 1);
  SYNC;
  turn_float_keys(keys, 32 * words + 1, words);
  find_medians(keys, words, members, starts, sets, quads, 32, references);
  SYNC;
  subtract_from_floats(from, x_stride, y + y_first + first * y_stride, y_stride, terms, places,
                       references, sets, channels, rows, fours);
}
