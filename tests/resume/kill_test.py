#!/usr/bin/env python3
"""Promise P4: a run that is killed at random moments and started again ends with the same bytes.

usage: kill_test.py WEIR [--kills N] [--seed S]

Makes a recording, runs it once undisturbed, then kills `weir run --resume` N times at seeded random moments, starting the
same command again each time until it finishes; the outputs and their sidecars must be identical, and no run may leave
anything else behind. Standard library only.
"""
import argparse
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CHANNELS = 32
FRAMES = 1_500_000
EXISTS = 7  # Exit code when an output stands already.

SPEC = {
    "weir_pipeline": 1,
    "nodes": {
        "raw": {"op": "read", "path": "in.bin"},
        "ref": {"op": "common_reference"},
        "band": {"op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000]},
        "spikes": {"op": "crossings", "level": -4.0, "level_unit": "mad", "refractory_s": 0.001},
        "lfp": {"op": "resample", "rate_hz": 1000},
        "clean": {"op": "write", "path": "out/clean.bin", "dtype": "int16"},
        "store": {"op": "write", "path": "out/clean.zarr", "dtype": "int16", "zarr_shard_s": 5},
        "slow": {"op": "write", "path": "out/lfp.bin"},
        "events": {"op": "write", "path": "out/spikes.csv"},
    },
    "edges": [["raw", "ref"], ["ref", "band"], ["band", "clean"], ["band", "store"], ["band", "spikes"],
              ["spikes", "events"], ["raw", "lfp"], ["lfp", "slow"]],
    "execution": {"chunk_s": 0.1},
}


def make_input(folder, seed):
    """Random int8 samples: noise that every output depends on."""
    source = random.Random(seed)
    with open(folder / "in.bin", "wb") as file:
        for _ in range(CHANNELS):
            file.write(source.randbytes(FRAMES))
    sidecar = {"weir_raw": 1, "rate": [30000, 1], "dtype": "int8", "order": "time_major", "samples": FRAMES,
               "channels": [{"name": f"c{c}", "gain": 0.5, "offset": 0, "unit": "uV"} for c in range(CHANNELS)]}
    (folder / "in.bin.json").write_text(json.dumps(sidecar))
    (folder / "spec.json").write_text(json.dumps(SPEC))


def digests(folder):
    """Hash of every output file; provenance apart, which holds times."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.endswith(".weir.json")}


def output_begun(folder):
    return any(path.stat().st_size > 0 for path in folder.glob("*.weir-partial") if path.is_file())


def start(weir, folder):
    return subprocess.Popen([weir, "run", "spec.json", "--resume"], cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, text=True)


def killed_run(weir, folder, moments):
    """Kill and restart until a run finishes. Returns kills made, and how many fell between first and last byte."""
    kills = inside = 0
    while True:
        process = start(weir, folder)
        try:
            process.wait(timeout=moments())
        except subprocess.TimeoutExpired:
            inside += output_begun(folder / "out")
            process.kill()
            process.wait()
            kills += 1
            continue
        # Killed after its last commit a run is complete: the same command then finds its own results and leaves them.
        if process.returncode == EXISTS and kills > 0 and not list((folder / "out").glob("*.weir-partial*")):
            return kills, inside
        if process.returncode != 0:
            sys.exit(f"run after {kills} kills: exit {process.returncode}: {process.stderr.read()}")
        return kills, inside


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weir")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    weir = str(pathlib.Path(arguments.weir).resolve())
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="weir-kill-") as name:
        folder = pathlib.Path(name)
        make_input(folder, arguments.seed)
        begun = time.monotonic()
        process = start(weir, folder)
        if process.wait() != 0:
            sys.exit(f"undisturbed run: exit {process.returncode}: {process.stderr.read()}")
        whole_s = time.monotonic() - begun
        wanted = digests(folder / "out")
        kills = inside = runs = 0
        while kills < arguments.kills:
            shutil.rmtree(folder / "out")
            made, within = killed_run(weir, folder, lambda: whole_s * chance.uniform(0.1, 1.1))
            kills, inside, runs = kills + made, inside + within, runs + 1
            found = digests(folder / "out")
            if found != wanted:
                differing = sorted(k for k in wanted.keys() | found.keys() if wanted.get(k) != found.get(k))
                sys.exit(f"after {made} kills these differ: {', '.join(differing[:10])}")
    print(f"{kills} kills in {runs} runs of {whole_s:.1f} s, {inside} between first and last output byte: "
          f"{len(wanted)} files identical each time")
    if inside < 0.6 * arguments.kills:
        sys.exit("too few kills fell while outputs were being written: the test proves little")


if __name__ == "__main__":
    main()
