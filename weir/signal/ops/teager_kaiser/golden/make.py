"""Golden data of `teager_kaiser`, in float64 with NumPy.

noise.npy, slow.npy  [frames, channels] float32: white, and sines of 1/100 and 1/1000 of the rate
noise_energy.npy, slow_energy.npy  x[t]^2 - x[t-1] x[t+1], the ends as their neighbours
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent


def energy(x):
    x = x.astype(np.float64)
    inner = x[1:-1] ** 2 - x[:-2] * x[2:]
    return np.concatenate([inner[:1], inner, inner[-1:]])


def main():
    noise = np.random.default_rng(14).normal(scale=100, size=(64, 3)).astype(np.float32)
    t = np.arange(1500)[:, None]
    slow = (100 * np.sin(2 * np.pi * t * [0.01, 0.001] + [0.2, 1.0])).astype(np.float32)
    for name, x in {"noise": noise, "slow": slow}.items():
        np.save(HERE / f"{name}.npy", x)
        np.save(HERE / f"{name}_energy.npy", energy(x))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
