/* Spectra of the windows of a block. A group does one window of `pack` channels after the other,
   all of them in one transform's memory: [stages, pack] real parts, as many imaginary ones. It is
   local memory where that is large enough, else a part of `work`; which of the two a pointer means
   is part of its type in OpenCL. */
#define IN_WORK in_work
#if IN_WORK
#define PLACE GLOBAL
#else
#define PLACE LOCAL
#endif

struct turn {
  float re;
  float im;
};

FUNCTION struct turn turned(const float re, const float im, GLOBAL const float* by) {
  struct turn result;
  result.re = FMA(-im, by[1], re * by[0]);
  result.im = FMA(re, by[1], im * by[0]);
  return result;
}

FUNCTION struct turn turned_back(const float re, const float im, GLOBAL const float* by) {
  struct turn result;
  result.re = FMA(im, by[1], re * by[0]);
  result.im = FMA(-re, by[1], im * by[0]);
  return result;
}

/* What is done to a transform's rows one after the other: kinds of pass, each with a stage's size.
   The stages are those of transform_stages.inc; their twiddles begin 2 (size - whole) pairs of
   floats after the first's. Barriers stand where all items pass them, whatever the transform. */
#define BY_CHIRP 0
#define FORWARD 1
#define PAIRS 2
#define BY_SPECTRUM 3
#define BACKWARD 4

FUNCTION void pass_times(PLACE float* re, PLACE float* im, GLOBAL const float* by, const int rows,
                         const int pack_log) {
  for (int t = LOCAL_ID; t < rows << pack_log; t += LOCAL_SIZE) {
    const struct turn value = turned(re[t], im[t], by + 2 * (t >> pack_log));
    re[t] = value.re;
    im[t] = value.im;
  }
}

FUNCTION void pass_pairs(PLACE float* re, PLACE float* im, const int size, const int pack_log) {
  const int pack = 1 << pack_log;
  for (int t = LOCAL_ID; t < size / 2 << pack_log; t += LOCAL_SIZE) {
    const int at = ((t >> pack_log) * 2 << pack_log) + (t & (pack - 1));
    const float a_re = re[at];
    const float a_im = im[at];
    const float b_re = re[at + pack];
    const float b_im = im[at + pack];
    re[at] = a_re + b_re;
    im[at] = a_im + b_im;
    re[at + pack] = a_re - b_re;
    im[at + pack] = a_im - b_im;
  }
}

FUNCTION void pass_fours(PLACE float* re, PLACE float* im, GLOBAL const float* turns,
                         const int whole, const int size, const int pack_log, const int forward) {
  const int pack = 1 << pack_log;
  const int quarter = whole / 4;
  const int apart = quarter << pack_log;
  /* Of the two directions the one is the other's conjugate. */
  const float sign = forward != 0 ? 1.0f : -1.0f;
  for (int t = LOCAL_ID; t < size / 4 << pack_log; t += LOCAL_SIZE) {
    const int c = t & (pack - 1);
    const int b = t >> pack_log;
    const int j = b & (quarter - 1);
    const int at = (((b - j) * 4 + j) << pack_log) + c;
    struct turn row[4];
    for (int r = 0; r < 4; ++r) {
      row[r].re = re[at + r * apart];
      row[r].im = im[at + r * apart];
      if (forward == 0 && r > 0 && whole > 4) {
        row[r] = turned_back(row[r].re, row[r].im, turns + 6 * j + 2 * r - 2);
      }
    }
    const float even_re = row[0].re + row[2].re;
    const float even_im = row[0].im + row[2].im;
    const float odd_re = row[0].re - row[2].re;
    const float odd_im = row[0].im - row[2].im;
    const float sum_re = row[1].re + row[3].re;
    const float sum_im = row[1].im + row[3].im;
    const float apart_re = sign * (row[1].re - row[3].re);
    const float apart_im = sign * (row[1].im - row[3].im);
    row[0].re = even_re + sum_re;
    row[0].im = even_im + sum_im;
    row[1].re = odd_re + apart_im;
    row[1].im = odd_im - apart_re;
    row[2].re = even_re - sum_re;
    row[2].im = even_im - sum_im;
    row[3].re = odd_re - apart_im;
    row[3].im = odd_im + apart_re;
    for (int r = 0; r < 4; ++r) {
      if (forward != 0 && r > 0 && whole > 4) {
        row[r] = turned(row[r].re, row[r].im, turns + 6 * j + 2 * r - 2);
      }
      re[at + r * apart] = row[r].re;
      im[at + r * apart] = row[r].im;
    }
  }
}

/* x: [frames, channels] from its first element on, frame `fed` of the stream; past: [nperseg,
   channels], the frames before it, each at its number modulo nperseg.
   window: [length]; twiddles, chirp, chirp_spectrum, places, untangle: as RealTransform has them;
   passes: [pass_count, 2], kind and size.
   out: [windows, bins, 2, channels], bins = size / 2 + 1.
   Tasks are windows by packs of channels, packs first; the first group does `first_task`.
   Local memory: [2, LOCAL_SIZE] sums, then the transform's if IN_WORK is 0. */
KERNEL void spectra(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                    GLOBAL const float* RESTRICT past, GLOBAL const float* RESTRICT window,
                    GLOBAL const float* RESTRICT twiddles, GLOBAL const float* RESTRICT chirp,
                    GLOBAL const float* RESTRICT chirp_spectrum, GLOBAL const int* RESTRICT places,
                    GLOBAL const float* RESTRICT untangle, GLOBAL const int* RESTRICT passes,
                    GLOBAL float* RESTRICT out, GLOBAL float* work, const index fed,
                    const index begin, const index first_task, const int hop, const int nperseg,
                    const int length, const int size, const int stages, const int channels,
                    const int pack_log, const int detrend, const int pass_count, const int in_work,
                    LOCAL_ARG) {
  LOCAL_MEM(float, sums);
  const int pack = 1 << pack_log;
  const int halved = size % 2 == 0 ? 1 : 0;
  const int rows = halved != 0 ? size / 2 : size;
  const int bins = size / 2 + 1;
  const int packs = (channels + pack - 1) >> pack_log;
  const float middle = 0.5f * (float)(length - 1);
#if IN_WORK
  PLACE float* re = work + GROUP_ID * ((index)stages << (pack_log + 1));
#else
  PLACE float* re = sums + 2 * LOCAL_SIZE;
  (void)work;
#endif
  (void)in_work; /* The constant of its name is all that is read. */
  PLACE float* im = re + ((index)stages << pack_log);
  const index task = first_task + GROUP_ID;
  const index w = task / packs;
  const int own = LOCAL_ID & (pack - 1);
  const int channel = ((int)(task % packs) << pack_log) + own;
  const int part = LOCAL_ID >> pack_log;
  const int parts = LOCAL_SIZE >> pack_log;
  /* Items past the last channel do the last one's work once more, and keep it to themselves. */
  const int c = channel < channels ? channel : channels - 1;
  const index start = begin + w * hop;
  float centre = 0.0f;
  if (detrend != 2) {
    centre = start >= fed ? x[x_first + (start - fed) * x_stride + c]
                          : past[start % nperseg * channels + c];
  }
  float sum = 0.0f;
  float moment = 0.0f;
  for (int r = part; r < stages; r += parts) {
    float value[2];
    for (int i = 0; i < 2; ++i) {
      const int row = halved != 0 ? 2 * r + i : r;
      value[i] = 0.0f;
      if (row < length && (halved != 0 || i == 0)) {
        const index frame = start + row;
        value[i] = (frame >= fed ? x[x_first + (frame - fed) * x_stride + c]
                                 : past[frame % nperseg * channels + c]) -
                   centre;
        moment = FMA((float)row - middle, value[i], moment);
      }
    }
    sum += value[0] + value[1];
    re[(r << pack_log) + own] = value[0];
    im[(r << pack_log) + own] = value[1];
  }
  sums[LOCAL_ID] = sum;
  sums[LOCAL_SIZE + LOCAL_ID] = moment;
  SYNC;
  for (int half_size = parts / 2; half_size > 0; half_size /= 2) {
    if (part < half_size) {
      const int other = LOCAL_ID + (half_size << pack_log);
      sums[LOCAL_ID] += sums[other];
      sums[LOCAL_SIZE + LOCAL_ID] += sums[LOCAL_SIZE + other];
    }
    SYNC;
  }
  sum = sums[own];
  /* Sums of anything but numbers make it NaN. */
  const float poison = sum * 0.0f;
  const float count = (float)length;
  const float mean = detrend == 2 ? poison : sum / count + poison;
  const float slope = detrend == 1 && length > 1
                          ? sums[LOCAL_SIZE + own] / (count * (count * count - 1.0f) / 12.0f)
                          : 0.0f;
  for (int r = part; r < stages; r += parts) {
    const int at = (r << pack_log) + own;
    const int row = halved != 0 ? 2 * r : r;
    if (row < length) {
      re[at] = FMA(-((float)row - middle), slope, re[at] - mean) * window[row];
    }
    if (halved != 0 && row + 1 < length) {
      im[at] = FMA(-((float)(row + 1) - middle), slope, im[at] - mean) * window[row + 1];
    }
  }
  SYNC;
  for (int p = 0; p < pass_count; ++p) {
    const int kind = passes[2 * p];
    const int whole = passes[2 * p + 1];
    if (kind == FORWARD || kind == BACKWARD) {
      pass_fours(re, im, twiddles + 2 * (stages - whole), whole, stages, pack_log,
                 kind == FORWARD ? 1 : 0);
    } else if (kind == PAIRS) {
      pass_pairs(re, im, stages, pack_log);
    } else {
      pass_times(re, im, kind == BY_CHIRP ? chirp : chirp_spectrum, whole, pack_log);
    }
    SYNC;
  }
  for (int k = part; k < bins && channel < channels; k += parts) {
    const int low = halved != 0 && 2 * k > rows ? rows - k : k;
    const int a = (places[low] << pack_log) + own;
    float value_re = re[a];
    float value_im = im[a];
    if (halved != 0) {
      const int b = (places[low == 0 ? 0 : rows - low] << pack_log) + own;
      const float half_re = 0.5f * (re[a] + re[b]);
      const float half_im = 0.5f * (im[a] - im[b]);
      const struct turn apart = turned(re[a] - re[b], im[a] + im[b], untangle + 2 * low);
      /* The upper half is the conjugate of the difference. */
      value_re = low == k ? half_re + apart.re : half_re - apart.re;
      value_im = low == k ? half_im + apart.im : apart.im - half_im;
    }
    GLOBAL float* to = out + (w * bins + k) * 2 * channels + channel;
    to[0] = value_re;
    to[channels] = value_im;
  }
}

/* Adds the powers of some windows, one after the other, to sums: [bins, 2, channels], a sum and
   what it has too much. spectra: [windows, bins, 2, channels]. An item has one channel of one bin.
 */
KERNEL void spectra_add_powers(GLOBAL const float* RESTRICT spectra, GLOBAL float* RESTRICT sums,
                               const int channels, const index bins, const index windows) {
  const int c = (int)GLOBAL_ID;
  const index bin = GLOBAL_ID_1;
  if (c >= channels || bin >= bins) {
    return;
  }
  GLOBAL float* own = sums + bin * 2 * channels + c;
  float sum = own[0];
  float excess = own[channels];
  for (index w = 0; w < windows; ++w) {
    GLOBAL const float* value = spectra + (w * bins + bin) * 2 * channels + c;
    const float more = FMA(value[channels], value[channels], value[0] * value[0]) - excess;
    const float next = sum + more;
    excess = (next - sum) - more;
    sum = next;
  }
  own[0] = sum;
  own[channels] = excess;
}
