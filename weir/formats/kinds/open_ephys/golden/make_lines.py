"""A recording with lines and texts in the layout of versions 0.5 and 0.6, and the events that neo finds in it, for
open_ephys_events_test.cc: run it with the versions in versions.json."""

import json
import pathlib
import shutil

import neo
import numpy as np

HERE = pathlib.Path(__file__).parent
RATE = 2000.0
FIRST = 7000  # The number of the first sample.
FRAMES = 3000


def structure(version):
    channel = {"channel_name": "CH1", "bit_volts": 0.195, "units": "uV", "description": "", "identifier": "", "history": "",
               "source_processor_index": 0, "recorded_processor_index": 0}
    common = {"source_processor": "Rhythm", "source_processor_name": "Rhythm", "source_processor_id": 100, "recorded_processor": "Record Node",
              "recorded_processor_id": 101, "stream_name": "A", "sample_rate": RATE}
    return {"GUI version": version,
            "continuous": [{**common, "folder_name": "Rhythm-100.A/", "num_channels": 1, "channels": [channel]}],
            "events": [{**common, "folder_name": "Rhythm-100.A/TTL/", "channel_name": "lines", "num_channels": 8},
                       {**common, "folder_name": "MessageCenter/", "channel_name": "texts", "num_channels": 1, "type": "string"}]}


def edges():
    """Four lines that go up and down at random, the last up at the end: its state and its sample, by time."""
    random = np.random.default_rng(5)
    rows = []
    for line in (1, 2, 5, 8):
        times = np.sort(random.choice(FRAMES - 1, 2 * (3 + line), replace=False)) + 1
        rows += [(int(t), line if i % 2 == 0 else -line) for i, t in enumerate(times)]
    rows.sort()
    return np.array([row[0] for row in rows], "i8") + FIRST, np.array([row[1] for row in rows], "i2")


def make(folder, version):
    old = version.startswith("0.5")
    recording = folder / "Record Node 101" / "experiment1" / "recording1"
    shutil.rmtree(folder, ignore_errors=True)
    stream, lines, texts = (recording / part for part in ("continuous/Rhythm-100.A", "events/Rhythm-100.A/TTL", "events/MessageCenter"))
    for one in (stream, lines, texts):
        one.mkdir(parents=True)
    (recording / "structure.oebin").write_text(json.dumps(structure(version), indent=1) + "\n")
    np.arange(FRAMES, dtype="<i2").tofile(stream / "continuous.dat")
    numbers, states = edges()
    said = np.array([FIRST + 10, FIRST + 900, FIRST + 2999])
    np.save(lines / ("channel_states.npy" if old else "states.npy"), states)
    if old:
        np.save(lines / "channels.npy", np.abs(states))
    np.save(texts / "text.npy", np.array([b"start", b"a b", b"end"]))
    for place, samples in ((stream, np.arange(FIRST, FIRST + FRAMES)), (lines, numbers), (texts, said)):
        if old:
            np.save(place / "timestamps.npy", samples.astype("i8"))
        else:
            np.save(place / "sample_numbers.npy", samples.astype("i8"))
            np.save(place / "timestamps.npy", samples / RATE)


def by_neo(folder):
    reader = neo.rawio.OpenEphysBinaryRawIO(str(folder))
    reader.parse_header()
    found = {}
    for i, name in enumerate(reader.header["event_channels"]["name"].tolist()):
        times, durations, labels = reader.get_event_timestamps(0, 0, i)
        seconds = reader.rescale_event_timestamp(times, "float64", i)
        lasts = None if durations is None else reader.rescale_epoch_duration(durations, "float64", i).tolist()
        if lasts is not None and "sample_numbers" not in reader._evt_streams[0][0][i]:
            # neo 0.14.6 divides those of files without sample_numbers.npy by the rate twice.
            seconds, lasts = seconds * RATE, [last * RATE for last in lasts]
        found[name] = {"start_s": seconds.tolist(), "lasts_s": lasts, "labels": [str(label) for label in labels.tolist()]}
    return found


def main():
    expected = {}
    for name, version in (("events_05", "0.5.5"), ("events_06", "0.6.7")):
        make(HERE / name, version)
        expected[name] = by_neo(HERE / name)
    (HERE / "events.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
