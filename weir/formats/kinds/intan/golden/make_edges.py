"""Edges of the first digital input as neo reads it from the files make.py made, for intan_events_test.cc."""

import json
import pathlib

import neo
import numpy as np

FOLDER = pathlib.Path(__file__).parent


def edges(path):
    reader = neo.rawio.IntanRawIO(str(path), ignore_integrity_checks=True)
    reader.parse_header()
    names = [str(name) for name in reader.header["signal_streams"]["name"]]
    level = reader.get_analogsignal_chunk(stream_index=names.index("USB board digital input channel"))[:, 0].astype(int)
    frames = np.flatnonzero(np.diff(level)) + 1
    return [[int(frame), 1 if level[frame] else -1] for frame in frames]


def main():
    cases = {name: edges(FOLDER / name) for name in ("whole.rhd", "stim.rhs")}
    cases["signals"] = edges(FOLDER / "signals/info.rhd")
    (FOLDER / "events.json").write_text(json.dumps({"neo": neo.__version__, "edges": cases}) + "\n")


if __name__ == "__main__":
    main()
