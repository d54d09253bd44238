"""Folders that SpikeInterface saves, and what it reads from them, for spikeinterface_test.cc. Run it with the versions in versions.json."""

import json
import pathlib
import shutil

import numcodecs
import numpy as np
import probeinterface
import spikeinterface as si
import zarr

FOLDER = pathlib.Path(__file__).parent


def recording(dtype):
    rng = np.random.default_rng(11)
    segments = [rng.integers(-3000, 3000, (frames, 4)).astype(dtype) for frames in (50, 20)]
    made = si.NumpyRecording(segments, 30000.5, t_starts=[0.25, 10.5], channel_ids=["a", "b", "c", "d"])
    made.set_channel_gains([0.195, 0.195, 2.34, -1])
    made.set_channel_offsets([0, 5, 0, 0])
    probe = probeinterface.generate_multi_shank(num_shank=2, num_columns=1, num_contact_per_column=2)
    probe.set_device_channel_indices([1, 0, 3, 2])
    made.set_probe(probe)
    return made


def make_old(folder):
    """As versions before 0.105 wrote: the probe's contacts in their own order, gains as properties only."""
    document = json.loads((folder / "binary.json").read_text())
    for key in ("gain_to_uV", "offset_to_uV"):
        document["kwargs"].pop(key)
    (folder / "binary.json").write_text(json.dumps(document))
    probegroup = json.loads((folder / "probegroup.json").read_text())
    probe = probegroup["probes"][0]
    for key, value in probe.items():
        if isinstance(value, list) and len(value) == 4 and key != "device_channel_indices" and key != "probe_planar_contour":
            probe[key] = [value[i] for i in (1, 0, 3, 2)]
    probe["device_channel_indices"] = [1, 0, 3, 2]
    (folder / "probegroup.json").unlink()
    (folder / "probe.json").write_text(json.dumps(probegroup))


def annotated(dtype, text):
    """A recording whose channels have names of text or numbers, and what else a store keeps."""
    made = recording(dtype)
    if not text:
        made = made.rename_channels([10, 11, 12, 13])
    made.annotate(operator="wren", filtered=False)
    return made


def stores(expected):
    """Zarr stores, of version 2: with the settings as they come, and with others."""
    cases = {
        "store": dict(made=annotated("int16", True)),
        "store_delta": dict(made=annotated("int16", False), compressor=numcodecs.Zlib(), filters=[numcodecs.Delta(dtype="int16")],
                            channel_chunk_size=3),
        "store_times": dict(made=annotated("float32", True), compressor=numcodecs.Blosc(cname="lz4")),
    }
    for name, settings in cases.items():
        made = settings.pop("made")
        if name == "store_times":
            made.set_times(np.arange(50) / 30000.5 + 7.25, segment_index=0)
        path = FOLDER / f"{name}.zarr"
        shutil.rmtree(path, ignore_errors=True)
        made.save(folder=path, format="zarr", verbose=False, chunk_size=20, n_jobs=1, **settings)
        # What this machine and day have to do with it.
        attributes = json.loads((path / ".zattrs").read_text())
        attributes["provenance"] = None
        (path / ".zattrs").write_text(json.dumps(attributes, indent=1) + "\n")
        (path / ".zmetadata").unlink(missing_ok=True)
        expected[name] = described(si.read_zarr(path))


def described(read):
    return {
        "microvolts": [read.get_traces(segment_index=s, return_in_uV=True).astype(float).ravel().tolist() for s in (0, 1)],
        "locations": read.get_channel_locations().tolist(),
        "ids": [str(name) for name in read.channel_ids],
        "groups": [str(g) for g in read.get_channel_groups()],
        "starts": [read.get_start_time(0), read.get_start_time(1)],
    }


def main():
    expected = {}
    for name, dtype in (("new", "int16"), ("old", "float32")):
        folder = FOLDER / name
        shutil.rmtree(folder, ignore_errors=True)
        recording(dtype).save(folder=folder, verbose=False)
        if name == "old":
            make_old(folder)
        for unused in ("si_folder.json", "annotations.json", "provenance.json", "provenance.pkl"):
            (folder / unused).unlink(missing_ok=True)
        read = si.core.BinaryFolderRecording(folder)
        expected[name] = described(read)
    # The name before 0.98, which SpikeInterface itself no longer reads.
    document = FOLDER / "old" / "binary.json"
    document.write_text(document.read_text().replace("num_channels", "num_chan"))
    (FOLDER / "read.json").write_text(json.dumps(expected) + "\n")
    found = {}
    stores(found)
    (FOLDER / "stores.json").write_text(json.dumps(found) + "\n")
    versions = {"spikeinterface": si.__version__, "probeinterface": probeinterface.__version__, "numpy": np.__version__, "zarr": zarr.__version__,
                "numcodecs": numcodecs.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
