"""Recordings that mtscomp compresses, for mtscomp_test.cc: run it with the versions in versions.json."""

import importlib.metadata
import json
import pathlib
import tempfile

import mtscomp
import numpy as np

FOLDER = pathlib.Path(__file__).parent
FRAMES, CHANNELS = 257, 5


def samples(dtype):
    """Sample (f, c) is 613 f + 7001 c mod 65536, less 32768; as float a quarter of it."""
    frame, channel = np.mgrid[0:FRAMES, 0:CHANNELS]
    counts = (613 * frame + 7001 * channel) % 65536 - 32768
    return (counts / 4 if np.dtype(dtype).kind == "f" else counts).astype(dtype)


def main():
    cases = {
        "plain": dict(dtype="int16"),
        "rows": dict(dtype="int16", chunk_order="C"),
        "space": dict(dtype="int16", do_spatial_diff=True),
        "space_rows": dict(dtype="int32", do_spatial_diff=True, chunk_order="C"),
        "undiffed": dict(dtype="uint16", do_time_diff=False),
        "floats": dict(dtype="float32", do_time_diff=False),
    }
    for name, settings in cases.items():
        dtype = settings.pop("dtype")
        cbin, header = FOLDER / f"{name}.cbin", FOLDER / f"{name}.ch"
        with tempfile.TemporaryDirectory() as folder:
            raw = pathlib.Path(folder) / "raw.bin"
            values = samples(dtype) if dtype != "uint16" else (samples("int32") + 32768).astype("uint16")
            values.tofile(raw)
            mtscomp.compress(raw, cbin, header, sample_rate=1000.0, n_channels=CHANNELS, dtype=np.dtype(dtype),
                             chunk_duration=0.1, n_threads=1, quiet=True, **settings)
        read = mtscomp.decompress(cbin, header)
        assert np.array_equal(read[:], values), name
        read.close()
    versions = {"mtscomp": importlib.metadata.version("mtscomp"), "numpy": np.__version__}
    (FOLDER / "versions.json").write_text(json.dumps(versions) + "\n")


if __name__ == "__main__":
    main()
