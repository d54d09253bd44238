"""Arrays written by NumPy itself, for npy_test.cc: run it with the versions in versions.json."""

import io
import json
import pathlib
import struct
import zlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent
counting = np.arange(-6, 6, dtype=np.int64).reshape(4, 3)


def write_zip64(path, arrays):
    """An archive whose sizes and places are told in 64 bits, as those of large ones are."""
    members, directory = b"", b""
    for name, array in arrays.items():
        file = io.BytesIO()
        np.save(file, array)
        plain = file.getvalue()
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(plain) + packer.flush()
        sizes = struct.pack("<QQ", len(plain), len(packed))
        start = len(members)
        name = name.encode()
        shared = struct.pack("<HHHHHIII", 45, 0, 8, 0, 33, zlib.crc32(plain), 2**32 - 1, 2**32 - 1)
        members += b"PK\x03\x04" + shared + struct.pack("<HH", len(name), 20) + name + struct.pack("<HH", 1, 16) + sizes + packed
        directory += (b"PK\x01\x02" + struct.pack("<H", 45) + shared + struct.pack("<HHHHHII", len(name), 28, 0, 0, 0, 0, 2**32 - 1)
                      + name + struct.pack("<HH", 1, 24) + sizes + struct.pack("<Q", start))
    count = len(arrays)
    end64 = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), len(members))
    locator = b"PK\x06\x07" + struct.pack("<IQI", 0, len(members) + len(directory), 1)
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xffff, 0xffff, 2**32 - 1, 2**32 - 1, 0)
    path.write_bytes(members + directory + end64 + locator + end)
    with np.load(path) as read:  # NumPy opens it too.
        assert all(np.array_equal(read[name[:-4]], array) for name, array in arrays.items())


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
    columns = np.asfortranarray(counting.astype(">i2"))
    write_zip64(FOLDER / "zip64.npz", {"large.npy": counting.astype("<f8"), "columns.npy": columns})
    (FOLDER / "versions.json").write_text(json.dumps({"numpy": np.__version__}) + "\n")


if __name__ == "__main__":
    main()
