"""Golden data of `percentile_clip`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
both.npy, upper.npy, lower.npy  numpy.clip to numpy.percentile of each channel of counts * GAINS
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -0.5, 1.0])


def main():
    rng = np.random.default_rng(20)
    counts = (rng.standard_t(3, size=(1000, 3)) * [100, 30, 1] + [0, 500, 1e4]).astype(np.float32)
    x = counts.astype(np.float64) * GAINS
    np.save(HERE / "counts.npy", counts)
    for name, low, high in (("both", 2.5, 97), ("upper", 0, 99.9), ("lower", 33.3, 100)):
        limits = np.percentile(x, [low, high], axis=0)
        np.save(HERE / f"{name}.npy", np.clip(x, *limits))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
