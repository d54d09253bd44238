#!/usr/bin/env python3
"""Golden data of the vector functions: golden/make.py [ROWS [FOLDER]] (needs numpy and mpmath).

One <function>.npy each: rows of a, b (0 where there is one argument), value as a binary64 number, and what that
number leaves out. Arguments are drawn with a fixed seed over the ranges where the functions change their method.
"""

import json
import pathlib
import platform
import random
import sys

import mpmath as mp
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
mp.mp.dps = 90


def w(z):
    """exp(-z^2) erfc(-iz); far away by the asymptotic series, DLMF 7.12.1."""
    if z.imag < 0:
        return 2 * mp.exp(-z * z) - w(-z)
    if abs(z) < 30:
        return mp.exp(-z * z) * mp.erfc(-1j * z)
    term, total, k = mp.mpc(1), mp.mpc(0), 0
    while abs(term) > mp.mpf(10) ** -85 and k < 400:
        total += term
        term *= (2 * k + 1) / (2 * z * z)
        k += 1
    value = 1j / (mp.sqrt(mp.pi) * z) * total
    return value + mp.exp(-z * z) if z.imag == 0 else value


def erfcx(x):
    return w(mp.mpc(0, x)).real


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * w(mp.mpc(x, 0)).imag


def uniform(low, high):
    return lambda draw: draw.uniform(low, high)


def spread(low, high):
    """Evenly in the logarithm, from 10^low to 10^high."""
    return lambda draw: 10 ** draw.uniform(low, high)


def signed(source):
    return lambda draw: source(draw) * draw.choice((-1, 1))


def around(*centres):
    return lambda draw: draw.choice(centres) * (1 + draw.choice((-1, 1)) * 10 ** draw.uniform(-15, -1))


REAL = [signed(spread(-300, 300)), signed(spread(-10, 2)), uniform(-3, 3)]
# name: function, sources of a, sources of b
OURS = {
    "erfcx": (erfcx, [spread(-20, 20), uniform(0, 9), uniform(-26, 0), around(8.0, 2.0)], None),
    "lgamma": (lambda x: mp.loggamma(x).real,
               [spread(-300, 300), uniform(0, 9), uniform(-12, 0), around(1.0, 2.0, 8.0, 0.75), signed(spread(-10, 5))], None),
    "digamma": (mp.digamma, [spread(-100, 100), uniform(0, 11), uniform(-12, 0), around(1.4616321449683622, 10.0, 1.0)], None),
    "trigamma": (lambda x: mp.psi(1, x), [spread(-100, 100), uniform(0, 11), uniform(-12, 0), around(10.0, 1.0)], None),
    "dawson": (dawson, [signed(spread(-20, 20)), uniform(-9, 9), around(8.0, 0.924)], None),
    "bessel_i0e": (lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), [signed(spread(-20, 5)), uniform(-21, 21), around(20.0)], None),
    "bessel_i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), [signed(spread(-20, 5)), uniform(-21, 21), around(20.0)], None),
}
PLANE = [(uniform(-8, 8), uniform(0, 8)), (uniform(-8, 8), uniform(-4, 0)), (signed(spread(-5, 6)), spread(-20, 6)),
         (uniform(-2, 2), spread(-10, 0)), (uniform(-28, 28), spread(-30, 1)), (signed(spread(-1, 5)), signed(spread(-1, 5)))]
LIBRARY = {
    "exp": (mp.exp, [uniform(-708, 709), uniform(-2, 2)], None),
    "expm1": (mp.expm1, [signed(spread(-300, 0)), uniform(-30, 700)], None),
    "log": (mp.log, [spread(-300, 300), around(1.0)], None),
    "log1p": (mp.log1p, [spread(-300, 300), uniform(-0.999, 3)], None),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), [REAL[0]], None),
    "sin": (mp.sin, [signed(spread(-300, 8)), uniform(-10, 10)], None),
    "cos": (mp.cos, [signed(spread(-300, 8)), uniform(-10, 10)], None),
    "tan": (mp.tan, [signed(spread(-300, 8)), uniform(-10, 10)], None),
    "asin": (mp.asin, [uniform(-1, 1), signed(spread(-300, 0))], None),
    "acos": (mp.acos, [uniform(-1, 1), signed(spread(-300, 0))], None),
    "atan": (mp.atan, REAL, None),
    "sinh": (mp.sinh, [signed(spread(-300, 2.8)), uniform(-3, 3)], None),
    "cosh": (mp.cosh, [signed(spread(-300, 2.8)), uniform(-3, 3)], None),
    "tanh": (mp.tanh, [signed(spread(-300, 2)), uniform(-3, 3)], None),
    "erf": (mp.erf, [signed(spread(-300, 1)), uniform(-6, 6)], None),
    "erfc": (mp.erfc, [uniform(-6, 26), uniform(-1, 1)], None),
    "pow": (mp.power, [spread(-10, 10), uniform(0.5, 2)], [uniform(-30, 30), uniform(-2, 2)]),
    "atan2": (mp.atan2, REAL, REAL),
}


def row(a, b, value):
    high = float(value)
    return (a, b, high, float(value - high))


def rows(of, first, second, count, draw):
    made = []
    for i in range(count):
        a = first[i % len(first)](draw)
        b = second[(i // len(first)) % len(second)](draw) if second else 0.0
        made.append(row(a, b, of(mp.mpf(a), mp.mpf(b)) if second else of(mp.mpf(a))))
    return made


def save(folder, name, made):
    kept = [r for r in made if np.isfinite(r[2]) and (r[2] == 0 or abs(r[2]) > 1e-300)]
    np.save(folder / f"{name}.npy", np.array(kept, dtype="<f8"))


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    folder = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE
    for functions, share in ((OURS, 1), (LIBRARY, 5)):
        for name, (of, first, second) in functions.items():
            save(folder, name, rows(of, first, second, count // share, random.Random(name)))
    draw, real, imaginary = random.Random("faddeeva"), [], []
    for i in range(count):
        x, y = (source(draw) for source in PLANE[i % len(PLANE)])
        value = w(mp.mpc(x, y))
        real.append(row(x, y, value.real))
        imaginary.append(row(x, y, value.imag))
    for name, made in (("faddeeva_re", real), ("faddeeva_im", imaginary)):
        np.save(folder / f"{name}.npy", np.array(made, dtype="<f8"))
    versions = {"python": platform.python_version(), "numpy": np.__version__, "mpmath": mp.__version__}
    (folder / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
