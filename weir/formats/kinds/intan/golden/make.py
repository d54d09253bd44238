"""Recordings in Intan's layouts, and what neo reads from them, for intan_test.cc. Run it with the versions in versions.json.

The headers follow Intan's application notes field by field; the samples are random.
"""

import json
import pathlib
import shutil
import struct

import neo
import numpy as np

FOLDER = pathlib.Path(__file__).parent
rng = np.random.default_rng(9)


def text(value):
    encoded = value.encode("utf-16-le")
    return struct.pack("<I", len(encoded)) + encoded


def channel(name, kind, rhs=False, enabled=1):
    return text(name) + text("user's " + name) + struct.pack("<hhhh", 0, 0, kind, enabled) + bytes(2 * (7 if rhs else 6)) + struct.pack("<ff", 1e6, 0)


def group(name, prefix, channels, rhs=False):
    body = b"".join(channel(*one, rhs) for one in channels)
    return text(name) + text(prefix) + struct.pack("<hhh", 1, len(channels), 0) + body


def rhd_header(groups, version=(2, 0), temperatures=0, rate=20000.0, mode=1):
    out = struct.pack("<Ihhf", 0xC6912702, *version, rate) + struct.pack("<h6f", 1, *[1.0] * 6)
    out += struct.pack("<hff", 2, 1000.0, 1000.0) + text("a note") + text("") + text("µ")
    out += struct.pack("<h", temperatures) + struct.pack("<h", mode)
    out += text("A-000") if version >= (2, 0) else b""
    return out + struct.pack("<h", len(groups)) + b"".join(groups)


def rhs_header(groups, dc=1, rate=30000.0):
    out = struct.pack("<Ihhf", 0xD69127AC, 3, 0, rate) + struct.pack("<h8f", 1, *[1.0] * 8)
    out += struct.pack("<hff", 0, 1000.0, 1000.0) + struct.pack("<hhfff", 0, 0, 1e-6, 1e-9, 0.0)
    out += text("") * 3 + struct.pack("<hh", dc, 0) + text("") + struct.pack("<h", len(groups))
    return out + b"".join(groups)


RHD = [group("Port A", "A", [("A-000", 0), ("A-001", 0), ("A-AUX1", 1), ("A-VDD1", 2)]),
       group("Board ADC Inputs", "ANALOG-IN", [("ANALOG-IN-0", 3)]),
       group("Board Digital Inputs", "DIGITAL-IN", [("DIGITAL-IN-00", 4), ("DIGITAL-IN-01", 4)])]
RHS = [group("Port B", "B", [("B-003", 0), ("B-007", 0)], True), group("In", "ANALOG-IN", [("ANALOG-IN-0", 3)], True),
       group("Out", "ANALOG-OUT", [("ANALOG-OUT-0", 4)], True), group("Digital", "DIGITAL-IN", [("DIGITAL-IN-00", 5)], True)]


def words(count):
    return rng.integers(0, 65536, count).astype("<u2").tobytes()


def traditional(name, header, frames, starts, sizes):
    """Blocks whose first time stamps are `starts`, each with `sizes` samples behind the stamps."""
    data = b"".join((start + np.arange(frames)).astype("<i4").tobytes() + words(sizes) for start in starts)
    (FOLDER / name).write_bytes(header + data)


def folder(name, header, files):
    path = FOLDER / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    (path / "info.rhd").write_bytes(header)
    for file, data in files.items():
        (path / file).write_bytes(data)


def read(path):
    reader = neo.rawio.IntanRawIO(path, ignore_integrity_checks=True)
    reader.parse_header()
    streams = {}
    for index, stream in enumerate(reader.header["signal_streams"]):
        channels = reader.header["signal_channels"]
        channels = channels[channels["stream_id"] == stream["id"]]
        raw = reader.get_analogsignal_chunk(stream_index=index)
        streams[str(stream["name"])] = {"ids": channels["id"].tolist(), "gains": channels["gain"].tolist(),
                                        "offsets": channels["offset"].tolist(), "units": channels["units"].tolist(),
                                        "rate": float(channels["sampling_rate"][0]), "frames": int(raw.shape[0]),
                                        "first": raw[:4].astype(int).ravel().tolist(), "last": raw[-1].astype(int).tolist()}
    return streams


def main():
    b = 128
    traditional("whole.rhd", rhd_header(RHD), b, (0, b, 2 * b), 2 * b + b // 4 + 1 + b + b)
    traditional("gap.rhd", rhd_header(RHD, version=(1, 5)), 60, (-60, 0, 1000), 2 * 60 + 15 + 1 + 60 + 60)
    traditional("stim.rhs", rhs_header(RHS), b, (0, b), 2 * b * 3 + b + b + b)
    frames = 400
    stamps = np.arange(frames).astype("<i4").tobytes()
    folder("signals", rhd_header(RHD, version=(3, 1)), {"time.dat": stamps, "amplifier.dat": words(2 * frames), "auxiliary.dat": words(frames),
                                                       "supply.dat": words(frames), "analogin.dat": words(frames), "digitalin.dat": words(frames)})
    folder("channels", rhd_header(RHD, version=(3, 1)), {"time.dat": stamps, "amp-A-000.dat": words(frames), "amp-A-001.dat": words(frames),
                                                        "board-ANALOG-IN-0.dat": words(frames)})
    cases = {name: read(FOLDER / name) for name in ("whole.rhd", "gap.rhd", "stim.rhs")}
    cases["signals"] = read(FOLDER / "signals/info.rhd")
    (FOLDER / "neo.json").write_text(json.dumps(cases) + "\n")
    (FOLDER / "versions.json").write_text(json.dumps({"neo": neo.__version__, "numpy": np.__version__}) + "\n")


if __name__ == "__main__":
    main()
