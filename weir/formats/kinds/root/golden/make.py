"""Trees that uproot writes, for root_test.cc, what it reads in them, and what it reads in those that ROOT wrote."""

import json
import pathlib

import awkward as ak
import numpy as np
import uproot

FOLDER = pathlib.Path(__file__).parent
CORPUS = FOLDER.parent / "corpus"
PHYSICS = pathlib.Path(__file__).parents[5] / "../shared/data/physics"
ROWS = 600  # In two baskets of 400 and 200.
ROW = np.arange(ROWS)
# What the columns hold, by formulas that the test knows too.
NUMBERS = {
    "flag": ROW % 3 == 0,
    "i1": (ROW % 200 - 100).astype("i1"),
    "u1": (ROW % 251).astype("u1"),
    "i2": (-40 * ROW).astype("i2"),
    "u2": (90 * ROW).astype("u2"),
    "i4": (-70000 * ROW).astype("i4"),
    "u4": (6_000_000 * ROW).astype("u4"),
    "i8": (ROW - 300).astype("i8") * 2**40,
    "u8": ROW.astype("u8") * 2**33,
    "f4": (ROW / 4).astype("f4"),
    "f8": ROW / 10,
    "three": np.stack([ROW, ROW + 1000, ROW + 2000], axis=1).astype("i4"),
}
CODECS = {"none": None, "zlib": uproot.ZLIB(6), "zstd": uproot.ZSTD(5), "lz4": uproot.LZ4(4), "lzma": uproot.LZMA(5)}


def write(path, compression, columns, cuts, name="t", title=""):
    with uproot.recreate(path, compression=compression) as file:
        types = {key: values.dtype if values.ndim == 1 else (values.dtype, values.shape[1:])
                 for key, values in columns.items()}
        tree = file.mktree(name, types, title)
        for first, stop in zip(cuts, cuts[1:]):
            tree.extend({key: values[first:stop] for key, values in columns.items()})


def odd(path):
    """What is refused by name, several trees, directories, an empty tree."""
    with uproot.recreate(path, compression=uproot.ZLIB(1)) as file:
        tree = file.mktree("inside/deep/tree", {"x": "var * float32", "y": "float64", "big": ("f8", (100,))})
        lengths = ak.Array([[], [1.5, 2.5, 3.5], [4.5]])
        tree.extend({"x": ak.values_astype(lengths, "float32"), "y": np.array([7.0, 8.0, 9.0]), "big": np.zeros((3, 100))})
        file.mktree("empty", {"x": "f8"})
        words = file.mktree("words", {"word": "string", "n": "i8"})
        words.extend({"word": ak.Array(["one", "two"]), "n": np.array([1, 2])})
        file.mkrntuple("newer", {"n": np.array([1, 2])})
        file["note"] = "not a tree"


def facts(file):
    tree = uproot.open(file)["events"]
    arrays = {key: tree[key].array(library="np") for key in tree.keys() if key != "Type"}
    return {
        "rows": tree.num_entries,
        "columns": {
            key: {"type": str(values.dtype), "sum": float(values.astype("f8").sum()), "first": float(values[0]),
                  "last": float(values[-1])}
            for key, values in arrays.items()
        },
    }


def seeds():
    CORPUS.mkdir(exist_ok=True)
    small = {"a": np.arange(5, dtype="i4"), "b": np.arange(5) / 2, "flag": np.arange(5) % 2 == 0}
    for name, codec in CODECS.items():
        write(CORPUS / f"{name}.root", codec, {"a": np.arange(60, dtype="i8"), "b": np.zeros(60)}, [0, 40, 60])
    for key, values in NUMBERS.items():
        write(CORPUS / f"type_{key}.root", None, {key: values[:3]}, [0, 3])
    write(CORPUS / "baskets.root", None, small, [0, 1, 2, 3, 4, 5])
    write(CORPUS / "nested.root", None, small, [0, 5], name="d/e/f/t")
    write(CORPUS / "packed_tree.root", uproot.ZSTD(1), {f"column_{i}": np.arange(3.0) for i in range(12)}, [0, 3])
    odd(CORPUS / "odd.root")


def main():
    for name, codec in CODECS.items():
        write(FOLDER / f"{name}.root", codec, NUMBERS, [0, 400, ROWS])
    odd(FOLDER / "odd.root")
    seeds()
    for name in CODECS:  # uproot reads what it wrote.
        tree = uproot.open(FOLDER / f"{name}.root")["t"]
        assert all(np.array_equal(tree[key].array(library="np"), values) for key, values in NUMBERS.items())
    real = {codec: facts(PHYSICS / f"zmumu_{codec}.root") for codec in ("zlib", "zstd", "uncompressed")}
    (FOLDER / "zmumu_facts.json").write_text(json.dumps(real, indent=1) + "\n")
    versions = {"numpy": np.__version__, "uproot": uproot.__version__, "awkward": ak.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
