"""Records in every format, as the wfdb package reads them, for wfdb_test.cc: run it with the versions in versions.json."""

import importlib.metadata
import json
import pathlib
import re

import numpy as np
import soundfile
import wfdb

FOLDER = pathlib.Path(__file__).parent
SIZES = {8: 1, 16: 2, 24: 3, 32: 4, 61: 2, 80: 1, 160: 2, 212: 1.5, 310: 4 / 3, 311: 4 / 3}
random = np.random.default_rng(8)
# It stumbles over the byte order of format 61 and changes no value.
wfdb.Record.convert_dtype = lambda *arguments: None


def write_bytes(name, fmt, samples, front=0):
    size = int(np.ceil(samples * SIZES[fmt]))
    size = (size + 3) // 4 * 4 if fmt in (310, 311) else size
    data = random.integers(0, 256, front + size, dtype=np.uint8)
    if fmt == 311:
        data[front + 3 :: 4] &= 0x3F  # Two bits of each block are not used.
    if fmt == 8:
        data[front] = 0
    (FOLDER / name).write_bytes(data.tobytes())


def header(name, text):
    """SUM0, SUM1 and so on stand for the checksum of a signal, FIRST0 for its first value."""
    path = FOLDER / f"{name}.hea"
    path.write_text(re.sub("SUM.|FIRST.", "0", text))
    if "SUM" in text:
        for i, values in enumerate(digital(name).values()):
            total = (sum(values) + 32768) % 65536 - 32768
            text = text.replace(f"SUM{i}", str(total)).replace(f"FIRST{i}", str(values[0]))
        path.write_text(text)


def digital(name):
    """Signals by name, of any number of samples a frame."""
    record = wfdb.rdrecord(str(FOLDER / name), physical=False, smooth_frames=False)
    return {signal: values.tolist() for signal, values in zip(record.sig_name, record.e_d_signal)}


def physical(name):
    """Of a record of segments, one after the other; null where there is no signal."""
    record = wfdb.rdrecord(str(FOLDER / name), m2s=True)
    return {signal: [None if np.isnan(x) else x for x in record.p_signal[:, i]] for i, signal in enumerate(record.sig_name)}


def formats(expected):
    for fmt in SIZES:
        name, front = f"f{fmt}", 5 if fmt in (24, 311) else 0
        write_bytes(f"{name}.dat", fmt, 62, front)
        first = "FIRST" if fmt != 8 else ""  # There the differences start from it.
        offset = f"+{front}" if front else ""
        header(name, f"{name} 2 250 31\n{name}.dat {fmt}{offset} 200/mV 0 0 {first}0 SUM0 0 a\n"
                     f"{name}.dat {fmt}{offset} 100(7)/uV 0 0 {first}1 SUM1 0 b\n")
        expected[name] = digital(name)
    # Four samples a frame of one signal, one of the others, and one stored late.
    write_bytes("frames.dat", 212, 6 * 31)
    header("frames", "frames 3 100 31\nframes.dat 212x4 200/mV 12 0 FIRST0 SUM0 0 fast\nframes.dat 212 200/mV 12 0 FIRST1 SUM1 0 slow\n"
                     "frames.dat 212:3 200/mV 12 0 0 0 0 late\n")
    expected["frames"] = digital("frames")
    write_bytes("frames8.dat", 8, 5 * 31)
    header("frames8", "frames8 2 100 31\nframes8.dat 8x4 200/mV 12 0 11 SUM0 0 fast\nframes8.dat 8 200/mV 12 0 -7 SUM1 0 slow\n")
    expected["frames8"] = digital("frames8")


def compressed(expected):
    """FLAC files; a generator of their own leaves the others what they are."""
    flac_random = np.random.default_rng(16)
    for fmt, subtype, frames in ((508, "PCM_S8", 62), (516, "PCM_16", 9001), (524, "PCM_24", 62)):
        bits = fmt - 500
        most = 9 if frames > 62 else 2 ** (bits - 1) - 1  # Long ones small, so that read.json stays so.
        counts = flac_random.integers(-most, most + 1, (frames + 3, 2)).astype("i4")
        soundfile.write(FOLDER / f"f{fmt}.dat", counts << (32 - bits), 250, subtype=subtype, format="FLAC")
        x, offset = ("x2", "") if fmt == 508 else ("", "+3")
        header(f"f{fmt}", f"f{fmt} 2 250 {frames // 2 if x else frames}\nf{fmt}.dat {fmt}{x}{offset} 200/mV 0 0 FIRST0 SUM0 0 a\n"
                          f"f{fmt}.dat {fmt}{x}{offset} 100(7)/uV 0 0 FIRST1 SUM1 0 b\n")
        expected[f"f{fmt}"] = digital(f"f{fmt}")


def segments(expected):
    for part, frames in (("part1", 20), ("part2", 13), ("part3", 9)):
        write_bytes(f"{part}.dat", 16, 2 * frames)
    header("part1", "part1 2 250 20\npart1.dat 16 200/mV 16 0 FIRST0 SUM0 0 I\npart1.dat 16 100(-50)/mV 16 0 FIRST1 SUM1 0 II\n")
    header("part2", "part2 2 250 13\npart2.dat 16 200/mV 16 0 FIRST0 SUM0 0 I\npart2.dat 16 100(-50)/mV 16 0 FIRST1 SUM1 0 II\n")
    header("part3", "part3 2 250 9\npart3.dat 16 400(3)/mV 16 0 FIRST0 SUM0 0 II\npart3.dat 16 50/mmHg 16 0 FIRST1 SUM1 0 ABP\n")
    header("layout", "layout 3 250 0\n~ 0 200/mV 0 0 0 0 0 I\n~ 0 100(-50)/mV 0 0 0 0 0 II\n~ 0 50/mmHg 0 0 0 0 0 ABP\n")
    header("fixed", "fixed/2 2 250 33\npart1 20\npart2 13\n")
    header("variable", "variable/5 3 250 49\nlayout 0\npart1 20\n~ 7\npart3 9\npart2 13\n")
    expected["fixed"], expected["variable"] = physical("fixed"), physical("variable")


def main():
    expected = {}
    formats(expected)
    segments(expected)
    compressed(expected)
    (FOLDER / "read.json").write_text(json.dumps(expected) + "\n")
    versions = {name: importlib.metadata.version(name) for name in ("wfdb", "numpy", "soundfile")}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
