/* Adds what one block clipped of each channel to the total, which no recording fills. */
KERNEL void int_cast_add(GLOBAL int* RESTRICT clipped, GLOBAL index* RESTRICT total,
                         const int channels) {
  for (index c = GLOBAL_ID; c < channels; c += GLOBAL_SIZE) {
    total[c] += clipped[c];
    clipped[c] = 0;
  }
}
