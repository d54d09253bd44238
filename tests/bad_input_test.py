#!/usr/bin/env python3
"""Bad input to the built program: one clear line, the right exit code, nothing left behind, nothing lost.

usage: bad_input_test.py WEIR [unittest arguments]

Every refusal is checked with the whole folder: after it, each file holds the bytes it held before, and there is no other.
Standard library only.
"""
import array
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

INVALID, NOT_FOUND, CORRUPT, EXISTS, IO, CANCELLED = 2, 3, 4, 7, 8, 130  # Exit codes of docs/architecture.md.
NOBODY = 65534


def chain(path="in.bin", out="out.bin", read=None, write=None, **band):
    """The nodes raw -> band -> out."""
    return {"raw": {"op": "read", "path": path, **(read or {})},
            "band": {"op": "iir", "band": "bandpass", "cutoff_hz": [300, 6000], **band},
            "out": {"op": "write", "path": out, **(write or {})}}


class BadInput(unittest.TestCase):
    weir = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="weir-bad-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = [self.weir]
        self.recording()
        self.spec(chain())

    def recording(self, count=4, frames=3000, dtype="int16", data=None, **changes):
        """in.bin and its sidecar; a change to None takes the key out."""
        if data is None:
            data = array.array("h", [at * 37 % 101 - 50 for at in range(count * frames)]).tobytes()
        (self.folder / "in.bin").write_bytes(data)
        sidecar = {"weir_raw": 1, "rate": [30000, 1], "dtype": dtype, "order": "time_major", "samples": frames,
                   "channels": [{"name": f"c{c}", "gain": 0.5, "offset": 0, "unit": "uV"} for c in range(count)]}
        sidecar.update(changes)
        sidecar = {key: value for key, value in sidecar.items() if value is not None}
        (self.folder / "in.bin.json").write_text(json.dumps(sidecar))
        return sidecar

    def spec(self, nodes, edges=(("raw", "band"), ("band", "out")), **more):
        (self.folder / "spec.json").write_text(json.dumps(
            {"weir_pipeline": 1, "nodes": nodes, "edges": [list(edge) for edge in edges], **more}))

    def call(self, *words, before=None):
        words = words or ("run", "spec.json")
        return subprocess.run([*self.program, *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              preexec_fn=before)

    def files(self):
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in self.folder.rglob("*")}

    def refused(self, code, *parts, words=(), before=None, lines=1):
        """The exit code, so many lines that begin with "weir: ", each part among them, and an untouched folder."""
        stood = self.files()
        done = self.call(*words, before=before)
        self.assertEqual(done.returncode, code, done.stderr)
        said = done.stderr.splitlines()
        self.assertEqual(len(said), lines, done.stderr)
        for line in said:
            self.assertTrue(line.startswith("weir: "), line)
        for part in parts:
            self.assertIn(part, done.stderr)
        self.assertEqual(self.files(), stood)

    def runs(self, *warnings):
        """Exit 0, each warning in the report, and out.bin's samples."""
        done = self.call()
        self.assertEqual(done.returncode, 0, done.stderr)
        for warning in warnings:
            self.assertIn(warning, done.stdout)
        self.assertEqual("warning" in done.stdout, bool(warnings), done.stdout)
        return array.array("f", (self.folder / "out.bin").read_bytes())

    # Specs.

    def test_unknown_keys_name_the_nearest(self):
        self.spec(chain(cutof_hz=[300, 6000]))
        self.refused(INVALID, "spec.json: node band (iir): cutof_hz: unknown key", 'did you mean "cutoff_hz"?')
        self.spec(chain(read={"chanels": [0]}))
        self.refused(INVALID, "node raw (read): chanels: unknown key", 'did you mean "channels"?')
        self.spec(chain(), execution={"memroy": "1 GiB"})
        self.refused(INVALID, "execution.memroy: unknown key", 'did you mean "memory"?')
        self.spec(chain(op="irr"))
        self.refused(INVALID, 'node band: op: "irr" is no operator', 'did you mean "iir"?')
        self.refused(INVALID, 'there is no command "rum"', 'did you mean "weir run"?', words=("rum", "spec.json"))

    def test_all_problems_are_told_at_once(self):
        self.spec(chain(cutof_hz=1, write={"dtyp": "int16"}))
        self.refused(INVALID, "node band (iir): cutof_hz", "node out (write): dtyp", lines=2)

    def test_text_that_is_no_spec(self):
        (self.folder / "spec.json").write_text('{"weir_pipeline": 1,\n "nodes": {,}}')
        self.refused(INVALID, "spec.json: not valid JSON at line 2, column 12")
        (self.folder / "spec.toml").write_text("weir_pipeline = 1\nnodes = [\n")
        self.refused(INVALID, "spec.toml: not valid TOML at line 2", words=("run", "spec.toml"))

    def test_cut_off_at_nyquist(self):
        for high in (15000, 16000):
            self.spec(chain(cutoff_hz=[300, high]))
            self.refused(INVALID, f"spec.json: node band: cutoff_hz: {high} Hz is not below Nyquist (15000 Hz)")

    def test_cycles(self):
        nodes = chain()
        self.spec({**nodes, "again": nodes["band"]}, [("raw", "out"), ("band", "again"), ("again", "band")])
        self.refused(INVALID, "spec.json: edges: the nodes form a cycle: band -> again -> band")
        self.spec(nodes, [("raw", "band"), ("band", "band"), ("band", "out")])
        self.refused(INVALID, "edges: band -> band: a node cannot feed itself")

    def test_two_writes_to_one_path(self):
        self.spec({**chain(), "twin": {"op": "write", "path": "./here/../out.bin"}},
                  [("raw", "band"), ("band", "out"), ("raw", "twin")])
        self.refused(INVALID, 'node twin (write): path: "out" writes to', "out.bin already")

    def test_a_write_over_the_input(self):
        self.spec(chain(out="in.bin"))
        self.refused(INVALID, "node out: path:", "in.bin is also an input", words=("run", "spec.json", "--overwrite"))
        self.refused(INVALID, "node out: path:", "in.bin is also an input")

    def test_channels_that_are_not_there(self):
        for channels, code, text in (([7], INVALID, "7 is out of range"), ("0:99", INVALID, '"0:99" is out of range'),
                                     (["c9"], NOT_FOUND, 'has no channel "c9"'), ([], INVALID, "the list is empty")):
            self.spec(chain(read={"channels": channels}))
            self.refused(code, "node raw", "channels: ", text)

    def test_what_is_no_spec_and_words_that_are_empty(self):
        self.refused(INVALID, "in.bin: is a recording (raw), not a spec: weir info shows what it holds", words=("run", "in.bin"))
        self.refused(INVALID, "name is empty: An operator", words=("ops", ""))
        self.refused(INVALID, "--output-dir is empty: ", words=("run", "spec.json", "--output-dir="))
        self.refused(INVALID, "execution.memory: 1 has no unit", '"2 GiB"', words=("run", "spec.json", "--set", "execution.memory=1"))
        self.refused(INVALID, "rate_hz: is a field of raw", "--set raw.raw.rate_hz=…",
                     words=("run", "spec.json", "--set", "raw.rate_hz=1000"))

    def test_control_characters_never_reach_a_terminal(self):
        one = {"name": "a\x1b[31m\x07\nweir: done\u009b0m", "gain": 0, "offset": 0, "unit": "\x1bV"}
        self.recording(count=1, channels=[one])
        done = self.call()
        self.assertEqual(done.returncode, INVALID, done.stderr)
        self.assertIn(r"a\x1b[31m\x07\nweir: done\u009b0m", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        shown = self.call("info", "in.bin", "--channels")
        self.assertIn(r"a\x1b[31m\x07\nweir: done\u009b0m", shown.stdout)
        told = [self.call("info", "in.bin", "--json"), self.call("info", "no\x1bwhere"), self.call("\x1b"), shown, done]
        for text in [each.stdout + each.stderr for each in told]:
            self.assertFalse([c for c in text if (c < " " and c != "\n") or "\x7f" <= c < "\xa0"], text)
        self.assertEqual(json.loads(told[0].stdout)["channels"][0]["name"], one["name"])

    # Files.

    def test_missing_files(self):
        self.spec(chain(path="nowhere.bin"))
        self.refused(NOT_FOUND, "node raw: ", "nowhere.bin: cannot open: No such file or directory")
        self.spec(chain(path="no*.bin"))
        self.refused(NOT_FOUND, "node raw: path: no file matches ", "no*.bin")
        self.refused(NOT_FOUND, "absent.json: cannot open", words=("run", "absent.json"))
        self.refused(NOT_FOUND, "absent.bin: cannot open", words=("info", "absent.bin"))

    def test_wrong_sidecars(self):
        text = (self.folder / "in.bin.json").read_text()
        (self.folder / "in.bin.json").write_text(text[:25])
        self.refused(CORRUPT, "node raw: ", "in.bin.json: not valid JSON at line 1")
        one = {"name": "a", "gain": 1, "offset": 0, "unit": "uV"}
        (self.folder / "in.bin.json").write_text("null")
        self.refused(CORRUPT, 'in.bin.json: expected an object with "weir_raw": 1, found null')
        for changes, part in (({"rate": None}, 'rate: the key "rate" is missing'),
                              ({"rate": [0, 1]}, "rate: a sample rate of 0 Hz is not positive"),
                              ({"dtype": "int17"}, 'dtype: "int17" is not a sample type'),
                              ({"order": "sideways"}, "order: "), ({"samples": -1}, "samples: -1"),
                              ({"channels": [one, {**one, "gain": "x"}]}, "channels[1]: gain: expected number"),
                              ({"channels": []}, "channels: there are none"),
                              ({"channels": [{**one, "ofset": 3}]}, 'channels[0]: ofset: unknown key; did you mean "offset"?'),
                              ({"offset": 3}, "offset: unknown key")):
            with self.subTest(changes=changes):
                self.recording(**changes)
                self.refused(CORRUPT, "node raw: ", "in.bin.json: " + part)
        sidecar = self.recording(count=1)
        sidecar["channels"][0]["gain"] = 0
        (self.folder / "in.bin.json").write_text(json.dumps(sidecar))
        self.refused(INVALID, "node band: channel c0 has the gain 0")
        (self.folder / "in.bin.json").unlink()
        self.refused(INVALID, "node raw: ", "in.bin: raw: required, as there is no sidecar")

    def test_newer_versions(self):
        self.spec(chain(), weir_pipeline=2)
        self.refused(INVALID, "spec.json: weir_pipeline: version 2 needs a newer weir", "reads versions up to 1")
        self.spec(chain())
        self.recording(weir_raw=3)
        self.refused(CORRUPT, "in.bin.json: weir_raw: version 3 was written by a newer Weir; this one reads up to 2")
        (self.folder / "in.zarr").mkdir()
        self.spec(chain(path="in.zarr"))
        for document, part in ({"zarr_format": 4}, "zarr_format: 4 is not read; 2 and 3 are"), \
                              ({"zarr_format": 3, "node_type": "group", "attributes": {"weir_recording": 3}},
                               "weir_recording: version 3 was written by a newer Weir"):
            (self.folder / "in.zarr/zarr.json").write_text(json.dumps(document))
            self.refused(CORRUPT, "node raw: ", "in.zarr/zarr.json: " + part)
        self.spec(chain(path="in.npy"))
        (self.folder / "in.npy").write_bytes(b"\x93NUMPY\x04\x00" + bytes(120))
        self.refused(CORRUPT, "node raw: ", "in.npy: .npy version 4.0 is not read")

    def test_outputs_that_exist(self):
        (self.folder / "out.bin").write_text("mine")
        self.refused(EXISTS, "spec.json: node out: path: ", "out.bin: exists; pass --overwrite to replace it")

    def test_formats_that_are_not_there(self):
        self.spec(chain(out="out.abc"))
        self.refused(INVALID, "node out: ", "out.abc: no format writes recordings with this extension; known: ")
        (self.folder / "in.xyz").write_text("hello")
        self.spec(chain(path="in.xyz"))
        self.refused(CORRUPT, "node raw: ", "in.xyz: no known format; tried ")

    # The machine.

    def without_rights(self):
        """What a child process does to be nobody, and a program that nobody can start."""
        self.program = [str(self.folder / "weir")]
        shutil.copy(self.weir, self.program[0])
        self.folder.chmod(0o777)

        def become_nobody():
            if os.getuid() == 0:  # Root may do anything: then nothing would be refused.
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)

        try:
            subprocess.run(["true"], preexec_fn=become_nobody, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            self.skipTest(f"root here, and cannot become nobody: {error}")
        return become_nobody

    def test_unreadable_files_and_folders(self):
        before = self.without_rights()
        for name in ("in.bin", "in.bin.json", "spec.json"):
            path = self.folder / name
            stood = path.read_bytes()
            # The folder's bytes are compared by its owner, who may have lost the right too.
            path.chmod(0)
            done = self.call(before=before)
            path.chmod(0o644)
            self.assertEqual(done.returncode, IO, done.stderr)
            self.assertIn(f"{name}: cannot open: Permission denied", done.stderr)
            self.assertEqual(done.stderr.count(name + ":"), 1, done.stderr)
            self.assertEqual(path.read_bytes(), stood)
            self.assertFalse((self.folder / "out.bin").exists())
        self.folder.chmod(0o555)
        self.addCleanup(self.folder.chmod, 0o755)
        self.refused(IO, "node out: path: ", "out.bin: cannot write in ", "Permission denied", before=before)

    def test_a_full_disk(self):
        data = array.array("h", [at * 7919 % 20001 - 10000 for at in range(4 * 60000)]).tobytes()
        self.recording(frames=60000, data=data)

        def limited():
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

        (self.folder / "precious.bin").write_text("precious")
        for nodes in (chain(), chain(out="out.npy"), chain(out="out.zarr"), chain(out="precious.bin"),
                      chain(mode="zero_phase_exact")):
            with self.subTest(out=nodes["out"]["path"], mode=nodes["band"].get("mode")):
                self.spec(nodes)
                self.refused(IO, "in.bin: node ", "File too large", words=("run", "spec.json", "--overwrite"), before=limited)
        self.spec({"raw": {"op": "read", "path": "in.bin"}, "spikes": {"op": "crossings", "level": 100.0},
                   "events": {"op": "write", "path": "out.csv"}}, [("raw", "spikes"), ("spikes", "events")])
        self.refused(IO, "node events: ", "out.csv", "File too large", before=limited)

    # Synthetic recordings.

    def test_a_recording_longer_than_the_disk(self):
        self.refused(IO, "long.bin: needs ", " but only ", " are free there",
                     words=("generate", "noise", "long.bin", "--set", "duration_s=1e12"))
        self.refused(INVALID, "duration_s: ", words=("generate", "noise", "long.bin", "--set", "duration_s=1e300"))
        (self.folder / "a.bin.truth.csv").write_text("mine")
        self.refused(EXISTS, "a.bin.truth.csv: exists", words=("generate", "ecg", "a.bin"))

    def test_a_recording_that_is_cut_short_leaves_nothing(self):
        stood = self.files()
        for kind in ("noise", "ecg"):
            for name in ("long.bin", "long.zarr"):
                running = subprocess.Popen([self.weir, "generate", kind, name, "--set", "duration_s=2000"], cwd=self.folder,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                partial = self.folder / (name + ".weir-partial")
                while not partial.exists() and running.poll() is None:
                    pass
                running.send_signal(signal.SIGINT)
                self.assertIn("cancelled", running.communicate()[1])
                self.assertEqual(running.returncode, CANCELLED)
                self.assertEqual(self.files(), stood)

    def test_a_recording_on_a_full_disk_leaves_nothing(self):
        self.refused(IO, "long.bin: cannot write: File too large", words=("generate", "ecg", "long.bin"),
                     before=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)))

    # Samples.

    def test_nan_and_infinite_samples(self):
        bad = {40: float("nan"), 401: float("nan"), 4002: float("inf")}
        data = array.array("f", [bad.get(at, 1.0) for at in range(12000)]).tobytes()
        self.recording(dtype="float32", data=data)
        self.refused(CORRUPT, "in.bin: node raw: 3 samples of frames 0 to 2999 are NaN or infinite, the first in segment 0 "
                     "at frame 10 of channel c0", 'non_finite = "fill" or "pass"')
        self.spec(chain(read={"non_finite": "fill"}))
        self.assertTrue(all(abs(value) < 10 for value in self.runs("3 samples were NaN or infinite and became 0")))

    def test_truncated_files_open_to_the_last_whole_frame(self):
        self.recording()
        whole = self.runs()
        for samples, extra, frames, warning in (
                (4000, b"", 3000, "truncated: holds 24,000 bytes of samples where 4,000 frames need 32,000"),
                (4000, b"abc", 3000, "truncated: holds 24,003 bytes of samples where 4,000 frames need 32,000"),
                (3000, b"abc", 3000, "holds 24,003 bytes of samples where 3,000 frames need 24,000; the last 3 are ignored"),
                (2000, b"", 2000, "holds 24,000 bytes of samples where 2,000 frames need 16,000; the last 8,000 are ignored")):
            with self.subTest(samples=samples, extra=extra):
                for path in self.folder.glob("out.bin*"):
                    path.unlink()
                self.recording(samples=samples)
                with open(self.folder / "in.bin", "ab") as file:
                    file.write(extra)
                self.assertEqual(self.runs(warning), whole[:4 * frames])

    def test_recordings_of_no_sample_and_of_one(self):
        for frames in (0, 1):
            for node in ({"op": "iir", "band": "lowpass", "cutoff_hz": 300}, {"op": "common_reference"},
                         {"op": "iir", "band": "lowpass", "cutoff_hz": 300, "mode": "zero_phase"},
                         {"op": "resample", "rate_hz": 1000}, {"op": "median", "width": 9}, {"op": "rectify"},
                         {"op": "fir", "band": "lowpass", "cutoff_hz": 300, "length": 63}, {"op": "scale", "gain": 2}):
                with self.subTest(frames=frames, node=node):
                    for path in self.folder.glob("out.bin*"):
                        path.unlink()
                    self.recording(frames=frames, data=array.array("h", [100] * 4 * frames).tobytes())
                    self.spec({**chain(), "band": node})
                    if frames == 1 and node.get("mode") == "zero_phase":
                        self.refused(INVALID, "node band: mode: segment 0 has 1 samples", "needs at least 19")
                        continue
                    out = self.runs()
                    self.assertEqual(len(out), 4 * frames)
                    wanted = {"rectify": 50.0, "scale": 100.0, "common_reference": 0.0, "median": 0.0}
                    if frames == 1 and node["op"] in wanted:
                        self.assertEqual(list(out), [wanted[node["op"]]] * 4)

    def test_one_channel_and_ten_thousand(self):
        for channels in (1, 10000):
            for path in self.folder.glob("out.bin*"):
                path.unlink()
            row = [channel % 200 - 100 for channel in range(channels)]
            self.recording(count=channels, frames=30, data=array.array("h", row * 30).tobytes())
            self.spec({**chain(), "band": {"op": "common_reference", "statistic": "mean"}})
            mean = sum(row) / channels
            out = self.runs()
            self.assertEqual(len(out), 30 * channels)
            for at in (0, channels - 1, 29 * channels, 30 * channels - 1):
                self.assertAlmostEqual(out[at], 0.5 * (row[at % channels] - mean), places=4)


if __name__ == "__main__":
    BadInput.weir = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
