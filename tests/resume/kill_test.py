#!/usr/bin/env python3
"""Promise P4: a run that is killed at random moments and started again ends with the same bytes.

usage: kill_test.py WEIR [--kills N] [--seed S]

Makes a recording, runs it once undisturbed, then kills `weir run --resume` N times at seeded random moments, starting the
same command again each time until it finishes; the outputs and their sidecars must be identical, and no run may leave
anything else behind. A moment is a number of bytes read and written by then, so that a slow machine is killed in the same
places as a fast one. Standard library only.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CHANNELS = 32
FRAMES = 300_000

SPEC = {
    "weir_pipeline": 1,
    "nodes": {
        "raw": {"op": "read", "path": "in.bin"},
        "ref": {"op": "common_reference"},
        "band": {"op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000]},
        "spikes": {"op": "crossings", "level": -4.0, "level_unit": "mad", "refractory_s": 0.001},
        "lfp": {"op": "resample", "rate_hz": 1000},
        "clean": {"op": "write", "path": "out/clean.bin", "dtype": "int16"},
        "store": {"op": "write", "path": "out/clean.zarr", "dtype": "int16", "zarr_shard_s": 1},
        "slow": {"op": "write", "path": "out/lfp.bin"},
        "events": {"op": "write", "path": "out/spikes.csv"},
        "cut": {"op": "snippets"},
        "waves": {"op": "write", "path": "out/waves.npy"},
        "quiet": {"op": "blank"},
        "rest": {"op": "write", "path": "out/rest.bin"},
    },
    "edges": [["raw", "ref"], ["ref", "band"], ["band", "clean"], ["band", "store"], ["band", "spikes"],
              ["spikes", "events"], ["raw", "lfp"], ["lfp", "slow"],
              ["band", "cut"], ["spikes", "cut"], ["cut", "waves"], ["ref", "quiet"], ["spikes", "quiet"], ["quiet", "rest"]],
    "execution": {"chunk_s": 0.5},
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
                            stderr=subprocess.PIPE, text=True, env={**os.environ, "WEIR_CHECKPOINT_S": "0"})


def bytes_moved(pid):
    """Bytes read and written so far; None once the process has ended."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/io").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("rchar:", "wchar:")))
    except (OSError, IndexError):
        return None


def watched(process, limit):
    """Kills the process once it has moved `limit` bytes. Returns the bytes last seen, and whether it was killed."""
    seen = 0
    while process.poll() is None:
        moved = bytes_moved(process.pid)
        if moved is None:
            continue
        seen = max(seen, moved)
        if moved >= limit:
            process.kill()
            process.wait()
            # The end may have come between the look and the kill.
            return seen, process.returncode < 0
        time.sleep(0.0005)
    return seen, False


def killed_run(weir, folder, limits):
    """Kill and restart until a run finishes. Returns kills made, how many fell between first and last byte, and how
    many restarts had a checkpoint to continue from."""
    kills = inside = continued = 0
    while True:
        fresh = not any((folder / "out").glob("*.weir-checkpoint"))
        continued += not fresh
        process = start(weir, folder)
        _, killed = watched(process, limits(fresh))
        if killed:
            inside += output_begun(folder / "out")
            kills += 1
            continue
        text = process.stderr.read()
        if process.returncode != 0:
            sys.exit(f"run after {kills} kills: exit {process.returncode}: {text}")
        return kills, inside, continued


def undisturbed(weir, folder):
    """One whole run: the bytes it moved, and what stands afterwards."""
    process = start(weir, folder)
    moved, _ = watched(process, float("inf"))
    if process.returncode != 0:
        sys.exit(f"undisturbed run: exit {process.returncode}: {process.stderr.read()}")
    return moved, digests(folder / "out")


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
        whole, wanted = undisturbed(weir, folder)
        finished = subprocess.run([weir, "run", "spec.json", "--resume"], cwd=folder, capture_output=True, text=True)
        if finished.returncode != 0 or "already complete" not in finished.stdout or digests(folder / "out") != wanted:
            sys.exit(f"a finished run resumed: exit {finished.returncode}: {finished.stdout}{finished.stderr}")
        kills = inside = continued = runs = 0
        while kills < arguments.kills:
            shutil.rmtree(folder / "out")
            # The fit, which only a fresh start makes, moves a fifth of the bytes.
            made, within, again = killed_run(weir, folder, lambda fresh: whole * (
                chance.uniform(0.25, 0.95) if fresh else chance.uniform(0.02, 0.35)))
            kills, inside, continued, runs = kills + made, inside + within, continued + again, runs + 1
            found = digests(folder / "out")
            if found != wanted:
                differing = sorted(k for k in wanted.keys() | found.keys() if wanted.get(k) != found.get(k))
                sys.exit(f"after {made} kills these differ: {', '.join(differing[:10])}")
    print(f"{kills} kills in {runs} runs that move {whole / 2**20:.0f} MiB, {inside} between first and last output byte, "
          f"{continued} restarts from a checkpoint: "
          f"{len(wanted)} files identical each time")
    if inside < 0.6 * arguments.kills or continued < 0.3 * arguments.kills:
        sys.exit("too few kills fell while outputs were being written or left a checkpoint: the test proves little")


if __name__ == "__main__":
    main()
