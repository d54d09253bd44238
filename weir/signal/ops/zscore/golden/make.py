"""Golden data of `zscore`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
median.npy    (x - median) / (median |x - median| / 0.6744897501960817) of counts * GAINS
mean.npy      (x - mean) / std
running_51.npy, running_401.npy  the same of the window around each sample, as far as there is one
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -0.5, 0.25])


def running(x, width):
    y = np.empty_like(x)
    for t in range(len(x)):
        window = x[max(0, t - width // 2):t + width // 2 + 1]
        y[t] = (x[t] - window.mean(0)) / window.std(0)
    return y


def main():
    rng = np.random.default_rng(16)
    t = np.arange(1200)[:, None]
    counts = rng.normal(scale=100, size=(1200, 3)) + [50, -3000, 0] + [0, 0, 1] * (t > 700) * 500
    counts = counts.astype(np.float32)
    x = counts.astype(np.float64) * GAINS
    median = np.median(x, axis=0)
    mad = np.median(np.abs(x - median), axis=0) / 0.6744897501960817
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "median.npy", (x - median) / mad)
    np.save(HERE / "mean.npy", (x - x.mean(0)) / x.std(0))
    for width in (51, 401):
        np.save(HERE / f"running_{width}.npy", running(x, width))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
