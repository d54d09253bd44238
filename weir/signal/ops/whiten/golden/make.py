"""Golden data of `whiten`: covariances and their roots in float64 with NumPy and SciPy.

frames.npy     [frames, channels] float32: three sources seen by contacts 40 um apart, and noise
zca.npy        whitened by all channels, eps = 1e-6 of the mean eigenvalue, float64
pca.npy        principal components, the strongest first, the largest weight positive
local.npy      each by the channels within 100 um
nearest.npy    each by itself and its 3 nearest channels, eps = 0.01
versions.json  the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
import scipy.linalg

HERE = pathlib.Path(__file__).parent
CHANNELS = 11
PITCH_UM = 40.0


def factors(strengths, eps):
    return 1 / np.sqrt(strengths + eps * strengths.mean())


def zca(cov, eps):
    strengths, vectors = scipy.linalg.eigh(cov)
    return vectors @ np.diag(factors(strengths, eps)) @ vectors.T


def pca(cov, eps):
    strengths, vectors = scipy.linalg.eigh(cov)
    rows = (np.diag(factors(strengths, eps)) @ vectors.T)[::-1]
    largest = np.abs(rows).argmax(axis=1)
    return rows * np.sign(rows[np.arange(len(rows)), largest])[:, None]


def local(cov, eps, sets):
    rows = np.zeros_like(cov)
    for c, near in enumerate(sets):
        rows[c, near] = zca(cov[np.ix_(near, near)], eps)[list(near).index(c)]
    return rows


def main():
    rng = np.random.default_rng(5)
    depth = PITCH_UM * np.arange(CHANNELS)
    seen = np.exp(-np.abs(depth[:, None] - np.array([60.0, 200.0, 330.0])) / 80)
    frames = rng.normal(size=(700, 3)) @ (50 * seen.T) + rng.normal(size=(700, CHANNELS)) * 8
    frames = (frames + 20).astype(np.float32)
    exact = frames.astype(np.float64)
    cov = np.cov(exact.T, bias=True)
    apart = np.abs(depth[:, None] - depth)
    near = [np.flatnonzero(apart[c] <= 100) for c in range(CHANNELS)]
    order = [np.argsort(apart[c], kind="stable")[:4] for c in range(CHANNELS)]
    np.save(HERE / "frames.npy", frames)
    np.save(HERE / "zca.npy", exact @ zca(cov, 1e-6).T)
    np.save(HERE / "pca.npy", exact @ pca(cov, 1e-6).T)
    np.save(HERE / "local.npy", exact @ local(cov, 1e-6, near).T)
    np.save(HERE / "nearest.npy", exact @ local(cov, 0.01, [np.sort(o) for o in order]).T)
    versions = {"python": platform.python_version(), "numpy": np.__version__,
                "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
