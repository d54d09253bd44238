"""Golden data of `bipolar`: differences in float64 with NumPy.

frames.npy       [frames, channels] float32
differences.npy  each channel less the next of its group of 4, float64
along.npy        the same in the order of their depths, float64
versions.json    the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
DEPTHS = np.array([30, 10, 20, 0, 5, 15, 25, 35, 70, 60, 50, 40], float)


def main():
    frames = np.random.default_rng(3).normal(scale=50, size=(64, 12)).astype(np.float32)
    groups = [np.arange(4 * g, 4 * g + 4) for g in range(3)]
    exact = frames.astype(np.float64)
    np.save(HERE / "frames.npy", frames)
    sorted_groups = [g[np.argsort(DEPTHS[g])] for g in groups]
    for name, lists in (("differences", groups), ("along", sorted_groups)):
        parts = np.hstack([-np.diff(exact[:, g], axis=1) for g in lists])
        np.save(HERE / f"{name}.npy", np.ascontiguousarray(parts))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
