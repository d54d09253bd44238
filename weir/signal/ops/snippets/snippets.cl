/* Snippets of `length` rows and `width` columns, one below the other. anchors: [count, 2], the
   first row of each in the segment and the channel of its event. x holds rows from row `fed` of the
   segment on; past: [kept, channels], row k at k mod kept. Rows before `begun` never came and there
   are none from `frames` on: they are 0. picks: [channels of the events, width], what a column
   shows of the signal or -1, times the channel's gain; with `all`, every channel as it is. */
KERNEL void snippet_rows(GLOBAL const float* RESTRICT x, const index x_first, const index x_stride,
                         GLOBAL const float* RESTRICT past, GLOBAL const index* RESTRICT anchors,
                         GLOBAL const int* RESTRICT picks, GLOBAL const float* RESTRICT gain,
                         GLOBAL float* RESTRICT y, const index rows, const index length,
                         const int width, const int all, const int channels, const index kept,
                         const index begun, const index frames, const index fed) {
  const index column = GLOBAL_ID;
  for (index i = GLOBAL_ID_1; i < rows && column < width; i += GLOBAL_SIZE_1) {
    const index snippet = i / length;
    const index row = anchors[2 * snippet] + i % length;
    const index pick = all != 0 ? column : (index)picks[anchors[2 * snippet + 1] * width + column];
    float value = 0.0f;
    if (row >= begun && row < frames && pick >= 0) {
      value = row >= fed ? x[x_first + (row - fed) * x_stride + pick]
                         : past[(row % kept) * channels + pick];
      value = all != 0 ? value : value * gain[pick];
    }
    y[i * width + column] = value;
  }
}
