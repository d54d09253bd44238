"""Golden data of `matrix`: frames times a matrix in float64 with NumPy.

frames.npy    [frames, channels] float32
weights.npy   [outputs, channels] float64: dense
banded.npy    [outputs, channels] float64: a band about the diagonal, zeros elsewhere
products.npy  frames @ weights.T, float64
sums.npy      frames @ banded.T, float64
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
CHANNELS = 37


def main():
    rng = np.random.default_rng(11)
    frames = rng.normal(scale=100, size=(97, CHANNELS)).astype(np.float32)
    weights = rng.normal(size=(CHANNELS, CHANNELS))
    apart = np.abs(np.subtract.outer(np.arange(CHANNELS), np.arange(CHANNELS)))
    banded = np.where(apart < 4, weights, 0)
    np.save(HERE / "frames.npy", frames)
    np.save(HERE / "weights.npy", weights)
    np.save(HERE / "banded.npy", banded)
    np.save(HERE / "products.npy", frames.astype(np.float64) @ weights.T)
    np.save(HERE / "sums.npy", frames.astype(np.float64) @ banded.T)
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
