"""Annotations that wfdb writes, and what it reads from them, for wfdb_events_test.cc."""

import csv
import json
import pathlib

import numpy as np
import wfdb

FOLDER = pathlib.Path(__file__).parent
DATA = FOLDER.parents[5] / "shared" / "data" / "ecg"


def rows_of(name, ending):
    found = wfdb.rdann(str(FOLDER / name), ending)
    notes = found.aux_note or [""] * len(found.sample)
    return [[int(s), str(t), n.rstrip("\0")] for s, t, n in zip(found.sample, found.symbol, notes)]


def main():
    expected = {}
    with open(DATA / "100_beats.csv", newline="") as file:
        beats = list(csv.DictReader(file))
    wfdb.wrann("100", "atr", np.array([int(b["sample"]) for b in beats]), [b["type"] for b in beats], write_dir=str(FOLDER))
    expected["100.atr"] = rows_of("100", "atr")
    sample = np.array([0, 18, 77, 1100, 1200, 5_000_000, 2_000_000_000, 2_000_000_001, 2_000_001_100])
    symbol = ["+", "N", "V", "~", '"', "N", "|", "[", "]"]
    wfdb.wrann("a", "qrs", sample, symbol, subtype=np.array([0, 0, 1, -1, 0, 0, 0, 2, 0]), chan=np.array([0, 0, 0, 1, 1, 1, 0, 0, 3]),
               num=np.array([0, 0, 4, 4, 0, 0, 0, 0, 0]), aux_note=["(N", "", "", "noise", "an odd one", "", "", "", "(AFIB"],
               fs=500, write_dir=str(FOLDER))
    expected["a.qrs"] = rows_of("a", "qrs")
    (FOLDER / "100.hea").write_text("100 1 360 650000\n100.dat 212 200 11 1024 995 0 0 MLII\n")
    (FOLDER / "a.hea").write_text("a 1 250 1000000\na.dat 16 200 16 0 0 0 0 II\n")
    (FOLDER / "annotations.json").write_text(json.dumps(expected) + "\n")


if __name__ == "__main__":
    main()
