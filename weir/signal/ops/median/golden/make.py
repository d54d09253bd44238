"""Golden data of `median`.

counts.npy        [frames, channels] float32 without NaN, with ties, infinities and zeros of both signs
width_<w>.npy     scipy.signal.medfilt of each channel
nan.npy           the same with NaN
nan_<w>.npy       numpy.median over each window, which makes every window that holds a NaN a NaN
versions.json     the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.signal

HERE = pathlib.Path(__file__).parent
FRAMES, CHANNELS = 300, 19
WIDTHS = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 33, 101, 401]


def main():
    rng = np.random.default_rng(31)
    x = rng.normal(scale=50, size=(FRAMES, CHANNELS)).astype(np.float32)
    x[:, :6] = np.round(x[:, :6] / 20) * 20
    x[:, 3] = -0.0 * np.abs(x[:, 3])
    x[50:80, 4] = np.inf
    x[70:120, 5] = -np.inf
    np.save(HERE / "counts.npy", x)
    for width in WIDTHS:
        y = np.stack([scipy.signal.medfilt(x[:, c].astype(np.float64), width) for c in range(CHANNELS)], axis=1)
        np.save(HERE / f"width_{width}.npy", y.astype(np.float32))
    x[rng.random(x.shape) < 0.01] = np.nan
    np.save(HERE / "nan.npy", x)
    for width in (3, 9, 33):
        padded = np.pad(x, ((width // 2, width // 2), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, width, axis=0)
        np.save(HERE / f"nan_{width}.npy", np.median(windows, axis=-1).astype(np.float32))
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
