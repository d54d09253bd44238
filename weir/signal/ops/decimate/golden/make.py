"""Golden data of `decimate`: SciPy in float64, whole.

x.npy         [frames, 2] float32: noise on an offset, a chirp
<case>.npy    [frames out, 2] float64: scipy.signal.decimate(ftype="fir", zero_phase=True), which pads with zeros; cases
              with pad odd by resample_poly of the same taps with padtype "antireflect"
cases.json    the operator's parameters
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
CASES = {
    "twelfth_zero": {"q": 12, "pad": "zero"},
    "twelfth": {"q": 12},
    "short_filter": {"q": 5, "n": 30, "pad": "zero"},
    "half_hann": {"q": 2, "window": "hann"},
    "long_filter": {"q": 30},
}


def decimated(x, case):
    q, n = case["q"], case.get("n", 20 * case["q"])
    if case.get("pad") == "zero":
        return signal.decimate(x, q, n=n, ftype="fir", zero_phase=True, axis=0)
    taps = signal.firwin(n + 1, 1 / q, window=case.get("window", "hamming"))
    return signal.resample_poly(x, 1, q, window=taps, axis=0, padtype="antireflect")


def main():
    rng = np.random.default_rng(15)
    t = np.arange(1501) / 1501
    x = np.stack([300 + 20 * rng.normal(size=t.size), 200 * np.sin(300 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        np.save(HERE / f"{name}.npy", decimated(x.astype(np.float64), case))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
