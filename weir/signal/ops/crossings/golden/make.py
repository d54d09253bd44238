"""Golden events of `crossings`, written from the rules of pipeline_spec.md in plain Python.

Every sample is compared in float64 as physical value = count * gain. Writes, beside this file:
counts.npy      [frames, channels] float32, with NaN, ties and runs at the levels
cases.json      name -> parameters of the operator
<case>.npy      [events, 8] int64: onset, offset (-1 open), peak, final, channel, polarity, peak count, segment
scales.json     mad and sd per channel, in physical units, as float64
versions.json   the tools used
"""
import json
import math
import pathlib
import platform
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).parent
RATE = Fraction(1000)
GAINS = [1.0, -0.5, 0.195, -0.03]  # repeated over the channels
CHANNELS, FRAMES = 5, 1000

CASES = {
    "above": {"level": 20.0},
    "below": {"level": -20.0},
    "above_negative": {"level": -5.0, "direction": "above"},
    "release": {"level": 20.0, "release": 5.0},
    "release_below": {"level": -20.0, "release": -4.0},
    "release_past_zero": {"level": 12.0, "release": -3.0},
    "short": {"level": 12.0, "min_duration_s": 0.0025},
    "refractory": {"level": 12.0, "refractory_s": 0.02},
    "both": {"level": -12.0, "release": -2.0, "min_duration_s": 0.003, "refractory_s": 0.0101},
    "either": {"level": 12.0, "direction": "either"},
    "either_release": {"level": 12.0, "release": 3.0, "direction": "either", "refractory_s": 0.004},
    "either_zero": {"level": 2.0, "release": 0.0, "direction": "either", "min_duration_s": 0.002},
    "mad": {"level": 1.25, "level_unit": "mad"},
    "sd": {"level": -1.5, "release": -0.5, "level_unit": "sd"},
}


def counts():
    rng = np.random.default_rng(20240611)
    slow = np.cumsum(rng.normal(size=(FRAMES, CHANNELS)), axis=0)
    slow -= np.convolve(slow[:, 0], np.ones(200) / 200, "same")[:, None] * 0.5
    x = np.round(4 * rng.normal(size=(FRAMES, CHANNELS)) + 12 * np.sin(slow))
    x = x / np.abs(np.resize(GAINS, CHANNELS))  # comparable physical size in every channel
    x = np.round(x).astype(np.float32)
    x[rng.random(x.shape) < 0.01] = np.nan
    x[700:760, 1] = np.nan
    x[0, 0] = 1000
    x[FRAMES - 5:, 0] = 50
    x[FRAMES - 1, 2] = 9999
    return x


def scales(x):
    physical = x.astype(np.float64) * np.resize(GAINS, CHANNELS)
    columns = [c[~np.isnan(c)] for c in physical.T]
    mad = [np.median(np.abs(c - np.median(c))) / 0.6744897501960817 for c in columns]
    return np.array([mad, [np.std(c) for c in columns]])


def events_of(x, case, scale):
    """Events of one channel: x is float64, physical."""
    level = case["level"]
    direction = case.get("direction", "below" if level < 0 else "above")
    release = case.get("release", level)
    n_ref = math.ceil(Fraction(str(case.get("refractory_s", 0))) * RATE)
    n_min = math.ceil(Fraction(str(case.get("min_duration_s", 0))) * RATE)
    signs = {"above": [1], "below": [-1], "either": [1, -1]}[direction]
    if direction == "either":
        on = {1: level * scale, -1: level * scale}
        off = {1: release * scale, -1: release * scale}
    else:
        on = {s: s * level * scale for s in signs}
        off = {s: s * release * scale for s in signs}
    found, last_offset, sign, onset = [], None, 0, None

    def finish(end, offset):
        nonlocal last_offset, sign
        if end - onset >= n_min:
            inside = sign * x[onset:end]
            peak = onset + int(np.nanargmax(inside))  # the first of equals
            found.append((onset, offset, peak, end, sign))
            last_offset = offset
        sign = 0

    for t in range(1, len(x)):
        if sign and sign * x[t] < off[sign]:
            finish(t, t)
        if not sign and (last_offset is None or t >= last_offset + n_ref):
            for s in signs:
                if s * x[t - 1] < on[s] <= s * x[t]:
                    sign, onset = s, t
                    break
    if sign:
        finish(len(x), -1)
    return found


def main():
    x = counts()
    np.save(HERE / "counts.npy", x)
    scale = scales(x)
    (HERE / "scales.json").write_text(json.dumps({"mad": list(scale[0]), "sd": list(scale[1])}) + "\n")
    gains = np.resize(GAINS, CHANNELS)
    for name, case in CASES.items():
        rows = []
        for c in range(CHANNELS):
            unit = {"mad": scale[0, c], "sd": scale[1, c]}.get(case.get("level_unit"), 1.0)
            for onset, offset, peak, end, sign in events_of(x[:, c].astype(np.float64) * gains[c], case, unit):
                rows.append((onset, offset, peak, end, c, sign, int(x[peak, c]), 0))
        rows.sort(key=lambda r: (r[3], r[4], r[0]))
        print(name, len(rows), "events")
        assert rows
        np.save(HERE / f"{name}.npy", np.array(rows, dtype=np.int64))
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    (HERE / "versions.json").write_text(json.dumps({"python": platform.python_version(), "numpy": np.__version__}) + "\n")


main()
