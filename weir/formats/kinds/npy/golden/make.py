"""Arrays written by NumPy itself, for npy_test.cc: run it with the versions in versions.json."""

import json
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent
counting = np.arange(-6, 6, dtype=np.int64).reshape(4, 3)


def main():
    for code in ("i1", "i2", "i4", "i8", "f2", "f4", "f8"):
        for order in "<>":
            array = counting.astype(order + code)
            tag = "le" if order == "<" else "be"
            if code != "i1" or order == "<":
                np.save(FOLDER / f"{code}_{tag}.npy", array)
    for code in ("u1", "u2", "u4", "u8"):
        np.save(FOLDER / f"{code}_le.npy", np.abs(counting).astype("<" + code))
    # Case F15: transposed in the file, the same array.
    np.save(FOLDER / "fortran.npy", np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)))
    np.save(FOLDER / "fortran_be.npy", np.asfortranarray(counting.astype(">f4")))
    for version in ((2, 0), (3, 0)):
        with open(FOLDER / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, counting.astype("<i2"), version)
    np.save(FOLDER / "complex.npy", np.zeros(3, np.complex64))
    np.save(FOLDER / "record.npy", np.zeros(3, [("a", "<i2"), ("b", "<f4")]))
    np.save(FOLDER / "cube.npy", np.zeros((2, 2, 2), np.int16))
    np.savez(FOLDER / "two.npz", small=np.arange(3, dtype=np.int16), large=counting.astype("<i2"))
    np.savez_compressed(FOLDER / "deflated.npz", large=counting.astype("<i2"))
    (FOLDER / "versions.json").write_text(json.dumps({"numpy": np.__version__}) + "\n")


if __name__ == "__main__":
    main()
