"""Golden data of `fir`: SciPy in float64 on x, whole.

x.npy       [frames, 2] float32: noise on an offset, a chirp
<case>.npy  [frames, 2] float64: lfilter or ndimage.correlate1d with the taps of firwin (or those given)
cases.json  the operator's parameters; `frames` cuts x first
designs.json  windows by get_window, and the taps of firwin with kaiserord, firls and remez
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
    "zero_phase": LOW | {"mode": "zero_phase", "edge": "reflect"},
    "zero_phase_given": GIVEN | {"mode": "zero_phase"},
}


def taps_of(case):
    if "taps" in case:
        return np.array(case["taps"])
    words = case.get("window", "hamming").split()
    window = (words[0], float(words[1])) if len(words) == 2 else words[0]
    return signal.firwin(case["length"], case["cutoff_hz"], window=window, pass_zero=case["band"], fs=RATE)


WINDOWS = [
    "hamming", "hann", "blackman", "boxcar", "kaiser 5", "barthann", "bartlett", "blackmanharris", "bohman", "chebwin 60",
    "chebwin 100", "cosine", "dpss 2.5", "exponential 3.5", "flattop", "gaussian 2.5", "general_cosine 0.4 0.5 0.1",
    "general_gaussian 1.5 3", "general_hamming 0.7", "kaiser_bessel_derived 4", "lanczos", "nuttall", "parzen", "taylor 5 35",
    "triang", "tukey 0.3", "tukey 0", "tukey 1"]
KAISER = [(60.0, 0.1, "lowpass", [0.3]), (35.0, 0.05, "bandpass", [0.2, 0.5]), (21.0, 0.2, "highpass", [0.4])]
GOALS = [
    {"edges": [0, 0.2, 0.3, 1], "gains": [1, 0], "weights": [1, 1], "length": 31},
    {"edges": [0, 0.1, 0.15, 0.4, 0.45, 1], "gains": [0, 1, 0], "weights": [10, 1, 5], "length": 101},
    {"edges": [0, 0.4, 0.5, 1], "gains": [0, 1], "weights": [1, 2], "length": 43},
    {"edges": [0, 0.2, 0.25, 0.5, 0.55, 1], "gains": [1, 0.25, 2], "weights": [1, 3, 1], "length": 75},
]


def window(text, length):
    name, *parameters = text.split()
    parameters = [float(p) for p in parameters]
    if name == "general_cosine":
        parameters = [parameters]
    if name == "exponential":
        parameters = [None, *parameters]
    if name == "taylor":
        parameters = [int(parameters[0]), parameters[1]]
    return list(signal.get_window((name, *parameters) if parameters else name, length, fftbins=False))


def designs():
    windows = {f"{w}|{n}": window(w, n) for w in WINDOWS for n in (9, 20) if not (n == 9 and "derived" in w)}
    kaiser = []
    for attenuation, transition, band, edges in KAISER:
        length, beta = signal.kaiserord(attenuation, transition)
        length |= 1
        taps = signal.firwin(length, edges, window=("kaiser", beta), pass_zero=band)
        kaiser.append({"attenuation_db": attenuation, "transition": transition, "band": band, "edges": edges, "taps": list(taps)})
    optimal = []
    for goal in GOALS:
        twice = np.repeat(goal["gains"], 2)
        squares = signal.firls(goal["length"], goal["edges"], twice, weight=goal["weights"], fs=2)
        ripple = signal.remez(goal["length"], goal["edges"], goal["gains"], weight=goal["weights"], fs=2, grid_density=64)
        error = 0
        for band, gain in enumerate(goal["gains"]):
            f = np.linspace(*goal["edges"][2 * band:2 * band + 2], 4001)
            gains = np.exp(-1j * np.pi * np.outer(f, np.arange(len(ripple)) - len(ripple) // 2)) @ ripple
            error = max(error, goal["weights"][band] * np.abs(gains - gain).max())
        optimal.append(goal | {"firls": list(squares), "remez": list(ripple), "remez_error": error})
    return {"windows": windows, "kaiser": kaiser, "optimal": optimal}


def main():
    rng = np.random.default_rng(11)
    t = np.arange(1201) / 1201
    x = np.stack([300 + rng.normal(size=t.size), 200 * np.sin(500 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        part = x[: case.get("frames", len(x))].astype(np.float64)
        h, n = taps_of(case), len(part)
        if case.get("mode") == "zero_phase":
            h = np.convolve(h, h[::-1])
        # numpy.pad agrees with scipy.ndimage: symmetric is ndimage's reflect, edge its nearest.
        mode = {"zero": ("constant", {}), "odd": ("reflect", {"reflect_type": "odd"}), "reflect": ("symmetric", {}),
                "nearest": ("edge", {})}[case.get("edge", "zero")]
        wide = np.pad(part, ((len(h), len(h)), (0, 0)), mode[0], **mode[1])
        full = signal.lfilter(h, 1, wide, axis=0)
        shift = 0 if case.get("mode", "causal") == "causal" else (len(h) - 1) // 2
        y = full[len(h) + shift:len(h) + shift + n]
        if case.get("mode") == "centred" and case.get("edge") in ("reflect", "nearest"):
            again = ndimage.convolve1d(part, h, axis=0, mode=case["edge"])
            assert np.abs(again - y).max() < 1e-9, name
        np.save(HERE / f"{name}.npy", y)
    (HERE / "designs.json").write_text(json.dumps(designs(), indent=0) + "\n")
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    (HERE / "versions.json").write_text(json.dumps(
        {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}) + "\n")


main()
