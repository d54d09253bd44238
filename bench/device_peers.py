#!/usr/bin/env python3
"""bench/device_peers.py [SCALE]: what CuPy does in place of our operators, as shares of a device copy in the same run.

384 channels x 60,000 x SCALE frames of float32 (default 16) in device memory. Each function gets the memory order it
is fastest with; bytes are counted as read once and written once, as weir_device_bench does. Needs a GPU and CuPy.
"""
import sys

import cupy
import cupyx.scipy.signal as signal
from cupyx.scipy.ndimage import median_filter
import numpy
import scipy.signal

CHANNELS = 384


def median_ms(body, times=5):
    """The median of `times` runs after one that warms up."""
    body()
    measured = []
    for _ in range(times):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        body()
        end.record()
        end.synchronize()
        measured.append(cupy.cuda.get_elapsed_time(begin, end))
    return sorted(measured)[times // 2]


def main():
    scale = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    frames = 60_000 * scale
    rows = 12 * cupy.random.standard_normal((frames, CHANNELS), dtype=cupy.float32)
    by_channel = cupy.ascontiguousarray(rows.T)
    out = cupy.empty_like(rows)
    copy_ms = median_ms(lambda: cupy.copyto(out, rows))
    print(f"CuPy {cupy.__version__}, x{scale}: a copy takes {copy_ms:.2f} ms")
    taps = cupy.asarray(scipy.signal.firwin(63, 6000, fs=30_000), dtype=cupy.float32)
    sos = cupy.asarray(scipy.signal.butter(5, [300, 6000], "bandpass", fs=30_000, output="sos"))
    third = (2 / 3) * copy_ms  # A third of the rows is written.
    cases = {
        "square": (lambda: rows * rows, copy_ms),
        "mean reference": (lambda: rows - rows.mean(axis=1, keepdims=True), copy_ms),
        "median reference": (lambda: rows - cupy.median(rows, axis=1, keepdims=True), copy_ms),
        "sosfilt, order 5": (lambda: signal.sosfilt(sos, by_channel, axis=-1), copy_ms),
        "FIR 63 (lfilter)": (lambda: signal.lfilter(taps, cupy.float32([1]), by_channel, axis=-1), copy_ms),
        "FIR 63 (oaconvolve)": (lambda: signal.oaconvolve(by_channel, taps[None], axes=-1), copy_ms),
        "median of 9": (lambda: median_filter(by_channel, size=(1, 9), mode="constant"), copy_ms),
        "resample_poly 1/3": (lambda: signal.resample_poly(by_channel, 1, 3, axis=-1), third),
    }
    for name, (body, floor_ms) in cases.items():
        try:
            ms = median_ms(body)
            print(f"{name:<22} {1e3 * ms:10.0f} us {100 * floor_ms / ms:6.1f} % of copy")
        except (cupy.cuda.memory.OutOfMemoryError, ValueError, TypeError, NotImplementedError) as error:
            print(f"{name:<22} not run: {str(error)[:100]}")
        cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    numpy.seterr(all="ignore")
    main()
