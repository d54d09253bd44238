#!/usr/bin/env python3
"""Takes the records of the reference densities (20 digits, made with mpmath by make_reference.py beside them) that the
tests of model functions read, one file each, and makes those that are not among them.

    make.py [FOLDER OF densities.json]
"""

import json
import pathlib
import platform
import sys

import mpmath as mp

HERE = pathlib.Path(__file__).resolve().parent


def write(name, record):
    lines = [f"{json.dumps(key)}: {json.dumps(record[key])}" for key in ("parameters", "fixed") if key in record]
    for key in ("points", "integrals"):
        entries = ",\n".join("  " + json.dumps(entry) for entry in record[key])
        lines.append(f"{json.dumps(key)}: [\n{entries}\n]")
    (HERE / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


def truncated_normal():
    """Not among the reference densities: from its definition, 60 digits, masses by erfc on the side of the range."""
    mp.mp.dps = 60

    def mass(a, b, mu, sigma):
        a, b = ((mp.mpf(end) - mu) / sigma / mp.sqrt(2) for end in (a, b))
        return (mp.erfc(a) - mp.erfc(b)) / 2 if a > 0 else (mp.erfc(-b) - mp.erfc(-a)) / 2

    def log_density(x, mu, sigma, lower, upper):
        return -((x - mu) / sigma) ** 2 / 2 - mp.log(sigma * mp.sqrt(2 * mp.pi)) - mp.log(mass(lower, upper, mu, sigma))

    names = ("mu", "sigma", "lower", "upper")
    points, integrals = [], []
    for shape, at in (((0.5, 0.1, 0.0, 1.0), (0.0, 0.3, 1.0)), ((-30.0, 0.5, 0.0, 1.0), (0.0, 0.001, 0.5)),
                      ((90.0, 0.5, 0.0, 1.0), (1.0, 0.9)), ((0.0, 1.0, -2.0, 3.0), (-2.0, -2.0000001, 0.0, 3.5))):
        parameters = {name: repr(value) for name, value in zip(names, shape)}
        mu, sigma, lower, upper = (mp.mpf(value) for value in shape)
        for x in at:
            point = {"x": repr(x), "parameters": parameters, "value": "0", "log_value": "-inf", "dlog": None}
            if lower <= x <= upper:
                log_value = log_density(mp.mpf(x), mu, sigma, lower, upper)
                slopes = (mp.diff(lambda m: log_density(mp.mpf(x), m, sigma, lower, upper), mu),
                          mp.diff(lambda s: log_density(mp.mpf(x), mu, s, lower, upper), sigma))
                point.update(value=mp.nstr(mp.exp(log_value), 20), log_value=mp.nstr(log_value, 20),
                             dlog={name: mp.nstr(slope, 20) for name, slope in zip(names, slopes)})
            points.append(point)
        for a, b in ((0.25, 0.5), (0.0, 1.0)):
            integral = mass(a, b, mu, sigma) / mass(lower, upper, mu, sigma)
            integrals.append({"parameters": parameters, "lo": repr(a), "hi": repr(b), "integral": mp.nstr(integral, 20)})
    return {"parameters": ["mu", "sigma"], "fixed": ["lower", "upper"], "points": points, "integrals": integrals}


def main(arguments):
    folder = pathlib.Path(arguments[0]) if arguments else HERE.parents[3].parent / "shared" / "reference"
    records = json.loads((folder / "densities.json").read_text(encoding="utf-8"))["densities"]
    for name, record in records.items():
        write(name, record)
    write("truncated_normal", truncated_normal())
    versions = {"python": platform.python_version(), "mpmath": mp.__version__, "densities": "shared/reference/densities.json"}
    (HERE / "versions.json").write_text(json.dumps(versions) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
