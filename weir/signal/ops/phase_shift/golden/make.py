"""Golden data of `phase_shift`: NumPy in float64, whole.

x.npy        [frames, 13] float32: noise on an offset
probe.npy    [frames, 13] float64: x moved by the shifts of channels 200 to 212 of a Neuropixels 1.0
given.npy    [frames, 13] float64: x moved by GIVEN, 16 taps, beta 6, zero edges
shifts.npy   [384, 3] float64: shifts of 12 channels in 13 and in 12 turns, of 16 in 16
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GIVEN = np.array([0, 0.25, -0.5, 0.999, 1, -1, 0.5, 1 / 3, -1 / 3, 0.1, 0.9, -0.01, 0])


def taps(delay, count, beta):
    """Offsets and values of a windowed sinc around `delay`."""
    whole = int(np.floor(delay))
    n = np.arange(whole - count // 2 + 1, whole + count // 2 + 1)
    if delay == whole:
        return n, (n == whole).astype(float)
    u = (n - delay) / (count / 2)
    h = np.sinc(n - delay) * np.i0(beta * np.sqrt(np.maximum(1 - u * u, 0))) / np.i0(beta)
    return n, h / h.sum()


def moved(x, shifts, count, beta, mode):
    reach = count
    wide = np.pad(x.astype(np.float64), ((reach, reach), (0, 0)), **mode)
    y = np.zeros(x.shape)
    for c, shift in enumerate(shifts):
        for n, h in zip(*taps(shift, count, beta)):
            y[:, c] += h * wide[reach - n:reach - n + len(x), c]
    return y


def shifts(channels_per_adc, cycles):
    """Every converter takes its channels, all even or all odd, in order."""
    channel = np.arange(384)
    converter = channel // (2 * channels_per_adc) * 2 + channel % 2
    shift = np.zeros(384)
    for adc in np.unique(converter):
        own = np.flatnonzero(converter == adc)
        shift[own] = np.arange(len(own)) / cycles
    return shift


def main():
    rng = np.random.default_rng(12)
    x = (100 + 30 * rng.normal(size=(400, 13))).astype(np.float32)
    np.save(HERE / "x.npy", x)
    np1 = shifts(12, 13)
    np.save(HERE / "shifts.npy", np.stack([np1, shifts(12, 12), shifts(16, 16)], axis=1))
    odd = {"mode": "reflect", "reflect_type": "odd"}
    np.save(HERE / "probe.npy", moved(x, np1[200:213], 24, 8.6, odd))
    np.save(HERE / "given.npy", moved(x, GIVEN, 16, 6, {"mode": "constant"}))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
