#!/usr/bin/env python3
"""Arrays, sound, EEG and ECG: NumPy, soundfile, edfio, pyedflib, MNE and wfdb against `weir convert`.

    signal_peers.py WEIR        # the program build/<preset>/bin/weir
"""

import datetime

from peer_case import CHANNELS, FRAMES, RATE, case, counts, need, raw, run_cases, same_numbers, same_values

need("peers-formats", "numpy")
import numpy as np

@case("npy, npz read", "numpy")
def _(weir, folder):
    compared = 0
    for dtype in ("<i2", ">i2", "<i4", "u1", "<f4", ">f8"):
        want = counts("<i2").astype(dtype)
        np.save(folder / "a.npy", np.asfortranarray(want))
        np.savez_compressed(folder / "a.npz", x=want)
        for name in ("a.npy", "a.npz"):
            compared += same_numbers(weir.read(folder / name, "--raw", f"rate_hz={RATE}")[0].astype("f8"), want.astype("f8"))
    return compared


@case("npy written", "numpy")
def _(weir, folder):
    return same_numbers(np.load(weir.convert(raw(folder, counts()), ".npy")), counts())


@case("WAV read", "soundfile")
def _(weir, folder):
    import soundfile
    compared = 0
    for kind, bits in (("PCM_16", 16), ("PCM_24", 24), ("PCM_U8", 8)):
        soundfile.write(folder / "a.wav", counts("<i4"), int(RATE), kind)
        stored = soundfile.read(folder / "a.wav", dtype="int32")[0] >> (32 - bits)
        found, gains, offsets, _ = weir.read(folder / "a.wav")
        compared += same_numbers(found, stored + (128 if bits == 8 else 0))
        compared += same_values(found * gains + offsets, soundfile.read(folder / "a.wav", dtype="float64")[0])
    for kind in ("FLOAT", "DOUBLE"):
        soundfile.write(folder / "a.wav", np.random.default_rng(1).normal(size=(FRAMES, 2)), int(RATE), kind)
        compared += same_values(weir.read(folder / "a.wav")[0], soundfile.read(folder / "a.wav")[0])
    return compared


@case("WAV written", "soundfile")
def _(weir, folder):
    import soundfile
    compared = same_numbers(soundfile.read(weir.convert(raw(folder, counts()), ".wav"), dtype="int16")[0], counts())
    soundfile.write(folder / "a.wav", counts("<i4"), int(RATE), "PCM_24")
    again = weir.convert(folder / "a.wav", ".wav")
    assert soundfile.info(again).subtype == "PCM_24" and soundfile.info(again).samplerate == RATE
    return compared + same_numbers(soundfile.read(again, dtype="int32")[0], soundfile.read(folder / "a.wav", dtype="int32")[0])


@case("EDF read", "edfio", "mne")
def _(weir, folder):
    import edfio
    import mne
    want = counts()
    signals = [edfio.EdfSignal.from_digital(np.ascontiguousarray(want[:, c]), RATE, label=f"EEG {c}", physical_dimension="uV", physical_range=(-3000, 3000),
                                            digital_range=(-32768, 32767)) for c in range(CHANNELS)]
    edfio.Edf(signals, annotations=[edfio.EdfAnnotation(0.5, 0.25, "a"), edfio.EdfAnnotation(2, None, "\u00b5")]).write(folder / "a.edf")
    found, gains, offsets, _ = weir.read(folder / "a.edf")
    volts = mne.io.read_raw_edf(folder / "a.edf", verbose="error").get_data().T
    return same_numbers(found, want) + same_values((found * gains + offsets) * 1e-6, volts)


@case("BDF read and written, 24 bits", "pyedflib", "mne")
def _(weir, folder):
    import mne
    import pyedflib
    want = counts("<i4") >> 8
    with pyedflib.EdfWriter(str(folder / "a.bdf"), CHANNELS, file_type=pyedflib.FILETYPE_BDFPLUS) as file:
        file.setSignalHeaders([{"label": f"E{c}", "dimension": "uV", "sample_frequency": RATE, "physical_min": -262144, "physical_max": 262143,
                                "digital_min": -8388608, "digital_max": 8388607, "transducer": "", "prefilter": ""} for c in range(CHANNELS)])
        file.writeSamples([np.ascontiguousarray(want[:, c]) for c in range(CHANNELS)], digital=True)
        file.writeAnnotation(1.5, 0.5, "stimulus")
    found, gains, offsets, _ = weir.read(folder / "a.bdf")
    volts = mne.io.read_raw_bdf(folder / "a.bdf", verbose="error").get_data().T
    compared = same_numbers(found, want) + same_values((found * gains + offsets) * 1e-6, volts)
    again = weir.convert(folder / "a.bdf", ".bdf")
    with pyedflib.EdfReader(str(again)) as file:
        compared += same_numbers(np.stack([file.readSignal(c, digital=True) for c in range(CHANNELS)], 1), want)
        texts = file.readAnnotations()
    assert list(texts[2]) == ["stimulus"] and texts[0][0] == 1.5 and texts[1][0] == 0.5, texts
    return compared + same_values(mne.io.read_raw_bdf(again, verbose="error").get_data().T, volts)


@case("EDF+ written, with annotations", "mne", "edfio", "pyedflib")
def _(weir, folder):
    import edfio
    import mne
    import pyedflib
    want = counts()
    compared = 0
    signals = [edfio.EdfSignal.from_digital(np.ascontiguousarray(want[:, c]), RATE, label=f"EEG {c}", physical_dimension="uV", physical_range=(-6389.76, 6389.565),
                                            digital_range=(-32768, 32767)) for c in range(CHANNELS)]
    notes = [(0.1 + 0.007 * i, 0.25 if i % 3 == 0 else None, f"text {i} \u00b5") for i in range(300)]
    edfio.Edf(signals, annotations=[edfio.EdfAnnotation(*note) for note in notes],
              starttime=datetime.time(4, 5, 6)).write(folder / "a.edf")
    for suffix in (".edf", ".bdf"):
        path = weir.convert(folder / "a.edf", suffix)
        edf = (edfio.read_edf if suffix == ".edf" else edfio.read_bdf)(path)
        compared += same_numbers(np.stack([signal.digital for signal in edf.signals], 1), want)
        found = [(a.onset, a.duration, a.text) for a in edf.annotations]
        assert len(found) == 300 and all(abs(a[0] - b[0]) < 6e-4 and a[2] == b[2] for a, b in zip(found, notes)), found[:3]
        texts = mne.read_annotations(path)
        assert list(texts.description) == [note[2] for note in notes]
        np.testing.assert_allclose(texts.onset, [note[0] for note in notes], atol=6e-4)
        np.testing.assert_allclose(texts.duration, [note[1] or 0 for note in notes], atol=1.1e-3)
        with pyedflib.EdfReader(str(path)) as file:
            assert file.annotations_in_file == 300
    return compared


@case("EDF written from floats", "mne", "edfio")
def _(weir, folder):
    import mne
    values = np.random.default_rng(2).normal(0, 80, (FRAMES, CHANNELS)).astype("<f4")
    path = weir.convert(raw(folder, values, gain=1.0), ".edf", "--gain", 0.05)
    found = mne.io.read_raw_edf(path, verbose="error").get_data().T * 1e6
    np.testing.assert_allclose(found, values, atol=0.026)
    return found.size


@case("BrainVision read", "mne")
def _(weir, folder):
    import mne
    compared = 0
    for kind, order, dtype in (("INT_16", "MULTIPLEXED", "<i2"), ("INT_16", "VECTORIZED", "<i2"), ("IEEE_FLOAT_32", "MULTIPLEXED", "<f4")):
        want = counts().astype(dtype)
        names = "\n".join(f"Ch{c + 1}=E{c},,{0.1 * (c + 1)},\u00b5V" for c in range(CHANNELS))
        (folder / "a.vhdr").write_text(f"Brain Vision Data Exchange Header File Version 1.0\n[Common Infos]\nCodepage=UTF-8\nDataFile=a.eeg\nMarkerFile=a.vmrk\n"
                                       f"DataFormat=BINARY\nDataOrientation={order}\nNumberOfChannels={CHANNELS}\nSamplingInterval=1000\n[Binary Infos]\n"
                                       f"BinaryFormat={kind}\n[Channel Infos]\n{names}\n", encoding="utf-8")
        (folder / "a.vmrk").write_text("Brain Vision Data Exchange Marker File, Version 1.0\n[Common Infos]\nDataFile=a.eeg\n[Marker Infos]\n"
                                       "Mk1=New Segment,,1,1,0,20261130040506000000\nMk2=Stimulus,S  1,5,1,0\n")
        (want if order == "MULTIPLEXED" else want.T).tofile(folder / "a.eeg")
        found, gains, offsets, _ = weir.read(folder / "a.vhdr")
        volts = mne.io.read_raw_brainvision(folder / "a.vhdr", verbose="error").get_data().T
        compared += same_values((found * gains + offsets) * 1e-6, volts) + (same_numbers(found, want) if dtype == "<i2" else 0)
    return compared


@case("WFDB read", "wfdb")
def _(weir, folder):
    import wfdb
    compared = 0
    for kind, bits in (("16", 16), ("212", 12), ("24", 24), ("32", 24), ("80", 8)):
        want = counts("<i4") >> (32 - bits)
        want[want == -(1 << (bits - 1))] += 1  # That count means no sample.
        wfdb.wrsamp(f"r{kind}", RATE, ["mV"] * CHANNELS, [f"E{c}" for c in range(CHANNELS)], d_signal=want, fmt=[kind] * CHANNELS,
                    adc_gain=[200.0] * CHANNELS, baseline=[5] * CHANNELS, write_dir=str(folder))
        found, gains, offsets, _ = weir.read(folder / f"r{kind}.hea")
        record = wfdb.rdrecord(str(folder / f"r{kind}"), physical=False)
        compared += same_numbers(found, record.d_signal)
        compared += same_values(found * gains + offsets, wfdb.rdrecord(str(folder / f"r{kind}")).p_signal)
    return compared


if __name__ == "__main__":
    run_cases()
