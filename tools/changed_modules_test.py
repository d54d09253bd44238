import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import changed_modules  # noqa: E402

DEPENDS = {"core": [], "op": ["core"], "formats": ["core"], "cli": ["op", "formats"], "testing": ["core"]}


class ChangedModulesTest(unittest.TestCase):
    def test_names_the_modules_of_changed_files(self):
        files = ["weir/op/step.h", "README.md", "weir/formats/kinds/npy/npy.cc"]
        self.assertEqual(changed_modules.changed_modules(files, DEPENDS), {"op", "formats"})

    def test_takes_all_when_the_base_is_unknown(self):
        self.assertEqual(changed_modules.changed_modules(None, DEPENDS), set(DEPENDS))

    def test_takes_all_when_the_build_changed(self):
        self.assertEqual(changed_modules.changed_modules(["cmake/weir_module.cmake"], DEPENDS), set(DEPENDS))

    def test_a_new_package_or_module_leaves_the_others_as_they_were(self):
        files = ["cmake/weir_packages.cmake", "CMakeLists.txt", "weir/cli/main.cc"]
        self.assertEqual(changed_modules.changed_modules(files, DEPENDS), {"cli"})

    def test_reads_what_was_checked_last(self):
        self.assertEqual(changed_modules.checked_commits("abc\n"), ("abc", "abc"))
        self.assertEqual(changed_modules.checked_commits("abc\ntidy def\n"), ("abc", "def"))
        self.assertEqual(changed_modules.checked_commits(""), (None, None))

    def test_takes_none_when_only_prose_changed(self):
        self.assertEqual(changed_modules.changed_modules(["docs/architecture.md", "weir/op/README.md"], DEPENDS), set())

    def test_adds_dependents_to_any_depth(self):
        self.assertEqual(changed_modules.with_dependents({"op"}, DEPENDS), {"op", "cli"})
        self.assertEqual(changed_modules.with_dependents({"core"}, DEPENDS), set(DEPENDS))

    def test_a_change_of_testing_reaches_every_test(self):
        self.assertEqual(changed_modules.with_dependents({"testing"}, DEPENDS), set(DEPENDS))

    def test_names_changed_sources_and_those_that_include_a_changed_header(self):
        texts = {
            "weir/op/a.cc": '#include "weir/op/a.h"\n',
            "weir/op/b.cc": '#include <vector>\n#include "weir/core/value.h"\n',
            "weir/op/c.cc": '// weir/core/value.h\n',
            "weir/op/b_test.cc": '#include "weir/core/value.h"\n',
        }
        changed = changed_modules.changed_sources(["weir/op/a.cc", "weir/core/value.h", "weir/op/b_test.cc"], texts)
        self.assertEqual(changed, {"weir/op/a.cc", "weir/op/b.cc"})
        self.assertEqual(len(changed_modules.changed_sources(None, texts)), 3)
        self.assertEqual(len(changed_modules.changed_sources([".clang-tidy"], texts)), 3)


if __name__ == "__main__":
    unittest.main()
