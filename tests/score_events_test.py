"""python3 -m unittest tests/score_events_test.py"""
import contextlib
import importlib.util
import io
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "tools" / "score_events.py"
SPEC = importlib.util.spec_from_file_location("score_events", SCRIPT)
score_events = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(score_events)


class Matching(unittest.TestCase):
    def test_pairs_the_nearest_first_and_each_once(self):
        self.assertEqual(score_events.match([100, 110], [108], 10), [(1, 0)])
        self.assertEqual(sorted(score_events.match([100, 110], [112, 101], 10)), [(0, 1), (1, 0)])

    def test_includes_the_edge_of_the_window_and_nothing_beyond(self):
        self.assertEqual(score_events.match([100], [115], 15), [(0, 0)])
        self.assertEqual(score_events.match([100], [116], 15), [])

    def test_a_second_event_of_one_spike_finds_no_other(self):
        self.assertEqual(len(score_events.match([100], [99, 101], 5)), 1)


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def run_main(self, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = score_events.main(list(arguments))
        return status, out.getvalue()

    def spikes(self, events, *extra):
        truth = "unit,channel,sample,snr\n" + "".join(f"0,10,{1000 * i},12\n1,60,{1000 * i + 400},3\n" for i in range(1, 11))
        return self.run_main("spikes", self.file("events.csv", "channel,peak_sample\n" + events), self.file("truth.csv", truth), *extra)

    def test_perfect_detection_passes_and_weak_units_do_not_count(self):
        status, text = self.spikes("".join(f"11,{1000 * i + 3}\n" for i in range(1, 11)))
        self.assertEqual(status, 0, text)
        self.assertIn("snr too low", text)

    def test_one_missed_spike_of_ten_is_at_the_limit_two_are_below(self):
        self.assertEqual(self.spikes("".join(f"11,{1000 * i}\n" for i in range(1, 10)))[0], 0)
        self.assertEqual(self.spikes("".join(f"11,{1000 * i}\n" for i in range(1, 9)))[0], 1)

    def test_events_of_neighbouring_sites_are_explained(self):
        events = "".join(f"{c},{1000 * i}\n" for i in range(1, 11) for c in (8, 10, 12, 20))
        status, text = self.spikes(events)
        self.assertEqual(status, 0, text)
        self.assertIn("precision 1.0000 (40 of 40", text)

    def test_events_without_a_spike_lower_the_precision(self):
        events = "".join(f"10,{1000 * i}\n200,{1000 * i}\n" for i in range(1, 11))
        status, text = self.spikes(events)
        self.assertEqual(status, 1)
        self.assertIn("precision 0.5000 is below", text)

    def test_an_event_far_along_the_probe_finds_no_spike(self):
        status, text = self.spikes("".join(f"15,{1000 * i}\n" for i in range(1, 11)))
        self.assertEqual(status, 1)
        self.assertIn("recall 0.0000", text)

    def test_no_events_fail(self):
        self.assertEqual(self.spikes("")[0], 1)

    def test_beats(self):
        beats = self.file("beats.csv", "sample,type\n" + "".join(f"{300 * i},N\n" for i in range(1, 101)))
        events = self.file("events.csv", "channel,peak_sample\n" + "".join(f"0,{300 * i + 27}\n" for i in range(2, 101)) + "0,40\n1,900\n")
        status, text = self.run_main("beats", events, beats, "--channel", "0", "--recall", "0.99", "--precision", "0.99")
        self.assertEqual(status, 0, text)
        self.assertIn("sensitivity 0.9900, positive predictivity 0.9900", text)
        self.assertEqual(self.run_main("beats", events, beats, "--recall", "0.995")[0], 1)
        self.assertEqual(self.run_main("beats", events, beats, "--window-ms", "70")[0], 1)

    def test_names_what_cannot_be_read(self):
        status, text = self.run_main("beats", self.file("events.csv", "channel\n"), self.file("beats.csv", "sample\n"))
        self.assertEqual(status, 2)
        self.assertIn("no column peak_sample", text)
        status, text = self.run_main("beats", "/nowhere/events.csv", self.file("beats.csv", "sample\n1\n"))
        self.assertEqual(status, 2)
        self.assertIn("/nowhere/events.csv", text)
        bad = self.file("bad.csv", "channel,peak_sample\n0,x\n")
        self.assertIn("row 2", self.run_main("beats", bad, self.file("beats.csv", "sample\n1\n"))[1])


if __name__ == "__main__":
    unittest.main()
