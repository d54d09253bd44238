#!/usr/bin/env python3
"""A day at 30 kHz: sparse files far larger than memory or disk, with known samples at known places.

usage: long_test.py WEIR [--whole]

384 channels (1.8 TiB, a hole but for a few rows): the whole is planned, and its first and last 30 s are run and
compared with what was written there. 8 channels: run whole to events, which must be found at their exact samples, and the
peak of memory must be the same for a short and a ten times (--whole: 24 times) longer recording. Without --whole the long
one is 1 h and takes seconds, with it 24 h and takes minutes. Standard library only.
"""
import argparse
import array
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

from peak_memory import peak_of

RATE = 30000
DAY_FRAMES = 24 * 3600 * RATE
EDGE_FRAMES = 30 * RATE
ODD = 5  # The channel that stands out of the others.


def require(condition, text):
    if not condition:
        sys.exit(text)


def make_recording(folder, name, channels, frames, rows):
    """A hole of zeros with `rows`, {frame: samples}, in it."""
    with open(folder / name, "wb") as file:
        file.truncate(frames * channels * 2)
        for frame, samples in rows.items():
            file.seek(frame * channels * 2)
            file.write(array.array("h", samples).tobytes())
    sidecar = {"weir_raw": 1, "rate": [RATE, 1], "dtype": "int16", "order": "time_major", "samples": frames,
               "channels": [{"name": f"c{c}", "gain": 0.5, "offset": 0, "unit": "uV"} for c in range(channels)]}
    (folder / (name + ".json")).write_text(json.dumps(sidecar))


def run(weir, folder, verb, spec):
    (folder / "spec.json").write_text(json.dumps(spec))
    done = subprocess.run([weir, verb, "spec.json"], cwd=folder, capture_output=True, text=True, check=False)
    require(done.returncode == 0, f"weir {verb}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def edge_spec(name, chosen):
    """Median reference to three of the channels, and to events."""
    return {
        "weir_pipeline": 1,
        "nodes": {"raw": {"op": "read", "path": name, **chosen}, "ref": {"op": "common_reference"},
                  "clean": {"op": "write", "path": "clean.bin", "dtype": "int16", "channels": [0, ODD, 383],
                            "overwrite": True},
                  "spikes": {"op": "crossings", "level": 20.0},
                  "events": {"op": "write", "path": "spikes.csv", "overwrite": True}},
        "edges": [["raw", "ref"], ["ref", "clean"], ["ref", "spikes"], ["spikes", "events"]],
    }


def planned_and_its_ends_run(weir, folder):
    channels = 384
    starts = [0, DAY_FRAMES - EDGE_FRAMES]
    # Of 30 s: frames at the very ends, around 2^16 and in the middle.
    places = [0, 1, 2, 65535, 65536, 450_001, EDGE_FRAMES - 2, EDGE_FRAMES - 1]
    rows = {}
    for start in starts:
        for place in places:
            # The level that all share goes with the reference, 100 counts stay.
            level = 1000 + place % 7
            rows[start + place] = [level + (100 if c == ODD else 0) for c in range(channels)]
    make_recording(folder, "day.bin", channels, DAY_FRAMES, rows)
    plan = run(weir, folder, "plan", edge_spec("day.bin", {}))
    require("day.bin" in plan, f"the plan does not name its input:\n{plan}")
    for start in starts:
        run(weir, folder, "run", edge_spec("day.bin", {"start": start, "stop": start + EDGE_FRAMES}))
        clean = array.array("h", (folder / "clean.bin").read_bytes())
        require(len(clean) == 3 * EDGE_FRAMES, f"{len(clean)} samples instead of {3 * EDGE_FRAMES}")
        found = {at: value for at, value in enumerate(clean) if value}
        wanted = {3 * place + 1: 100 for place in places}
        require(found == wanted, f"from frame {start}: samples {found} instead of {wanted}")
        with open(folder / "spikes.csv", newline="") as file:
            events = [(int(row["channel"]), int(row["onset_sample"]), row["offset_sample"], float(row["peak_value"]),
                       float(row["onset_s"])) for row in csv.DictReader(file)]
        # Never at the first sample: the run of frames 0 to 2 is no event, that at the end is left open.
        ends = [(65535, 65537), (450_001, 450_002), (EDGE_FRAMES - 2, None)]
        wanted = [(ODD, start + onset, "" if offset is None else str(start + offset), 50.0, (start + onset) / RATE)
                  for onset, offset in ends]
        require(events == wanted, f"from frame {start}: events {events} instead of {wanted}")
    print(f"24 h x 384 channels ({DAY_FRAMES * channels * 2 / 2**40:.2f} TiB): planned; first and last 30 s exact")


def whole_spec(name):
    return {
        "weir_pipeline": 1,
        "nodes": {"raw": {"op": "read", "path": name},
                  "high": {"op": "iir", "band": "highpass", "cutoff_hz": 300, "order": 2},
                  "spikes": {"op": "crossings", "level": 100.0, "refractory_s": 0.001},
                  "events": {"op": "write", "path": "spikes.csv", "overwrite": True}},
        "edges": [["raw", "high"], ["high", "spikes"], ["spikes", "events"]],
        "execution": {"memory": "256 MiB", "threads": 2},
    }


def run_to_events(weir, folder, hours):
    """A pulse of one frame leaves a causal high-pass at the same frame and is followed by its opposite."""
    channels = 8
    frames = round(hours * 3600 * RATE)
    places = sorted({1, frames // 3, frames // 2 + 1, frames - 2} | ({2**31 - 1, 2**31 + 10} if frames > 2**31 + 10 else set()))
    rows = {place: [1000 if c == at % channels else 0 for c in range(channels)] for at, place in enumerate(places)}
    make_recording(folder, "long.bin", channels, frames, rows)
    (folder / "spec.json").write_text(json.dumps(whole_spec("long.bin")))
    peak, status, text = peak_of([weir, "run", "spec.json"], folder)
    require(status == 0, f"{hours} h: exit {status}: {text}")
    with open(folder / "spikes.csv", newline="") as file:
        events = [(int(row["onset_sample"]), int(row["channel"]), int(row["offset_sample"]), int(row["peak_sample"]))
                  for row in csv.DictReader(file)]
    wanted = [(place, at % channels, place + 1, place) for at, place in enumerate(places)]
    require(events == wanted, f"{hours} h: events {events} instead of {wanted}")
    print(f"{hours} h x {channels} channels: {len(events)} events at their exact samples, peak {peak / 2**20:.1f} MiB", flush=True)
    return peak


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    weir = str(pathlib.Path(arguments.weir).resolve())
    with tempfile.TemporaryDirectory(prefix="weir-long-") as name:
        folder = pathlib.Path(name)
        try:
            with open(folder / "day.bin", "wb") as file:
                file.truncate(DAY_FRAMES * 384 * 2)
        except OSError as error:
            print(f"skipped: this file system takes no sparse file of 1.8 TiB ({error}); set TMPDIR to one that does")
            sys.exit(77)
        planned_and_its_ends_run(weir, folder)
        short, long = (1, 24) if arguments.whole else (0.1, 1)
        first, last = run_to_events(weir, folder, short), run_to_events(weir, folder, long)
        require(abs(last - first) <= 0.05 * first,
                f"{short} h takes {first / 2**20:.1f} MiB, {long} h {last / 2**20:.1f} MiB: more than 5 % apart")


if __name__ == "__main__":
    main()
