"""Golden data of `band_power`: SciPy in float64.

x.npy         [frames, 2] float32: noise on an offset, a chirp
<case>.npy    [windows, 2 * bands] float64: scipy.signal.welch of each window alone, integrated by scipy.integrate
weights_<n>.npy   [n, 1] float64: what scipy.integrate.simpson makes of n unit impulses
cases.json    the operator's parameters, at 1000 Hz
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import integrate, signal

HERE = pathlib.Path(__file__).parent
RATE = 1000
CASES = {
    "named": {"bands": {"low": [0, 40], "middle": [50, 200]}},
    "even_count": {"bands": [[100, 140], [300, 309]], "nperseg": 200, "nfft": 500, "noverlap": 150},
    "trapezoid": {"bands": [[10, 100]], "integral": "trapezoid", "nperseg": 128, "window": "hamming"},
    "relative": {"bands": {"a": [0, 100], "b": [100, 500]}, "relative": True, "nperseg": 125, "detrend": "linear"},
}


def band_power(x, case):
    nperseg = case.get("nperseg", 256)
    hop = nperseg - case.get("noverlap", nperseg // 2)
    bands = case["bands"]
    bands = list(bands.values()) if isinstance(bands, dict) else bands
    integrated = integrate.trapezoid if case.get("integral") == "trapezoid" else integrate.simpson
    rows = []
    for start in range(0, len(x) - nperseg + 1, hop):
        f, power = signal.welch(x[start : start + nperseg], RATE, window=case.get("window", "hann"), nperseg=nperseg,
                                nfft=case.get("nfft"), detrend=case.get("detrend", "constant"), axis=0)
        values = [integrated(power[(f >= lo) & (f <= hi)], dx=f[1], axis=0) for lo, hi in bands]
        if case.get("relative"):
            values = [value / integrated(power, dx=f[1], axis=0) for value in values]
        rows.append(np.stack(values, axis=1).ravel())
    return np.array(rows)


def main():
    rng = np.random.default_rng(15)
    t = np.arange(1500) / 1500
    x = np.stack([300 + 20 * rng.normal(size=t.size), 200 * np.sin(700 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        np.save(HERE / f"{name}.npy", band_power(x.astype(np.float64), case))
    for n in (2, 3, 4, 7, 10):
        np.save(HERE / f"weights_{n}.npy", integrate.simpson(np.eye(n), dx=0.5, axis=0))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
