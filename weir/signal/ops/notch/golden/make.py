"""Golden data of `notch`, by SciPy in float64. Run: python make.py (writes beside itself)."""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
CASES = [(50, 30), (60, 5), (0.5, 1), (499, 100)]  # frequency, Q; the C++ test has the same list
RATE = 1000


def save(name, values):
    np.save(HERE / f"{name}.npy", np.ascontiguousarray(values.astype(np.float32)))


def main():
    x = (np.random.default_rng(11).normal(0, 30, (2000, 1)) + 12).astype(np.float32)
    save("noise", x)
    rows = [np.hstack(signal.iirnotch(*case, fs=RATE)).reshape(1, 6) for case in CASES]
    whole = x[:, 0].astype(np.float64)
    save("forward", np.stack([signal.sosfilt(row, whole) for row in rows], axis=1))
    save("zero_phase", np.stack([signal.sosfiltfilt(row, whole) for row in rows], axis=1))
    (HERE / "versions.json").write_text(json.dumps({"python": platform.python_version(), "numpy": np.__version__,
                                                    "scipy": scipy.__version__}) + "\n")


if __name__ == "__main__":
    main()
