"""Golden data of `resample` and of weir/signal/window.h: SciPy in float64.

x.npy            [frames, 3] float32: noise on an offset, a ramp, a chirp
<case>.npy       [frames out, 3] float64, scipy.signal.resample_poly of x or of its first n frames
designs.json     get_window(…, fftbins=False), firwin, and the filters of resample_poly
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
CASES = {
    "third": {"up": 1, "down": 3},
    "third_zero": {"up": 1, "down": 3, "pad": "zero"},
    "three_sevenths": {"up": 3, "down": 7},
    "five_thirds": {"up": 5, "down": 3},
    "double_zero": {"up": 2, "down": 1, "pad": "zero"},
    "thirtieth": {"up": 1, "down": 30},
    "hann": {"up": 4, "down": 5, "window": "hann"},
    "short_third": {"up": 1, "down": 3, "frames": 17},
    "two_frames": {"up": 5, "down": 3, "frames": 2},
    "ten_frames": {"up": 3, "down": 7, "frames": 10},
}


def window_of(text):
    words = text.split()
    return (words[0], float(words[1])) if len(words) == 2 else words[0]


def main():
    rng = np.random.default_rng(7)
    t = np.arange(1003) / 1003
    x = np.stack([1000 + rng.normal(size=t.size), 50 * t - 7, np.sin(400 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        part = x[: case.get("frames", len(x))].astype(np.float64)
        y = signal.resample_poly(part, case["up"], case["down"], axis=0, window=window_of(case.get("window", "kaiser 5.0")),
                                 padtype="constant" if case.get("pad") == "zero" else "antireflect")
        np.save(HERE / f"{name}.npy", y)
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    windows = {f"{w}|{n}": list(signal.get_window(window_of(w), n, fftbins=False))
               for w in ("hamming", "hann", "blackman", "boxcar", "kaiser 5.0", "kaiser 0.5", "kaiser 14.25") for n in (1, 2, 9, 20)}
    firs = [("lowpass", [0.2], 21, "hamming"), ("highpass", [0.31], 21, "hann"), ("bandpass", [0.1, 0.4], 63, "hamming"),
            ("bandstop", [0.2, 0.3], 31, "blackman"), ("lowpass", [0.9], 3, "boxcar"), ("bandpass", [0.5, 0.6], 101, "kaiser 8.6")]
    designs = [{"band": b, "edges": e, "length": n, "window": w,
                "taps": list(signal.firwin(n, e if len(e) > 1 else e[0], window=window_of(w), pass_zero=b))} for b, e, n, w in firs]
    filters = {f"{u}/{d}": list(u * signal.firwin(20 * max(u, d) + 1, 1 / max(u, d), window=("kaiser", 5.0)))
               for u, d in ((1, 3), (3, 7), (5, 3))}
    (HERE / "designs.json").write_text(json.dumps({"windows": windows, "firwin": designs, "resample": filters}) + "\n")
    (HERE / "versions.json").write_text(json.dumps(
        {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}) + "\n")


main()
