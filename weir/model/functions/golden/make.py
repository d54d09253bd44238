#!/usr/bin/env python3
"""Takes the records of the reference densities (20 digits, made with mpmath by make_reference.py beside them) that the
tests of model functions read: one file each.

    make.py [FOLDER OF densities.json]
"""

import json
import pathlib
import platform
import sys

HERE = pathlib.Path(__file__).resolve().parent


def main(arguments):
    folder = pathlib.Path(arguments[0]) if arguments else HERE.parents[3].parent / "shared" / "reference"
    records = json.loads((folder / "densities.json").read_text(encoding="utf-8"))["densities"]
    for name, record in records.items():
        lines = [f"{json.dumps(key)}: {json.dumps(record[key])}" for key in ("parameters", "fixed") if key in record]
        for key in ("points", "integrals"):
            entries = ",\n".join("  " + json.dumps(entry) for entry in record[key])
            lines.append(f"{json.dumps(key)}: [\n{entries}\n]")
        (HERE / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")
    versions = {"python": platform.python_version(), "densities": "shared/reference/densities.json"}
    (HERE / "versions.json").write_text(json.dumps(versions) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
