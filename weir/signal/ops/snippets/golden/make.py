"""Golden data of `snippets`, with NumPy.

counts.npy    [frames, channels] float32
events.npy    [events, 5] int64: onset, offset (-1: open), peak, final, channel; in the order of rows
peaks.npy     7 frames before and 12 from each peak on, those that fit, one below the other
onsets.npy    the same around onsets, with zeros beyond the ends
own.npy       around peaks, the event's channel alone
versions.json the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
BEFORE, AFTER, FRAMES, CHANNELS = 7, 12, 400, 5


def make_events(random):
    onset = np.sort(random.integers(0, FRAMES - 1, 40))
    length = random.integers(1, 9, 40)
    offset = np.minimum(onset + length, FRAMES)
    peak = np.minimum(onset + random.integers(0, length), FRAMES - 1)
    events = np.stack([onset, offset, peak, offset, random.integers(0, CHANNELS, 40)], axis=1)
    events[-1, 1] = -1
    return events[np.lexsort((events[:, 0], events[:, 4], events[:, 3]))].astype(np.int64)


def main():
    random = np.random.default_rng(4)
    counts = random.normal(scale=100, size=(FRAMES, CHANNELS)).astype(np.float32)
    events = make_events(random)
    padded = np.concatenate([np.zeros((50, CHANNELS)), counts, np.zeros((50, CHANNELS))])
    peaks, onsets, own = [], [], []
    for onset, _, peak, _, channel in events:
        if peak - BEFORE >= 0 and peak + AFTER <= FRAMES:
            peaks.append(counts[peak - BEFORE:peak + AFTER])
            own.append(counts[peak - BEFORE:peak + AFTER, [channel]])
        onsets.append(padded[50 + onset - BEFORE:50 + onset + AFTER])
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "events.npy", events)
    for name, parts in [("peaks", peaks), ("onsets", onsets), ("own", own)]:
        np.save(HERE / f"{name}.npy", np.concatenate(parts).astype(np.float32))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
