#!/usr/bin/env python3
"""Makes the coefficients of the special functions: special_tables.py (needs mpmath), writes *.inc beside itself.

Every function is cut into rows of one width; in each row it is the polynomial that interpolates it in the Chebyshev
points (of the first kind) of the row, in the variable s = -1 ... 1 across the row. The last row is the far part, in
1/x or 1/x^2. The degree is the least with which every row is within 2^-57 of the function.
"""

import pathlib

import mpmath as mp

mp.mp.dps = 60
HERE = pathlib.Path(__file__).resolve().parent
ENOUGH = mp.mpf(2) ** -57


def interpolate(f, low, high, degree):
    """Coefficients of the interpolating polynomial in s, and its largest relative error between the points."""
    n = degree + 1
    points = [mp.cos(mp.pi * (2 * j + 1) / (2 * n)) for j in range(n)]
    at = lambda s: f((low + high) / 2 + s * (high - low) / 2)
    values = [at(s) for s in points]
    chebyshev = [2 * sum(values[j] * mp.cos(k * mp.pi * (2 * j + 1) / (2 * n)) for j in range(n)) / n for k in range(n)]
    chebyshev[0] /= 2
    monomials, before, now = [mp.mpf(0)] * n, [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    for k, c in enumerate(chebyshev):
        basis = before if k == 0 else now
        for i, b in enumerate(basis):
            monomials[i] += c * b
        if k > 0:
            after = [mp.mpf(0)] + [2 * b for b in now]
            for i, b in enumerate(before):
                after[i] -= b
            before, now = now, after
    between = [mp.cos(mp.pi * j / n) * (1 - mp.mpf(2) ** -20) for j in range(n + 1)]
    error = max(abs(mp.polyval(monomials[::-1], s) / at(s) - 1) for s in between)
    return monomials, error


def least_degree(f, low, high):
    degree = 4
    while True:
        coefficients, error = interpolate(f, low, high, degree)
        if error < ENOUGH:
            return degree
        degree += 1


def write(name, rows, note):
    """rows[k][j]: coefficient j of row k. Stored coefficient by coefficient, so that a gather takes one of each row."""
    camel = "".join(word.capitalize() for word in name.split("_"))
    terms = len(rows[0])
    lines = [f"// Made by special_tables.py. {note}",
             f"inline constexpr int k{camel}Rows = {len(rows)};",
             f"inline constexpr int k{camel}Terms = {terms};",
             f"inline constexpr double k{camel}[] = {{"]
    numbers = [repr(float(rows[k][j])) for j in range(terms) for k in range(len(rows))]
    lines += ["    " + ", ".join(numbers[i:i + 4]) + "," for i in range(0, len(numbers), 4)]
    (HERE / f"{name}.inc").write_text("\n".join(lines) + "\n};\n")
    print(name, len(rows), "rows", terms, "terms")


def table(name, width, count, near, far, note):
    """near(x) on `count` rows of `width` from 0, far(v) on 0 < v < top: (function, top)."""
    width = mp.mpf(width)
    parts = [(near, k * width, (k + 1) * width) for k in range(count)] + [(far[0], mp.mpf(0), mp.mpf(far[1]))]
    degree = max(least_degree(*part) for part in parts)
    write(name, [interpolate(*part, degree)[0] for part in parts], note)


def single(name, f, low, high, note, offset=0):
    """One polynomial in the variable itself, close to f beside `offset` (f may have zeros)."""
    degree = 2
    while True:
        coefficients, error = interpolate(lambda x: f(x) + offset, mp.mpf(low), mp.mpf(high), degree)
        if error < ENOUGH:
            break
        degree += 1
    middle, half = (mp.mpf(low) + mp.mpf(high)) / 2, (mp.mpf(high) - mp.mpf(low)) / 2
    plain = mp.taylor(lambda x: mp.polyval(coefficients[::-1], (x - middle) / half), 0, degree)
    plain[0] -= offset
    write(name, [plain], note)


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def dawson(x):
    return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)


def lgamma_near(x):
    """ln Gamma without its zeros; below 3/4 that of 1 + x, divided by x."""
    if x < mp.mpf("0.75"):
        return mp.loggamma(1 + x) / x if x else -mp.euler
    return mp.loggamma(x) / ((x - 1) * (x - 2))


def stirling_rest(v):
    y = 1 / mp.sqrt(v)
    main = (y - mp.mpf(1) / 2) * (mp.log(y) - 1) + mp.log(2 * mp.pi) / 2 - mp.mpf(1) / 2
    return (mp.loggamma(y) - main) * y


def digamma_rest(v):
    y = 1 / mp.sqrt(v)
    return (mp.log(y) - 1 / (2 * y) - mp.digamma(y)) / v


def trigamma_rest(v):
    y = 1 / mp.sqrt(v)
    return (mp.psi(1, y) - 1 / y - 1 / (2 * y * y)) * y**3


def absolute_table(name, width, count, near, far, note):
    """As table, where near() has a zero: the error is absolute."""
    width = mp.mpf(width)
    shifted = lambda x: near(x) + 8
    parts = [(shifted, k * width, (k + 1) * width) for k in range(count)]
    degree = max([least_degree(*part) for part in parts] + [least_degree(far[0], mp.mpf(0), mp.mpf(far[1]))]) + 2
    rows = [interpolate(near, k * width, (k + 1) * width, degree)[0] for k in range(count)]
    write(name, rows + [interpolate(far[0], mp.mpf(0), mp.mpf(far[1]), degree)[0]], note)


def main():
    inverse_root = lambda v: 1 / mp.sqrt(v)
    table("erfcx_rows", "0.25", 32, erfcx, (lambda v: erfcx(inverse_root(v)) * inverse_root(v), mp.mpf(1) / 64),
          "erfcx(x) to 8, then erfcx(x) x in 1/x^2.")
    table("dawson_rows", "0.25", 32, lambda x: dawson(x) / x,
          (lambda v: dawson(inverse_root(v)) * inverse_root(v), mp.mpf(1) / 64),
          "D(x) / x to 8, then D(x) x in 1/x^2.")
    for order, divide in ((0, lambda x: 1), (1, lambda x: x)):
        table(f"bessel_i{order}e_rows", "0.5", 40, lambda x: mp.exp(-x) * mp.besseli(order, x) / divide(x),
              (lambda v: mp.exp(-1 / v) * mp.besseli(order, 1 / v) / mp.sqrt(v), mp.mpf(1) / 20),
              f"exp(-x) I{order}(x){' / x' if order else ''} to 20, then exp(-x) I{order}(x) sqrt(x) in 1/x.")
    table("lgamma_rows", "0.25", 32, lgamma_near, (stirling_rest, mp.mpf(1) / 64),
          "ln Gamma(1 + x) / x below 3/4, ln Gamma(x) / ((x - 1)(x - 2)) to 8, then the rest of Stirling's formula.")
    absolute_table("digamma_rows", "0.25", 40, lambda x: mp.digamma(x + 1 if x < 1 else x),
                   (digamma_rest, mp.mpf(1) / 100),
                   "digamma(1 + x) below 1, digamma(x) to 10, then (ln x - 1/(2x) - digamma(x)) x^2 in 1/x^2.")
    table("trigamma_rows", "0.25", 40, lambda x: mp.psi(1, x + 1 if x < 1 else x),
          (trigamma_rest, mp.mpf(1) / 100),
          "trigamma(1 + x) below 1, trigamma(x) to 10, then (trigamma(x) - 1/x - 1/(2x^2)) x^3 in 1/x^2.")
    half = mp.log(2) / 2 + mp.mpf(2) ** -20
    single("exp_terms", lambda r: (mp.expm1(r) - r) / r**2 if abs(r) > 1e-15 else mp.mpf(1) / 2 + r / 6, -half, half, "(e^r - 1 - r) / r^2.")
    top = (3 - 2 * mp.sqrt(2)) ** 2 + mp.mpf(2) ** -20
    single("log_terms", lambda z: (2 * mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 2) / z, 0, top,
           "(ln((1 + s) / (1 - s)) / s - 2) / z, z = s^2.")
    eighth = (mp.pi / 4) ** 2 + mp.mpf(2) ** -10
    single("sin_terms", lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z, 0, eighth,
           "(sin(r) / r - 1) / z, z = r^2.")
    single("cos_terms", lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, 0, eighth,
           "(cos(r) - 1 + z/2) / z^2, z = r^2.")
    single("sinc_terms", lambda z: mp.sincpi(mp.sqrt(z)), 0, mp.mpf(1) / 4, "sin(pi r) / (pi r), z = r^2.")
    single("cos_pi_terms", lambda z: mp.cos(mp.pi * mp.sqrt(z)), 0, mp.mpf(1) / 4, "cos(pi r), z = r^2.", 3)
    nodes = [[mp.mpf(k) / 2 + mp.mpf(shift) / 4 for k in range(13)] for shift in (0, 1)]
    weights = [[mp.exp(-t * t) / (2 if t == 0 else 1) for t in row] for row in nodes]
    write("faddeeva_weights", weights, "exp(-t^2) at t = k/2 (half of it at 0), then at t = k/2 + 1/4.")


if __name__ == "__main__":
    main()
