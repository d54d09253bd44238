#!/usr/bin/env python3
"""Opens stores of ours with zarr-python and tensorstore and compares every sample with what our own reader gives; then has our
reader open arrays that both of them wrote, in either version, with every codec we read.

    zarr_peers.py FORMATS_TEST        # the test program build/<preset>/formats_test, which writes the stores
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from peer_case import need

need("peers", "numcodecs", "numpy", "tensorstore", "zarr")
import numcodecs
import numpy as np
import tensorstore
import zarr
from zarr.codecs import BloscCodec, Crc32cCodec, GzipCodec, TransposeCodec, ZstdCodec

FRAMES = (401, 0, 133)  # Of the segments that weir/testing/writer_conformance.cc writes.
CHANNELS = 5


def write_stores(program, folder):
    subprocess.run([program, "--gtest_filter=Zarr.WritesStoresForOtherPrograms", "--gtest_brief=1"],
                   check=True, env={**os.environ, "WEIR_PEERS_FOLDER": str(folder)})


def with_tensorstore(path):
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(path)}}
    return tensorstore.open(spec, read=True).result().read().result()


def compare(store):
    group = zarr.open_group(store, mode="r")
    assert group.attrs["weir_recording"] == 1, store
    assert group.attrs["rate"] == [750003, 25], store
    compared = 0
    for segment, frames in enumerate(FRAMES):
        name = f"traces_seg{segment}"
        array = group[name]
        assert array.metadata.dimension_names == ("time", "channel"), store
        ours = np.fromfile(f"{str(store)[:-5]}-{segment}.f32", "<f4").reshape(-1, CHANNELS)
        assert array.shape == (frames, CHANNELS) == ours.shape, (store, array.shape, ours.shape)
        for peer, samples in (("zarr-python", array[:]), ("tensorstore", with_tensorstore(store / name))):
            assert str(samples.dtype) == store.name.split("-")[0], (store, peer, samples.dtype)
            assert np.array_equal(samples.astype("<f4"), ours), f"{store}: {name}: {peer} reads other samples"
            compared += samples.size
    return compared


def python_cases():
    """Settings of zarr-python by name: version 2, then version 3."""
    v2 = {"raw": dict(compressors=None), "gzip": dict(compressors=numcodecs.GZip()), "zlib": dict(compressors=numcodecs.Zlib()),
          "zstd": dict(compressors=numcodecs.Zstd()), "columns": dict(compressors=None, order="F"),
          "delta": dict(compressors=numcodecs.Zstd(), filters=[numcodecs.Delta(dtype="<i2")])}
    v3 = {"raw": dict(compressors=None), "gzip": dict(compressors=GzipCodec()), "zstd": dict(compressors=ZstdCodec()),
          "checked": dict(compressors=[ZstdCodec(), Crc32cCodec()]), "turned": dict(filters=TransposeCodec(order=(1, 0))),
          "sharded": dict(chunks=(128, 8), shards=(512, 16), compressors=ZstdCodec()), "dots": dict(chunk_key_encoding={"name": "v2", "separator": "."})}
    for cname in numcodecs.blosc.list_compressors():
        for number, shuffle in enumerate(("noshuffle", "shuffle", "bitshuffle")):
            v2[f"blosc-{cname}-{shuffle}"] = dict(compressors=numcodecs.Blosc(cname=cname, shuffle=number))
            v3[f"blosc-{cname}-{shuffle}"] = dict(compressors=BloscCodec(cname=cname, shuffle=shuffle))
    return {2: v2, 3: v3}


def write_with_python(folder, samples):
    for version, cases in python_cases().items():
        for name, settings in cases.items():
            path = folder / f"python{version}-{name}.zarr"
            array = zarr.create_array(path, shape=samples.shape, dtype="int16", zarr_format=version, **{"chunks": (300, 24), **settings})
            array[:] = samples


def tensorstore_specs(shape):
    blosc = {"cname": "lz4", "clevel": 5, "shuffle": "bitshuffle"}
    bytes_codec = {"name": "bytes", "configuration": {"endian": "big"}}
    sharding = {"name": "sharding_indexed", "configuration": {
        "chunk_shape": [100, 24], "index_location": "start", "codecs": [bytes_codec, {"name": "gzip", "configuration": {"level": 5}}],
        "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]}}
    grid = {"name": "regular", "configuration": {"chunk_shape": [300, 24]}}
    yield "tensorstore2-zlib", "zarr", {"compressor": {"id": "zlib", "level": 1}, "dtype": "<i2", "shape": shape, "chunks": [300, 24]}
    yield "tensorstore2-bits", "zarr", {"compressor": {"id": "blosc", "cname": "zstd", "clevel": 3, "shuffle": 2}, "dtype": ">i2", "shape": shape, "chunks": [70, 5], "order": "F"}
    for name, codecs in (("blosc", [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "blosc", "configuration": {**blosc, "typesize": 2, "blocksize": 0}}]),
                         ("sharded", [sharding]),
                         ("turned", [{"name": "transpose", "configuration": {"order": [1, 0]}}, bytes_codec, {"name": "zstd", "configuration": {"level": 3}}, {"name": "crc32c"}])):
        yield f"tensorstore3-{name}", "zarr3", {"shape": shape, "data_type": "int16", "chunk_grid": grid, "codecs": codecs}


def write_with_tensorstore(folder, samples):
    for name, driver, metadata in tensorstore_specs(list(samples.shape)):
        spec = {"driver": driver, "kvstore": {"driver": "file", "path": str(folder / f"{name}.zarr")}, "metadata": metadata}
        tensorstore.open(spec, create=True).result().write(samples).result()


def read_by_us(program, folder):
    """Writes arrays of one recording's samples, and has our reader compare them."""
    samples = np.random.default_rng(5).integers(-2000, 2000, (1000, 24)).astype("int16")
    write_with_python(folder, samples)
    write_with_tensorstore(folder, samples)
    stores = sorted(folder.glob("*.zarr"))
    for store in stores:
        samples.astype("<f4").tofile(f"{store}.f32")
    subprocess.run([program, "--gtest_filter=ZarrVersions.ReadsStoresOfOtherPrograms", "--gtest_brief=1"],
                   check=True, env={**os.environ, "WEIR_PEERS_STORES": str(folder)})
    return len(stores)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        count = read_by_us(program, pathlib.Path(name))
    print(f"we read {count} arrays that zarr-python {zarr.__version__} and tensorstore wrote")
    with tempfile.TemporaryDirectory() as name:
        write_stores(program, name)
        stores = sorted(pathlib.Path(name).glob("*.zarr"))
        assert len(stores) == 8, stores
        compared = sum(compare(store) for store in stores)
    print(f"zarr-python {zarr.__version__} and tensorstore read {len(stores)} stores, {compared} samples, as we do")


if __name__ == "__main__":
    main()
