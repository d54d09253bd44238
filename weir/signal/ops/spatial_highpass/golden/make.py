"""Golden data of `spatial_highpass`: SciPy's sosfiltfilt across channels, in float64.

frames.npy     [frames, channels] float32: stripes that change slowly along 40 channels, and noise
default.npy    order 3, edge 0.01, mirrored by 60 channels (here by 40 and again), float64
taper.npy      order 2, edge 0.1, mirrored by 20, tapered by 12, float64
bare.npy       order 3, edge 0.05, neither mirrored nor tapered, float64
agc.npy        as default.npy, divided before and multiplied after by a mean magnitude over 11 frames (Hann), float64
agc_long.npy   likewise over 201 frames, more than there are
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.signal

HERE = pathlib.Path(__file__).parent


def filtered(frames, order, edge, pad, taper):
    row = np.pad(frames, ((0, 0), (pad, pad)), mode="symmetric")
    if taper > 0:
        count = row.shape[1]
        rise = (1 - np.cos(np.clip(np.arange(count) / taper, 0, 1) * np.pi)) / 2
        fall = np.clip((np.arange(count) - (count - taper)) / taper, 0, 1)
        row = row * rise * (1 - (1 - np.cos(fall * np.pi)) / 2)
    sos = scipy.signal.butter(order, edge, btype="highpass", output="sos")
    row = scipy.signal.sosfiltfilt(sos, row, axis=1)
    return row[:, pad:row.shape[1] - pad]


def controlled(frames, window):
    taps = np.hanning(window)
    taps /= taps.sum()
    gain = np.stack([np.convolve(np.abs(channel), taps)[window // 2:window // 2 + len(channel)]
                     for channel in frames.T], axis=1)
    return filtered(frames / gain, 3, 0.01, 60, 0) * gain


def main():
    rng = np.random.default_rng(8)
    depth = np.arange(40)
    stripes = rng.normal(size=(48, 1)) * 30 + rng.normal(size=(48, 1)) * np.sin(depth / 25) * 20
    frames = (stripes + rng.normal(scale=10, size=(48, 40))).astype(np.float32)
    exact = frames.astype(np.float64)
    np.save(HERE / "frames.npy", frames)
    np.save(HERE / "default.npy", filtered(exact, 3, 0.01, 60, 0))
    np.save(HERE / "taper.npy", filtered(exact, 2, 0.1, 20, 12))
    np.save(HERE / "bare.npy", filtered(exact, 3, 0.05, 0, 0))
    np.save(HERE / "agc.npy", controlled(exact, 11))
    np.save(HERE / "agc_long.npy", controlled(exact, 201))
    versions = {"python": platform.python_version(), "numpy": np.__version__,
                "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
