"""Golden data of `bad_channels`: the published scores of one chunk in float64 with NumPy and SciPy.

chunk.npy      [frames, channels] int16 at 2000 Hz: a common signal, one dead channel (7), one of high
               frequencies (15), and the last 6 outside
scores.npy     [3, channels] float64: likeness less its running median, that less 1, density near Nyquist
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.signal

HERE = pathlib.Path(__file__).parent
RATE = 2000
WINDOW_MS = 20
NEIGHBOURS = 5


def scores(raw):
    raw = raw - raw.mean(axis=0)
    f, psd = scipy.signal.welch(raw, fs=RATE, axis=0, nperseg=WINDOW_MS * RATE // 1000)
    common = np.median(raw, axis=1)
    likeness = common @ raw / (common @ common)
    padded = np.pad(likeness, NEIGHBOURS, mode="edge")
    smooth = scipy.signal.medfilt(padded, NEIGHBOURS)[NEIGHBOURS:-NEIGHBOURS]
    return np.stack([likeness - smooth, smooth - 1, psd[f > 0.8 * RATE / 2].mean(axis=0)])


def main():
    rng = np.random.default_rng(12)
    frames, channels = 1000, 30
    signal = np.cumsum(rng.normal(size=frames)) * 4
    chunk = signal[:, None] * rng.uniform(0.9, 1.1, channels) + rng.normal(scale=6, size=(frames, channels))
    chunk[:, 7] = rng.normal(scale=1, size=frames)
    chunk[:, 15] += rng.normal(scale=40, size=frames)
    chunk[:, -6:] = rng.normal(scale=6, size=(frames, 6))
    chunk = np.round(chunk).astype(np.int16)
    np.save(HERE / "chunk.npy", chunk)
    np.save(HERE / "scores.npy", scores(chunk.astype(np.float64)))
    versions = {"python": platform.python_version(), "numpy": np.__version__,
                "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
