#!/usr/bin/env python3
"""The usual preprocessing of a Neuropixels recording, from file to file, beside SpikeInterface itself.

    bench/spikeinterface_chain.py [--frames N] [--rounds N] [--weir PROGRAM] [--only weir]

Band-pass 300-6000 Hz (zero-phase, order 5), median reference of the filtered signal, phase shift of a Neuropixels 1.0
probe, int16 again: 384 channels, by default of a million frames. Runs inside an environment with spikeinterface and
numpy (for example a virtual one with `pip install spikeinterface`). Both sides have two workers; each writes a file,
and the files are compared. Prints one JSON object.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHANNELS = 384
RATE_HZ = 30_000.0
GAIN = 2.34375
WORKERS = 2
SPEC = {
    "weir_pipeline": 1,
    "nodes": [
        {"id": "raw", "op": "read", "path": "raw.bin"},
        {"id": "band", "op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000], "mode": "zero_phase"},
        {"id": "ref", "op": "common_reference"},
        {"id": "shift", "op": "phase_shift", "probe": "neuropixels_1"},
        {"id": "out", "op": "write", "path": "weir.bin", "dtype": "int16"},
    ],
    "execution": {"target": "cpu", "threads": WORKERS},
}


def make_recording(folder, frames):
    import numpy as np

    random = np.random.default_rng(7)
    with open(folder / "raw.bin", "wb") as file:
        for first in range(0, frames, 50_000):
            count = min(50_000, frames - first)
            block = random.normal(0, 8, (count, CHANNELS)) + random.normal(0, 6, (count, 1))
            file.write(block.astype(np.int16).tobytes())
    channels = [{"name": f"AP{c}", "source_index": c, "gain": GAIN, "unit": "uV"} for c in range(CHANNELS)]
    sidecar = {"weir_raw": 1, "channels": channels, "rate": [int(RATE_HZ), 1], "dtype": "int16",
               "samples": frames, "segments": [{"start_s": 0, "samples": frames}]}
    (folder / "raw.bin.json").write_text(json.dumps(sidecar))
    (folder / "spec.json").write_text(json.dumps(SPEC))


def shifts():
    """In samples, as spikeinterface.extractors gives them to a Neuropixels 1.0 probe: 12 channels in 13 turns."""
    import numpy as np

    return np.array([(c % 24) // 2 / 13 for c in range(CHANNELS)])


def run_weir(weir, folder):
    began = time.perf_counter()
    subprocess.run([weir, "run", folder / "spec.json", "--overwrite"], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def run_spikeinterface(folder):
    import spikeinterface.core as core
    import spikeinterface.preprocessing as preprocessing

    recording = core.read_binary(folder / "raw.bin", sampling_frequency=RATE_HZ, dtype="int16", num_channels=CHANNELS,
                                 gain_to_uV=GAIN, offset_to_uV=0.0)
    began = time.perf_counter()
    chain = preprocessing.bandpass_filter(recording, freq_min=300, freq_max=6000, dtype="float32")
    chain = preprocessing.common_reference(chain, reference="global", operator="median")
    chain = preprocessing.phase_shift(chain, inter_sample_shift=shifts())
    chain = preprocessing.astype(chain, "int16", round=True)
    core.write_binary_recording(chain, [folder / "si.bin"], dtype="int16", n_jobs=WORKERS, chunk_duration="1s",
                                progress_bar=False, verbose=False)
    return time.perf_counter() - began


def compare(folder, frames):
    """Differences away from the ends, in counts."""
    import numpy as np

    ours = np.memmap(folder / "weir.bin", np.int16, "r", shape=(frames, CHANNELS))
    theirs = np.memmap(folder / "si.bin", np.int16, "r", shape=(frames, CHANNELS))
    inside = slice(2000, min(frames, 300_000) - 2000)
    difference = ours[inside].astype(np.int32) - theirs[inside]
    return {"equal": float(np.mean(difference == 0)), "largest": int(np.abs(difference).max())}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--weir", default=ROOT / "build/release/bin/weir")
    parser.add_argument("--only", choices=["weir"])
    arguments = parser.parse_args()
    for name in list(os.environ):
        if name.startswith(("OPENBLAS_", "OMP_", "MKL_")):
            del os.environ[name]  # The peers run with their own best settings.
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_recording(folder, arguments.frames)
        result = {"frames": arguments.frames, "weir_s": [], "spikeinterface_s": []}
        for _ in range(arguments.rounds):
            result["weir_s"].append(run_weir(arguments.weir, folder))
            if arguments.only is None:
                result["spikeinterface_s"].append(run_spikeinterface(folder))
        if arguments.only is None:
            import spikeinterface

            result["spikeinterface"] = spikeinterface.__version__
            result["difference"] = compare(folder, arguments.frames)
        print(json.dumps(result, indent=1))


if __name__ == "__main__":
    sys.exit(main())
