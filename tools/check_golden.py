#!/usr/bin/env python3
"""Makes every golden data set again in a temporary folder and compares it with the one in the tree.

    tools/check_golden.py [FOLDER…]

Each golden/make.py writes beside itself; it runs here on a copy. Integers must be equal; floats may differ by the
last bits that another version of the oracle leaves (1e-6 of the largest magnitude for float32, 1e-9 for float64).
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]


def difference(made, kept):
    """What differs, or None."""
    if made.dtype != kept.dtype or made.shape != kept.shape:
        return f"{made.dtype}{made.shape} instead of {kept.dtype}{kept.shape}"
    if made.dtype.kind != "f":
        return None if numpy.array_equal(made, kept) else "other values"
    if made.size == 0:
        return None
    allowed = (1e-6 if made.dtype.itemsize == 4 else 1e-9) * max(numpy.nanmax(numpy.abs(kept)), 1e-30)
    if not numpy.array_equal(numpy.isnan(made), numpy.isnan(kept)):
        return "other NaNs"
    largest = numpy.nanmax(numpy.abs(made.astype("f8") - kept.astype("f8")))
    return None if largest <= allowed else f"differs by {largest:g}, at most {allowed:g}"


def check(folder):
    with tempfile.TemporaryDirectory() as temporary:
        # The same place in a tree of its own, so that a script may look for its neighbours.
        copy = pathlib.Path(temporary) / folder.relative_to(ROOT)
        shutil.copytree(folder.parent, copy.parent)
        for file in copy.glob("*.npy"):
            file.unlink()
        subprocess.run([sys.executable, "make.py"], cwd=copy, check=True)
        made = {file.name for file in copy.glob("*.npy")}
        kept = {file.name for file in folder.glob("*.npy")}
        for name in sorted(made ^ kept):
            yield f"{folder / name}: {'not in the tree' if name in made else 'not made by make.py'}"
        for name in sorted(made & kept):
            what = difference(numpy.load(copy / name), numpy.load(folder / name))
            if what:
                yield f"{folder / name}: {what}"


def main(arguments):
    folders = [pathlib.Path(a).resolve() for a in arguments] or \
        sorted(file.parent for file in ROOT.glob("weir/**/golden/make.py"))
    findings = [found for folder in folders for found in check(folder)]
    print("\n".join(findings))
    print(f"golden: {len(folders)} folders made again, {len(findings)} findings")
    return 1 if findings or not folders else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
