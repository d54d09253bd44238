"""Golden data of `square`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
squares.npy   physical values squared, float64, of counts * GAINS
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -1.0, 0.5, -0.03125, 2.0])


def main():
    counts = np.random.default_rng(7).normal(scale=100, size=(64, 5)).astype(np.float32)
    counts[0] = 0
    counts[1, ::2] = -0.0
    counts[2] = [np.inf, np.inf, -np.inf, -np.inf, np.nan]
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "squares.npy", np.square(counts.astype(np.float64) * GAINS))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
