"""What neo and probeinterface make of the recording in ../shared/data/openephys, for open_ephys_peers_test.cc.

    make.py [FOLDER Record_Node_101]

neo reads it with 100 frames of counting numbers. Run it with the versions in versions.json.
"""

import json
import pathlib
import shutil
import sys
import tempfile

import neo
import numpy as np
import probeinterface

HERE = pathlib.Path(__file__).parent
NODE = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[5] / "shared/data/openephys/np1/Record_Node_101"
STREAM = "experiment1/recording1/continuous/Neuropix-PXI-100.ProbeA"
EVERY = 37


def read_by_neo():
    with tempfile.TemporaryDirectory() as scratch:
        node = pathlib.Path(scratch) / "Record Node 101"
        for source in NODE.rglob("*"):
            if source.is_file():
                target = node / source.relative_to(NODE)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
        oebin = node / "experiment1/recording1/structure.oebin"
        structure = json.loads(oebin.read_text())
        structure["events"] = []  # Their files are not part of the test data.
        oebin.write_text(json.dumps(structure))
        (node / STREAM).mkdir(parents=True)
        np.arange(384 * 100, dtype=np.int16).tofile(node / STREAM / "continuous.dat")
        np.save(node / STREAM / "sample_numbers.npy", np.arange(3000, 3100))
        np.save(node / STREAM / "timestamps.npy", np.arange(3000, 3100) / 30000)
        reader = neo.rawio.OpenEphysBinaryRawIO(str(node))
        reader.parse_header()
        channels = reader.header["signal_channels"]
        samples = reader.get_analogsignal_chunk(stream_index=0)
        return {"names": channels["name"].tolist()[::EVERY], "gains": channels["gain"].tolist()[::EVERY],
                "units": channels["units"].tolist()[::EVERY], "rate": float(channels["sampling_rate"][0]),
                "last_row": samples[-1, ::EVERY].tolist(),
                "start_s": float(reader.get_signal_t_start(0, 0, 0))}


def main():
    probe = probeinterface.read_openephys_neuropixels(NODE / "settings.xml")
    order = np.argsort(probe.device_channel_indices) if probe.device_channel_indices is not None else np.arange(384)
    positions = probe.contact_positions[order]
    first = positions[0]
    peers = {"neo": read_by_neo(), "sites": [[int(i), *(float(v) for v in positions[i] - first)] for i in range(0, 384, EVERY)],
             "shanks": [str(probe.shank_ids[order][i]) for i in range(0, 384, EVERY)]}
    (HERE / "peers.json").write_text(json.dumps(peers, indent=1) + "\n")
    versions = {"probeinterface": probeinterface.__version__, "neo": neo.__version__, "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
