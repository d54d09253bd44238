"""Golden data of `blank`, with NumPy.

counts.npy    [frames, channels] float32, at 1000 Hz
zeros.npy     0 from 2 frames before each of TIMES on, for 7 frames
linear.npy    numpy.interp over them, from the samples before and after; the ends have one neighbour
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
TIMES = [0.0, 0.05, 0.0532, 0.2, 0.298]


def main():
    counts = np.random.default_rng(21).normal(scale=100, size=(300, 3)).astype(np.float32)
    bad = np.zeros(300, bool)
    for time in TIMES:
        frame = round(time * 1000)
        bad[max(0, frame - 2):frame + 5] = True
    zeros = counts.copy()
    zeros[bad] = 0
    t = np.arange(300)
    linear = np.stack([np.interp(t, t[~bad], x[~bad]) for x in counts.astype(np.float64).T], axis=1)
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "zeros.npy", zeros)
    np.save(HERE / "linear.npy", linear)
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
