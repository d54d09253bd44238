"""Files that edfio writes, and what edfio and MNE read from them, for edf_test.cc. Run it with the versions in versions.json."""

import datetime
import json
import pathlib

import edfio
import mne
import numpy as np

FOLDER = pathlib.Path(__file__).parent
rng = np.random.default_rng(5)


def write(name, kind, signal):
    fast = np.cumsum(rng.normal(size=300)) * 3
    other = rng.uniform(-150, 150, 300)
    slow = np.linspace(36, 37, 30)
    file = kind(
        [signal(fast, 100, label="EEG Fz", physical_dimension="uV", physical_range=(-387.5, 387.4)),
         signal(other, 100, label="EEG Cz", physical_dimension="mV", physical_range=(-150.5, 200)),
         signal(slow, 10, label="Temp rect", physical_dimension="degC", physical_range=(34.4, 40.2))],
        patient=edfio.Patient(code="P1", name="Someone"),
        recording=edfio.Recording(startdate=datetime.date(2004, 2, 29)), starttime=datetime.time(23, 59, 58, 250000),
        data_record_duration=1, annotations=[edfio.EdfAnnotation(0.5, None, "blink")])
    file.write(FOLDER / name)
    return file


def main():
    expected = {}
    for name, kind, signal in (("edfio.edf", edfio.Edf, edfio.EdfSignal), ("edfio.bdf", edfio.Bdf, edfio.BdfSignal)):
        file = write(name, kind, signal)
        read = (edfio.read_edf if name.endswith(".edf") else edfio.read_bdf)(FOLDER / name)
        raw = (mne.io.read_raw_edf if name.endswith(".edf") else mne.io.read_raw_bdf)(FOLDER / name, verbose="error", include=["EEG Fz", "EEG Cz"])
        volts = raw.get_data()
        expected[name] = {
            "digital": [s.digital[:40].tolist() for s in read.signals],
            "physical": [s.data[:40].tolist() for s in read.signals],
            "mne_volts": volts[:, :40].tolist(),
            "names": list(read.labels),
        }
        assert [s.digital.tolist() for s in file.signals] == [s.digital.tolist() for s in read.signals]
    (FOLDER / "edfio.json").write_text(json.dumps(expected) + "\n")
    versions = {"edfio": edfio.__version__, "mne": mne.__version__, "numpy": np.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
