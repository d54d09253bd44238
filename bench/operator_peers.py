#!/usr/bin/env python3
"""Single operators beside the NumPy and SciPy calls that they replace, in turns, one thread each.

    bench/operator_peers.py [PART_OF_NAME] [ROUNDS]

384 channels x 60,000 frames of float32, frames first. Weir's side is build/release/signal_bench, in blocks as the executor
makes them (WEIR_SIGNAL_BENCH names another); NumPy's writes into arrays that are there already where the call can. Prints the
median of the rounds.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np
import scipy
from scipy import integrate, ndimage, signal

ROOT = pathlib.Path(__file__).resolve().parents[1]
X = np.random.default_rng(1).normal(scale=12, size=(60_000, 384)).astype(np.float32)
OUT = np.empty_like(X)
CHANNELS_FIRST = np.ascontiguousarray(X.T)  # SciPy's filters along time are faster so.
ORDER = np.arange(384) * 11 % 384
COUNTS = np.empty(X.shape, np.int16)
BAD = [10, 100, 200]
WEIGHTS = np.exp(-np.abs(np.arange(384)[:, None] - np.array(BAD)) / 2).astype(np.float32)
WEIGHTS[BAD] = 0


def clamp():
    np.clip(X, -20, 20, out=OUT)


def log():
    np.abs(X, out=OUT)
    np.maximum(OUT, np.float32(1e-3), out=OUT)
    np.log10(OUT, out=OUT)
    np.multiply(OUT, np.float32(20), out=OUT)


def diff():
    np.subtract(X[1:], X[:-1], out=OUT[1:])


def teager_kaiser():
    np.multiply(X[1:-1], X[1:-1], out=OUT[1:-1])
    OUT[1:-1] -= X[:-2] * X[2:]


def int_cast():
    np.multiply(X, np.float32(1 / 0.195), out=OUT)
    np.rint(OUT, out=OUT)
    np.clip(OUT, -32768, 32767, out=OUT)
    COUNTS[:] = OUT


def zscore():
    np.subtract(X, X[:1], out=OUT)
    np.divide(OUT, X[1:2], out=OUT)


def zscore_running():
    x = X.astype(np.float64)
    mean = ndimage.uniform_filter1d(x, 3001, axis=0)
    square = ndimage.uniform_filter1d(x * x, 3001, axis=0)
    (x - mean) / np.sqrt(square - mean * mean)


def detrend_running():
    X - ndimage.uniform_filter1d(X, 3001, axis=0)


def detrend():
    signal.detrend(X, axis=0)


def subtract_baseline():
    np.subtract(X, X[:3000].mean(axis=0), out=OUT)


def subtract_baseline_median():
    np.subtract(X, np.median(X[:3000], axis=0), out=OUT)


def hampel():
    """Of a tenth of the frames: its windows would not fit memory otherwise."""
    x = X[:6000]
    windows = np.lib.stride_tricks.sliding_window_view(x, 7, axis=0)
    median = np.median(windows, axis=-1)
    mad = np.median(np.abs(windows - median[..., None]), axis=-1)
    inner = x[3:-3]
    np.where(np.abs(inner - median) > 3 / 0.67449 * mad, median, inner)


def percentiles():
    np.percentile(X, [1, 99], axis=0)


def savgol(window):
    signal.savgol_filter(CHANNELS_FIRST, window, 3)


def gaussian(sigma):
    ndimage.gaussian_filter1d(CHANNELS_FIRST, sigma)


def envelope():
    np.abs(signal.hilbert(CHANNELS_FIRST))


def mean_reference():
    np.subtract(X, X.mean(axis=1, keepdims=True), out=OUT)


def median_reference():
    np.subtract(X, np.median(X, axis=1, keepdims=True), out=OUT)


def bipolar():
    np.subtract(X[:, :-1], X[:, 1:], out=OUT[:, :-1])


def moved():
    np.take(X, ORDER, axis=1, out=OUT, mode="clip")


def across_channels():
    padded = np.pad(X[:6000], ((0, 0), (60, 60)), mode="symmetric")
    signal.sosfiltfilt(signal.butter(3, 0.01, btype="highpass", output="sos"), padded, axis=1)


def blank():
    np.copyto(OUT, X)
    for first in range(0, 60_000, 1500):
        OUT[first:first + 105] = 0


def interpolated():
    np.copyto(OUT, X)
    OUT[:, BAD] = X @ WEIGHTS


def saturation():
    # 15 frames before a saturated sample, 30 after it.
    bad = ndimage.maximum_filter1d((np.abs(X) >= 50).view(np.uint8), 46, axis=0, origin=7)
    np.copyto(OUT, X)
    OUT[bad.view(bool)] = 0


def welch(nperseg):
    return lambda: signal.welch(CHANNELS_FIRST, 30_000, nperseg=nperseg)


def spectrogram(nperseg):
    return lambda: signal.spectrogram(CHANNELS_FIRST, 30_000, nperseg=nperseg)


def band_power():
    f, _, density = signal.spectrogram(CHANNELS_FIRST, 30_000, window="hann", nperseg=256, noverlap=128)
    for low, high in ((300, 1000), (1000, 6000)):
        integrate.simpson(density[:, (f >= low) & (f <= high)], dx=f[1], axis=1)


def coherence():
    signal.coherence(CHANNELS_FIRST[:1], CHANNELS_FIRST[1:], 30_000)


# Bench (added where there are several), call, and by how much the call's work is less.
WORKS = {
    "clamp": (["clamp"], clamp, 1),
    "log, dB": (["log_of_magnitude"], log, 1),
    "diff": (["diff/first"], diff, 1),
    "teager_kaiser": (["teager_kaiser"], teager_kaiser, 1),
    "int_cast": (["int_cast"], int_cast, 1),
    "zscore, global, applied": (["zscore_global"], zscore, 1),
    "zscore, running 0.1 s": (["zscore_running"], zscore_running, 1),
    "detrend, linear, fit and run": (["detrend_fit", "detrend_linear"], detrend, 1),
    "detrend, running 0.1 s": (["detrend_running"], detrend_running, 1),
    "subtract_baseline, mean": (["subtract_baseline/mean"], subtract_baseline, 1),
    "subtract_baseline, median": (["subtract_baseline/median"], subtract_baseline_median, 1),
    "hampel of 7": (["hampel/of_7"], hampel, 10),
    "psd of 256": (["psd/256"], welch(256), 1),
    "psd of 1000": (["psd/1000"], welch(1000), 1),
    "psd of 4096": (["psd/4096"], welch(4096), 1),
    "spectrogram of 256": (["spectrogram/256"], spectrogram(256), 1),
    "spectrogram of 1024": (["spectrogram/1024"], spectrogram(1024), 1),
    "band_power, two bands": (["band_power"], band_power, 1),
    "coherence, one with 383": (["coherence"], coherence, 1),
    "percentile_clip, fit": (["percentile_fit"], percentiles, 1),
    "savgol of 11": (["savgol/11"], lambda: savgol(11), 1),
    "savgol of 51": (["savgol/51"], lambda: savgol(51), 1),
    "gaussian, sigma 3": (["gaussian/3"], lambda: gaussian(3), 1),
    "gaussian, sigma 30": (["gaussian/30"], lambda: gaussian(30), 1),
    "envelope from 300 Hz": (["hilbert/300"], envelope, 1),
    "space: mean reference": (["common_reference/mean_float32"], mean_reference, 1),
    "space: median reference": (["common_reference/median_float32"], median_reference, 1),
    "space: spatial_highpass": (["spatial_highpass"], across_channels, 10),
    "space: bipolar": (["bipolar"], bipolar, 1),
    "space: channel_map": (["channel_map/moved_float32"], moved, 1),
    "space: interpolate, three channels": (["interpolate"], interpolated, 1),
    "space: blank": (["blank/zeros"], blank, 1),
    "space: remove_saturation, zeros": (["remove_saturation/zeros"], saturation, 1),
}


def weir_seconds(benches):
    """Seconds and share of a copy's speed of the slowest part."""
    pattern = "^(" + "|".join(name.replace("/", "/") for name in benches) + ")/manual_time$"
    program = os.environ.get("WEIR_SIGNAL_BENCH", str(ROOT / "build/release/signal_bench"))
    text = subprocess.run(
        [program, f"--benchmark_filter={pattern}", "--benchmark_format=json"],
        capture_output=True, check=True, text=True).stdout
    found = json.loads(text)["benchmarks"]
    assert len(found) == len(benches), (benches, [one["name"] for one in found])
    return sum(one["real_time"] for one in found) / 1e3, min(one["of copy"] for one in found)


def call_seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, {rounds} rounds")
    print("| work | Weir (ms) | of copy | NumPy/SciPy (ms) | ratio |\n|---|---|---|---|---|")
    for name, (benches, call, times) in WORKS.items():
        if part not in name:
            continue
        ours, theirs, shares = [], [], []
        for _ in range(rounds):
            seconds, share = weir_seconds(benches)
            ours.append(seconds)
            shares.append(share)
            theirs.append(call_seconds(call) * times)
        one, other = statistics.median(ours), statistics.median(theirs)
        print(f"| {name} | {one * 1e3:.1f} | {statistics.median(shares):.2f} | {other * 1e3:.0f} | {other / one:.1f} x |",
              flush=True)


if __name__ == "__main__":
    main()
