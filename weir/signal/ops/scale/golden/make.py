"""Golden data of `scale`: physical values in exact rational arithmetic, rounded once.

counts.npy    [frames, channels] int16
physical.npy  [frames, channels] float64: (count * GAIN + OFFSET) * FACTOR + SHIFT
versions.json the tools used
"""
import json
import pathlib
import platform
from fractions import Fraction

import numpy as np

HERE = pathlib.Path(__file__).parent
GAIN, OFFSET = Fraction("0.195"), Fraction("-6389.76")
FACTOR, SHIFT = Fraction("-2.5"), Fraction("7.25")


def main():
    counts = np.random.default_rng(5).integers(-32768, 32768, size=(64, 5)).astype(np.int16)
    counts[0] = [-32768, -1, 0, 1, 32767]
    exact = [[float((int(c) * GAIN + OFFSET) * FACTOR + SHIFT) for c in row] for row in counts]
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "physical.npy", np.array(exact))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
