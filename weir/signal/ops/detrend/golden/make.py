"""Golden data of `detrend`, with SciPy in float64.

counts.npy    [frames, channels] float32
linear.npy, constant.npy  scipy.signal.detrend(counts, axis=0, type=…)
running_51.npy  counts minus the mean of the 51 samples around each, as far as there are any
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy.signal import detrend

HERE = pathlib.Path(__file__).parent


def running(x, width):
    return np.array([x[t] - x[max(0, t - width // 2):t + width // 2 + 1].mean(0) for t in range(len(x))])


def main():
    rng = np.random.default_rng(17)
    t = np.arange(1500)[:, None]
    counts = rng.normal(scale=100, size=(1500, 3)) + [50, -3000, 0] + t * [0.5, -7, 1e-3]
    counts = counts.astype(np.float32)
    x = counts.astype(np.float64)
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "linear.npy", detrend(x, axis=0, type="linear"))
    np.save(HERE / "constant.npy", detrend(x, axis=0, type="constant"))
    np.save(HERE / "running_51.npy", running(x, 51))
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
