"""Golden data of `fir`: SciPy in float64 on x, whole.

x.npy       [frames, 2] float32: noise on an offset, a chirp
<case>.npy  [frames, 2] float64: lfilter or ndimage.correlate1d with the taps of firwin (or those given)
cases.json  the operator's parameters; `frames` cuts x first
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import ndimage, signal

HERE = pathlib.Path(__file__).parent
RATE = 30000.0
BAND = {"band": "bandpass", "cutoff_hz": [300.0, 6000.0], "length": 63}
LOW = {"band": "lowpass", "cutoff_hz": 2000.0, "length": 31, "window": "kaiser 6.0"}
GIVEN = {"taps": [0.5, -1.25, 3.0, 0.125]}
CASES = {
    "causal": BAND,
    "centred": BAND | {"mode": "centred"},
    "causal_given": GIVEN,
    "causal_odd": LOW | {"edge": "odd"},
    "causal_reflect": LOW | {"edge": "reflect"},
    "causal_nearest": GIVEN | {"edge": "nearest"},
    "centred_odd": LOW | {"edge": "odd", "mode": "centred"},
    "centred_reflect": LOW | {"edge": "reflect", "mode": "centred"},
    "centred_nearest": LOW | {"edge": "nearest", "mode": "centred"},
    "short_odd": LOW | {"edge": "odd", "mode": "centred", "frames": 4},
    "short_reflect": LOW | {"edge": "reflect", "mode": "centred", "frames": 4},
    "short_causal": LOW | {"edge": "odd", "frames": 9},
    "long": {"band": "highpass", "cutoff_hz": 500.0, "length": 601, "mode": "centred"},
}


def taps_of(case):
    if "taps" in case:
        return np.array(case["taps"])
    words = case.get("window", "hamming").split()
    window = (words[0], float(words[1])) if len(words) == 2 else words[0]
    return signal.firwin(case["length"], case["cutoff_hz"], window=window, pass_zero=case["band"], fs=RATE)


def main():
    rng = np.random.default_rng(11)
    t = np.arange(1201) / 1201
    x = np.stack([300 + rng.normal(size=t.size), 200 * np.sin(500 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        part = x[: case.get("frames", len(x))].astype(np.float64)
        h, n = taps_of(case), len(part)
        # numpy.pad agrees with scipy.ndimage: symmetric is ndimage's reflect, edge its nearest.
        mode = {"zero": ("constant", {}), "odd": ("reflect", {"reflect_type": "odd"}), "reflect": ("symmetric", {}),
                "nearest": ("edge", {})}[case.get("edge", "zero")]
        wide = np.pad(part, ((len(h), len(h)), (0, 0)), mode[0], **mode[1])
        full = signal.lfilter(h, 1, wide, axis=0)
        shift = (len(h) - 1) // 2 if case.get("mode") == "centred" else 0
        y = full[len(h) + shift:len(h) + shift + n]
        if case.get("mode") == "centred" and case.get("edge") in ("reflect", "nearest"):
            again = ndimage.convolve1d(part, h, axis=0, mode=case["edge"])
            assert np.abs(again - y).max() < 1e-9, name
        np.save(HERE / f"{name}.npy", y)
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    (HERE / "versions.json").write_text(json.dumps(
        {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}) + "\n")


main()
