"""Golden data of `subtract_baseline`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
mean_n.npy, median_n.npy  counts * GAINS minus the mean or median of the first n frames
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -0.5, 1.0])


def main():
    rng = np.random.default_rng(18)
    counts = (rng.normal(scale=100, size=(400, 3)) + [50, -3000, 1e4]).astype(np.float32)
    np.save(HERE / "counts.npy", counts)
    x = counts.astype(np.float64) * GAINS
    for n in (100, 101, 5000):
        np.save(HERE / f"mean_{n}.npy", x - x[:n].mean(0))
        np.save(HERE / f"median_{n}.npy", x - np.median(x[:n], axis=0))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
