"""Golden data of `template_subtract`, with NumPy in float64.

counts.npy        [frames, channels] float32: noise with templates put in
events.npy        [events, 5] int64: onset, offset, peak, final, channel; in the order of rows, some overlap
templates.npy     [3 * 20, channels] float64: three templates one below the other, 4 frames before the onset
fixed.npy         the counts less the template of each event's channel
least_squares.npy less the template times <x, t> / <t, t> of what is left by the events before, between 0.5 and 1.5
versions.json     the tools used
"""
import json
import pathlib
import platform

import numpy as np

HERE = pathlib.Path(__file__).parent
BEFORE, SAMPLES, FRAMES, CHANNELS, KINDS = 4, 20, 600, 3, 3


def subtract(counts, events, templates, fitted):
    left = counts.astype(np.float64)
    for onset, _, _, _, kind in events:
        first = max(0, onset - BEFORE)
        end = min(FRAMES, onset - BEFORE + SAMPLES)
        shape = templates[kind, first - onset + BEFORE:end - onset + BEFORE]
        amplitude = 1.0
        if fitted:
            amplitude = np.clip(np.sum(left[first:end] * shape) / np.sum(shape * shape), 0.5, 1.5)
        left[first:end] -= amplitude * shape
    return left


def main():
    random = np.random.default_rng(8)
    t = np.arange(SAMPLES)[:, None]
    templates = np.stack([
        900 * np.exp(-t / (3.0 + k)) * np.sin(t / (2.0 + k) + np.arange(CHANNELS)) for k in range(KINDS)])
    onset = np.sort(np.concatenate([random.integers(0, FRAMES - 1, 30), [1, FRAMES - 6]]))
    length = random.integers(1, 6, len(onset))
    offset = np.minimum(onset + length, FRAMES)
    events = np.stack([onset, offset, onset, offset, random.integers(0, KINDS, len(onset))], axis=1)
    events = events[np.lexsort((events[:, 0], events[:, 4], events[:, 3]))].astype(np.int64)
    counts = random.normal(scale=20, size=(FRAMES, CHANNELS))
    for on, _, _, _, kind in events:
        scale = random.uniform(0.4, 1.7)
        for row in range(SAMPLES):
            if 0 <= on - BEFORE + row < FRAMES:
                counts[on - BEFORE + row] += scale * templates[kind, row]
    counts = counts.astype(np.float32)
    np.save(HERE / "counts.npy", counts)
    np.save(HERE / "events.npy", events)
    np.save(HERE / "templates.npy", templates.reshape(KINDS * SAMPLES, CHANNELS))
    np.save(HERE / "fixed.npy", subtract(counts, events, templates, False))
    np.save(HERE / "least_squares.npy", subtract(counts, events, templates, True))
    versions = {"python": platform.python_version(), "numpy": np.__version__}
    (HERE / "versions.json").write_text(json.dumps(versions, indent=1) + "\n")


if __name__ == "__main__":
    main()
