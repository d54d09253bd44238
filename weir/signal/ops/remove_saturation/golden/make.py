"""Golden data of `remove_saturation`, with NumPy.

counts.npy    [frames, channels] float32, at 1000 Hz, with stretches at or above 250
bad.npy       int16, 1 from one frame before to two after each of |x| >= 250
zeros.npy     0 there
linear.npy    numpy.interp there; stretches of more than 20 frames are 0
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent


def main():
    rng = np.random.default_rng(22)
    counts = rng.normal(scale=60, size=(600, 3))
    for c in range(3):
        for start in rng.integers(0, 590, 6):
            counts[start:start + rng.integers(1, 30), c] = rng.choice([-300, 300])
    counts[:3, 0] = 400
    counts[-2:, 1] = -400
    counts = counts.astype(np.float32)
    saturated = np.abs(counts) >= 250
    bad = np.zeros_like(saturated)
    for t, c in np.argwhere(saturated):
        bad[max(0, t - 1):t + 3, c] = True
    zeros = np.where(bad, 0, counts)
    linear = counts.astype(np.float64)
    t = np.arange(len(counts))
    for c in range(3):
        good = ~bad[:, c]
        linear[:, c] = np.interp(t, t[good], linear[good, c])
        edges = np.flatnonzero(np.diff(np.concatenate([[0], bad[:, c].astype(int), [0]])))
        for first, end in zip(edges[::2], edges[1::2]):
            if end - first > 20:
                linear[first:end, c] = 0
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "bad.npy", bad.astype(np.int16))
    np.save(HERE / "zeros.npy", zeros)
    np.save(HERE / "linear.npy", linear)
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
