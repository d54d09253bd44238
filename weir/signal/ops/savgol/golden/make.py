"""Golden data of `savgol`: scipy.signal.savgol_filter in float64, whole, and its weights by mpmath.

x.npy         [frames, 2] float32: noise on an offset, a chirp
<case>.npy    [frames, 2] float64
cases.json    the operator's parameters; `frames` cuts x first
weights.json  weights of one window at several places, by mpmath's least squares of 50 digits
versions.json the tools used
"""
import json
import pathlib
import platform

import mpmath
import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
CASES = {
    "interp": {"window_length": 11, "polyorder": 3},
    "mirror": {"window_length": 15, "polyorder": 2, "mode": "mirror"},
    "nearest": {"window_length": 15, "polyorder": 4, "mode": "nearest"},
    "constant": {"window_length": 9, "polyorder": 2, "mode": "constant"},
    "slope": {"window_length": 21, "polyorder": 3, "deriv": 1},
    "curve": {"window_length": 31, "polyorder": 5, "deriv": 2, "delta": 0.5, "mode": "nearest"},
    "wide": {"window_length": 101, "polyorder": 4},
    "whole_window": {"window_length": 21, "polyorder": 3, "frames": 21},
    "short_mirror": {"window_length": 21, "polyorder": 3, "frames": 5, "mode": "mirror"},
}
WEIGHTS = [(11, 3, 0, 0), (11, 3, 0, -5), (21, 6, 1, 0), (21, 6, 2, 10), (101, 12, 0, -50), (151, 9, 0, 0), (5, 4, 3, 2)]


def weights(length, order, deriv, at):
    mpmath.mp.dps = 50
    half = length // 2
    a = mpmath.matrix(length, order + 1)
    for i in range(length):
        for k in range(order + 1):
            a[i, k] = mpmath.mpf(i - half) ** k
    d = mpmath.matrix(1, order + 1)
    for k in range(deriv, order + 1):
        d[0, k] = mpmath.ff(k, deriv) * mpmath.mpf(at) ** (k - deriv)
    return [float(w) for w in d * mpmath.inverse(a.T * a) * a.T]


def main():
    rng = np.random.default_rng(18)
    t = np.arange(801) / 801
    x = np.stack([300 + 20 * rng.normal(size=t.size), 200 * np.sin(300 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        part = x[:case.get("frames", len(x))].astype(np.float64)
        options = {key: case[key] for key in ("deriv", "delta", "mode") if key in case}
        np.save(HERE / f"{name}.npy",
                signal.savgol_filter(part, case["window_length"], case["polyorder"], axis=0, **options))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    made = [{"window_length": w[0], "polyorder": w[1], "deriv": w[2], "at": w[3], "weights": weights(*w)}
            for w in WEIGHTS]
    (HERE / "weights.json").write_text(json.dumps(made, indent=0) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                "mpmath": mpmath.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
