"""Each check must catch the slip it is for, and accept the tree without it."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_hygiene  # noqa: E402

CLEAN = {
    "weir/core/CMakeLists.txt": "weir_module(NAME core\n  HEADERS a.h\n  SOURCES a.cc\n  TESTS a_test.cc)\n",
    "weir/core/a.h": "#pragma once\n",
    "weir/core/a.cc": '#include "weir/core/a.h"\n',
    "weir/core/a_test.cc": '#include "weir/core/a.h"\n#include "weir/testing/t.h"\n',
    "weir/testing/CMakeLists.txt": "weir_module(NAME testing DEPENDS core HEADERS t.h)\n",
    "weir/testing/t.h": "#pragma once\n",
    "weir/signal/CMakeLists.txt": "weir_module(NAME signal DEPENDS core SOURCES window.cc) # op\nweir_plugins(signal ops OPERATOR)\n",
    "weir/signal/window.h": "#pragma once\n/// Source: a paper.\nstd::vector<double> hamming(int n);\n",
    "weir/signal/window.cc": "",
    "weir/signal/ops/iir/iir.h": "#pragma once\n",
    "weir/signal/ops/iir/iir.cc": "",
    "weir/signal/ops/iir/iir_bench.cc": "",
    "weir/signal/ops/iir/iir_test.cc": 'TEST(Iir, Conforms) { check_operator(); }\nTEST(Iir, X) { load("golden/sine_out.npy"); }\n'
                                       .replace("TEST(Iir, X)", "\nTEST(Iir, X)"),
    "weir/signal/ops/iir/README.md": "Source: a book.\n",
    "weir/signal/ops/iir/golden/make.py": "",
    "weir/signal/ops/iir/golden/versions.json": "{}",
    "weir/signal/ops/iir/golden/sine_out.npy": "",
    "README.md": "Weir.\n",
}


class HygieneTest(unittest.TestCase):
    def findings(self, changes):
        """Findings for the clean tree with `changes`: path -> text, or None to remove the file."""
        files = {**CLEAN, **changes}
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                if text is not None:
                    path = pathlib.Path(root) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text)
            tree = check_hygiene.Tree(root, [f for f, text in files.items() if text is not None])
            return check_hygiene.all_findings(tree)

    def assert_finds(self, part, changes):
        found = self.findings(changes)
        self.assertEqual(len(found), 1, found)
        self.assertIn(part, found[0])

    def test_one_type_per_name(self):
        two = {"weir/core/a.h": "#pragma once\nnamespace weir {\nstruct Stretch {\n};\n}  // namespace weir\n",
               "weir/core/a.cc": "namespace weir {\nstruct Stretch {\n};\n}  // namespace weir\n"}
        self.assertIn("weir::Stretch is defined by weir/core/a.cc too", str(self.findings(two)))
        hidden = {**two, "weir/core/a.cc": "namespace weir {\nnamespace {\nstruct Stretch {\n};\n}  // namespace\n}  // namespace weir\n"}
        self.assertEqual(self.findings(hidden), [])

    def test_formats_page_is_current(self):
        kind = {"weir/formats/CMakeLists.txt": "weir_module(NAME formats)\nweir_plugins(formats kinds FORMAT)\n",
                "weir/formats/kinds/toy/toy_test.cc": "",
                "weir/formats/kinds/toy/toy.cc": "const Format& toy_format() {\n  static const Format kFormat{\n      .name = \"toy\",\n"
                                                 "      .summary = \"A toy\",\n      .extensions = {\".toy\"},\n      .open = nullptr,\n"
                                                 "      .create_events = &create_events,\n  };\n"}
        self.assert_finds("run tools/formats_page.py", kind)
        line = "| toy | `.toy` | A toy | – | written | – | – |\n"
        self.assertEqual(self.findings({**kind, "docs/formats.md": check_hygiene.formats_page.HEAD + line}), [])

    def test_functions_page_is_current(self):
        function = {"weir/model/CMakeLists.txt": "weir_module(NAME model)\nweir_plugins(model functions MODEL_FUNCTION)\n",
                    "weir/model/functions/toy/toy.cc": "  static const ModelFunction kToy{\n      .name = \"toy\",\n      .arguments = {\"x\", \"c\"},\n"
                                                       "      .integral = nullptr,\n      .formula = R\"(x^{c})\",\n      .source = \"us\",\n"
                                                       "      .summary = \"A toy\",\n      .repeats_last = true};\n"}
        self.assert_finds("run tools/functions_page.py", function)
        part = "\n## toy(x, c, ...)\n\nA toy. Integral: numeric. Source: us.\n\n$$ x^{c} $$\n"
        self.assertEqual(self.findings({**function, "docs/model_functions.md": check_hygiene.functions_page.HEAD + part}), [])

    def test_accepts_a_clean_tree(self):
        self.assertEqual(self.findings({}), [])

    def test_finds_an_include_against_the_direction(self):
        self.assert_finds("weir/core/a.cc:2: layers: core does not depend on signal",
                          {"weir/core/a.cc": '\n#include "weir/signal/window.h"\n'})

    def test_does_not_take_a_comment_for_a_dependency(self):
        self.assert_finds("signal does not depend on op",
                          {"weir/signal/window.cc": '#include "weir/op/step.h"\n'})

    def test_lets_only_tests_include_testing(self):
        self.assert_finds("core does not depend on testing",
                          {"weir/core/a.cc": '#include "weir/testing/t.h"\n'})

    def test_finds_a_cycle(self):
        self.assert_finds("cycle: core -> signal -> core",
                          {"weir/core/CMakeLists.txt":
                           "weir_module(NAME core DEPENDS signal SOURCES a.cc TESTS a_test.cc)"})

    def test_finds_a_source_that_is_never_built(self):
        self.assert_finds("weir/core/b.cc:1: build", {"weir/core/b.cc": ""})

    def test_finds_a_long_file(self):
        self.assert_finds("401 lines", {"weir/core/a.h": "#pragma once\n" * 401})
        self.assertEqual(self.findings({"weir/core/a_test.cc": "\n" * 600}), [])
        self.assert_finds("601 lines", {"weir/core/a_test.cc": "\n" * 601})

    def test_finds_vague_names_but_not_common_reference(self):
        self.assert_finds("says nothing", {"weir/core/string_utils.h": "#pragma once\n"})
        self.assert_finds("says nothing", {"weir/core/common.h": "#pragma once\n"})
        self.assertEqual(self.findings({"weir/core/common_reference.h": "#pragma once\n"}), [])

    def test_finds_two_files_of_one_name(self):
        self.assert_finds("the same name as weir/core/a.h", {"weir/testing/a.h": "#pragma once\n"})

    def test_finds_registry_hosts(self):
        host = ".".join(("pypi", "org"))
        self.assert_finds(f"README.md:2: host: names the host {host}", {"README.md": f"\nhttps://{host}\n"})

    def test_finds_leftovers(self):
        self.assert_finds("leftover", {"weir/core/a.cc": "// TO" + "DO: later\n"})

    def test_finds_a_header_without_guard(self):
        self.assert_finds("#pragma once", {"weir/core/a.h": ""})

    def test_finds_a_formula_without_source(self):
        self.assert_finds("weir/signal/window.h:2: source",
                          {"weir/signal/window.h": "#pragma once\ndouble bessel(double x);\n"})

    def test_finds_what_an_operator_lacks(self):
        for name in ("iir.h", "iir.cc", "iir_bench.cc", "README.md"):
            self.assert_finds(name, {f"weir/signal/ops/iir/{name}": None})

    def test_finds_an_operator_tested_by_conformance_only(self):
        found = self.findings({"weir/signal/ops/iir/iir_test.cc": "TEST(Iir, Conforms) { check_operator(); }\n"})
        self.assertIn("tests nothing but conformance", found[0])
        self.assertIn("no test in weir/signal/ops/iir reads it", found[1])

    def test_finds_a_figure_that_nobody_sees(self):
        drawn = {"weir/signal/ops/iir/figure.json": "{}", "weir/signal/ops/iir/figure.png": "",
                 "weir/signal/ops/iir/README.md": "![What it does](figure.png)\nSource: a book.\n"}
        self.assertEqual(self.findings(drawn), [])
        self.assert_finds("has figure.json but no figure.png", {**drawn, "weir/signal/ops/iir/figure.png": None})
        self.assert_finds("does not show figure.png", {**drawn, "weir/signal/ops/iir/README.md": "Source: a book.\n"})
        self.assert_finds("more than 20 KiB", {**drawn, "weir/signal/ops/iir/figure.png": "x" * 20481})

    def test_finds_an_operator_without_conformance(self):
        text = CLEAN["weir/signal/ops/iir/iir_test.cc"].replace("check_operator", "check")
        self.assert_finds("no test calls check_operator", {"weir/signal/ops/iir/iir_test.cc": text})

    def test_finds_golden_data_without_script_versions_or_reader(self):
        folder = "weir/signal/ops/iir/golden"
        self.assert_finds("no make.py", {f"{folder}/make.py": None})
        self.assert_finds("no versions.json", {f"{folder}/versions.json": None})
        self.assert_finds("is no JSON", {f"{folder}/versions.json": "scipy 1"})
        self.assert_finds("reads it", {f"{folder}/unread.npy": ""})
        self.assert_finds("more than 64 KiB", {f"{folder}/sine_out.npy": "x" * 70_000})

    def test_takes_cases_of_a_json_file_that_a_test_goes_through(self):
        folder = "weir/signal/ops/iir"
        files = {f"{folder}/golden/third.npy": "", f"{folder}/golden/cases.json": '["third"]'}
        self.assert_finds("third.npy:1: golden: no test", files)
        files[f"{folder}/iir_test.cc"] = CLEAN[f"{folder}/iir_test.cc"] + 'read("cases.json");\n'
        self.assertEqual(self.findings(files), [])

    def test_finds_a_format_without_tests_or_fuzz_driver(self):
        found = self.findings({"weir/formats/CMakeLists.txt":
                               "weir_module(NAME formats)\nweir_plugins(formats kinds FORMAT)\n",
                               "weir/formats/kinds/raw/raw.cc": "{.name = \"raw\", .open = &open}"})
        self.assertEqual(len(found), 2, found)
        self.assertIn("tests", found[0])
        self.assertIn("fuzz driver", found[1])

    def test_finds_a_fuzz_driver_with_few_seeds(self):
        folder = "weir/formats/kinds/raw"
        files = {"weir/formats/CMakeLists.txt": "weir_module(NAME formats)\nweir_plugins(formats kinds FORMAT)\n",
                 f"{folder}/raw.cc": "{.name = \"raw\", .open_events = &open}", f"{folder}/raw_test.cc": "",
                 f"{folder}/raw_fuzz.cc": "", **{f"{folder}/corpus/{i}": "" for i in range(19)}}
        found = self.findings(files)
        self.assertEqual(len(found), 1, found)
        self.assertIn("19 seeds in corpus/, at least 20", found[0])
        self.assertEqual(self.findings({**files, f"{folder}/corpus/more": ""}), [])

    def test_finds_a_crowded_root(self):
        self.assert_finds("visible entries", {f"file{i}.md": "" for i in range(14)})


if __name__ == "__main__":
    unittest.main()
