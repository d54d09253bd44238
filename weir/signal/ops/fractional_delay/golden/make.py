"""Golden data of `fractional_delay`: NumPy in float64, whole.

x.npy         [frames, 5] float32: noise on an offset
<case>.npy    [frames, 5] float64
cases.json    the operator's parameters
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
RATE = 30000.0
CASES = {
    "half": {"delay_samples": 0.5},
    "earlier": {"delay_samples": -20.75, "taps": 12, "kaiser_beta": 6.0, "edge": "odd"},
    "seconds": {"delay_s": 0.00125, "edge": "nearest"},
    "whole": {"delay_s": 0.001},
    "each": {"delay_samples": [0, 1.5, -33.25, 120, 0.125], "edge": "reflect"},
}


def taps(delay, count, beta):
    """Offsets and values of a windowed sinc around `delay`."""
    whole = int(np.floor(delay))
    n = np.arange(whole - count // 2 + 1, whole + count // 2 + 1)
    if delay == whole:
        return n, (n == whole).astype(float)
    u = (n - delay) / (count / 2)
    h = np.sinc(n - delay) * np.i0(beta * np.sqrt(np.maximum(1 - u * u, 0))) / np.i0(beta)
    return n, h / h.sum()


def moved(x, case):
    if "delay_s" in case:
        delays = [round(case["delay_s"] * RATE, 9)]
    else:
        delays = np.atleast_1d(case["delay_samples"]).tolist()
    delays = delays * x.shape[1] if len(delays) == 1 else delays
    mode = {"zero": ("constant", {}), "odd": ("reflect", {"reflect_type": "odd"}),
            "reflect": ("symmetric", {}), "nearest": ("edge", {})}[case.get("edge", "zero")]
    reach = 200
    wide = np.pad(x.astype(np.float64), ((reach, reach), (0, 0)), mode[0], **mode[1])
    y = np.zeros(x.shape)
    for c, delay in enumerate(delays):
        for n, h in zip(*taps(delay, case.get("taps", 32), case.get("kaiser_beta", 8.6))):
            y[:, c] += h * wide[reach - n:reach - n + len(x), c]
    return y


def main():
    x = (100 + 30 * np.random.default_rng(13).normal(size=(500, 5))).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        np.save(HERE / f"{name}.npy", moved(x, case))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
