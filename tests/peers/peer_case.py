"""What another program writes, `weir convert` reads, and what it writes, others read: the same stored numbers to the last bit, the
same physical values to 1e-6.

Every case names the packages that vouch for it; one that is not installed is told in words and its cases are left out.
With WEIR_REQUIRE=peers that is a failure.
"""

import contextlib
import importlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback
import warnings


try:
    import numpy as np
except ImportError:
    np = None  # `need` says so.

FRAMES, CHANNELS, RATE = 3000, 4, 1000.0
ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("WEIR_TEST_DATA", ROOT / "../shared/data"))
GOLDEN = ROOT / "weir/formats/kinds"
CASES = []


def case(what, *packages):
    """Registers a function of (weir, folder) that returns how many samples it compared."""
    return lambda body: CASES.append((what, packages, body)) or body


class Weir:
    def __init__(self, program, folder):
        self.program, self.folder, self.count = program, folder, 0

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stderr)
        return done

    def convert(self, source, suffix, *flags):
        self.count += 1
        out = self.folder / f"weir{self.count}{suffix}"
        self.run("convert", source, out, *flags)
        return out

    def read(self, source, *flags):
        """Stored numbers, gains, offsets and the sidecar, by way of a .npy."""
        out = self.convert(source, ".npy", *flags)
        about = json.loads(pathlib.Path(f"{out}.json").read_text())
        gains = np.array([channel["gain"] for channel in about["channels"]])
        offsets = np.array([channel["offset"] for channel in about["channels"]])
        return np.load(out), gains, offsets, about


def counts(dtype="<i2", channels=CHANNELS):
    info = np.iinfo(dtype)
    return np.random.default_rng(7).integers(info.min, info.max, (FRAMES, channels), dtype=dtype, endpoint=True)


def same_numbers(ours, theirs):
    np.testing.assert_array_equal(ours, theirs)
    return ours.size


def same_values(ours, theirs):
    theirs = np.asarray(theirs, "f8")
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6 * np.abs(theirs).max())
    return ours.size


def raw(folder, samples, gain=0.195, offset=0.0, unit="uV", **more):
    """A recording of ours, by hand."""
    path = folder / f"raw{len(list(folder.iterdir()))}.bin"
    samples.tofile(path)
    channels = [{"name": f"E{c}", "gain": gain, "offset": offset, "unit": unit, "position": [float(c % 2), 20.0 * c, 0.0],
                 "group": "ab"[c % 2]} for c in range(samples.shape[1])]
    about = {"weir_raw": 1, "rate": [int(RATE), 1], "dtype": str(samples.dtype), "samples": len(samples), "channels": channels,
             "start_time": "2026-11-30T04:05:06", **more}
    pathlib.Path(f"{path}.json").write_text(json.dumps(about))
    return path


def absent(packages):
    missing = []
    for package in packages:
        try:
            importlib.import_module(package)
        except ImportError:
            missing.append(package)
    return missing


def need(level, *packages):
    """Ends the program in words where one of its packages is not installed: a failure with WEIR_REQUIRE=peers."""
    if missing := absent(packages):
        print(f"LEFT OUT  {pathlib.Path(sys.argv[0]).name}: {', '.join(missing)} not installed; tools/install {level} installs it")
        sys.exit("peers" in os.environ.get("WEIR_REQUIRE", "").split(","))


def run_cases():
    program = pathlib.Path(sys.argv[1]).resolve()
    left_out, failed = [], []
    warnings.simplefilter("ignore")
    for what, packages, body in CASES:
        if missing := absent(packages):
            left_out.append(what)
            print(f"LEFT OUT  {what}: {', '.join(missing)} not installed; tools/install peers-formats installs it")
            continue
        with tempfile.TemporaryDirectory() as name:
            try:
                with contextlib.redirect_stderr(io.StringIO()):  # Bars of progress.
                    compared = body(Weir(program, pathlib.Path(name)), pathlib.Path(name))
            except Exception:
                failed.append(what)
                print(f"FAILS     {what}:\n{traceback.format_exc()}", flush=True)
                continue
        versions = ", ".join(f"{p} {getattr(importlib.import_module(p), '__version__', '')}".strip() for p in packages)
        print(f"agrees    {what}: {versions}; {compared} numbers", flush=True)
    agreed = len(CASES) - len(left_out) - len(failed)
    print(f"{agreed} of {len(CASES)} kinds of files agree with other programs, {len(left_out)} left out, {len(failed)} fail")
    if failed:
        sys.exit(1)
    if left_out and "peers" in os.environ.get("WEIR_REQUIRE", "").split(","):
        sys.exit("WEIR_REQUIRE=peers: none may be left out")
