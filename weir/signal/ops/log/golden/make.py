"""Golden data of `log`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32; no magnitude below the floor of the test
natural.npy, ten.npy, db.npy  numpy.log, log10 and 20 log10 of |counts * GAINS|, float64
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -1.0, 0.5, -0.03125, np.float32(1e-3)])


def main():
    rng = np.random.default_rng(12)
    # Magnitudes over many decades, and many near 1, where the logarithm is small.
    counts = rng.choice([-1, 1], size=(400, 5)) * 10 ** rng.uniform(-20, 30, size=(400, 5))
    counts[200:, :3] = 1 + rng.normal(scale=0.2, size=(200, 3))
    counts = counts.astype(np.float32)
    counts[0] = [1, -1, 2, 32, 1]
    counts[1] = np.float32(2**0.5)
    magnitude = np.abs(counts.astype(np.float32) * GAINS.astype(np.float32)).astype(np.float64)
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "natural.npy", np.log(magnitude))
    np.save(HERE / "ten.npy", np.log10(magnitude))
    np.save(HERE / "db.npy", 20 * np.log10(magnitude))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
