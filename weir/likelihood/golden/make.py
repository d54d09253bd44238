#!/usr/bin/env python3
"""Events of workload W1 (iminuit's benchmark of unbinned fits) and exact values of its likelihood.

    python3 make.py

w1_1000.f64 holds 1000 events, little endian: 500 of Normal(0.5, 0.1), then the first 500 of Exp(1) that fall into
[0, 1), drawn by NumPy's PCG64 with seed 1. w1.json holds the negative logarithm of the likelihood at the truth and at
one more point, and its derivatives there, by mpmath with 50 digits.
"""
import json
import pathlib

import mpmath
import numpy as np

HERE = pathlib.Path(__file__).parent
mpmath.mp.dps = 50


def events(count):
    random = np.random.default_rng(1)
    peak = random.normal(0.5, 0.1, size=count // 2)
    fall = random.exponential(1.0, size=2 * count)
    return np.append(peak, fall[fall < 1][:count // 2])


def density(x, z, mu, sigma, slope):
    t = (x - mu) / sigma
    peak = mpmath.exp(-t * t / 2) / (sigma * mpmath.sqrt(2 * mpmath.pi))
    inside = 1 if 0 <= x <= 1 else 0
    fall = inside * mpmath.exp(-x / slope) / (slope * (1 - mpmath.exp(-1 / slope)))
    return z * peak + (1 - z) * fall


def nll(x, point):
    return -mpmath.fsum(mpmath.log(density(mpmath.mpf(float(e)), *point)) for e in x)


def main():
    x = events(1000)
    x.astype("<f8").tofile(HERE / "w1_1000.f64")
    points = []
    for values in ((0.5, 0.5, 0.1, 1.0), (0.45, 0.52, 0.12, 0.8)):
        at = [mpmath.mpf(v) for v in values]
        slopes = [mpmath.diff(lambda v, i=i: nll(x, at[:i] + [v] + at[i + 1:]), at[i], h=mpmath.mpf("1e-15")) for i in range(4)]
        points.append({"at": values, "nll": mpmath.nstr(nll(x, at), 20), "gradient": [mpmath.nstr(s, 15) for s in slopes]})
    (HERE / "w1.json").write_text(json.dumps(points, indent=1) + "\n")
    (HERE / "versions.json").write_text(json.dumps({"numpy": np.__version__, "mpmath": mpmath.__version__}, indent=1) + "\n")
    print(points)


if __name__ == "__main__":
    main()
