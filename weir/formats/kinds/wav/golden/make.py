"""Files that libsndfile writes, and the samples in them, for wav_test.cc. Run it with the versions in versions.json."""

import json
import pathlib

import numpy as np
import soundfile

FOLDER = pathlib.Path(__file__).parent
rng = np.random.default_rng(3)


def main():
    floats = np.vstack([rng.uniform(-1, 1, (20, 3)), [[-1, 0, 0.5]]])
    wide = np.vstack([rng.integers(-2**31, 2**31, (20, 3)), [[-2**31, 2**31 - 1, 0]]]).astype(np.int32)
    expected = {}
    for kind, subtype in (("WAV", "PCM_U8"), ("WAV", "PCM_16"), ("WAV", "PCM_24"), ("WAV", "PCM_32"), ("WAV", "FLOAT"),
                          ("WAV", "DOUBLE"), ("WAVEX", "PCM_24"), ("WAVEX", "FLOAT"), ("RF64", "PCM_16")):
        name = f"{kind.lower()}_{subtype.lower()}.wav"
        data = floats if subtype in ("FLOAT", "DOUBLE") else wide
        soundfile.write(FOLDER / name, data, 44100, subtype=subtype, format=kind)
        read, rate = soundfile.read(FOLDER / name, dtype="float64", always_2d=True)
        assert rate == 44100 and read.shape == (21, 3)
        expected[name] = read.ravel().tolist()  # Shares of full scale.
    (FOLDER / "soundfile.json").write_text(json.dumps(expected) + "\n")
    versions = {"soundfile": soundfile.__version__, "libsndfile": soundfile.__libsndfile_version__, "numpy": np.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
