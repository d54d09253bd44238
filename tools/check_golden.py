#!/usr/bin/env python3
"""Makes every golden data set again in a temporary folder and compares it with the one in the tree.

    tools/check_golden.py [FOLDER…]

FOLDER: a golden folder, or one above some; all of the tree if none is named. Each golden/make.py writes beside itself; it runs here on a copy from which all it makes was taken away. Compared are
.npy and .npz arrays, Zarr stores (every array's samples and every document, not compressed bytes, which another version of
a codec may pack differently), and .json documents but for versions.json. Integers and texts must be equal; floats may
differ by the last bits that another version of the oracle leaves (1e-6 of the largest magnitude for float32, 1e-9 for
float64).
"""

import json
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
    single = made.dtype.itemsize == 4
    finite = numpy.isfinite(kept)
    if not numpy.array_equal(made[~finite], kept[~finite], equal_nan=True):
        return "other NaNs or infinities"
    made, kept = made[finite].astype("f8"), kept[finite].astype("f8")
    allowed = (1e-6 if single else 1e-9) * numpy.max(numpy.abs(kept), initial=1e-30)
    largest = numpy.max(numpy.abs(made - kept), initial=0)
    # Written so that a NaN among the made ones fails.
    return None if largest <= allowed else f"differs by {largest:g}, at most {allowed:g}"


def document_difference(made, kept):
    """As `difference`, of two parsed documents."""
    if isinstance(made, bool) or isinstance(kept, bool) or not isinstance(made, type(kept)):
        numbers = all(isinstance(one, (int, float)) and not isinstance(one, bool) for one in (made, kept))
        return document_difference(float(made), float(kept)) if numbers else (None if made is kept else f"{made} instead of {kept}")
    if isinstance(made, dict):
        if made.keys() != kept.keys():
            return f"other keys: {', '.join(sorted(made.keys() ^ kept.keys()))}"
        pairs = [(key, made[key], kept[key]) for key in kept]
    elif isinstance(made, list):
        if len(made) != len(kept):
            return f"{len(made)} items instead of {len(kept)}"
        pairs = [(f"[{at}]", *pair) for at, pair in enumerate(zip(made, kept))]
    elif isinstance(made, float):
        return difference(numpy.array(made), numpy.array(kept))
    else:
        return None if made == kept else f"{made} instead of {kept}"
    found = ((key, document_difference(one, other)) for key, one, other in pairs)
    return next((f"{key}: {what}" for key, what in found if what), None)


def archive_difference(made, kept):
    made, kept = numpy.load(made), numpy.load(kept)
    if made.files != kept.files:
        return f"holds {made.files} instead of {kept.files}"
    return next((f"{name}: {what}" for name in kept.files if (what := difference(made[name], kept[name]))), None)


def store_difference(made, kept):
    import zarr

    documents = [sorted(file.relative_to(store) for file in store.rglob("zarr.json")) for store in (made, kept)]
    if documents[0] != documents[1]:
        return f"holds {', '.join(map(str, documents[0]))} instead of {', '.join(map(str, documents[1]))}"
    for name in documents[0]:
        document = json.loads((kept / name).read_text())
        what = document_difference(json.loads((made / name).read_text()), document)
        if not what and document["node_type"] == "array":
            what = difference(*(zarr.open_array(store / name.parent, mode="r")[:] for store in (made, kept)))
        if what:
            return f"{name}: {what}"
    return None


KINDS = {
    ".npy": lambda made, kept: difference(numpy.load(made), numpy.load(kept)),
    ".npz": archive_difference,
    ".zarr": store_difference,
    ".json": lambda made, kept: document_difference(json.loads(made.read_text()), json.loads(kept.read_text())),
}


def made_by_script(folder):
    return {path.name for path in folder.iterdir() if path.name not in ("make.py", "versions.json", "__pycache__")}


def check(folder):
    with tempfile.TemporaryDirectory() as temporary:
        # The same place in a tree of its own, so that a script may look for its neighbours.
        copy = pathlib.Path(temporary) / folder.relative_to(ROOT)
        shutil.copytree(folder.parent, copy.parent)
        for name in made_by_script(copy):
            shutil.rmtree(copy / name) if (copy / name).is_dir() else (copy / name).unlink()
        subprocess.run([sys.executable, "make.py"], cwd=copy, check=True)
        made, kept = made_by_script(copy), made_by_script(folder)
        for name in sorted(made ^ kept):
            yield f"{folder / name}: {'not in the tree' if name in made else 'not made by make.py'}"
        for name in sorted(made & kept):
            compare = KINDS.get(pathlib.Path(name).suffix)
            what = compare(copy / name, folder / name) if compare else "of a kind this script does not compare"
            if what:
                yield f"{folder / name}: {what}"


def golden_folders(arguments):
    """The golden folders in those named. Stops with what is wrong about one that has none."""
    found = set()
    for argument in arguments:
        folder = pathlib.Path(argument).resolve()
        if not folder.is_dir():
            sys.exit(f"{argument}: is no folder")
        if not folder.is_relative_to(ROOT):
            sys.exit(f"{argument}: is not in {ROOT}")
        held = {file.parent for file in folder.rglob("make.py") if file.parent.name == "golden"}
        if not held:
            sys.exit(f"{argument}: holds no golden/make.py")
        found |= held
    return sorted(found)


def main(arguments):
    folders = golden_folders(arguments or [ROOT / "weir"])
    findings = [found for folder in folders for found in check(folder)]
    print("\n".join(findings))
    print(f"golden: {len(folders)} folders made again, {len(findings)} findings")
    return 1 if findings or not folders else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
