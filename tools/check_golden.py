#!/usr/bin/env python3
"""Makes every golden data set again in a temporary folder and compares it with the one in the tree.

    tools/check_golden.py [--with PYTHON]… [FOLDER…]

FOLDER: a golden folder, or one above some; all of the tree if none is named. PYTHON: an interpreter that scripts may run
under, besides this one; each runs under the first that has the packages its versions.json names, and a folder that none
serves is a finding. The golden/make*.py write beside themselves; they run here on a copy from which all they make was
taken away, beside shared/ where this tree has one.
Compared are .npy and .npz arrays, Zarr stores (every array's samples and every document, not compressed bytes, which
another version of a codec may pack differently), .json documents but for versions.json, and the bytes of all else;
files that hold the time they were written at or the program that wrote them need only be made. Integers and texts must
be equal; floats may differ by the last bits that another version of the oracle leaves (1e-6 of the largest magnitude for
float32, 1e-9 for float64).
"""

import argparse
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


DOCUMENTS = ("zarr.json", ".zgroup", ".zarray", ".zattrs")


def store_difference(made, kept):
    import zarr

    documents = [sorted(file.relative_to(store) for name in DOCUMENTS for file in store.rglob(name)) for store in (made, kept)]
    if documents[0] != documents[1]:
        return f"holds {', '.join(map(str, documents[0]))} instead of {', '.join(map(str, documents[1]))}"
    for name in documents[0]:
        document = json.loads((kept / name).read_text())
        what = document_difference(json.loads((made / name).read_text()), document)
        if not what and (name.name == ".zarray" or document.get("node_type") == "array"):
            what = difference(*(zarr.open_array(store / name.parent, mode="r")[:] for store in (made, kept)))
        if what:
            return f"{name}: {what}"
    return None


def wav_difference(made, kept):
    """Of all bytes but the time at which libsndfile measured the peaks."""
    files = [bytearray(path.read_bytes()) for path in (made, kept)]
    for file in files:
        peak = file.find(b"PEAK")
        if peak >= 0:
            file[peak + 12 : peak + 16] = bytes(4)
    return None if files[0] == files[1] else "other bytes"


KINDS = {
    ".npy": lambda made, kept: difference(numpy.load(made), numpy.load(kept)),
    ".npz": archive_difference,
    ".zarr": store_difference,
    ".wav": wav_difference,
    ".json": lambda made, kept: document_difference(json.loads(made.read_text()), json.loads(kept.read_text())),
}


# They hold a time, a random name or the version of the program that wrote them.
UNREPEATABLE = {".nwb", ".parquet", ".feather", ".arrow"}


def bytes_difference(made, kept):
    return None if made.read_bytes() == kept.read_bytes() else "other bytes"


def compare(made, kept):
    kind = kept.suffix
    if kind in KINDS:
        return KINDS[kind](made, kept)
    if kept.is_dir():
        files = [sorted(file.relative_to(folder) for file in folder.rglob("*") if file.is_file()) for folder in (made, kept)]
        if files[0] != files[1]:
            return f"holds {', '.join(map(str, files[0]))} instead of {', '.join(map(str, files[1]))}"
        found = ((name, compare(made / name, kept / name)) for name in files[0])
        return next((f"{name}: {what}" for name, what in found if what), None)
    return None if kind in UNREPEATABLE else bytes_difference(made, kept)


def is_script(path):
    return path.name.startswith("make") and path.suffix == ".py"


def made_by_script(folder):
    kept = ("versions.json", "__pycache__")
    return {path.name for path in folder.iterdir() if not is_script(path) and path.name not in kept}


class Interpreter:
    def __init__(self, path):
        self.path = str(pathlib.Path(path).absolute())  # Not where a link leads: that is no environment.
        self.packages = {}

    def has(self, name, version):
        if name not in self.packages:
            text = f"import importlib.metadata as m; print(m.version({name!r}))"
            found = subprocess.run([self.path, "-c", text], capture_output=True, text=True)
            self.packages[name] = found.stdout.strip()
        return self.packages[name] == version


# Of versions.json: not packages, but what the package or the machine brought.
BROUGHT = {"python", "libsndfile"}


def interpreter_for(folder, interpreters):
    file = folder / "versions.json"
    wanted = json.loads(file.read_text()) if file.exists() else {}
    wanted = {name: version for name, version in wanted.items() if name not in BROUGHT}
    serves = (one for one in interpreters if all(one.has(*package) for package in wanted.items()))
    return next(serves, None), ", ".join(f"{name} {version}" for name, version in wanted.items())


def check(folder, interpreters):
    interpreter, wanted = interpreter_for(folder, interpreters)
    if interpreter is None:
        yield f"{folder}: no interpreter has {wanted}"
        return
    with tempfile.TemporaryDirectory() as temporary:
        # The same place in a tree of its own, so that a script may look for its neighbours.
        copy = pathlib.Path(temporary) / "tree" / folder.relative_to(ROOT)
        (pathlib.Path(temporary) / "shared").symlink_to(ROOT.parent / "shared")
        shutil.copytree(folder.parent, copy.parent)
        for name in made_by_script(copy):
            shutil.rmtree(copy / name) if (copy / name).is_dir() else (copy / name).unlink()
        for script in sorted(path.name for path in copy.iterdir() if is_script(path)):
            ran = subprocess.run([interpreter.path, script], cwd=copy, capture_output=True, text=True)
            if ran.returncode != 0:
                yield f"{folder / script}: {(ran.stderr.strip() or 'failed').splitlines()[-1]}"
                return
        made, kept = made_by_script(copy), made_by_script(folder)
        for name in sorted(made ^ kept):
            yield f"{folder / name}: {'not in the tree' if name in made else 'not made by its scripts'}"
        for name in sorted(made & kept):
            what = compare(copy / name, folder / name)
            if what:
                yield f"{folder / name}: {what}"


def golden_folders(named):
    """The golden folders in those named. Stops with what is wrong about one that has none."""
    found = set()
    for argument in named:
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


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--with", dest="others", action="append", default=[])
    parser.add_argument("folders", nargs="*")
    arguments = parser.parse_args(words)
    interpreters = [Interpreter(path) for path in (sys.executable, *arguments.others)]
    folders = golden_folders(arguments.folders or [ROOT / "weir"])
    findings = [found for folder in folders for found in check(folder, interpreters)]
    print("\n".join(findings))
    print(f"golden: {len(folders)} folders made again, {len(findings)} findings")
    return 1 if findings or not folders else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
