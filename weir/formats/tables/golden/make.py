"""Tables of numbers that pyarrow, NumPy, Zarr and pandas write, for grouped_table_test.cc and stored_table_test.cc, and what
NumPy makes of a real one."""

import json
import pathlib

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import zarr

FOLDER = pathlib.Path(__file__).parent
DATA = pathlib.Path(__file__).parents[4] / "../shared/data/physics"
ROWS = 10
# Rows 0, 1, … 9: what the columns hold, by a formula that the test knows too.
ROW = np.arange(ROWS)
NUMBERS = {
    "flag": pa.array(ROW % 3 == 0),
    "i1": pa.array(ROW - 5, pa.int8()),
    "i2": pa.array(-300 * ROW, pa.int16()),
    "i4": pa.array(-70000 * ROW, pa.int32()),
    "i8": pa.array((ROW - 5) * 2**40, pa.int64()),
    "u1": pa.array(25 * ROW, pa.uint8()),
    "u2": pa.array(7000 * ROW, pa.uint16()),
    "u4": pa.array(400_000_000 * ROW, pa.uint32()),
    "u8": pa.array(ROW * 2**45, pa.uint64()),
    "f4": pa.array(ROW / 4, pa.float32()),
    "f8": pa.array(np.where(ROW == 6, np.nan, ROW / 10), pa.float64()),
    "text": pa.array([f"row {i}" for i in ROW]),
    "holes": pa.array([None if i == 7 else float(i) for i in ROW]),
    "jagged": pa.array([[1.0] * (i % 3) for i in ROW], pa.list_(pa.float64())),
    "huge": pa.array([0] * 8 + [2**53 + 1, 2**60], pa.int64()),
    "when": pa.array(ROW * 1000, pa.timestamp("ms")),
}


def plain_tables():
    """The columns that are no text, as arrays of one axis and as text."""
    arrays = {name: np.asarray(values) for name, values in NUMBERS.items()
              if name not in ("flag", "text", "holes", "jagged", "when")}
    arrays["flag"] = ROW % 3 == 0
    odd = {"square": np.zeros((2, 2)), "short": np.zeros(3), "words": np.array(["a", "b"]), "swapped": (ROW * 2.5).astype(">f8")}
    np.savez(FOLDER / "plain.npz", **arrays, **odd)
    np.savez_compressed(FOLDER / "deflated.npz", **arrays, **odd)
    group = zarr.open_group(str(FOLDER / "numbers.zarr"), mode="w")
    for name, values in arrays.items():
        group.create_dataset(name, data=values.astype("u1") if name == "flag" else values, chunks=3)
    group.create_dataset("square", data=np.zeros((2, 2)))
    frame = pandas.DataFrame(NUMBERS["holes"].to_pandas().rename("holes"))
    for name in ("i1", "i8", "u4", "f4", "f8", "huge"):
        frame[name] = arrays[name]
    frame["text"] = [f'row "{i}",\n' for i in ROW]
    frame["f8"] = frame["f8"].fillna(0.6)
    frame.to_csv(FOLDER / "numbers.csv", index=False)


def main():
    plain_tables()
    table = pa.table(NUMBERS)
    pa.parquet.write_table(table, FOLDER / "numbers.parquet", row_group_size=4)
    pa.feather.write_feather(table, FOLDER / "numbers.arrow", compression="zstd", chunksize=4)
    real = pa.parquet.read_table(DATA / "kshort_pair_10k.parquet")
    facts = {
        "rows": real.num_rows,
        "columns": {
            name: {
                "sum": float(np.sum(real[name].to_numpy().astype("f8"))),
                "first": float(real[name][0].as_py()),
                "last": float(real[name][-1].as_py()),
            }
            for name in real.column_names
        },
        "rows_with_weight_below_minus_half": np.flatnonzero(real["weight"].to_numpy() < -0.5).tolist(),
    }
    (FOLDER / "kshort_facts.json").write_text(json.dumps(facts, indent=1) + "\n")
    versions = {"numpy": np.__version__, "pyarrow": pa.__version__, "zarr": zarr.__version__, "pandas": pandas.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
