"""Small NWB files by pynwb, and what pynwb and h5py read from them, for nwb_test.cc."""

import datetime
import json
import pathlib

import h5py
import numpy as np
import pynwb
from hdmf.backends.hdf5.h5_utils import H5DataIO
from pynwb.ecephys import LFP, ElectricalSeries

FOLDER = pathlib.Path(__file__).parent


def make_refused():
    """Series that point outside the file, or need what HDF5 has not."""
    with h5py.File(FOLDER / "refused.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"

        def series(name):
            group = file.create_group(f"acquisition/{name}")
            group.attrs["neurodata_type"] = "ElectricalSeries"
            group["starting_time"] = 0.0
            group["starting_time"].attrs["rate"] = 100.0
            return group

        series("lzf").create_dataset("data", data=np.zeros((8, 2), "int16"), compression="lzf")
        series("outside").create_dataset("data", (8, 2), "int16", external=[("/etc/hostname", 0, 32)])
        layout = h5py.VirtualLayout((8, 2), "int16")
        layout[:] = h5py.VirtualSource("three.nwb", "/acquisition/ElectricalSeriesAP/data", (8, 2))
        series("virtual").create_virtual_dataset("data", layout)
        series("cube").create_dataset("data", data=np.zeros((2, 2, 2), "int16"))
        series("text").create_dataset("data", data=[b"a", b"b"])
        series("empty")
        series("swapped").create_dataset("data", data=np.zeros((2, 30), "int16"))
        file["acquisition/swapped"].create_dataset("electrodes", data=[0, 1])
        series("far").create_dataset("data", data=np.zeros((30, 2), "int16"))
        file["acquisition/far"].create_dataset("electrodes", data=[0, 9])
        file.create_dataset("general/extracellular_ephys/electrodes/id", data=[0, 1])
        unscaled = series("unscaled").create_dataset("data", data=np.zeros((30, 2), "int16"))
        unscaled.attrs["conversion"] = 0.0
        plain = series("plain").create_dataset("data", data=np.arange(60, dtype=">i2").reshape(30, 2))
        plain.attrs["unit"] = "microvolts"
        series("rateless").create_dataset("data", data=np.zeros((30, 2), "int16"))
        del file["acquisition/rateless/starting_time"].attrs["rate"]
        series("clockless").create_dataset("data", data=np.zeros((30, 2), "int16"))
        del file["acquisition/clockless/starting_time"]
        file["acquisition/linked"] = h5py.ExternalLink("three.nwb", "/acquisition/ElectricalSeriesAP")
        file["acquisition/soft"] = h5py.SoftLink("/acquisition/plain")
        file["acquisition/loop"] = h5py.SoftLink("/acquisition")
    with h5py.File(FOLDER / "other.h5", "w") as file:
        file["a"] = 1


def make_far():
    """Two terabytes of samples, of which none was written, for weir/cli/commands/info_command_test.cc."""
    with h5py.File(FOLDER / "far.nwb", "w") as file:
        file.attrs["nwb_version"] = "2.7.0"
        group = file.create_group("acquisition/far")
        group.attrs["neurodata_type"] = "ElectricalSeries"
        group.create_dataset("data", (2**40, 1), "int16", chunks=(4096, 1))
        group["starting_time"] = 0.0
        group["starting_time"].attrs["rate"] = 100.0


def main():
    rng = np.random.default_rng(7)
    start = datetime.datetime(2026, 11, 30, 4, 5, 6, tzinfo=datetime.timezone.utc)
    nwb = pynwb.NWBFile(session_description="a test", identifier="weir", session_start_time=start)
    device = nwb.create_device(name="probe")
    groups = [nwb.create_electrode_group(name=f"shank{i}", description="", location="CA1", device=device) for i in (0, 1)]
    nwb.add_electrode_column(name="rel_x", description="um")
    nwb.add_electrode_column(name="rel_y", description="um")
    nwb.add_electrode_column(name="channel_name", description="")
    for i in range(12):
        nwb.add_electrode(x=0.1 * i, y=0.2, z=0.3, location="CA1", group=groups[i // 6], rel_x=10.0 * (i % 2),
                          rel_y=20.0 * i, channel_name=f"AP{i}", id=100 + i)
    region = nwb.create_electrode_table_region(region=[7, 5, 6, 11], description="not the first rows")
    one = nwb.create_electrode_table_region(region=[2], description="one")
    ap = rng.integers(-3000, 3000, (700, 4)).astype("int16")
    nwb.add_acquisition(ElectricalSeries(
        name="ElectricalSeriesAP", data=H5DataIO(ap, chunks=(64, 3), compression="gzip", shuffle=True), electrodes=region,
        starting_time=1.5, rate=30000.5, conversion=2.34375e-6, channel_conversion=[1.0, 2.0, 0.5, 1.0], offset=0.001))
    stamps = np.concatenate([5 + np.arange(300) / 2500, 7.25 + np.arange(100) / 2500, 7.4 + np.arange(50) / 2500])
    lfp = rng.normal(0, 1e-4, (450, 4)).astype("float32")
    module = nwb.create_processing_module(name="ecephys", description="")
    module.add(LFP(electrical_series=ElectricalSeries(
        name="ElectricalSeriesLFP", data=H5DataIO(lfp, chunks=(100, 4), compression="gzip", fletcher32=True),
        electrodes=region, timestamps=stamps)))
    trigger = np.arange(90, dtype="int32") * 1000
    nwb.add_acquisition(ElectricalSeries(name="Single", data=trigger, electrodes=one, starting_time=0.0, rate=100.0))
    nwb.add_unit(spike_times=[1.5, 1.5 + 10 / 30000.5, 1.51], id=7)
    nwb.add_unit(spike_times=[], id=8)
    nwb.add_unit(spike_times=[0.5, 1.5 + 699 / 30000.5, 90.0], id=9)  # Before and behind the recording, too.
    nwb.add_trial(start_time=1.5, stop_time=1.5 + 90 / 30000.5)
    nwb.add_trial(start_time=1.51, stop_time=99.0)
    path = FOLDER / "three.nwb"
    with pynwb.NWBHDF5IO(path, "w") as io:
        io.write(nwb, cache_spec=False)
    make_refused()
    make_far()

    expected = {}
    with pynwb.NWBHDF5IO(path, "r") as io:
        read = io.read()
        found = {"ElectricalSeriesAP": read.acquisition["ElectricalSeriesAP"],
                 "ElectricalSeriesLFP": read.processing["ecephys"]["LFP"]["ElectricalSeriesLFP"],
                 "Single": read.acquisition["Single"]}
        for name, series in found.items():
            table = series.electrodes.to_dataframe()
            data = np.asarray(series.data)
            volts = data.reshape(len(data), -1) * series.conversion
            if series.channel_conversion is not None:
                volts = volts * np.asarray(series.channel_conversion)
            expected[name] = {
                "frames": len(data), "names": table["channel_name"].tolist(), "groups": table["group_name"].tolist(),
                "x": table["rel_x"].tolist(), "y": table["rel_y"].tolist(),
                "stored": data.ravel().astype(float).tolist()[:400], "volts": (volts + series.offset).ravel().tolist()[:400]}
    (FOLDER / "read.json").write_text(json.dumps(expected) + "\n")
    versions = {"pynwb": pynwb.__version__, "h5py": h5py.__version__, "numpy": np.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
