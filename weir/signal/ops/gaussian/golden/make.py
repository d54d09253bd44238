"""Golden data of `gaussian`: scipy.ndimage.gaussian_filter1d in float64, whole.

x.npy         [frames, 2] float32: noise on an offset, a chirp
<case>.npy    [frames, 2] float64
cases.json    the operator's parameters; `frames` cuts x first
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import ndimage

HERE = pathlib.Path(__file__).parent
MODES = {"zero": "constant"}
CASES = {
    "smooth": {"sigma": 2.5},
    "wide": {"sigma_s": 0.001, "edge": "nearest"},
    "mirror": {"sigma": 4.0, "edge": "mirror", "truncate": 3.0},
    "zero": {"sigma": 4.0, "edge": "zero", "radius": 9},
    "slope": {"sigma": 3.0, "order": 1},
    "second": {"sigma": 3.0, "order": 2, "edge": "mirror"},
    "fourth": {"sigma": 6.0, "order": 4, "edge": "nearest"},
    "short_reflect": {"sigma": 3.0, "frames": 5},
    "short_mirror": {"sigma": 3.0, "frames": 5, "edge": "mirror"},
    "one_frame": {"sigma": 1.0, "frames": 1, "edge": "mirror"},
}


def main():
    rng = np.random.default_rng(16)
    t = np.arange(901) / 901
    x = np.stack([300 + 20 * rng.normal(size=t.size), 200 * np.sin(300 * t * t)], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    for name, case in CASES.items():
        sigma = case.get("sigma", case.get("sigma_s", 0) * 30000)
        mode = case.get("edge", "reflect")
        y = ndimage.gaussian_filter1d(x[:case.get("frames", len(x))].astype(np.float64), sigma, axis=0,
                                      order=case.get("order", 0), mode=MODES.get(mode, mode),
                                      truncate=case.get("truncate", 4.0), radius=case.get("radius"))
        np.save(HERE / f"{name}.npy", y)
    (HERE / "cases.json").write_text(json.dumps(CASES, indent=1) + "\n")
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
