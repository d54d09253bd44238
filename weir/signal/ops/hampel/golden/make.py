"""Golden data of `hampel`, with NumPy in float64.

counts.npy    [frames, channels] float32: noise with outliers
width_n.npy   |x - median| > 3 MAD / 0.6744897501960817 of the window becomes the median; the ends
              stay
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent


def hampel(x, width):
    half = width // 2
    y = x.copy()
    windows = np.lib.stride_tricks.sliding_window_view(x, width, axis=0)
    median = np.median(windows, axis=-1)
    mad = np.median(np.abs(windows - median[..., None]), axis=-1) / 0.6744897501960817
    inner = y[half:len(x) - half]
    far = np.abs(inner - median) > 3 * mad
    inner[far] = median[far]
    return y


def main():
    rng = np.random.default_rng(19)
    counts = rng.normal(scale=30, size=(800, 3)) + 100 * np.sin(np.arange(800) / 50)[:, None]
    counts[rng.random(counts.shape) < 0.05] += 900
    counts = counts.astype(np.float32)
    np.save(HERE / "counts.npy", counts)
    for width in (3, 7, 31):
        np.save(HERE / f"width_{width}.npy", hampel(counts.astype(np.float64), width))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
