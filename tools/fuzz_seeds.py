#!/usr/bin/env python3
"""Writes the seeds of the fuzzers whose formats need a library: weir/formats/kinds/{arrow,parquet,nwb}/corpus. Those of nwb
are texts, from which the fuzzer makes what HDF5 would hand out.

    .venv/golden-formats/bin/python tools/fuzz_seeds.py

Each is a few kilobytes, and different from the others in one thing: a type, an encoding, a shape, a document that is wrong.
What a fuzzer found is in the same folders under names of its own, and stays.
"""

import json
import pathlib

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet

KINDS = pathlib.Path(__file__).resolve().parents[1] / "weir" / "formats" / "kinds"

SPEC = [
    ("channel", pa.int32(), [0, 1, 0]),
    ("channel_name", pa.string(), ["a", "b", "a"]),
    ("onset_sample", pa.uint64(), [3, 40, 50]),
    ("offset_sample", pa.uint64(), [9, None, 50]),
    ("peak_sample", pa.uint64(), [5, 41, 50]),
    ("peak_value", pa.float32(), [-19.5, 0.25, 7]),
    ("onset_s", pa.float64(), [0.3, 4.0, 5.0]),
    ("offset_s", pa.float64(), [0.9, None, 5.0]),
    ("duration_s", pa.float64(), [0.6, None, 0.0]),
    ("segment", pa.uint32(), [0, 0, 0]),
    ("polarity", pa.int8(), [-1, 1, 1]),
]
DOCUMENT = {
    "weir_events": 1,
    "rate": [10, 1],
    "channel_names": ["a", "b"],
    "channel_units": ["uV", "uV"],
    "segments": [{"index": 0, "start_s": 0, "samples": 60, "first_sample": 0}],
}


def table(changed=(), document=None, without=(), rows=3):
    """The columns of the spec but for those changed (name: array) and left out, with the document's keys as metadata."""
    columns = {name: pa.array(values, kind)[:rows] for name, kind, values in SPEC if name not in without}
    columns.update(changed)
    keys = {**DOCUMENT, **(document or {})}
    return pa.table(columns).replace_schema_metadata({k: v if isinstance(v, str) else json.dumps(v) for k, v in keys.items() if v is not None})


def tables():
    """By name: a table, and whether its document is what is wrong with it."""
    near = {
        "ours": table(),
        "empty": table(rows=0),
        "signed": table({"onset_sample": pa.array([3, -4, 50], pa.int64())}),
        "narrow": table({"onset_sample": pa.array([3, 40, 50], pa.uint8()), "segment": pa.array([0, 0, 0], pa.int16())}),
        "floats": table({"onset_sample": pa.array([3, 40.5, np.nan]), "offset_sample": pa.array([9, np.nan, 1e300])}),
        "halves": table({"peak_value": pa.array(np.array([1, np.inf, np.nan], "f2"))}),
        "nulls": table({"onset_sample": pa.array([None, 40, None], pa.uint64()), "channel": pa.nulls(3, pa.int32())}),
        "all_null": table({"offset_sample": pa.nulls(3)}),
        "booleans": table({"polarity": pa.array([True, False, None])}),
        "far": table({"onset_sample": pa.array([2**63, 2**64 - 1, 0], pa.uint64())}),
        "channel_far": table({"channel": pa.array([0, 70000, -1], pa.int64())}, {"channel_names": None}),
        "no_channel": table(without=("channel",)),
        "no_name": table(without=("channel_name",), document={"channel_names": None}),
        "no_onset": table(without=("onset_sample",)),
        "text_for_number": table({"onset_sample": pa.array(["3", "40", "50"])}),
        "number_for_text": table({"channel_name": pa.array([1, 2, 3])}),
        "labels": table({"channel_name": pa.array(["a", "b", "a"]).dictionary_encode()}),
        "long_text": table({"channel_name": pa.array(["a" * 300, "", "\u00b5"], pa.large_string())}),
        "bytes": table({"channel_name": pa.array([b"\xff\xfe", b"", b"a"])}),
        "nested": table({"more": pa.array([[1, 2], None, []]), "pairs": pa.array([{"x": 1}, None, {"x": 2}])}),
        "times": table({"when": pa.array([1, 2, None], pa.timestamp("ns", "UTC")), "cost": pa.array([1, 2, 3], pa.decimal128(9, 2))}),
        "twice": pa.Table.from_arrays([*table().columns, pa.array([1, 2, 3])], names=[*table().column_names, "onset_sample"])
                   .replace_schema_metadata(table().schema.metadata),
        "segments_apart": table({"segment": pa.array([2, 2, 7], pa.uint32())}, {"segments": None}),
        "segment_unknown": table({"segment": pa.array([0, 9, 0], pa.uint32())}),
    }
    wrong = {
        "no_document": dict.fromkeys(DOCUMENT),
        "no_rate": {"rate": None},
        "rate_zero": {"rate": [10, 0]},
        "rate_text": {"rate": "[10, "},
        "hz": {"rate": None, "sample_rate_hz": 1e308},
        "names_deep": {"channel_names": "[" * 400},
        "units_other": {"channel_units": [1]},
        "segments_odd": {"segments": [{"index": -1, "start_s": "x", "samples": 2**62, "first_sample": -5}]},
        "newer": {"weir_events": 99},
    }
    return {**near, **{name: table(document=document) for name, document in wrong.items()}}


def write_parquet(folder):
    settings = {
        "ours": {"compression": "zstd"},
        "signed": {"compression": "snappy"},
        "narrow": {"compression": "gzip", "row_group_size": 2},
        "floats": {"compression": "lz4", "data_page_version": "2.0"},
        "halves": {"compression": "brotli"},
        "nulls": {"use_dictionary": False, "column_encoding": "PLAIN"},
        "labels": {"use_dictionary": ["channel_name"], "row_group_size": 1},
        "long_text": {"use_dictionary": False, "column_encoding": {"channel_name": "DELTA_LENGTH_BYTE_ARRAY"}},
        "bytes": {"use_dictionary": False, "column_encoding": {"channel_name": "DELTA_BYTE_ARRAY"}},
        "far": {"use_dictionary": False, "column_encoding": {"onset_sample": "DELTA_BINARY_PACKED", "peak_value": "BYTE_STREAM_SPLIT"}},
        "times": {"use_deprecated_int96_timestamps": True, "version": "1.0"},
        "no_name": {"write_page_index": True, "write_page_checksum": True},
    }
    for name, one in tables().items():
        pa.parquet.write_table(one, folder / f"{name}.parquet", **settings.get(name, {"compression": "none", "write_statistics": False}))


def write_arrow(folder):
    compressed = {"signed": "lz4", "narrow": "zstd", "long_text": "zstd", "labels": "lz4"}
    for name, one in tables().items():
        options = pa.ipc.IpcWriteOptions(compression=compressed.get(name))
        with pa.ipc.new_file(folder / f"{name}.arrow", one.schema, options=options) as file:
            file.write_table(one, max_chunksize=2 if name in ("narrow", "labels") else None)
    views = table({"channel_name": pa.array(["a", "b" * 40, "a"]).cast(pa.string_view())})
    with pa.ipc.new_file(folder / "views.arrow", views.schema) as file:
        file.write_table(views)
    with pa.ipc.new_stream(folder / "stream.arrow", table().schema) as file:
        file.write_table(table())


PLAIN = """A / nwb_version t 2.7.0
A /acquisition/one neurodata_type t ElectricalSeries
D /acquisition/one/data int16 20,2 - 1 -2 3 4
D /acquisition/one/starting_time float64 - - 1.5
A /acquisition/one/starting_time rate n 100
"""
ELECTRODES = """D /acquisition/one/electrodes int64 2 - 2 0
A /acquisition/one/electrodes table r /general/extracellular_ephys/electrodes
D /general/extracellular_ephys/electrodes/id int64 3 - 0 1 2
T /general/extracellular_ephys/electrodes/channel_name 3 a b c
T /general/extracellular_ephys/electrodes/group_name 3 g g h
D /general/extracellular_ephys/electrodes/rel_x float64 3 - 0 1 2
D /general/extracellular_ephys/electrodes/rel_y float32 3 - nan 1 2
"""
UNITS = """D /units/id int64 3 - 7 8 9
D /units/spike_times float64 4 - 1.5 1.6 1.55 9
D /units/spike_times_index uint32 3 - 2 2 4
D /intervals/trials/id int64 2 - 0 1
D /intervals/trials/start_time float64 2 - 1.5 1.6
D /intervals/trials/stop_time float64 2 - 1.55 inf
"""


def descriptions():
    """By name: an NWB file as the fuzzer describes it."""
    stamped = PLAIN.replace("starting_time float64 - - 1.5", "timestamps float64 {} - {}").replace("/starting_time rate", "/x rate")
    return {
        "plain": PLAIN,
        "no_version": PLAIN.replace("nwb_version", "version"),
        "one_axis": PLAIN.replace("20,2", "20"),
        "three_axes": PLAIN.replace("20,2", "2,2,2"),
        "no_axes": PLAIN.replace("20,2", "-"),
        "no_frames": PLAIN.replace("20,2", "0,2"),
        "no_channels": PLAIN.replace("20,2", "20,0"),
        "far": PLAIN.replace("20,2 -", "9223372036854775807,1 4,1"),
        "wide": PLAIN.replace("20,2 -", "1,9223372036854775807 1,4"),
        "square": PLAIN.replace("20,2 -", "4611686018427387904,1024 1,1024"),
        "chunk_huge": PLAIN.replace("20,2 -", "20,2 4611686018427387904,9223372036854775807"),
        "chunk_none": PLAIN.replace("20,2 -", "20,2 0,0"),
        "doubles": PLAIN.replace("int16", "float64").replace("-2", "1e300"),
        "halves": PLAIN.replace("int16", "float16"),
        "unsigned": PLAIN.replace("int16", "uint64").replace("-2", "9e18"),
        "unread": PLAIN.replace("int16", "!"),
        "rate_zero": PLAIN.replace("rate n 100", "rate n 0"),
        "rate_nan": PLAIN.replace("rate n 100", "rate n nan"),
        "rate_huge": PLAIN.replace("rate n 100", "rate n 1e308"),
        "start_far": PLAIN.replace("- - 1.5", "- - 1e300"),
        "scaled": PLAIN + "A /acquisition/one/data conversion n 2.5e-6\nA /acquisition/one/data offset n -0.5\n"
                          "D /acquisition/one/channel_conversion float64 2 - 1 0.5\nA /acquisition/one/data unit t volts\n",
        "scale_zero": PLAIN + "A /acquisition/one/data conversion n 0\n",
        "scale_few": PLAIN + "D /acquisition/one/channel_conversion float64 3 - 1\n",
        "electrodes": PLAIN + ELECTRODES,
        "electrodes_nan": PLAIN + ELECTRODES.replace("electrodes int64 2 - 2 0", "electrodes float64 2 - nan 0"),
        "electrodes_far": PLAIN + ELECTRODES.replace("- 2 0", "- 2 1e18"),
        "electrodes_elsewhere": PLAIN + ELECTRODES.replace("table r /general", "table r /nowhere"),
        "steady": stamped.format(6, "0 0.02 0.04 0.06 0.08 0.1"),
        "gap": stamped.format(20, "0 0.02 0.04 0.06 0.08 0.1 0.12 0.14 0.16 0.18 3 3.02 3.04 3.06 3.08 3.1 3.12 3.14 3.16 3.18"),
        "backward": stamped.format(20, "0 -0.02 -0.04"),
        "stamps_nan": stamped.format(20, "nan"),
        "stamps_many": stamped.format(9223372036854775807, "0 0.02"),
        "units": PLAIN + UNITS,
        "units_named": PLAIN + UNITS + "T /units/unit_name 3 a b \u00b5\n",
        "units_alone": "A / nwb_version t 2\n" + UNITS,
        "units_many": PLAIN + UNITS.replace("id int64 3", "id int64 9223372036854775807").replace("index uint32 3", "index uint32 65536"),
        "index_wrong": PLAIN + UNITS.replace("- 2 2 4", "- 9 1 1"),
        "index_nan": PLAIN + UNITS.replace("uint32 3 - 2 2 4", "float64 3 - nan 1 -5"),
        "trials_many": PLAIN + UNITS.replace("trials/id int64 2", "trials/id int64 9223372036854775807").replace("start_time float64 2 -", "start_time float64 67108864 -"),
        "two": PLAIN + PLAIN.replace("/acquisition/one", "/processing/ecephys/LFP/one").replace("20,2", "20,1"),
        "deep": PLAIN + "D /processing/a/b/c/d/e/f/g/h/i/j int8 1 - 1\n",
        "nothing": "A / nwb_version t 2.7.0\n",
    }


def write_nwb(folder):
    for name, text in descriptions().items():
        (folder / name).write_text(text)


def main():
    for kind, write in (("parquet", write_parquet), ("arrow", write_arrow), ("nwb", write_nwb)):
        folder = KINDS / kind / "corpus"
        folder.mkdir(exist_ok=True)
        write(folder)
        sizes = [file.stat().st_size for file in folder.iterdir()]
        print(f"{kind}: {len(sizes)} seeds, {sum(sizes)} bytes, the largest {max(sizes)}")


if __name__ == "__main__":
    main()
