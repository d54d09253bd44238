"""Golden data of `hilbert`: SciPy's analytic signal of the whole, in float64.

x.npy           [frames, 2] float32: a tone whose amplitude changes slowly; noise between 400 and 6000 Hz
envelope.npy    [frames, 2] float64: abs(scipy.signal.hilbert(x))
quadrature.npy  [frames, 2] float64: its imaginary part
taps.npy        [101] float64: a type III design by Kaiser's window, beta 7
versions.json   the tools used
"""
import json
import pathlib
import platform

import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent


def main():
    t = np.arange(3000) / 30000
    tone = (100 + 50 * np.sin(2 * np.pi * 20 * t)) * np.sin(2 * np.pi * 2000 * t + 0.3)
    white = np.random.default_rng(17).normal(size=6000)
    band = signal.sosfiltfilt(signal.butter(8, [900, 5000], "bandpass", fs=30000, output="sos"), white)[1500:4500]
    x = np.stack([tone, 100 * band], axis=1).astype(np.float32)
    np.save(HERE / "x.npy", x)
    analytic = signal.hilbert(x.astype(np.float64), axis=0)
    np.save(HERE / "envelope.npy", np.abs(analytic))
    np.save(HERE / "quadrature.npy", analytic.imag)
    n = np.arange(-50, 51)
    taps = np.where(n % 2 != 0, 2 / (np.pi * np.where(n == 0, 1, n)), 0) * np.kaiser(101, 7)
    np.save(HERE / "taps.npy", taps)
    versions = {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
