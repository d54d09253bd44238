#!/usr/bin/env python3
"""Checks what compilers do not: layers, sizes, names, plugin folders, golden data.

    tools/check_hygiene.py [ROOT]

Prints one line per finding, "path:line: rule: what", and exits with 1 when there is any.
"""

import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import formats_page  # noqa: E402
import functions_page  # noqa: E402

SOURCE_ENDINGS = (".h", ".cc", ".cl", ".py")
TEST_ENDINGS = ("_test.cc", "_bench.cc", "_fuzz.cc", "_test.py")
MAX_LINES = 400
MAX_TEST_LINES = 600
MAX_GOLDEN_BYTES = 64 * 1024
MIN_SEEDS = 20
MAX_FIGURE_BYTES = 20 * 1024
MAX_ROOT_ENTRIES = 15
VAGUE_WORDS = {"util", "utils", "helper", "helpers", "misc", "manager", "stuff"}
VAGUE_NAMES = VAGUE_WORDS | {"common"}
# In pieces, so that this file passes its own check.
HOSTS = [".".join(parts) for parts in (
    ("pypi", "org"), ("pythonhosted", "org"), ("deb", "debian", "org"), ("security", "debian", "org"),
    ("npmjs", "org"), ("crates", "io"), ("golang", "org"), ("archive", "ubuntu", "com"),
    ("docker", "io"), ("conda", "anaconda", "org"))]
LEFTOVERS = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X|HA" r"CK)\b|^\s*#if 0\b")
INCLUDE = re.compile(r'^\s*#\s*include\s+"weir/([a-z0-9_]+)/', re.M)
MODULE = re.compile(r"weir_module\s*\(([^)]*)\)", re.S)
KEYWORDS = {"NAME", "DEPENDS", "HEADERS", "SOURCES", "TESTS", "BENCHES", "FUZZ", "LIBRARIES"}


class Tree:
    """The files of the repository, read once."""

    def __init__(self, root, files):
        self.root = pathlib.Path(root)
        self.files = sorted(files)
        self._texts = {}

    @classmethod
    def of(cls, root):
        listed = subprocess.run(
            ["git", "-C", str(root), "ls-files", "-z", "-co", "--exclude-standard"],
            capture_output=True, check=True).stdout.decode().split("\0")
        return cls(root, {f for f in listed if f and (pathlib.Path(root) / f).is_file()})

    def text(self, file):
        if file not in self._texts:
            self._texts[file] = (self.root / file).read_text(encoding="utf-8", errors="replace")
        return self._texts[file]

    def under(self, folder):
        return [f for f in self.files if f.startswith(folder + "/")]

    def folders(self, folder):
        """Names of the folders directly inside `folder`."""
        inside = (f[len(folder) + 1:].split("/") for f in self.under(folder))
        return sorted({parts[0] for parts in inside if len(parts) > 1})


def finding(file, rule, what, line=1):
    return f"{file}:{line}: {rule}: {what}"


def is_source(file):
    return file.endswith(SOURCE_ENDINGS)


def is_test(file):
    return file.endswith(TEST_ENDINGS)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


def module_arguments(text):
    """The keyword lists of the file's `weir_module(…)` call, or None."""
    call = MODULE.search(re.sub(r"#.*", "", text))
    if not call:
        return None
    lists, key = {}, None
    for word in call.group(1).split():
        if word in KEYWORDS:
            key = word
            lists.setdefault(key, [])
        elif key:
            lists[key].append(word)
    return lists


def modules(tree):
    """Module name -> keyword lists."""
    found = {}
    for name in tree.folders("weir"):
        file = f"weir/{name}/CMakeLists.txt"
        if file in tree.files:
            lists = module_arguments(tree.text(file))
            if lists:
                found[name] = lists
    return found


def check_layers(tree):
    """An include must be allowed by the DEPENDS of the including file's module."""
    declared = modules(tree)
    testing = {"testing", *declared.get("testing", {}).get("DEPENDS", [])}
    for file in tree.under("weir"):
        if not file.endswith((".h", ".cc")):
            continue
        module = file.split("/")[1]
        if module not in declared:
            yield finding(file, "layers", f"weir/{module} has no CMakeLists.txt with weir_module")
            continue
        allowed = {module, *declared[module].get("DEPENDS", [])} | (testing if is_test(file) else set())
        text = tree.text(file)
        for match in INCLUDE.finditer(text):
            if match.group(1) not in allowed:
                yield finding(file, "layers", f"{module} does not depend on {match.group(1)}",
                              line_of(text, match.start(1)))


def check_cycles(tree):
    """DEPENDS must have no cycle."""
    declared = modules(tree)
    done, path = set(), []

    def visit(name):
        if name in path:
            return [*path[path.index(name):], name]
        if name in done or name not in declared:
            return None
        path.append(name)
        for dependency in declared[name].get("DEPENDS", []):
            cycle = visit(dependency)
            if cycle:
                return cycle
        path.pop()
        done.add(name)
        return None

    for name in declared:
        cycle = visit(name)
        if cycle:
            yield finding(f"weir/{name}/CMakeLists.txt", "layers", "cycle: " + " -> ".join(cycle))
            return


def check_listed(tree):
    """A source outside a plugin folder must stand in its module's CMakeLists.txt, or it is never built."""
    for module in modules(tree):
        build_file = f"weir/{module}/CMakeLists.txt"
        text = tree.text(build_file)
        plugins = re.findall(r"weir_plugins\s*\(\s*\w+\s+(\w+)", text)
        words = set(re.split(r"[\s()\"]+", text.replace("${CMAKE_CURRENT_SOURCE_DIR}/", "")))
        for file in tree.under(f"weir/{module}"):
            inside = file[len(f"weir/{module}/"):]
            if file.endswith(".cc") and inside.split("/")[0] not in plugins and inside not in words:
                yield finding(file, "build", f"is not listed in {build_file}")


def check_lengths(tree):
    for file in tree.files:
        if not is_source(file) or pathlib.Path(file).stem.endswith("_tables"):
            continue
        limit = MAX_TEST_LINES if is_test(file) else MAX_LINES
        lines = tree.text(file).count("\n")
        if lines > limit:
            yield finding(file, "length", f"{lines} lines, at most {limit}: split by concept", limit)


def check_names(tree):
    """No vague names; no two source files of one name."""
    seen = {}
    for file in tree.files:
        path = pathlib.Path(file)
        for part in (*path.parts[:-1], path.stem):
            words = set(part.lower().split("_"))
            if part.lower() in VAGUE_NAMES or words & VAGUE_WORDS:
                yield finding(file, "name", f"\"{part}\" says nothing about what is inside")
        if not is_source(file) or (path.name == "make.py" and path.parent.name == "golden"):
            continue
        if path.name in seen:
            yield finding(file, "name", f"the same name as {seen[path.name]}")
        seen.setdefault(path.name, file)


def check_text(tree):
    """No registry hosts, no leftovers."""
    for file in tree.files:
        if "/corpus/" in file:
            continue
        if not file.endswith((*SOURCE_ENDINGS, ".txt", ".cmake", ".md", ".toml", ".json", ".sh")) \
                and "." in pathlib.Path(file).name:
            continue
        for number, line in enumerate(tree.text(file).splitlines(), 1):
            for host in HOSTS:
                if host in line:
                    yield finding(file, "host", f"names the host {host}", number)
            if is_source(file) and LEFTOVERS.search(line):
                yield finding(file, "leftover", line.strip()[:60], number)
            if file.endswith((".h", ".cc", ".cl")) and line.rstrip() != line:
                yield finding(file, "space", "space at the end of the line", number)


def check_headers(tree):
    for file in tree.under("weir"):
        if not file.endswith(".h") or "/dialect/" in file:  # preludes of device kernels are text, not headers
            continue
        text = tree.text(file)
        if "#pragma once" not in text:
            yield finding(file, "header", "has no #pragma once")
        # The mathematics of the signal module: a header that returns numbers states where they come from.
        directly = len(pathlib.Path(file).parts) == 3 and file.startswith("weir/signal/")
        returns = re.search(r"^(?:std::vector<)?(?:double|float|std::complex<\w+>)>? \w+\(", text, re.M)
        if directly and "internal" not in file and returns and "Source:" not in text:
            yield finding(file, "source", "a formula without a \"Source:\" line", line_of(text, returns.start()))


def named_types(text):
    """(namespace, type, line) of every type defined where other files can see it."""
    open_namespaces = []
    for number, line in enumerate(text.split("\n"), 1):
        opened = re.match(r"namespace\s*([\w:]*)\s*\{(?!.*\})", line)
        if opened:
            open_namespaces.append(opened.group(1))
        elif re.match(r"\}\s*// namespace", line) and open_namespaces:
            open_namespaces.pop()
        defined = re.match(r"(?:struct|class|union|enum class|enum) (\w+)(?!\w|::|<)[^;]*$", line)
        if defined and "" not in open_namespaces:
            yield "::".join(open_namespaces), defined.group(1), number


def check_one_definition(tree):
    """Two types of one name in one namespace link silently and corrupt memory: no linker says so."""
    first = {}
    for file in tree.under("weir"):
        if not file.endswith((".h", ".cc")) or "/dialect/" in file:
            continue
        for namespace, name, number in named_types(tree.text(file)):
            other = first.setdefault((namespace, name), file)
            if other != file:
                yield finding(file, "type", f"{namespace}::{name} is defined by {other} too", number)


def check_operators(tree):
    """One operator, one folder: with tests beyond conformance, golden data, a bench and a README."""
    for name in tree.folders("weir/signal/ops"):
        folder = f"weir/signal/ops/{name}"
        for ending, why in ((".h", "its parameters"), (".cc", "its step"), ("_test.cc", "its tests"),
                            ("_bench.cc", "its bench")):
            if f"{folder}/{name}{ending}" not in tree.files:
                yield finding(folder, "operator", f"has no {name}{ending}: {why}")
        tests = [f for f in tree.under(folder) if f.endswith("_test.cc")]
        text = "\n".join(tree.text(f) for f in tests)
        if tests and "check_operator(" not in text:
            yield finding(tests[0], "operator", "no test calls check_operator")
        if tests and len(re.findall(r"^TEST(?:_F|_P)?\(", text, re.M)) < 2:
            yield finding(tests[0], "operator", "tests nothing but conformance")
        if not any(re.fullmatch(folder + r"/golden/\w+\.npy", f) for f in tree.files):
            yield finding(folder, "operator", "has no golden/*.npy from an outside oracle")
        readme = f"{folder}/README.md"
        if readme not in tree.files:
            yield finding(folder, "operator", "has no README.md: formula, source, figure")
        elif not re.search("source|scipy|oracle", tree.text(readme).lower()):
            yield finding(readme, "source", "names neither a source nor an oracle")
        yield from check_figure(tree, folder)


def check_figure(tree, folder):
    """A figure that tools/figures.py can draw is there, is small, and stands in the README."""
    picture, readme = f"{folder}/figure.png", f"{folder}/README.md"
    if f"{folder}/figure.json" not in tree.files:
        return
    if picture not in tree.files:
        yield finding(folder, "figure", "has figure.json but no figure.png: run tools/figures.py")
    elif (tree.root / picture).stat().st_size > MAX_FIGURE_BYTES:
        yield finding(picture, "figure", f"more than {MAX_FIGURE_BYTES // 1024} KiB")
    if readme in tree.files and "(figure.png)" not in tree.text(readme):
        yield finding(readme, "figure", "does not show figure.png")


def check_formats(tree):
    for name in tree.folders("weir/formats/kinds"):
        folder = f"weir/formats/kinds/{name}"
        files = tree.under(folder)
        for ending, why in (("_test.cc", "its tests"), ("_fuzz.cc", "its fuzz driver")):
            reads = ending != "_fuzz.cc" or any(
                re.search(r"\.open(?:_events)?\s*=\s*&", tree.text(f)) for f in files if f.endswith(".cc"))
            if reads and not any(f.endswith(ending) for f in files):
                yield finding(folder, "format", f"has no *{ending}: {why}")
        seeds = sum(f.startswith(f"{folder}/corpus/") for f in files)
        if any(f.endswith("_fuzz.cc") for f in files) and seeds < MIN_SEEDS:
            yield finding(folder, "format", f"{seeds} seeds in corpus/, at least {MIN_SEEDS}")


def check_formats_page(tree):
    """docs/formats.md is what the folders of formats say."""
    made = formats_page.page(tree.root) if tree.folders(formats_page.KINDS) else formats_page.HEAD
    written = tree.text(formats_page.PAGE) if formats_page.PAGE in tree.files else formats_page.HEAD
    if made != written:
        yield finding(formats_page.PAGE, "page", "is not what the formats say: run tools/formats_page.py")


def check_functions_page(tree):
    """docs/model_functions.md is what the folders of model functions say."""
    made = functions_page.page(tree.root) if tree.folders(functions_page.FUNCTIONS) else functions_page.HEAD
    written = tree.text(functions_page.PAGE) if functions_page.PAGE in tree.files else functions_page.HEAD
    if made != written:
        yield finding(functions_page.PAGE, "page", "is not what the functions say: run tools/functions_page.py")


def check_golden(tree):
    """Golden data are small, made by a script that stands beside them, and read by a test."""
    for file in tree.files:
        path = pathlib.Path(file)
        if path.parent.name != "golden" or path.suffix != ".npy":
            continue
        folder, owner = str(path.parent), str(path.parent.parent)
        if (tree.root / file).stat().st_size > MAX_GOLDEN_BYTES:
            yield finding(file, "golden", f"more than {MAX_GOLDEN_BYTES // 1024} KiB")
        if not any(reads(tree, f, folder, path.stem) for f in tree.under(owner.split("/ops/")[0])):
            yield finding(file, "golden", f"no test in {owner} reads it")
        if f"{folder}/make.py" not in tree.files:
            yield finding(file, "golden", "no make.py beside it")
        versions = f"{folder}/versions.json"
        if versions not in tree.files:
            yield finding(file, "golden", "no versions.json beside it")
        else:
            try:
                json.loads(tree.text(versions))
            except ValueError as error:
                yield finding(versions, "golden", f"is no JSON: {error}")


def reads(tree, file, folder, stem):
    """Whether a test names the data set: whole, by a leading part (names put together at run time), or by going
    through the cases of a JSON file beside the data."""
    if not file.endswith("_test.cc"):
        return False
    text = tree.text(file)
    owner = str(pathlib.Path(folder).parent)
    if str(pathlib.Path(file).parent) != owner and folder not in text:
        return False
    literals = {part for literal in re.findall(r'"([^"\n]*)"', text) for part in re.split(r"[/{}.]", literal) if part}
    words = stem.split("_")
    starts = {"_".join(words[:n]) for n in range(1, len(words) + 1)}
    if literals & (starts | {start + "_" for start in starts}):
        return True
    cases = [f for f in tree.under(folder) if f.endswith(".json") and pathlib.Path(f).name in text]
    return any(f'"{stem}"' in tree.text(f) for f in cases)


def check_root(tree):
    entries = sorted({f.split("/")[0] for f in tree.files if not f.startswith(".")})
    if len(entries) > MAX_ROOT_ENTRIES:
        yield finding(".", "root", f"{len(entries)} visible entries, at most {MAX_ROOT_ENTRIES}: {entries}")


CHECKS = (check_layers, check_cycles, check_listed, check_lengths, check_names, check_text, check_headers,
          check_one_definition, check_operators, check_formats, check_formats_page, check_functions_page, check_golden, check_root)


def all_findings(tree):
    return [found for check in CHECKS for found in check(tree)]


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[1]
    tree = Tree.of(root)
    findings = all_findings(tree)
    for line in findings:
        print(line)
    print(f"hygiene: {len(tree.files)} files, {len(CHECKS)} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
