"""Golden data of `laplacian`: float64 with NumPy and SciPy.

frames.npy     [frames, channels] float32
places.npy     [channels, 2] positions in micrometres, float64
nearest.npy    less the 4 nearest by 1 / distance, float64
radius.npy     less the mean of those within 45 um, float64
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.spatial

HERE = pathlib.Path(__file__).parent


def main():
    rng = np.random.default_rng(9)
    places = np.stack([np.arange(24) % 2 * 32.0, np.arange(24) // 2 * 20.0], axis=1)
    places += rng.normal(scale=0.5, size=places.shape)
    frames = rng.normal(scale=50, size=(64, 24)).astype(np.float32)
    exact = frames.astype(np.float64)
    apart = scipy.spatial.distance.cdist(places, places)
    np.fill_diagonal(apart, np.inf)
    nearest = np.where(apart <= np.sort(apart, axis=1)[:, 3:4], 1 / apart, 0)
    within = (apart <= 45).astype(float)
    np.save(HERE / "frames.npy", frames)
    np.save(HERE / "places.npy", places)
    for name, weights in (("nearest", nearest), ("radius", within)):
        rows = np.eye(24) - weights / weights.sum(axis=1, keepdims=True)
        np.save(HERE / f"{name}.npy", exact @ rows.T)
    versions = {"python": platform.python_version(), "numpy": np.__version__,
                "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
