#!/usr/bin/env python3
"""Opens EDF+, BDF+ and SpikeInterface folders of ours with MNE, edfio, pyedflib and SpikeInterface.

    recording_peers.py FORMATS_TEST        # the test program build/<preset>/formats_test, which writes them

Compares every sample with the formula that weir/testing/writer_conformance.cc writes by.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import warnings

from peer_case import need

need("peers-formats", "edfio", "mne", "numpy", "pyedflib", "spikeinterface")
import edfio
import mne
import numpy as np
import pyedflib
import spikeinterface

CHANNELS = 5
GAIN, OFFSET = np.full(CHANNELS, 0.195), np.full(CHANNELS, -6389.76)
GAIN[0] = -0.03


def counts(segment, frames):
    frame, channel = np.arange(frames, dtype=np.int64)[:, None], np.arange(CHANNELS, dtype=np.int64)
    return (segment * 7919 + frame * 104729 + channel * 1299709) % 65536 - 32768


def loss(path, channel):
    """What eight characters lose of gain 0.195 and offset -6389.76; BDF has room for a range that loses nothing."""
    return (2e-6 if path.suffix == ".edf" else 1e-9) * 65536 * abs(GAIN[channel])


def write_files(program, folder):
    subprocess.run([program, "--gtest_filter=*Writer.WritesForOtherPrograms", "--gtest_brief=1"],
                   check=True, env={**os.environ, "WEIR_PEERS_FOLDER": str(folder)})


def expected_segments(path):
    if path.stem == "whole":
        return [(0.25, counts(0, 1650))]
    return [(1 / 3, counts(0, 1000)), (10.0, counts(2, 1650))]


def check_edfio(path, segments):
    read = edfio.read_bdf(path) if path.suffix == ".bdf" else edfio.read_edf(path)
    stored = np.concatenate([samples for _, samples in segments])
    assert len(read.signals) == CHANNELS, path
    for i, signal in enumerate(read.signals):
        assert signal.sampling_frequency == 500, path
        assert np.array_equal(signal.digital, stored[:, i]), f"{path}: edfio reads other counts of {signal.label}"
        assert signal.physical_dimension == ("uV" if i < CHANNELS - 1 else ""), (path, signal.physical_dimension)
        np.testing.assert_allclose(signal.data, stored[:, i] * GAIN[i] + OFFSET[i], rtol=0, atol=loss(path, i))
    assert read.signals[0].label == "Fp1", path
    return stored.size


def check_pyedflib(path, segments):
    if path.stem == "gap":
        return 0  # EDFlib reads no discontinuous files.
    with pyedflib.EdfReader(str(path)) as read:
        assert read.signals_in_file == CHANNELS, path
        assert read.getStartdatetime().isoformat().startswith("2026-11-30T04:05:07"), read.getStartdatetime()
        stored = segments[0][1]
        for i in range(CHANNELS):
            assert np.array_equal(read.readSignal(i, digital=True), stored[:, i]), f"{path}: pyedflib reads other counts"
    return stored.size


def check_mne(path, segments):
    if path.stem == "gap":
        return 0  # MNE reads discontinuous files as if they were not.
    reader = mne.io.read_raw_bdf if path.suffix == ".bdf" else mne.io.read_raw_edf
    raw = reader(path, preload=True, verbose="error")
    stored = segments[0][1]
    assert raw.info["sfreq"] == 500, path
    data = raw.get_data()
    assert data.shape == stored.T.shape, (path, data.shape)
    for i in range(CHANNELS - 1):
        want = (stored[:, i] * GAIN[i] + OFFSET[i]) * 1e-6
        np.testing.assert_allclose(data[i], want, rtol=0, atol=loss(path, i) * 1e-6)
    return data.size


def check_folder(path):
    read = spikeinterface.load(path)
    assert read.get_num_segments() == 3 and read.get_sampling_frequency() == 30000.12, path
    kind = "<i2" if "int16" in path.name else "<f4"
    units = path.name.endswith("units")
    compared = 0
    for segment, (frames, start) in enumerate(((401, 1 / 3), (7, 2.0), (133, -5 / 7))):
        stored = counts(segment, frames)
        want = stored.astype("<i2") if kind == "<i2" else (stored / 7).astype("<f4")
        traces = read.get_traces(segment_index=segment)
        assert traces.dtype == kind and np.array_equal(traces, want), f"{path}: SpikeInterface reads other samples"
        assert abs(read.get_start_time(segment) - start) < 1e-12, path
        compared += traces.size
    assert read.channel_ids[1] == "ch1" and list(read.get_property("group")) == [0, 0, 0, 1, 1], path
    assert list(read.get_property("group_name")) == ["a", "a", "a", "b", "b"], path
    if units:
        assert list(read.get_property("physical_unit")) == ["uV", "degC", "uV", "uV", "uV"], path
        np.testing.assert_allclose(read.get_property("gain_to_physical_unit"), GAIN * [1, 1, 1e6, 1, 1])
        assert not read.has_probe(), path
    else:
        np.testing.assert_array_equal(read.get_channel_gains(), GAIN)
        np.testing.assert_array_equal(read.get_channel_offsets(), OFFSET)
        probe = read.get_probegroup().probes[0]
        np.testing.assert_array_equal(read.get_channel_locations(), [[0.5 * c, -16.0] for c in range(CHANNELS)])
        assert list(probe.shank_ids) == ["a", "a", "a", "b", "b"], path
        chosen = read.select_channels(["ch3", "ch1"])
        np.testing.assert_array_equal(chosen.get_channel_locations(), [[1.5, -16.0], [0.5, -16.0]])
    return compared


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    compared = {"edfio": 0, "pyedflib": 0, "MNE": 0, "SpikeInterface": 0}
    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folder = pathlib.Path(name)
        write_files(program, folder)
        for path in (folder / f"{stem}{suffix}" for stem in ("gap", "whole") for suffix in (".edf", ".bdf")):
            segments = expected_segments(path)
            compared["edfio"] += check_edfio(path, segments)
            compared["pyedflib"] += check_pyedflib(path, segments)
            compared["MNE"] += check_mne(path, segments)
        folders = sorted(folder.glob("si-*"))
        folders = [path for path in folders if path.is_dir()]
        assert len(folders) == 4, folders
        for path in folders:
            compared["SpikeInterface"] += check_folder(path)
    print("samples of ours that others read as we wrote them:", ", ".join(f"{k} {v}" for k, v in compared.items()))


if __name__ == "__main__":
    main()
