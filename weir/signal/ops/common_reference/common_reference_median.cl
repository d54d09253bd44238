/* The median of rows whose sets lie within 384 channels each; common_reference.cl has the others.
   Rows x, y: [frames, channels] from their first elements on. Per channel: terms = [weight,
   1 / weight, fold]; places = the set that the channel loses the reference of, or -1.
   A group takes whole rows, as keys: integers of the same order. Their bits become planes, words of
   one bit of 32 channels each, in which one item finds the median of a row. For the subtraction the
   rows are read again, which lie near by then. */

/* Order-preserving bits of a float: a NaN is the largest of all, which no number is. */
FUNCTION unsigned int key_of_float(const float value) {
  const int bits = AS_INT(value);
  const unsigned int ordered = (unsigned int)(bits ^ (bits >> 31 | (int)0x80000000));
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
#define AT_ONCE 16

/* Keys of the group's rows, [words of 32 channels, ROWS, one more than keys]: of counts two to a
   word, of floats one. So neither what is written along a row nor what is read along rows meets in
   a bank. */
FUNCTION void load_count_keys(GLOBAL const short* RESTRICT counts, const index x_stride,
                              const int channels, const int rows, const int fours,
                              LOCAL unsigned int* keys, const int words) {
  for (int pair = LOCAL_ID; pair < 16 * words; pair += LOCAL_SIZE) {
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
          keys[(pair / 16 * ROWS + begin + i) * 17 + pair % 16] = both[i] ^ 0x80008000u;
        }
      }
    }
  }
}
FUNCTION void load_float_keys(GLOBAL const float* RESTRICT floats, const index x_stride,
                              GLOBAL const float* RESTRICT weights, const int channels,
                              const int rows, LOCAL unsigned int* keys, const int words) {
  for (int c = LOCAL_ID; c < 32 * words; c += LOCAL_SIZE) {
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
          keys[(c / 32 * ROWS + begin + i) * 33 + c % 32] = key_of_float(values[i] * weight);
        }
      }
    }
  }
}

/* The keys become planes in the same memory, [bits, words, ROWS]; the 33rd bit of a float says that
   it is a number. An item turns 32 channels of a row in its registers. Counts: bit j of a word is
   channel 2 * j, bit 16 + j the one after. */
FUNCTION void turn_count_keys(LOCAL unsigned int* keys, const int words) {
  const int row = LOCAL_ID % ROWS;
  const int word = LOCAL_ID / ROWS;
  unsigned int turned[16];
  UNROLL
  for (int i = 0; i < 16; ++i) {
    turned[i] = keys[17 * LOCAL_ID + i];
  }
  SYNC;
  transpose_bits(turned, 16);
  UNROLL
  for (int bit = 0; bit < 16; ++bit) {
    keys[(bit * words + word) * ROWS + row] = turned[bit];
  }
  SYNC;
}
FUNCTION void turn_float_keys(LOCAL unsigned int* keys, const int words) {
  const int row = LOCAL_ID % ROWS;
  const int word = LOCAL_ID / ROWS;
  unsigned int turned[32];
  UNROLL
  for (int i = 0; i < 32; ++i) {
    turned[i] = keys[33 * LOCAL_ID + i];
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

/* The key at place `rank` among the candidates: a descent from the highest bit. planes: those of
   the item's row from the set's first word on, `plane` from bit to bit. */
FUNCTION unsigned int key_at(LOCAL const unsigned int* planes, const int plane,
                             unsigned int* candidates, const int quads, const int rank,
                             const int bits) {
  unsigned int words[MOST_WORDS];
  UNROLL
  for (int w = 0; w < MOST_WORDS; ++w) {
    words[w] = 0u;
  }
  unsigned int key = 0u;
  int left = rank;
  for (int bit = bits - 1; bit >= 0; --bit) {
    EACH_WORD(w) {
      words[w] = planes[bit * plane + w * ROWS];
    }
    int zeros = 0;
    EACH_WORD(w) {
      zeros += POPCOUNT(candidates[w] & ~words[w]);
    }
    const unsigned int flip = left < zeros ? 0xffffffffu : 0u;
    EACH_WORD(w) {
      candidates[w] &= words[w] ^ flip;
    }
    left -= flip == 0u ? zeros : 0;
    key |= flip == 0u ? 1u << bit : 0u;
  }
  return key;
}

FUNCTION float mean_of_keys(const unsigned int lower, const unsigned int upper, const int bits) {
  if (bits == 16) {
    return 0.5f * (float)((int)lower - 32768 + (int)upper - 32768);
  }
  const float a = float_of_key(lower);
  const float b = float_of_key(upper);
  return a == b || IS_NAN(a) ? a : 0.5f * a + 0.5f * b; /* a sum could overflow */
}

/* Two items search a row for a set, one for each of the middle two keys: they read the same words.
   found: [sets, 2, ROWS], keys. members: [sets, 12], one bit a channel from the set's first word
   on, which is starts[set]. Where there is no number, the key is a NaN's. */
FUNCTION void find_middles(LOCAL const unsigned int* planes, const int words,
                           GLOBAL const int* RESTRICT members, GLOBAL const int* RESTRICT starts,
                           const int sets, const int quads, const int bits,
                           LOCAL unsigned int* found) {
  for (int task = LOCAL_ID; task < 2 * ROWS * sets; task += LOCAL_SIZE) {
    const int set = task / (2 * ROWS);
    LOCAL const unsigned int* of_row = planes + starts[set] * ROWS + task % ROWS;
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
    const int rank = task / ROWS % 2 == 0 ? (count - 1) / 2 : count / 2;
    found[task] =
        count > 0 ? key_at(of_row, words * ROWS, candidates, quads, rank, bits) : 0xffffffffu;
  }
}

/* references: [ROWS, sets], beside the keys found. */
FUNCTION void take_means(LOCAL const unsigned int* found, const int sets, const int bits,
                         LOCAL float* references) {
  for (int task = LOCAL_ID; task < ROWS * sets; task += LOCAL_SIZE) {
    LOCAL const unsigned int* of_set = found + task / ROWS * (2 * ROWS) + task % ROWS;
    references[task % ROWS * sets + task / ROWS] = mean_of_keys(of_set[0], of_set[ROWS], bits);
  }
}

/* What a channel loses, in its counts. By selection: a NaN stays out of the channels that take no
   part. */
#define SETS sets
FUNCTION float without_reference(const float value, LOCAL const float* references, const int set,
                                 const float per_weight, const int sets) {
  const float reference = references[SETS == 1 || set < 0 ? 0 : set];
  return value - (set < 0 ? 0.0f : reference) * per_weight;
}

/* Tables of four channels. */
struct lost {
  int x, y, z, w; /* Sets. */
  float per_x, per_y, per_z, per_w;
};
FUNCTION struct lost lost_of(GLOBAL const float* RESTRICT terms, GLOBAL const int* RESTRICT places,
                             const int channels, const int c) {
  struct lost of;
  of.x = places[c];
  of.y = places[c + 1];
  of.z = places[c + 2];
  of.w = places[c + 3];
  of.per_x = terms[channels + c];
  of.per_y = terms[channels + c + 1];
  of.per_z = terms[channels + c + 2];
  of.per_w = terms[channels + c + 3];
  return of;
}
FUNCTION float4 without_references(const float4 values, const struct lost* of,
                                   LOCAL const float* references, const int sets) {
  float4 four;
  four.x = without_reference(values.x, references, of->x, of->per_x, sets);
  four.y = without_reference(values.y, references, of->y, of->per_y, sets);
  four.z = without_reference(values.z, references, of->z, of->per_z, sets);
  four.w = without_reference(values.w, references, of->w, of->per_w, sets);
  return four;
}

/* y = x - reference / weight for a group's rows; the first items have a row's fours, the next the
   row after. */
FUNCTION void subtract_from_floats(GLOBAL const float* RESTRICT x, const index x_stride,
                                   GLOBAL float* RESTRICT y, const index y_stride,
                                   GLOBAL const float* RESTRICT terms,
                                   GLOBAL const int* RESTRICT places, LOCAL const float* references,
                                   const int sets, const int channels, const int rows,
                                   const int fours) {
  const int whole = fours != 0 ? channels / 4 : 0;
  const int across = whole < 1 ? 1 : whole < LOCAL_SIZE ? whole : LOCAL_SIZE;
  const int down = LOCAL_SIZE / across;
  const int begin = LOCAL_ID / across < down ? LOCAL_ID / across : rows;
  for (int c = 4 * (LOCAL_ID % across); c < 4 * whole; c += 4 * across) {
    const struct lost of = lost_of(terms, places, channels, c);
    for (int row = begin; row < rows; row += down) {
      const float4 four = *(GLOBAL const float4*)(x + row * x_stride + c);
      *(GLOBAL float4*)(y + row * y_stride + c) =
          without_references(four, &of, references + row * sets, sets);
    }
  }
  for (int c = 4 * whole + LOCAL_ID; c < channels; c += LOCAL_SIZE) {
    for (int row = 0; row < rows; ++row) {
      y[row * y_stride + c] = without_reference(x[row * x_stride + c], references + row * sets,
                                                places[c], terms[channels + c], sets);
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
  const int across = whole < 1 ? 1 : whole < LOCAL_SIZE ? whole : LOCAL_SIZE;
  const int down = LOCAL_SIZE / across;
  const int begin = LOCAL_ID / across < down ? LOCAL_ID / across : rows;
  for (int c = 4 * (LOCAL_ID % across); c < 4 * whole; c += 4 * across) {
    const struct lost of = lost_of(terms, places, channels, c);
    float4 fold;
    fold.x = folds[c];
    fold.y = folds[c + 1];
    fold.z = folds[c + 2];
    fold.w = folds[c + 3];
    for (int row = begin; row < rows; row += down) {
      const short4 stored = *(GLOBAL const short4*)(x + row * x_stride + c);
      float4 four;
      four.x = (float)stored.x + fold.x;
      four.y = (float)stored.y + fold.y;
      four.z = (float)stored.z + fold.z;
      four.w = (float)stored.w + fold.w;
      *(GLOBAL float4*)(y + row * y_stride + c) =
          without_references(four, &of, references + row * sets, sets);
    }
  }
  for (int c = 4 * whole + LOCAL_ID; c < channels; c += LOCAL_SIZE) {
    for (int row = 0; row < rows; ++row) {
      y[row * y_stride + c] =
          without_reference((float)x[row * x_stride + c] + folds[c], references + row * sets,
                            places[c], terms[channels + c], sets);
    }
  }
}

/* Local memory of both: keys, then planes, in key_words; keys found; references. */
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
  LOCAL unsigned int* found = keys + key_words;
  LOCAL float* references = (LOCAL float*)(found + 2 * ROWS * sets);
  const int words = (channels + 31) / 32;
  const index first = GROUP_ID * ROWS;
  const int rows = frames - first < ROWS ? (int)(frames - first) : ROWS;
  GLOBAL const short* from = x + x_first + first * x_stride;
  load_count_keys(from, x_stride, channels, rows, fours, keys, words);
  SYNC;
  turn_count_keys(keys, words);
  find_middles(keys, words, members, starts, sets, quads, 16, found);
  SYNC;
  take_means(found, sets, 16, references);
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
  LOCAL unsigned int* found = keys + key_words;
  LOCAL float* references = (LOCAL float*)(found + 2 * ROWS * sets);
  const int words = (channels + 31) / 32;
  const index first = GROUP_ID * ROWS;
  const int rows = frames - first < ROWS ? (int)(frames - first) : ROWS;
  GLOBAL const float* from = x + x_first + first * x_stride;
  load_float_keys(from, x_stride, terms, channels, rows, keys, words);
  SYNC;
  turn_float_keys(keys, words);
  find_middles(keys, words, members, starts, sets, quads, 32, found);
  SYNC;
  take_means(found, sets, 32, references);
  SYNC;
  subtract_from_floats(from, x_stride, y + y_first + first * y_stride, y_stride, terms, places,
                       references, sets, channels, rows, fours);
}
