"""Golden data of `common_reference`, in float64 with NumPy.

counts.npy    [frames, channels] int16, ties included
<case>.npy    [frames, channels] float32: counts after the reference was subtracted
nan.npy       counts as float32 with NaN in it
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
FRAMES, CHANNELS = 150, 37
GROUPS = [list(range(0, 12)), list(range(12, 36, 3)), [36, 13, 14]]
GAINS = 0.195 * (1 + 0.1 * np.sin(np.arange(CHANNELS)))
GAINS[5] *= -1
POSITIONS = np.array([[32.0 * (c % 2), 20.0 * (c // 2)] for c in range(CHANNELS)])
INNER, OUTER, LEAST = 40.0, 90.0, 5


def counts():
    rng = np.random.default_rng(77)
    common = rng.normal(scale=80, size=(FRAMES, 1))
    x = np.round(common + rng.normal(scale=30, size=(FRAMES, CHANNELS)))
    x[10:20] = np.round(x[10:20] / 40) * 40  # ties
    x[30] = 200
    x[31] = 32767
    x[32] = -32768
    x[33, ::2], x[33, 1::2] = 32767, -32768
    return np.clip(x, -32768, 32767).astype(np.int16)


def neighbours(channel):
    distance = np.hypot(*(POSITIONS - POSITIONS[channel]).T)
    order = [c for c in np.argsort(distance, kind="stable") if distance[c] > INNER]
    return order[: max(LEAST, int(np.sum(distance[order] <= OUTER)))]


def save(name, values):
    np.save(HERE / f"{name}.npy", np.ascontiguousarray(values))


def main():
    stored = counts()
    x = stored.astype(np.float64)
    save("counts", stored)
    for name, statistic in (("median", np.median), ("mean", np.mean)):
        save(f"all_{name}", (x - statistic(x, axis=1, keepdims=True)).astype(np.float32))
        grouped = x.copy()
        for group in GROUPS:
            grouped[:, group] -= statistic(x[:, group], axis=1, keepdims=True)
        save(f"groups_{name}", grouped.astype(np.float32))
        local = np.stack([x[:, c] - statistic(x[:, neighbours(c)], axis=1) for c in range(CHANNELS)], axis=1)
        save(f"local_{name}", local.astype(np.float32))
        physical = x * GAINS
        unequal = (physical - statistic(physical, axis=1, keepdims=True)) / GAINS
        save(f"gains_{name}", unequal.astype(np.float32))
    holes = x + np.random.default_rng(78).normal(size=x.shape)
    holes = holes.astype(np.float32)
    holes[np.random.default_rng(79).random(x.shape) < 0.05] = np.nan
    holes[40] = np.nan
    save("nan", holes)
    wide = holes.astype(np.float64)
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # the row of nothing but NaN
        save("nan_median", (wide - np.nanmedian(wide, axis=1, keepdims=True)).astype(np.float32))
        save("nan_mean", (wide - np.nanmean(wide, axis=1, keepdims=True)).astype(np.float32))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
