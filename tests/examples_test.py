"""Runs the examples as a user would and scores what they find. Standard library only.

WEIR_COMMAND names the program (else build/release/bin/weir, build/dev/bin/weir). The real record is read from
WEIR_TEST_DATA, else ../shared/data beside the repository. What is missing skips a test, unless WEIR_REQUIRE
lists "weir" or "data".
"""
import array
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def required(what):
    return what in os.environ.get("WEIR_REQUIRE", "").split(",")


def command():
    named = os.environ.get("WEIR_COMMAND")
    candidates = [pathlib.Path(named).resolve()] if named else [ROOT / "build" / kind / "bin" / "weir" for kind in ("release", "dev")]
    return next((path for path in candidates if path.exists()), None)


def data(name):
    path = pathlib.Path(os.environ.get("WEIR_TEST_DATA", ROOT.parent / "shared" / "data")) / name
    return path if path.exists() else None


class Examples(unittest.TestCase):
    def setUp(self):
        self.weir = command()
        if self.weir is None:
            (self.fail if required("weir") else self.skipTest)("no weir program; build it or set WEIR_COMMAND")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments):
        done = subprocess.run([str(a) for a in arguments], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def score(self, *arguments):
        return self.call(sys.executable, ROOT / "tools" / "score_events.py", *arguments)

    def find_beats(self, recording, beats, least):
        self.call(self.weir, "run", ROOT / "examples" / "ecg_beats.toml", "--set", f"ecg.path={recording}",
                  "--output-dir", "out", "--overwrite")
        return self.score("beats", "out/beats.csv", beats, "--recall", least, "--precision", least)

    def test_beats_of_a_real_heart(self):
        record = data("ecg/100.dat")
        if record is None:
            (self.fail if required("data") else self.skipTest)("no record 100; set WEIR_TEST_DATA")
        self.find_beats(record, record.with_name("100_beats.csv"), "0.99")

    def test_beats_of_synthetic_hearts_with_the_same_spec(self):
        for seed in (1, 2, 3):
            with self.subTest(seed=seed):
                name = f"ecg{seed}.bin"
                self.call(self.weir, "generate", "ecg", name, "--set", f"seed={seed}")
                self.find_beats(self.folder / name, f"{name}.truth.csv", "0.98")

    def test_a_recording_with_every_setting_left_alone(self):
        self.call(self.weir, "generate", "sine", "sine.npy")
        self.assertTrue((self.folder / "sine.npy").stat().st_size > 10 * 30000 * 4 * 2)

    def test_the_z_boson_in_real_pairs_of_muons(self):
        table = data("physics/zmumu_zlib.root")
        if table is None:
            (self.fail if required("data") else self.skipTest)("no zmumu_zlib.root; set WEIR_TEST_DATA")
        text = (ROOT / "examples" / "zmumu_fit.toml").read_text()
        place = "../../shared/data/physics/zmumu_zlib.root"
        self.assertIn(place, text)
        (self.folder / "zmumu_fit.toml").write_text(text.replace(place, str(table)))
        report = self.call(self.weir, "fit", "zmumu_fit.toml", "--output-dir", "out")
        self.assertIn("2,008 fitted", report)
        result = json.loads((self.folder / "out" / "zmumu_fit.json").read_text())
        found = {p["name"]: p for p in result["fit"]["params"]}
        # iminuit 2.33 with SciPy's voigt_profile and quad on the same events: value and error.
        for name, value, error in (("n_signal", 1880.1306869, 47.0974757), ("n_background", 177.8289052, 21.2022939),
                                   ("m_z", 90.7524225, 0.0679920), ("resolution", 1.5250331, 0.0901259),
                                   ("rate", 0.0555591783, 0.0086403144)):
            self.assertAlmostEqual(found[name]["value"], value, delta=1e-3 * error, msg=name)
            self.assertAlmostEqual(found[name]["error"], error, delta=2e-3 * error, msg=name)
        self.assertAlmostEqual(result["fit"]["fmin"]["fval"], -7250.0723787, delta=2e-6)
        self.assertIn("</svg>", (self.folder / "out" / "zmumu_fit.svg").read_text())

    def test_spikes_of_a_synthetic_probe(self):
        self.call(self.weir, "generate", "neuropixels", "session.bin", "--set", "duration_s=20", "--set", "channels=96",
                  "--set", "units=20")
        self.call(self.weir, "run", ROOT / "examples" / "neuropixels.toml", "--set",
                  "raw.path=session.bin", "--output-dir", "out")  # From here, not from the example's folder.
        self.score("spikes", "out/spikes.csv", "session.bin.truth.csv", "--recall", "0.95", "--precision", "0.95")
        for name in ("ap.zarr", "lfp.zarr"):
            self.assertTrue((self.folder / "out" / name).exists(), name)

    def test_waveforms_of_a_synthetic_probe(self):
        self.call(self.weir, "generate", "neuropixels", "session.bin", "--set", "duration_s=5", "--set", "channels=32",
                  "--set", "units=6")
        self.call(self.weir, "run", ROOT / "examples" / "spike_waveforms.toml", "--set", "raw.path=session.bin",
                  "--output-dir", "out")
        data = (self.folder / "out/waveforms.npy").read_bytes()
        described = json.loads((self.folder / "out/waveforms.npy.json").read_text())
        samples, width = described["samples"], len(described["channels"])
        with open(self.folder / "out/waveforms.npy.csv", newline="", encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        values = array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])
        self.assertGreater(len(rows), 50)
        self.assertEqual(len(values), len(rows) * samples * width)
        for number, row in enumerate(rows):
            own = [values[(number * samples + i) * width] for i in range(samples)]
            self.assertEqual(own[described["samples_before"]], float(array.array("f", [float(row["peak_value"])])[0]))
        self.score("spikes", "out/waveforms.npy.csv", "session.bin.truth.csv", "--recall", "0.9", "--precision", "0.9")

    def test_lines_of_a_synthetic_source(self):
        done = subprocess.run([sys.executable, ROOT / "tools" / "bridge", "--seed", "1", "--out", "out", "--weir", self.weir],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        for part in ("arrow", "minuit2"):
            if f"tools/install {part}" in said and not required(part):
                self.skipTest(f"this build has no {part}")
        self.assertEqual(done.returncode, 0, said)
        self.assertIn("a valid minimum", said)
        pulls = [float(line.split()[-1]) for line in said.splitlines() if line.startswith(("lower ", "upper "))]
        self.assertEqual(len(pulls), 2, said)
        for pull in pulls:
            self.assertLess(abs(pull), 3.5, said)
        self.assertIn("background", (self.folder / "out" / "bridge_fit.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
