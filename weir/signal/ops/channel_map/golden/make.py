"""Golden data of `channel_map`: columns of a recording by NumPy's indexing.

frames.npy     [frames, channels] int16
moved.npy      columns ORDER of it, int16
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent


def main():
    rng = np.random.default_rng(8)
    frames = rng.integers(-32768, 32767, size=(64, 37), endpoint=True).astype(np.int16)
    order = np.array([(11 * k + 5) % 37 for k in range(37)])[:29]
    np.save(HERE / "frames.npy", frames)
    np.save(HERE / "moved.npy", np.ascontiguousarray(frames[:, order]))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
