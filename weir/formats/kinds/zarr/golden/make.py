"""Stores written by zarr-python and tensorstore, for zarr_test.cc: run it with the versions in versions.json."""

import importlib.metadata
import json
import pathlib
import shutil

import numpy as np
import tensorstore
import zarr
from zarr.codecs import BloscCodec, BytesCodec, ShardingCodec, ZstdCodec

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


def main():
    zarr_python_recording()
    zarr_python_arrays()
    tensorstore_array()
    versions = {name: importlib.metadata.version(name) for name in ("numpy", "zarr", "numcodecs", "tensorstore")}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
