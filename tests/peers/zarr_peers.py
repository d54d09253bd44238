#!/usr/bin/env python3
"""Opens stores of ours with zarr-python and tensorstore and compares every sample with what our own reader gives.

    zarr_peers.py FORMATS_TEST        # the test program build/<preset>/formats_test, which writes the stores
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tensorstore
import zarr

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


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        write_stores(program, name)
        stores = sorted(pathlib.Path(name).glob("*.zarr"))
        assert len(stores) == 8, stores
        compared = sum(compare(store) for store in stores)
    print(f"zarr-python {zarr.__version__} and tensorstore read {len(stores)} stores, {compared} samples, as we do")


if __name__ == "__main__":
    main()
