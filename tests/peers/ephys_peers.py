#!/usr/bin/env python3
"""Electrophysiology: mtscomp, pynwb, SpikeInterface, neo and probeinterface against `weir convert` and `weir probe`.

    ephys_peers.py WEIR        # the program build/<preset>/bin/weir
"""

import datetime
import json
import pathlib

from peer_case import CHANNELS, DATA, FRAMES, GOLDEN, RATE, case, counts, need, raw, run_cases, same_numbers, same_values

need("peers-formats", "numpy")
import numpy as np

@case("mtscomp read", "mtscomp")
def _(weir, folder):
    import mtscomp
    want = counts()
    want.tofile(folder / "a.bin")
    mtscomp.compress(folder / "a.bin", folder / "a.cbin", folder / "a.ch", sample_rate=RATE, n_channels=CHANNELS, dtype="int16")
    return same_numbers(weir.read(folder / "a.cbin")[0], want)


@case("NWB read", "pynwb", "h5py")
def _(weir, folder):
    import h5py
    import pynwb
    from pynwb.ecephys import ElectricalSeries
    compared = 0
    for dtype in ("<i2", "<i4", "<f4"):
        want = (counts("<i4") >> 8).astype(dtype) if dtype == "<i4" else counts().astype(dtype)
        file = pynwb.NWBFile("a", "a", datetime.datetime(2026, 11, 30, tzinfo=datetime.timezone.utc))
        device = file.create_device("d")
        group = file.create_electrode_group("g", "g", "here", device)
        for c in range(CHANNELS):
            file.add_electrode(x=1.0, y=2.0 * c, z=0.0, location="here", group=group)
        region = file.create_electrode_table_region(list(range(CHANNELS)), "all")
        file.add_acquisition(ElectricalSeries("e", want, region, rate=RATE, starting_time=1.5, conversion=1e-6, offset=0.001,
                                              channel_conversion=[0.5, 1.0, 2.0, 4.0]))
        with pynwb.NWBHDF5IO(folder / "a.nwb", "w") as io:
            io.write(file)
        found, gains, offsets, _ = weir.read(folder / "a.nwb")
        with h5py.File(folder / "a.nwb") as stored:
            data = stored["acquisition/e/data"][:]
        compared += same_numbers(found, data) if dtype != "<f4" else 0
        compared += same_values(found * gains + offsets, data * 1e-6 * np.array([0.5, 1, 2, 4]) + 0.001)
    return compared


@case("SpikeInterface folders and stores read", "spikeinterface", "probeinterface")
def _(weir, folder):
    import spikeinterface
    compared = 0
    for dtype in ("<i2", "<u2", "<f4"):
        want = counts("<u2" if dtype == "<u2" else "<i2").astype(dtype)
        recording = spikeinterface.NumpyRecording([want], RATE)
        recording.set_channel_gains(0.195)
        recording.set_channel_offsets(-6389.76 if dtype == "<u2" else 0.0)
        for form, name in (("binary", f"b{dtype[1:]}"), ("zarr", f"z{dtype[1:]}.zarr")):
            recording.save(format=form, folder=folder / name, verbose=False)
            found, gains, offsets, _ = weir.read(folder / name)
            compared += same_numbers(found, want - 32768.0) if dtype == "<u2" else same_numbers(found, want) if dtype == "<i2" else 0
            compared += same_values(found * gains + offsets, recording.get_traces(return_in_uV=True))
    return compared


@case("SpikeInterface folders written", "spikeinterface", "probeinterface")
def _(weir, folder):
    import spikeinterface
    compared = 0
    for samples, dtype in ((counts(), "int16"), (counts("<i4") >> 8, "int32")):
        read = spikeinterface.load(weir.convert(raw(folder, samples), "", "--format", "spikeinterface"))
        assert read.get_dtype() == dtype and read.has_probe(), read
        compared += same_numbers(read.get_traces(), samples) + same_values(read.get_traces(return_in_uV=True), samples * 0.195)
    return compared


@case("SpikeGLX read", "spikeinterface", "neo", "probeinterface")
def _(weir, folder):
    import spikeinterface.extractors
    compared = 0
    for name in ("Noise_g0_t0.imec0.ap", "NP2_4_shanks.imec0.ap"):
        meta = (DATA / "spikeglx" / f"{name}.meta").read_text()
        about = dict(line.split("=", 1) for line in meta.splitlines() if "=" in line)
        want = counts(channels=int(about["nSavedChans"]))
        run = folder / name.replace("_g0_t0", "").split(".")[0]
        run.mkdir()
        path = run / (name if "_g0_t0" in name else f"{name.split('.')[0]}_g0_t0.imec0.ap")
        want.tofile(f"{path}.bin")
        lines = [f"fileSizeBytes={want.nbytes}" if line.startswith("fileSizeBytes") else f"fileTimeSecs={FRAMES / 30000}" if line.startswith("fileTimeSecs")
                 else line for line in meta.splitlines()]
        pathlib.Path(f"{path}.meta").write_text("\n".join(lines) + "\n")
        found, gains, offsets, about = weir.read(f"{path}.bin")
        compared += same_numbers(found, want)
        read = spikeinterface.extractors.read_spikeglx(run, stream_id="imec0.ap")
        width = read.get_num_channels()
        compared += same_values((found * gains + offsets)[:, :width], read.get_traces(return_in_uV=True))
        places = np.array([channel["position"][:2] for channel in about["channels"][:width]])
        np.testing.assert_allclose(places - places.min(0), read.get_channel_locations() - read.get_channel_locations().min(0))
    return compared


@case("Open Ephys read", "spikeinterface", "neo")
def _(weir, folder):
    import spikeinterface.extractors
    stream = folder / "Record Node 101/experiment1/recording1/continuous/Acquisition_Board-100.A"
    stream.mkdir(parents=True)
    want = counts()
    want.tofile(stream / "continuous.dat")
    np.save(stream / "sample_numbers.npy", np.arange(FRAMES))
    np.save(stream / "timestamps.npy", np.arange(FRAMES) / RATE)
    channels = [{"channel_name": f"CH{c + 1}", "bit_volts": 0.195, "units": "uV"} for c in range(CHANNELS)]
    structure = {"GUI version": "0.6.7", "continuous": [{"folder_name": stream.name + "/", "sample_rate": RATE, "source_processor_name": "Acquisition_Board",
                 "source_processor_id": 100, "stream_name": "A", "recorded_processor": "Record Node", "recorded_processor_id": 101,
                 "num_channels": CHANNELS, "channels": channels}], "events": [], "spikes": []}
    (stream.parents[1] / "structure.oebin").write_text(json.dumps(structure))
    found, gains, offsets, _ = weir.read(folder / "Record Node 101")
    read = spikeinterface.extractors.read_openephys(folder / "Record Node 101", load_sync_timestamps=False)
    return same_numbers(found, want) + same_values(found * gains + offsets, read.get_traces(return_in_uV=True))


@case("Intan read", "neo")
def _(weir, folder):
    import neo
    compared = 0
    for name in ("whole.rhd", "stim.rhs"):
        reader = neo.rawio.IntanRawIO(str(GOLDEN / "intan/golden" / name))
        reader.parse_header()
        stored = reader.get_analogsignal_chunk(stream_index=0)
        found, gains, offsets, _ = weir.read(GOLDEN / "intan/golden" / name)
        compared += same_numbers(found, stored.astype("f8") - 32768)
        compared += same_values(found * gains + offsets, reader.rescale_signal_raw_to_float(stored, stream_index=0, dtype="f8"))
    return compared


@case("probes written and read", "probeinterface")
def _(weir, folder):
    import probeinterface
    source = raw(folder, counts())
    weir.run("probe", source, folder / "p.json")
    (probe,) = probeinterface.read_probeinterface(folder / "p.json").probes
    np.testing.assert_array_equal(probe.contact_positions, [[c % 2, 20.0 * c] for c in range(CHANNELS)])
    assert list(probe.device_channel_indices) == list(range(CHANNELS)) and list(probe.shank_ids) == ["a", "b", "a", "b"]
    made = probeinterface.generate_linear_probe(num_elec=CHANNELS, ypitch=25)
    made.set_device_channel_indices([2, 0, 3, 1])
    group = probeinterface.ProbeGroup()
    group.add_probe(made)
    probeinterface.write_probeinterface(folder / "q.json", group)
    probeinterface.write_prb(folder / "q.prb", group)
    want = np.empty((CHANNELS, 2))
    want[made.device_channel_indices] = made.contact_positions
    for name in ("q.json", "q.prb"):
        about = weir.read(source, "--probe", folder / name)[3]
        np.testing.assert_allclose([channel["position"][:2] for channel in about["channels"]], want)
    return 3 * CHANNELS


if __name__ == "__main__":
    run_cases()
