"""Golden data of `int_cast`, on physical values in float64 with NumPy.

counts.npy    [frames, channels] float32
int16.npy     clip(rint(counts * GAINS / 0.25)) as int16; NaN is 0
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
GAINS = np.array([1.0, -1.0, 0.5, -0.03125, 2.0])


def main():
    counts = np.random.default_rng(15).normal(scale=300, size=(64, 5)).astype(np.float32)
    counts[0] = np.array([0.125, 0.375, 0.25, 4, -0.0625])  # halves
    counts[1] = [np.inf, np.inf, -np.inf, -np.inf, np.nan]
    counts[2] = [8191.75, -8192.0, 16383.5, -262144, 4095.875]  # the last ones inside
    counts[3] = [8191.875, 8192.25, 65536, 0, 0]  # 8191.875 / 0.25 is 32767.5
    with np.errstate(invalid="ignore"):
        whole = np.nan_to_num(np.rint(counts.astype(np.float64) * GAINS / 0.25), nan=0)
    print("clipped:", np.sum((whole < -32768) | (whole > 32767)) + np.sum(np.isnan(counts)))
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "int16.npy", np.clip(whole, -32768, 32767).astype(np.int16))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
