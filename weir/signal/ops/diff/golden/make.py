"""Golden data of `diff`, with NumPy.

counts.npy    [frames, channels] float32
hold_n.npy    numpy.diff(counts, n, axis=0) with the first sample prepended n times
zero_n.npy    the same with n zeros prepended
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent


def main():
    counts = np.random.default_rng(13).normal(scale=100, size=(64, 3)).astype(np.float32)
    counts[20, 0] = np.nan
    counts[30, 1] = np.inf
    np.save(HERE / "counts.npy", counts)
    for n in (1, 2, 5, 8):
        with np.errstate(invalid="ignore"):
            first = np.repeat(counts[:1], n, axis=0)
            np.save(HERE / f"hold_{n}.npy", np.diff(counts, n, axis=0, prepend=first))
            np.save(HERE / f"zero_{n}.npy", np.diff(counts, n, axis=0, prepend=np.zeros_like(first)))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
