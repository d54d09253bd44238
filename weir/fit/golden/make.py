#!/usr/bin/env python3
"""Fits by iminuit, for comparison: .venv/golden/bin/python weir/fit/golden/make.py

Each case is fitted with exact gradients, then HESSE and MIGRAD in turn until both have settled, at a tolerance
10,000 times smaller than the default, so that iminuit's own rest is far below a thousandth of an error.
Data of the cases stand in the file: nothing is drawn again elsewhere.
"""

import json
import pathlib
import platform

import iminuit
import numpy as np
import scipy
from scipy.special import gammaln

FOLDER = pathlib.Path(__file__).resolve().parent


def quadratic(x, matrix, centre):
    d = x - centre
    return 0.5 * d @ matrix @ d, matrix @ d


def rosenbrock(x):
    a, b = x[0::2], x[1::2]
    bend = b - a * a
    gradient = np.empty_like(x)
    gradient[0::2] = -400 * bend * a - 2 * (1 - a)
    gradient[1::2] = 200 * bend
    return np.sum(100 * bend**2 + (1 - a) ** 2), gradient


def lifetime(x, times):
    (tau,) = x
    return np.sum(np.log(tau) + times / tau), np.array([np.sum(1 / tau - times / tau**2)])


def normal(x, data):
    mu, sigma = x
    z = (data - mu) / sigma
    value = np.sum(np.log(sigma) + 0.5 * z**2 + 0.5 * np.log(2 * np.pi))
    return value, np.array([-np.sum(z) / sigma, np.sum(1 - z**2) / sigma])


def poisson(x, counts, places):
    """A line under a peak of known shape: counts in bins."""
    peak, level = x
    shape = np.exp(-0.5 * (places - 0.5) ** 2 / 0.01)
    mu = peak * shape + level
    value = np.sum(mu - counts * np.log(mu) + gammaln(counts + 1))
    slope = 1 - counts / mu
    return value, np.array([np.sum(slope * shape), np.sum(slope)])


def fit(names, start, function, limits=None, fixed=(), minos=(), contour=None):
    m = iminuit.Minuit(lambda x: function(x)[0], np.asarray(start, float), name=names, grad=lambda x: function(x)[1])
    m.errordef = 0.5
    m.tol = 1e-5
    m.strategy = 2
    for name, (lower, upper) in (limits or {}).items():
        m.limits[name] = (lower, upper)
    for name in fixed:
        m.fixed[name] = True
    for _ in range(4):
        m.migrad()
        m.hesse()
    found = {
        "names": list(names), "start": list(map(float, start)), "values": list(m.values), "errors": list(m.errors),
        "fixed": list(fixed), "limits": [list(m.limits[n]) for n in names], "fval": m.fval,
        "covariance": np.asarray(m.covariance).tolist(), "valid": bool(m.valid),
    }
    found["limits"] = [[None if abs(e) == float("inf") else e for e in pair] for pair in found["limits"]]
    for name in minos:
        m.minos(name)
        found.setdefault("minos", {})[name] = [m.merrors[name].lower, m.merrors[name].upper]
    if contour:
        points = m.mncontour(*contour, cl=1 - np.exp(-0.5), size=24)  # a rise of 0.5
        found["contour"] = {"first": contour[0], "second": contour[1], "points": np.asarray(points).tolist()}
    return found


def main():
    rng = np.random.default_rng(7)
    root = rng.normal(size=(4, 4))
    matrix = root @ root.T + 0.5 * np.eye(4)
    centre = np.array([1.0, -2.0, 0.5, 3.0])
    times = np.round(rng.exponential(2.2, 60), 6)
    data = np.round(rng.normal(1.5, 0.8, 40), 6)
    places = (np.arange(20) + 0.5) / 20
    counts = rng.poisson(12 * np.exp(-0.5 * (places - 0.5) ** 2 / 0.01) + 3).astype(float)
    abcd = ["a", "b", "c", "d"]
    cases = {
        "quadratic": fit(abcd, [0, 0, 0, 0], lambda x: quadratic(x, matrix, centre)),
        "rosenbrock": fit(abcd, [-1.2, 1, -1.2, 1], rosenbrock),
        "at_limit": fit(abcd, [0.5, 0, 0, 0], lambda x: quadratic(x, matrix, centre), limits={"a": (0, 0.6)}),
        "inside_limits": fit(abcd, [0.5, 0, 0, 0], lambda x: quadratic(x, matrix, centre),
                             limits={"a": (0, 5), "d": (None, 4)}),
        "fixed": fit(abcd, [0, 0.25, 0, 0], lambda x: quadratic(x, matrix, centre), fixed=["b"]),
        "lifetime": fit(["tau"], [1], lambda x: lifetime(x, times), limits={"tau": (1e-3, None)}, minos=["tau"]),
        "normal": fit(["mu", "sigma"], [0, 1], lambda x: normal(x, data), limits={"sigma": (1e-3, None)},
                      minos=["mu", "sigma"]),
        "poisson": fit(["peak", "level"], [5, 5], lambda x: poisson(x, counts, places), minos=["peak", "level"],
                       contour=("peak", "level")),
    }
    given = {"matrix": matrix.tolist(), "centre": centre.tolist(), "times": times.tolist(), "data": data.tolist(),
             "places": places.tolist(), "counts": counts.tolist()}
    (FOLDER / "iminuit.json").write_text(json.dumps({"given": given, "cases": cases}, indent=1) + "\n")
    versions = {"python": platform.python_version(), "iminuit": iminuit.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions, indent=2) + "\n")


if __name__ == "__main__":
    main()
