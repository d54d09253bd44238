"""Golden data of `coherence`: SciPy in float64.

x.npy         [frames, 4] float32: noises that share one part, behind a delay, on an offset
<case>.npy    [frequencies, pairs] float64: scipy.signal.coherence
cases.json    the operator's parameters, at 1000 Hz
versions.json the tools used
"""
import itertools
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
    "odd": {"nperseg": 105, "noverlap": 100, "pairs": [[3, 1], [0, 2], [0, 3]]},
    "padded": {"nperseg": 100, "nfft": 256, "window": "hamming", "reference_channel": 1},
    "linear": {"nperseg": 200, "detrend": "linear", "pairs": [["ch2", "ch0"]]},
    "one_window": {"nperseg": 1500, "pairs": [[0, 1]]},
}


def channel(which):
    return int(which[2:]) if isinstance(which, str) else which


def coherence(x, case):
    rules = dict(case)
    count = x.shape[1]
    pairs = rules.pop("pairs", None)
    reference = rules.pop("reference_channel", None)
    if reference is not None:
        pairs = [(reference, other) for other in range(count) if other != reference]
    pairs = pairs or list(itertools.combinations(range(count), 2))
    return np.stack([signal.coherence(x[:, channel(a)], x[:, channel(b)], RATE, **rules)[1] for a, b in pairs], axis=1)


def main():
    rng = np.random.default_rng(15)
    frames = 1500
    shared = rng.normal(size=frames + 7)
    x = np.stack([20 * shared[7:] + 10 * rng.normal(size=frames), 300 - 20 * shared[:-7] + 20 * rng.normal(size=frames),
                  rng.normal(size=frames), 5 * shared[7:]], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        np.save(HERE / f"{name}.npy", coherence(x.astype(np.float64), case))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
