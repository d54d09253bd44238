/* The mean of rows with one set of at most 512 channels; common_reference.cl has the others. The 32
   items of a row hold its samples in registers, so they come from far away once. Rows x, y:
   [frames, channels] from their first elements on. lanes: [3, 32], one bit a sample of an item:
   members, those that lose the reference, those with a fold. */

/* The mean of what is a number. */
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

/* The value of the item whose place among its 32 differs by the bit `width`. Where items of a warp
   read each other's registers this is a third faster than through local memory. Local memory:
   [items]. */
#ifdef __CUDACC__
#define OF_PARTNER(value, width, room) __shfl_xor_sync(0xffffffffu, value, width)
#else
#define OF_PARTNER(value, width, room) of_partner(value, width, room)
FUNCTION float of_partner(const float value, const int width, LOCAL float* room) {
  room[LOCAL_ID] = value;
  SYNC;
  const float other = room[LOCAL_ID ^ width];
  SYNC;
  return other;
}
#endif

/* The sum of 32 items in halves: of 0 and 16, 1 and 17, ..., then of these; the order is the CPU's.
 */
FUNCTION float sum_in_halves(const float own, LOCAL float* room) {
  float sum = own;
  for (int width = 16; width > 0; width /= 2) {
    sum = sum + OF_PARTNER(sum, width, room);
  }
  return sum;
}

/* Sample i of an item is channel item + 32 * i. */
KERNEL void reference_mean_floats(GLOBAL const float* RESTRICT x, const index x_first,
                                  const index x_stride, GLOBAL float* RESTRICT y,
                                  const index y_first, const index y_stride,
                                  GLOBAL const float* RESTRICT terms,
                                  GLOBAL const int* RESTRICT lanes, GLOBAL const int* RESTRICT list,
                                  const index frames, const int channels, const int count,
                                  const int weighted, LOCAL_ARG) {
  LOCAL_MEM(float, room);
  const int lane = LOCAL_ID % 32;
  const index row = GROUP_ID * (LOCAL_SIZE / 32) + LOCAL_ID / 32;
  const int mine = row < frames ? channels - lane : 0;
  const int members = lanes[lane];
  const int targets = lanes[32 + lane];
  GLOBAL const float* from = x + x_first + row * x_stride + lane;
  GLOBAL float* to = y + y_first + row * y_stride + lane;
  float values[16];
  UNROLL
  for (int i = 0; i < 16; ++i) {
    values[i] = 32 * i < mine ? from[32 * i] : 0.0f;
  }
  float sum = 0.0f;
  UNROLL
  for (int i = 0; i < 16; ++i) {
    float term = values[i];
    if (weighted != 0 && 32 * i < mine) {
      term = term * terms[lane + 32 * i];
    }
    sum = sum + ((members >> i & 1) != 0 ? term : 0.0f);
  }
  float mean = sum_in_halves(sum, room) / (float)count;
  if (IS_NAN(mean) && mine > 0) {
    mean = mean_of_numbers(x + x_first + row * x_stride, terms, list, count);
  }
  UNROLL
  for (int i = 0; i < 16; ++i) {
    if (32 * i < mine) {
      float reference = (targets >> i & 1) != 0 ? mean : 0.0f;
      if (weighted != 0) {
        reference = reference * terms[channels + lane + 32 * i];
      }
      to[32 * i] = values[i] - reference;
    }
  }
}

/* The same of counts: sample 4 * i + j of an item is channel 4 * item + 128 * i + j. */
KERNEL void reference_mean_counts(GLOBAL const short* RESTRICT x, const index x_first,
                                  const index x_stride, GLOBAL float* RESTRICT y,
                                  const index y_first, const index y_stride,
                                  GLOBAL const float* RESTRICT terms,
                                  GLOBAL const int* RESTRICT lanes, const index frames,
                                  const int channels, const int count, const int fours, LOCAL_ARG) {
  LOCAL_MEM(float, room);
  const int lane = LOCAL_ID % 32;
  const index row = GROUP_ID * (LOCAL_SIZE / 32) + LOCAL_ID / 32;
  const int mine = row < frames ? channels - 4 * lane : 0;
  const int members = lanes[lane];
  const int targets = lanes[32 + lane];
  const int folded = lanes[64 + lane];
  GLOBAL const short* from = x + x_first + row * x_stride + 4 * lane;
  GLOBAL float* to = y + y_first + row * y_stride + 4 * lane;
  short values[16];
  UNROLL
  for (int i = 0; i < 4; ++i) {
    if (fours != 0 && 128 * i + 4 <= mine) {
      const short4 four = *(GLOBAL const short4*)(from + 128 * i);
      values[4 * i] = four.x;
      values[4 * i + 1] = four.y;
      values[4 * i + 2] = four.z;
      values[4 * i + 3] = four.w;
    } else {
      UNROLL
      for (int j = 0; j < 4; ++j) {
        values[4 * i + j] = 128 * i + j < mine ? from[128 * i + j] : 0;
      }
    }
  }
  int sum = 0;
  UNROLL
  for (int i = 0; i < 16; ++i) {
    sum += (members >> i & 1) != 0 ? values[i] : 0;
  }
  /* No sum of 512 counts exceeds 2^24 in magnitude, so floats hold all of them; and a quotient
     rounded once has the bits of the CPU's, which goes by float64. */
  const float mean = sum_in_halves((float)sum, room) / (float)count;
  UNROLL
  for (int i = 0; i < 4; ++i) {
    float results[4];
    UNROLL
    for (int j = 0; j < 4; ++j) {
      const int bit = 4 * i + j;
      float value = (float)values[bit];
      if ((folded >> bit & 1) != 0) {
        value = value + terms[2 * channels + 4 * lane + 128 * i + j];
      }
      results[j] = value - ((targets >> bit & 1) != 0 ? mean : 0.0f);
    }
    if (fours != 0 && 128 * i + 4 <= mine) {
      float4 four;
      four.x = results[0];
      four.y = results[1];
      four.z = results[2];
      four.w = results[3];
      *(GLOBAL float4*)(to + 128 * i) = four;
    } else {
      UNROLL
      for (int j = 0; j < 4; ++j) {
        if (128 * i + j < mine) {
          to[128 * i + j] = results[j];
        }
      }
    }
  }
}
