#!/usr/bin/env python3
"""Promise P2: memory is a cap. Peak anonymous memory of a run whose input is over twenty times the cap.

usage: memory_test.py WEIR [--cap-mib N] [--seconds S] [--channels C]

The recording is a sparse file, so it costs no disk; what is read from its holes is zeros, which take the same path as any
samples. The cap counts anonymous memory beyond what `weir --version` itself takes, read from /proc every few
milliseconds. Also checks that a plan over the cap is refused before anything is written. Standard library only.
"""
import argparse
import json
import pathlib
import sys
import tempfile

from peak_memory import peak_of

RATE = 30000


def make_input(folder, channels, seconds):
    frames = int(RATE * seconds)
    with open(folder / "in.bin", "wb") as file:
        file.truncate(frames * channels * 2)
    sidecar = {"weir_raw": 1, "rate": [RATE, 1], "dtype": "int16", "order": "time_major", "samples": frames,
               "channels": [{"name": f"c{c}", "gain": 2.34375, "offset": 0, "unit": "uV"} for c in range(channels)]}
    (folder / "in.bin.json").write_text(json.dumps(sidecar))
    return frames * channels * 2


def make_spec(folder, memory):
    spec = {
        "weir_pipeline": 1,
        "nodes": {
            "raw": {"op": "read", "path": "in.bin"},
            "ref": {"op": "common_reference"},
            "band": {"op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000]},
            "spikes": {"op": "crossings", "level": -50.0, "refractory_s": 0.001},
            "lfp": {"op": "resample", "rate_hz": 1000},
            "clean": {"op": "write", "path": "clean.zarr", "dtype": "int16"},
            "lfp_out": {"op": "write", "path": "lfp.bin"},
            "events": {"op": "write", "path": "spikes.csv"},
        },
        "edges": [["raw", "ref"], ["ref", "band"], ["band", "clean"], ["band", "spikes"], ["spikes", "events"],
                  ["raw", "lfp"], ["lfp", "lfp_out"]],
        "execution": {"memory": memory},
    }
    (folder / "spec.json").write_text(json.dumps(spec))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--cap-mib", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=65)
    parser.add_argument("--channels", type=int, default=384)
    arguments = parser.parse_args()
    weir = str(pathlib.Path(arguments.weir).resolve())
    cap = arguments.cap_mib << 20
    with tempfile.TemporaryDirectory(prefix="weir-memory-") as name:
        folder = pathlib.Path(name)
        size = make_input(folder, arguments.channels, arguments.seconds)
        make_spec(folder, "1 MiB")
        _, status, text = peak_of([weir, "run", "spec.json"], folder)
        left = sorted(path.name for path in folder.iterdir())
        if status != 6 or "largest claim" not in text or left != ["in.bin", "in.bin.json", "spec.json"]:
            sys.exit(f"a plan over the cap: exit {status}, {text!r}, files {left}")
        base, _, _ = peak_of([weir, "ops"], folder)
        make_spec(folder, f"{arguments.cap_mib} MiB")
        peak, status, text = peak_of([weir, "run", "spec.json"], folder)
        if status != 0:
            sys.exit(f"exit {status}: {text}")
        used = max(0, peak - base)
        print(f"input {size / 2**20:.0f} MiB, cap {arguments.cap_mib} MiB: peak {used / 2**20:.1f} MiB "
              f"beyond the program's own {base / 2**20:.1f} MiB")
        if size < 20 * cap:
            sys.exit("the input is too small to prove anything")
        if used > cap:
            sys.exit("the peak is above the cap")


if __name__ == "__main__":
    main()
