"""What MNE finds in the real files of shared/data/edf, for edf_events_test.cc: annotations, and edges of the Status channel's bits."""

import json
import pathlib

import mne
import numpy as np

FOLDER = pathlib.Path(__file__).parent
DATA = FOLDER.parents[5] / "shared" / "data" / "edf"


def edges(path, bits):
    raw = (mne.io.read_raw_bdf if path.suffix == ".bdf" else mne.io.read_raw_edf)(path, verbose="error")
    words = raw.get_data(picks=["Status"])[0].round().astype(np.int64) & ((1 << bits) - 1)
    rows = []
    for bit in range(bits):
        level = words >> bit & 1
        for frame in np.flatnonzero(np.diff(level)) + 1:
            rows.append([int(frame), bit, int(2 * level[frame] - 1)])
    return sorted(rows)


def main():
    expected = {"mne": mne.__version__, "numpy": np.__version__, "annotations": {}, "edges": {}}
    for path in sorted(DATA.iterdir()):
        found = mne.read_annotations(path)
        expected["annotations"][path.name] = [[float(a["onset"]), float(a["duration"]), str(a["description"])] for a in found]
    expected["edges"]["eeg.bdf"] = edges(DATA / "eeg.bdf", 24)
    expected["edges"]["eeg.edf"] = edges(DATA / "eeg.edf", 16)
    (FOLDER / "events.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
