"""What MNE finds in shared/data/brainvision/test.vmrk, for brainvision_events_test.cc."""

import json
import pathlib

import mne

FOLDER = pathlib.Path(__file__).parent
DATA = FOLDER.parents[5] / "shared" / "data" / "brainvision"


def main():
    found = mne.read_annotations(DATA / "test.vmrk")
    rows = [[float(a["onset"]), float(a["duration"]), str(a["description"])] for a in found]
    (FOLDER / "markers.json").write_text(json.dumps({"markers": rows}) + "\n")
    (FOLDER / "versions.json").write_text(json.dumps({"mne": mne.__version__}) + "\n")


if __name__ == "__main__":
    main()
