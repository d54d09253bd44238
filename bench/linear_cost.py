#!/usr/bin/env python3
"""How the cost of a run grows with samples and channels, and how long `weir --version` takes: the tables of docs/benchmarks.md.

    bench/linear_cost.py [WEIR] [--rounds N] [--seconds S]

Seconds of the clock, and seconds of the processor, which a busy machine troubles less and which the ratios are made of.
One thread: median reference, band-pass and crossings from a raw int16 file to int16 and a table. Every size takes its turn in
every round, so that a machine that slows down slows all of them; a figure is the median of the rounds, less that of a run
over a single frame, which is what starting and planning cost. Standard library only.
"""
import argparse
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
RATE = 30000
CHANNELS = 384
LENGTHS = (1, 2, 4, 8)  # Of arguments.seconds.
WIDTHS = (96, 192, 384, 768)


def make_input(folder, channels, frames):
    """Seeded noise; a block of one second repeats."""
    name = f"{channels}x{frames}.bin"
    source = random.Random(1)
    block = b"".join(source.randbytes(2 * channels)[: 2 * channels] for _ in range(min(frames, 3000)))
    with open(folder / name, "wb") as file:
        left = 2 * channels * frames
        while left > 0:
            left -= file.write(block[:left])
    sidecar = {"weir_raw": 1, "rate": [RATE, 1], "dtype": "int16", "order": "time_major", "samples": frames,
               "channels": [{"name": f"c{c}", "gain": 0.01, "offset": 0, "unit": "uV"} for c in range(channels)]}
    (folder / (name + ".json")).write_text(json.dumps(sidecar))
    spec = {"weir_pipeline": 1,
            "nodes": {"raw": {"op": "read", "path": name}, "ref": {"op": "common_reference"},
                      "band": {"op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000]},
                      "spikes": {"op": "crossings", "level": -500.0, "refractory_s": 0.001},
                      "clean": {"op": "write", "path": "clean.bin", "dtype": "int16"},
                      "events": {"op": "write", "path": "spikes.csv"}},
            "edges": [["raw", "ref"], ["ref", "band"], ["band", "clean"], ["band", "spikes"], ["spikes", "events"]],
            "execution": {"threads": 1, "memory": "512 MiB"}}
    path = folder / f"{channels}x{frames}.json"
    path.write_text(json.dumps(spec))
    return path


def processor_s():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(command, folder):
    """Of the clock and of the processor."""
    before, began = processor_s(), time.perf_counter()
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    taken = time.perf_counter() - began
    if done.returncode != 0:
        sys.exit(f"bench/linear_cost.py: {' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return taken, processor_s() - before


def medians(weir, folder, cases, rounds):
    times = {case: [] for case in cases}
    for turn in range(rounds + 1):
        for case, spec in cases.items():
            taken = seconds_of([weir, "run", spec, "--overwrite"], folder)
            if turn > 0:  # The first round warms up.
                times[case].append(taken)
    return {case: tuple(map(statistics.median, zip(*found))) for case, found in times.items()}


def table(title, rows):
    print(f"\n| {title} | seconds | processor seconds | ns per sample | against the smallest |\n|---|---|---|---|---|")
    each = [processor / samples * 1e9 for _, samples, (_, processor) in rows]
    for (name, _, (clock, processor)), one in zip(rows, each):
        print(f"| {name} | {clock:.3f} | {processor:.3f} | {one:.2f} | {one / each[0]:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir", nargs="?", default=str(ROOT / "build/release/bin/weir"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    arguments = parser.parse_args()
    weir = str(pathlib.Path(arguments.weir).resolve())
    unit = round(arguments.seconds * RATE)
    with tempfile.TemporaryDirectory(prefix="weir-linear-") as name:
        folder = pathlib.Path(name)
        sizes = {(CHANNELS, times * unit) for times in LENGTHS} | {(width, 2 * unit) for width in WIDTHS}
        empty = {(channels, 1) for channels, _ in sizes}
        found = medians(weir, folder, {size: make_input(folder, *size) for size in sorted(sizes | empty)}, arguments.rounds)
        start = statistics.median(seconds_of([weir, "--version"], folder)[0] for _ in range(20))

    def net(channels, frames):
        return tuple(whole - least for whole, least in zip(found[channels, frames], found[channels, 1]))

    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, one thread, median of {arguments.rounds} rounds; "
          f"starting and planning {CHANNELS} channels: {found[CHANNELS, 1][0] * 1000:.0f} ms")
    table(f"frames, {CHANNELS} channels", [(f"{times * unit:,}", times * unit * CHANNELS, net(CHANNELS, times * unit))
                                           for times in LENGTHS])
    table(f"channels, {2 * unit:,} frames", [(width, 2 * unit * width, net(width, 2 * unit)) for width in WIDTHS])
    print(f"\n`weir --version`: {start * 1000:.1f} ms, median of 20.")


if __name__ == "__main__":
    main()
