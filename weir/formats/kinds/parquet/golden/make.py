"""Event tables that pandas, polars and pyarrow write, for parquet_test.cc and, in ../../arrow/golden, arrow_test.cc."""

import json
import pathlib

import pandas
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

FOLDER = pathlib.Path(__file__).parent
ARROW = FOLDER.parents[1] / "arrow" / "golden"
ARROW.mkdir(parents=True, exist_ok=True)

ROWS = [  # channel_name, onset_sample, offset_sample, peak_sample, peak_value, onset_s, segment, polarity
    ("left", 3, 9, 5, -19.5, 10.0003, 0, -1),
    ("right", 40, None, 41, 0.25, 10.004, 0, 1),
    ("left", 50, 50, 50, 7.0, 10.005, 0, 1),
    ("left", 7, 11, 8, -3.5, 100.0007, 2, -1),
]
NAMES = ("channel_name", "onset_sample", "offset_sample", "peak_sample", "peak_value", "onset_s", "segment", "polarity")
COLUMNS = {name: [row[i] for row in ROWS] for i, name in enumerate(NAMES)}


def main():
    frame = pandas.DataFrame(COLUMNS)  # offset_sample becomes float64 with NaN
    frame["when"] = pandas.Timestamp("2026-11-30")
    frame["note"] = "x"
    frame.to_parquet(FOLDER / "pandas.parquet", index=False)
    frame.to_feather(ARROW / "pandas.feather", compression="uncompressed")
    polars_frame = polars.DataFrame(COLUMNS)
    polars_frame.write_parquet(FOLDER / "polars.parquet")
    polars_frame.write_ipc(ARROW / "polars.arrow")  # string views
    table = pa.table({
        "channel": pa.array([0, 1, 0, 0], pa.int64()),
        "channel_name": pa.array(COLUMNS["channel_name"]).dictionary_encode(),
        "onset_sample": pa.array(COLUMNS["onset_sample"], pa.int16()),
        "offset_sample": pa.array(COLUMNS["offset_sample"], pa.int32()),
        "peak_sample": pa.array(COLUMNS["peak_sample"], pa.uint8()),
        "peak_value": pa.array(COLUMNS["peak_value"], pa.float64()),
        "onset_s": pa.array(COLUMNS["onset_s"], pa.float64()),
        "segment": pa.array(COLUMNS["segment"], pa.int64()),
        "polarity": pa.array(COLUMNS["polarity"], pa.int8()),
    }).replace_schema_metadata({"sample_rate_hz": "10000"})
    pa.parquet.write_table(table, FOLDER / "pyarrow.parquet", compression="gzip", version="1.0", row_group_size=3)
    pa.feather.write_feather(table, ARROW / "pyarrow.feather", compression="lz4", chunksize=3)
    for folder in (FOLDER, ARROW):
        versions = {"pyarrow": pa.__version__, "pandas": pandas.__version__, "polars": polars.__version__}
        (folder / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
