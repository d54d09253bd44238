"""What probeinterface and neo make of the headers in ../shared/data/spikeglx, for spikeglx_peers_test.cc.

    make.py [FOLDER WITH .meta FILES]

neo reads a recording of three frames made to fit each header. Gains of neo are kept only where it does not index the
probe's table by the saved position (case D6). Run it with the versions in versions.json.
"""

import json
import pathlib
import re
import shutil
import sys
import tempfile

import neo
import numpy as np
import probeinterface

HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parents[5] / "shared/data/spikeglx"
EVERY = 37  # A prime: every row, column and shank comes up.


def neo_gains(meta, text):
    """Microvolts (volts for NI) of a count by neo, in file order; None where neo refuses."""
    saved = int(re.search(r"^nSavedChans=(\d+)", text, re.M).group(1))
    with tempfile.TemporaryDirectory() as folder:
        name = re.search(r"^fileName=(.*)$", text, re.M).group(1).split("/")[-1]
        path = pathlib.Path(folder) / name
        np.zeros((3, saved), np.int16).tofile(path)
        size = f"fileSizeBytes={path.stat().st_size}"
        path.with_suffix(".meta").write_text(re.sub(r"^fileSizeBytes=.*$", size, text, flags=re.M))
        try:
            reader = neo.rawio.SpikeGLXRawIO(dirname=folder)
            reader.parse_header()
        except Exception as error:
            print(f"{meta.name}: neo refuses: {error!r}")
            return None
        channels = reader.header["signal_channels"]
        return {str(c["name"]).split("#")[-1]: float(c["gain"]) for c in channels
                if "SY" not in str(c["name"])}


def probe_sites(meta):
    """[channel name number, shank, x, y] by channel, x and y relative to the first channel's."""
    try:
        probe = probeinterface.read_spikeglx(meta)
    except Exception as error:
        print(f"{meta.name}: probeinterface refuses: {error!r}")
        return None
    order = np.argsort(probe.device_channel_indices)
    positions = probe.contact_positions[order]
    shanks = np.array(["0"] * len(order)) if probe.shank_ids is None else probe.shank_ids[order]
    first = positions[0]
    rows = [[int(i), str(shanks[i]) or "0", *(float(v) for v in positions[i] - first)]
            for i in range(0, len(order), EVERY)]
    return {"count": len(order), "sites": rows}


def main():
    cases = {}
    for meta in sorted(DATA.glob("*.meta")):
        text = meta.read_text()
        gains = neo_gains(meta, text)
        few = None if gains is None else dict(list(gains.items())[::EVERY])
        cases[meta.name] = {"gains": few, "probe": probe_sites(meta) if "typeThis=imec" in text else None}
    (HERE / "peers.json").write_text(json.dumps(cases, indent=1) + "\n")
    versions = {"probeinterface": probeinterface.__version__, "neo": neo.__version__, "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
