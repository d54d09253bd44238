"""Golden data of `spectrogram`: SciPy in float64.

x.npy         [frames, 2] float32: noise on an offset, a chirp
<case>.npy    [windows, 2 * frequencies] float64: scipy.signal.spectrogram, the frequencies of a channel side by side
times.npy     [cases] float64: SciPy's time of the first window of each case, in seconds
cases.json    the operator's parameters, at 1000 Hz
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
    "odd": {"nperseg": 45, "noverlap": 44, "window": "hann", "low_hz": 100, "high_hz": 200},
    "padded": {"nperseg": 50, "nfft": 120, "window": "hamming", "scaling": "spectrum"},
    "linear": {"nperseg": 90, "detrend": "linear", "noverlap": 0},
    "plain": {"nperseg": 64, "detrend": "none", "window": "boxcar", "low_hz": 250},
}


def window(text):
    name, *parameters = text.split()
    return (name, *map(float, parameters)) if parameters else name


def spectrogram(x, case):
    rules = dict(case)
    low, high = rules.pop("low_hz", 0), rules.pop("high_hz", np.inf)
    rules["window"] = window(rules.get("window", "tukey 0.25"))
    if rules.get("detrend") == "none":
        rules["detrend"] = False
    f, t, power = signal.spectrogram(x, RATE, axis=0, **rules)
    kept = power[(f >= low) & (f <= high)]  # [frequencies, channels, windows]
    return t, kept.transpose(2, 1, 0).reshape(t.size, -1)


def main():
    rng = np.random.default_rng(15)
    t = np.arange(700) / 700
    x = np.stack([300 + 20 * rng.normal(size=t.size), 200 * np.sin(400 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    times = []
    for name, case in CASES.items():
        at, rows = spectrogram(x.astype(np.float64), case)
        times.append(at[0])
        np.save(HERE / f"{name}.npy", rows)
    np.save(HERE / "times.npy", np.array(times))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
