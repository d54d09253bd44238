#!/usr/bin/env python3
"""Times NumPy and SciPy beside Weir on the same work, in one run, and prints ratios.

    bench/peers.py [--quick] [--frames N] [--json FILE]

The work is that of bench/chain_bench.cc: 384 channels of int16 noise in memory to float32 physical values. The peers
run in the private environments .venv/peers (current) and .venv/peers-pinned, with their own best settings: every
OPENBLAS_*, OMP_* and MKL_* variable is taken away, and samples lie in the order each peer likes best. Weir and the
peers take turns, so that a machine that slows down slows all of them; a figure is the median of the rounds.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = ROOT / "build/release/bench/weir_chain_bench"
CHANNELS = 384
RATE_HZ = 30_000.0
GAIN = 2.34375
# What Weir's bench calls the case -> what the peers call theirs.
CASES = {
    "mean reference + band-pass, float32 state, 1 thread": "mean reference + sosfilt",
    "mean reference + band-pass, float64 state, 1 thread": "mean reference + sosfilt",
    "median reference alone, 1 thread": "np.median, int16",
    "median reference alone, unequal gains, 1 thread": "np.median, float32",
    "FIR, 63 taps, 1 thread": "best of lfilter and oaconvolve, 63 taps",
    "running median of 9, 1 thread": "best of medfilt and median_filter, 9",
    "resample 1/3, 1 thread": "resample_poly 1/3",
}


def best_of(works):
    """Seconds of the fastest of several ways to do one thing."""
    seconds = []
    for work in works:
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def measure(frames):
    """One round of the peers: prints seconds by case. Runs inside a peers' environment."""
    import numpy as np
    import scipy
    from scipy import ndimage, signal

    counts = np.random.default_rng(1).normal(0, 40, (frames, CHANNELS)).astype(np.int16)
    sos = signal.butter(5, [300, 6000], "bandpass", fs=RATE_HZ, output="sos")
    taps = signal.firwin(63, 6000, fs=RATE_HZ).astype(np.float32)
    by_channel = np.ascontiguousarray(counts.T).astype(np.float32) * np.float32(GAIN)
    by_time = np.ascontiguousarray(by_channel.T)

    def reference_and_filter(axis):
        x = counts.astype(np.float32) * np.float32(GAIN)
        x -= x.mean(axis=1, keepdims=True)
        if axis == 1:
            x = np.ascontiguousarray(x.T)
        return signal.sosfilt(sos, x, axis=axis)

    gains = np.where(np.arange(CHANNELS) % 2 == 0, GAIN, 1.01 * GAIN).astype(np.float32)

    def unequal_median():
        x = counts * gains
        x -= np.median(x, axis=1, keepdims=True)
        return x

    works = {
        "mean reference + sosfilt": [lambda: reference_and_filter(0), lambda: reference_and_filter(1)],
        "np.median, int16": [lambda: counts - np.median(counts, axis=1, keepdims=True)],
        "np.median, float32": [unequal_median],
        "best of lfilter and oaconvolve, 63 taps": [
            lambda: signal.lfilter(taps, [1.0], by_channel, axis=1),
            lambda: signal.oaconvolve(by_channel, taps[None, :], axes=1)],
        "best of medfilt and median_filter, 9": [
            lambda: signal.medfilt(by_channel[:24], (1, 9)),
            lambda: ndimage.median_filter(by_channel[:24], size=(1, 9), mode="constant")],
        "resample_poly 1/3": [
            lambda: signal.resample_poly(by_channel, 1, 3, axis=1),
            lambda: signal.resample_poly(by_time, 1, 3, axis=0)],
    }
    result = {name: best_of(ways) for name, ways in works.items()}
    # A running median costs in proportion to channels: 24 of them are measured, all are meant.
    result["best of medfilt and median_filter, 9"] *= CHANNELS / 24
    print(json.dumps({"versions": f"NumPy {np.__version__}, SciPy {scipy.__version__}", "seconds": result}))


def clean_environment():
    taken = ("OPENBLAS_", "OMP_", "MKL_", "GOTO_")
    return {name: value for name, value in os.environ.items() if not name.startswith(taken)}


def output_of(command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=clean_environment())
    if done.returncode != 0:
        sys.exit(f"bench/peers.py: {command[0]} failed:\n{done.stderr}")
    return json.loads(done.stdout)


def medians(rounds):
    return {name: statistics.median(one[name] for one in rounds) for name in rounds[0]}


def run(arguments):
    pythons = {name: ROOT / ".venv" / name / "bin/python" for name in ("peers", "peers-pinned")}
    for name, python in pythons.items():
        if not python.exists():
            sys.exit(f"bench/peers.py: no {python}; run: tools/install {name}")
    if not BENCH.exists():
        sys.exit(f"bench/peers.py: no {BENCH}; run: cmake --preset release && cmake --build --preset release")
    rounds = 1 if arguments.quick else 3
    ours, theirs, versions = [], {name: [] for name in pythons}, {}
    for _ in range(rounds):
        ours.append(output_of([BENCH, arguments.frames, 3]))
        for name, python in pythons.items():
            one = output_of([python, __file__, "--measure", "--frames", arguments.frames])
            versions[name] = one["versions"]
            theirs[name].append(one["seconds"])
    return medians(ours), {name: medians(found) for name, found in theirs.items()}, versions


def report(arguments, ours, theirs, versions):
    print(f"{platform.machine()}, {os.cpu_count()} processors; {CHANNELS} channels x {arguments.frames} frames; "
          "seconds, and how many times faster Weir is")
    for name, version in versions.items():
        print(f"  {name}: {version}")
    widening = ours["int16 to float32"]
    for case, peer in CASES.items():
        if case not in ours:
            sys.exit(f"bench/peers.py: {BENCH.name} has no case \"{case}\"")
        ratios = "  ".join(f"{name} {theirs[name][peer]:.3f} s ({theirs[name][peer] / ours[case]:.1f}x)"
                           for name in theirs)
        print(f"{case}: {ours[case]:.4f} s ({ours[case] / widening:.2f} widening passes); {peer}: {ratios}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(
            json.dumps({"frames": arguments.frames, "versions": versions, "weir": ours, "peers": theirs}, indent=2))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one round")
    parser.add_argument("--frames", type=int, default=60_000)
    parser.add_argument("--json", help="also write the figures here")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        measure(arguments.frames)
    else:
        report(arguments, *run(arguments))


if __name__ == "__main__":
    main()
