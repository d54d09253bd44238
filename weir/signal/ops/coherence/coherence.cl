/* Adds conj(X) Y of some windows, one after the other, to sums: [bins, 4, pairs], the real part and
   what it has too much, then the imaginary part. spectra: [windows, bins, 2, channels]. An item has
   one pair at one bin. */
KERNEL void coherence_add(GLOBAL const float* RESTRICT spectra, GLOBAL float* RESTRICT sums,
                          GLOBAL const int* RESTRICT first, GLOBAL const int* RESTRICT second,
                          const int pairs, const int channels, const index bins,
                          const index windows) {
  const int pair = (int)GLOBAL_ID;
  const index bin = GLOBAL_ID_1;
  if (pair >= pairs || bin >= bins) {
    return;
  }
  const int a = first[pair];
  const int b = second[pair];
  GLOBAL float* own = sums + bin * 4 * pairs + pair;
  float re = own[0];
  float re_excess = own[pairs];
  float im = own[2 * (index)pairs];
  float im_excess = own[3 * (index)pairs];
  for (index w = 0; w < windows; ++w) {
    GLOBAL const float* of_re = spectra + (w * bins + bin) * 2 * channels;
    GLOBAL const float* of_im = of_re + channels;
    const float more_re = FMA(of_im[a], of_im[b], of_re[a] * of_re[b]) - re_excess;
    const float next_re = re + more_re;
    re_excess = (next_re - re) - more_re;
    re = next_re;
    const float more_im = FMA(-of_im[a], of_re[b], of_re[a] * of_im[b]) - im_excess;
    const float next_im = im + more_im;
    im_excess = (next_im - im) - more_im;
    im = next_im;
  }
  own[0] = re;
  own[pairs] = re_excess;
  own[2 * (index)pairs] = im;
  own[3 * (index)pairs] = im_excess;
}

/* y: rows of the table from `from` on. powers: [bins, 2, channels], sums and what they have too
   much. Divided before it is squared: no sum of powers has a square that must fit. */
KERNEL void coherence_rows(GLOBAL const float* RESTRICT sums, GLOBAL const float* RESTRICT powers,
                           GLOBAL const int* RESTRICT first, GLOBAL const int* RESTRICT second,
                           GLOBAL float* RESTRICT y, const index y_first, const index y_stride,
                           const int pairs, const int channels, const index from,
                           const index rows) {
  const int pair = (int)GLOBAL_ID;
  if (pair >= pairs) {
    return;
  }
  for (index row = GLOBAL_ID_1; row < rows; row += GLOBAL_SIZE_1) {
    const index bin = from + row;
    const float re = sums[bin * 4 * pairs + pair];
    const float im = sums[(bin * 4 + 2) * pairs + pair];
    const float a = powers[bin * 2 * channels + first[pair]];
    const float b = powers[bin * 2 * channels + second[pair]];
    y[y_first + row * y_stride + pair] = (re / a) * (re / b) + (im / a) * (im / b);
  }
}
