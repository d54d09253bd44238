#!/usr/bin/env python3
"""Opens event tables of ours with pyarrow, pandas, polars and DuckDB and compares every value with the same rows as text.

    table_peers.py FORMATS_TEST        # the test program build/<preset>/formats_test, which writes the tables
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from peer_case import need

need("peers-formats", "duckdb", "pandas", "polars", "pyarrow")
import duckdb
import pandas
import polars
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

ROWS = (0, 10, 70000, 200000)
GROUP_ROWS = 65536
TYPES = {"channel": (int, "int32"), "channel_name": (str, "string"), "onset_sample": (int, "uint64"),
         "offset_sample": (int, "uint64"), "peak_sample": (int, "uint64"), "peak_value": (float, "float"),
         "onset_s": (float, "double"), "offset_s": (float, "double"), "duration_s": (float, "double"),
         "segment": (int, "uint32"), "polarity": (int, "int8")}
NULLABLE = {"offset_sample", "offset_s", "duration_s"}


def write_tables(program, folder):
    subprocess.run([program, "--gtest_filter=*TableEvents.AreWrittenForOtherPrograms*", "--gtest_brief=1"],
                   check=True, env={**os.environ, "WEIR_PEERS_FOLDER": str(folder), "WEIR_REQUIRE": "arrow"})


def text_rows(path):
    """The columns of the text, nothing for null; peak_value is a float32 in its shortest text."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = {name: [] for name in TYPES}
        for row in reader:
            for name, (kind, _) in TYPES.items():
                columns[name].append(None if row[name] == "" else kind(row[name]))
    columns["peak_value"] = pyarrow.array(columns["peak_value"], pyarrow.float32()).to_pylist()
    return columns


def compare(peer, read, expected):
    for name in TYPES:
        assert read[name] == expected[name], f"{peer}: {name} differs"
    return len(TYPES) * len(expected["channel"])


def check_schema(schema, where):
    assert schema.names == list(TYPES), (where, schema.names)
    for field in schema:
        assert str(field.type) == TYPES[field.name][1], (where, field)
        assert field.nullable == (field.name in NULLABLE), (where, field)
    metadata = {key.decode(): value.decode() for key, value in schema.metadata.items()}
    assert metadata["weir_events"] == "1", where
    assert json.loads(metadata["rate"]) == [750003, 25], where
    assert json.loads(metadata["sample_rate_hz"]) == 30000.12, where
    assert json.loads(metadata["channel_names"]) == ["ch0", "ch1", 'Cz, "t\u00f4p"'], where
    assert json.loads(metadata["channel_units"]) == ["uV", "uV", "uV"], where


def pandas_columns(frame):
    return {name: [None if pandas.isna(v) else v for v in frame[name].tolist()] for name in TYPES}


def check_parquet(path, rows, expected):
    file = pyarrow.parquet.ParquetFile(path)
    check_schema(file.schema_arrow, path)
    groups = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert groups == [min(GROUP_ROWS, rows - first) for first in range(0, rows, GROUP_ROWS)], groups
    for i in range(file.num_row_groups):
        onset = file.metadata.row_group(i).column(2).statistics
        first = i * GROUP_ROWS
        want = expected["onset_sample"][first:first + groups[i]]
        assert (onset.min, onset.max) == (min(want), max(want)), (path, i)
    compared = compare("pyarrow", file.read().to_pydict(), expected)
    frame = pandas.read_parquet(path, dtype_backend="pyarrow")
    compared += compare("pandas", pandas_columns(frame), expected)
    compared += compare("polars", polars.read_parquet(path).to_dict(as_series=False), expected)
    with duckdb.connect() as base:
        table = base.sql(f"select * from read_parquet('{path}')").to_arrow_table()
        compared += compare("DuckDB", table.to_pydict(), expected)
        if rows > GROUP_ROWS:
            middle = expected["onset_sample"][rows // 2]
            count, = base.sql(f"select count(*) from read_parquet('{path}') where onset_sample >= {middle}").fetchall()[0]
            assert count == sum(v >= middle for v in expected["onset_sample"]), path
    return compared


def check_arrow(path, expected):
    with pyarrow.memory_map(str(path)) as source:
        file = pyarrow.ipc.open_file(source)
        check_schema(file.schema, path)
        table = file.read_all()
        table.validate(full=True)
        compared = compare("pyarrow", table.to_pydict(), expected)
    compared += compare("feather", pyarrow.feather.read_table(path).to_pydict(), expected)
    compared += compare("polars", polars.read_ipc(path).to_dict(as_series=False), expected)
    return compared


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    compared = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_tables(program, folder)
        for rows in ROWS:
            expected = text_rows(folder / f"events-{rows}.csv")
            assert len(expected["channel"]) == rows
            compared += check_parquet(folder / f"events-{rows}.parquet", rows, expected)
            compared += check_arrow(folder / f"events-{rows}.arrow", expected)
            sizes = [(folder / f"events-{rows}.{kind}").stat().st_size for kind in ("csv", "parquet", "arrow")]
            print(f"{rows} rows: bytes of text, Parquet, Arrow: {sizes}")
    print(f"pyarrow {pyarrow.__version__}, pandas {pandas.__version__}, polars {polars.__version__} and "
          f"DuckDB {duckdb.__version__} read our tables, {compared} values, as our text says")


if __name__ == "__main__":
    main()
