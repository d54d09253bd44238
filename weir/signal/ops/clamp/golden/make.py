"""Golden data of `clamp`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
both.npy, above.npy, below.npy  numpy.clip of counts * GAINS, float64
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -1.0, 0.5, -0.03125, 2.0])


def main():
    counts = np.random.default_rng(11).normal(scale=100, size=(64, 5)).astype(np.float32)
    counts[0] = 0
    counts[1] = [np.inf, np.inf, -np.inf, -np.inf, np.nan]
    physical = counts.astype(np.float64) * GAINS
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "both.npy", np.clip(physical, -40, 25))
    np.save(HERE / "above.npy", np.clip(physical, None, 10))
    np.save(HERE / "below.npy", np.clip(physical, -3, None))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
