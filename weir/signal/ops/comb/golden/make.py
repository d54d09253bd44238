"""Golden data of `comb`, by SciPy in float64. Run: python make.py (writes beside itself)."""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
RATE = 1000


def save(name, values):
    np.save(HERE / f"{name}.npy", np.ascontiguousarray(np.asarray(values).astype(np.float32)))


def notches(frequency, q, count):
    """Rows of iirnotch; a Q that grows with the harmonic keeps the bandwidth."""
    return np.array([np.hstack(signal.iirnotch(k * frequency, k * q, fs=RATE)) for k in range(1, count + 1)])


def main():
    x = (np.random.default_rng(12).normal(0, 30, (2000, 1)) + 12).astype(np.float32)
    save("noise", x)
    whole = x.astype(np.float64)
    save("forward", signal.sosfilt(notches(50, 30, 9), whole, axis=0))
    save("zero_phase", signal.sosfiltfilt(notches(60, 10, 4), whole, axis=0))
    b, a = signal.iircomb(50, 50, ftype="notch", fs=RATE)
    save("iircomb", [[abs(signal.freqz(b, a, [50 * tooth + away], fs=RATE)[1][0]) for away in (0, 0.25, 0.5, 10)]
                     for tooth in range(1, 10)])
    (HERE / "versions.json").write_text(json.dumps({"python": platform.python_version(), "numpy": np.__version__,
                                                    "scipy": scipy.__version__}) + "\n")


if __name__ == "__main__":
    main()
