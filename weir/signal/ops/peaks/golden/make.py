"""Golden data of `peaks`: what scipy.signal.find_peaks finds, channel by channel, in float64.

frames.npy     [frames, channels] float32: noise on slow waves, rounded so that there are flat tops
<case>.npy     [events, 2] int64: peak and channel, for every case of CASES
nearby.npy     [events, 2] int64: candidates of all channels above 1.5, the highest first, each taking
               away those nearer than 7 frames on channels within 45 um (contacts 20 um apart)
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.signal

HERE = pathlib.Path(__file__).parent
CASES = {
    "all": {},
    "high": {"height": 1.5},
    "steep": {"threshold": 0.75},
    "apart": {"height": 0.5, "distance": 9},
    "prominent": {"prominence": 2.0, "wlen": 101},
    "wide": {"width": 3.5, "wlen": 51, "rel_height": 0.75},
    "everything": {"height": 0.25, "distance": 5, "prominence": 1.25, "width": 1.5, "wlen": 61},
}


def rows(found):
    table = [(p, c) for c, peaks in enumerate(found) for p in peaks]
    return np.array(sorted(table), dtype=np.int64).reshape(-1, 2)


def nearby(frames, height, distance, radius, pitch):
    found = [scipy.signal.find_peaks(x, height=height)[0] for x in frames.T]
    table = [(frames[p, c], p, c) for c, peaks in enumerate(found) for p in peaks]
    kept = []
    for value, p, c in sorted(table, reverse=True):
        if all(abs(p - q) >= distance or abs(c - d) * pitch > radius for q, d in kept):
            kept.append((p, c))
    return np.array(sorted(kept), dtype=np.int64)


def main():
    rng = np.random.default_rng(21)
    t = np.arange(1200)
    waves = np.stack([np.sin(2 * np.pi * t / (60 + 20 * c)) for c in range(5)], axis=1)
    frames = (waves + rng.normal(size=(1200, 5))).astype(np.float32)
    # Flat tops, but no two tops of one height near each other: SciPy sorts them as it happens.
    frames[:, 1] = np.round(frames[:, 1] * 3) / 3 + np.repeat(rng.normal(size=600), 2) * 2 ** -12
    frames[:, 2] = np.repeat(frames[::3, 2], 3)
    np.save(HERE / "frames.npy", frames)
    exact = frames.astype(np.float64)
    for name, rules in CASES.items():
        np.save(HERE / f"{name}.npy",
                rows([scipy.signal.find_peaks(x, **rules)[0] for x in exact.T]))
    np.save(HERE / "nearby.npy", nearby(exact, 1.5, 7, 45.0, 20.0))
    versions = {"python": platform.python_version(), "numpy": np.__version__,
                "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
