"""Golden data of `psd`: SciPy in float64.

x.npy         [frames, 3] float32: noise on an offset, a sine with a trend, a chirp
<case>.npy    [frequencies, 3] float64: scipy.signal.welch
cases.json    the operator's parameters, at 1000 Hz; "none" is SciPy's detrend=False
short.npy     the first 300 frames with nperseg 512: SciPy takes a window of 300, and here nfft stays 512
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
RATE = 1000
CASES = {
    "usual": {},
    "odd": {"nperseg": 255, "noverlap": 100},
    "padded": {"nperseg": 200, "nfft": 512, "window": "hamming"},
    "prime": {"nperseg": 129, "nfft": 131, "noverlap": 128, "scaling": "spectrum"},
    "linear": {"nperseg": 1000, "detrend": "linear", "window": "flattop", "scaling": "spectrum"},
    "plain": {"nperseg": 64, "detrend": "none", "window": "boxcar", "noverlap": 0},
    "even_median": {"nperseg": 100, "average": "median"},
    "odd_median": {"nperseg": 128, "average": "median", "window": "kaiser 8"},
    "tiny": {"nperseg": 2, "nfft": 3},
    "whole": {"nperseg": 1500, "window": "tukey 0.25"},
}


def window(text):
    name, *parameters = text.split()
    return (name, *map(float, parameters)) if parameters else name


def psd(x, case):
    rules = dict(case)
    rules["window"] = window(rules.get("window", "hann"))
    if rules.get("detrend") == "none":
        rules["detrend"] = False
    return signal.welch(x, RATE, axis=0, **rules)[1]


def main():
    rng = np.random.default_rng(15)
    t = np.arange(1500) / 1500
    x = np.stack([300 + 20 * rng.normal(size=t.size), 50 * np.sin(700 * t) + 400 * t + rng.normal(size=t.size),
                  200 * np.sin(900 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    wide = x.astype(np.float64)
    for name, case in CASES.items():
        np.save(HERE / f"{name}.npy", psd(wide, case))
    np.save(HERE / "short.npy", psd(wide[:300], {"nperseg": 300, "nfft": 512}))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
