"""Stores written by zarr-python and tensorstore, for zarr_test.cc: run it with the versions in versions.json."""

import importlib.metadata
import json
import pathlib
import shutil

import numcodecs
import numpy as np
import tensorstore
import zarr
import zarr.codecs.numcodecs as numcodecs_v3
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

FOLDER = pathlib.Path(__file__).parent
FRAMES, CHANNELS = 103, 5


def samples(dtype):
    """Sample (f, c) is (31 f + 7 c) mod 251 - 125."""
    frame, channel = np.mgrid[0:FRAMES, 0:CHANNELS]
    return ((31 * frame + 7 * channel) % 251 - 125).astype(dtype)


def fresh(name):
    path = FOLDER / name
    shutil.rmtree(path, ignore_errors=True)
    return path


def recording_attributes(dtype):
    return {
        "weir_recording": 1,
        "channels": [{"name": f"c{i}", "gain": 0.5, "unit": "uV"} for i in range(CHANNELS)],
        "rate": [1000, 1],
        "dtype": dtype,
        "samples": FRAMES,
        "segments": [{"start_s": [1, 3], "samples": FRAMES}],
    }


def zarr_python_recording():
    group = zarr.create_group(store=fresh("zarr_python.zarr"), attributes=recording_attributes("int16"))
    array = group.create_array(
        "traces_seg0", shape=(FRAMES, CHANNELS), chunks=(10, CHANNELS), shards=(40, CHANNELS), dtype="int16",
        compressors=BloscCodec(cname="lz4", clevel=3, shuffle="shuffle"), dimension_names=["time", "channel"])
    array[:] = samples("int16")


def zarr_python_arrays():
    plain = {"shape": (FRAMES, CHANNELS), "dimension_names": ["time", "channel"]}
    cases = {
        # Chunks that split channels, in shards that do too.
        "split.zarr": dict(chunks=(7, 2), shards=(28, 4), dtype="float32", compressors=ZstdCodec(level=3)),
        "plain.zarr": dict(chunks=(50, 3), dtype="float64", compressors=None),
        "bits.zarr": dict(chunks=(50, 5), dtype="int32", compressors=BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle")),
        "big_endian.zarr": dict(chunks=(50, 5), dtype="int16", compressors=None, serializer=BytesCodec(endian="big")),
    }
    for name, settings in cases.items():
        array = zarr.create_array(store=fresh(name), **plain, **settings, attributes={"sample_rate_hz": 1000.0})
        array[:] = samples(settings["dtype"])
    # Index in front; only the last rows are written, the rest is the fill value.
    array = zarr.create_array(
        store=fresh("sparse.zarr"), **plain, dtype="int16", chunks=(40, CHANNELS), fill_value=-9, compressors=None,
        serializer=ShardingCodec(chunk_shape=(10, CHANNELS), index_location="start"),
        attributes={"sample_rate_hz": 1000.0})
    array[92:] = samples("int16")[92:]


def tensorstore_array():
    spec = {
        "driver": "zarr3",
        "kvstore": {"driver": "file", "path": str(fresh("tensorstore.zarr"))},
        "metadata": {
            "shape": [FRAMES, CHANNELS], "data_type": "int16", "dimension_names": ["time", "channel"],
            "attributes": {"sample_rate_hz": 1000},
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [40, CHANNELS]}},
            "codecs": [{"name": "sharding_indexed", "configuration": {
                "chunk_shape": [20, CHANNELS],
                "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                           {"name": "zstd", "configuration": {"level": 3}}],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}],
            }}],
        },
    }
    tensorstore.open(spec, create=True).result().write(samples("int16")).result()


def version_2():
    """A group of arrays of version 2, one a way of storing."""
    group = zarr.create_group(store=fresh("version2.zarr"), zarr_format=2)
    plain = {"shape": (FRAMES, CHANNELS), "chunks": (60, CHANNELS), "dtype": "<i2", "fill_value": 0}
    cases = {
        "raw": dict(compressors=None),
        "columns": dict(compressors=None, order="F"),
        "gzip": dict(compressors=numcodecs.GZip(level=4)),
        "zlib": dict(compressors=numcodecs.Zlib(level=4)),
        "zstd": dict(compressors=numcodecs.Zstd(level=4)),
        "delta": dict(compressors=numcodecs.Blosc(), filters=[numcodecs.Delta(dtype="<i2")]),
        "delta_columns": dict(compressors=numcodecs.Zlib(), filters=[numcodecs.Delta(dtype=">i4")], dtype=">i4", order="F"),
        "big_endian": dict(compressors=numcodecs.Zstd(), dtype=">f8", chunks=(50, 2)),
        "nested": dict(compressors=None, chunks=(50, 2), chunk_key_encoding={"name": "v2", "separator": "/"}),
    }
    for compressor in numcodecs.blosc.list_compressors():
        for shuffle in (0, 1, 2):
            cases[f"blosc_{compressor}_{shuffle}"] = dict(compressors=numcodecs.Blosc(cname=compressor, clevel=5, shuffle=shuffle))
    for name, settings in cases.items():
        array = group.create_array(name, **{**plain, **settings})
        array[:] = samples(array.dtype)
    array = group.create_array("sparse", **{**plain, "fill_value": None})
    array[60:] = samples("int16")[60:]
    array = group.create_array("flat", shape=(FRAMES,), chunks=(60,), dtype="<f4", compressors=None)
    array[:] = samples("float32")[:, 0]
    array = group.create_array("channels_first", shape=(CHANNELS, FRAMES), chunks=(2, 60), dtype="<i2", compressors=None,
                               attributes={"_ARRAY_DIMENSIONS": ["channels", "samples"]})
    array[:] = samples("int16").T


def version_3():
    """What version 3 adds to codecs and keys."""
    group = zarr.create_group(store=fresh("version3.zarr"))
    plain = {"shape": (FRAMES, CHANNELS), "chunks": (60, CHANNELS), "dtype": "int16", "dimension_names": ["time", "channel"]}
    cases = {
        "gzip": dict(compressors=GzipCodec(level=4)),
        "checked": dict(compressors=[ZstdCodec(level=1), Crc32cCodec()]),
        "crc32c": dict(compressors=Crc32cCodec()),
        "transposed": dict(filters=TransposeCodec(order=(1, 0)), compressors=ZstdCodec()),
        "transposed_shard": dict(filters=TransposeCodec(order=(1, 0)), compressors=ZstdCodec(), chunks=(20, 2), shards=(60, 4)),
        "flat_keys": dict(compressors=None, chunk_key_encoding={"name": "v2", "separator": "."}),
        "delta": dict(filters=numcodecs_v3.Delta(dtype="<i2"), compressors=numcodecs_v3.Zlib(level=4)),
    }
    for compressor in ("lz4", "lz4hc", "blosclz", "zstd", "zlib"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            cases[f"blosc_{compressor}_{shuffle}"] = dict(compressors=BloscCodec(cname=compressor, clevel=4, shuffle=shuffle))
    for name, settings in cases.items():
        group.create_array(name, **{**plain, **settings})[:] = samples("int16")


def traces():
    """The layout of survey/dspk.md 3.2."""
    group = zarr.create_group(store=fresh("traces.zarr"), attributes={
        "sample_rate_hz": 30000.12, "channels": CHANNELS, "samples": FRAMES, "created_by": "golden/make.py",
        "channel_names": [f"AP{i}" for i in range(CHANNELS)]})
    array = group.create_array("traces", shape=(CHANNELS, FRAMES), chunks=(CHANNELS, 50), dtype="float32", fill_value=0,
                               dimension_names=["channels", "samples"], attributes={"gain": 0.5, "unit": "microvolt"})
    array[:] = samples("float32").T


def main():
    version_2()
    version_3()
    traces()
    zarr_python_recording()
    zarr_python_arrays()
    tensorstore_array()
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "zarr", "numcodecs", "tensorstore")}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
