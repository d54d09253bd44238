#!/usr/bin/env python3
"""The modules a change touches, for checks too slow to run on all of them.

    tools/changed_modules.py [--dependents | --sources]

Prints module names, one a line. The change is what differs from the commit $WEIR_BASE or, without it, from the
branch the remote calls main, or else from the commit that .ci/checked names: the last on which the sanitizers passed
over everything. Where none is known, or what every source is compiled with changed, every module counts as changed.
--dependents adds the modules that depend on a changed one.
--sources prints paths instead: the sources that changed or that include a header that did, tests apart.
"""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_hygiene  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
# What changes how every source is compiled or judged; a new package, module or kind of plugin does not.
EVERYWHERE = re.compile(r"^(cmake/weir_(options|module)\.cmake$|CMakePresets\.json$|\.clang-tidy$)")


def git(*words):
    result = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def checked_commits(text):
    """What .ci/checked says: the commit on whose sources the sanitizers passed, and that for clang-tidy, which is the
    same unless a line `tidy COMMIT` names another."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    sanitizers = lines[0][0] if lines else None
    tidy = next((words[1] for words in lines if words[0] == "tidy" and len(words) > 1), sanitizers)
    return sanitizers, tidy


def base_commit(for_tidy=False):
    """The commit to compare with, or None when it cannot be known."""
    if os.environ.get("WEIR_BASE"):
        return git("rev-parse", "--verify", "--quiet", os.environ["WEIR_BASE"] + "^{commit}")
    base = git("merge-base", "HEAD", "origin/main")
    if base and base != git("rev-parse", "HEAD"):
        return base
    checked = ROOT / ".ci" / "checked"
    if not checked.exists():
        return None
    commit = checked_commits(checked.read_text())[1 if for_tidy else 0]
    return commit and git("rev-parse", "--verify", "--quiet", commit + "^{commit}")


def changed_modules(files, depends):
    """Modules with a changed file; all of them when `files` is None or a build file changed."""
    if files is None or any(EVERYWHERE.search(file) for file in files):
        return set(depends)
    code = [file for file in files if file.startswith("weir/") and not file.endswith(".md")]
    return {file.split("/")[1] for file in code} & set(depends)


def with_dependents(changed, depends):
    """`changed` and whatever depends on it. Every test links `testing`, so a change there reaches all."""
    reached = set(changed)
    if "testing" in reached:
        return set(depends)
    grew = True
    while grew:
        more = {name for name, needs in depends.items() if reached & set(needs)} - reached
        reached |= more
        grew = bool(more)
    return reached


def changed_sources(files, texts):
    """Of the sources with these texts (by path), those that are among `files` or include a header that is; all of
    them when `files` is None or a build file changed. Tests, benches and fuzzers apart."""
    sources = {path: text for path, text in texts.items()
               if path.endswith(".cc") and not re.search(r"_(test|bench|fuzz)\.cc$", path)}
    if files is None or any(EVERYWHERE.search(file) for file in files):
        return set(sources)
    changed = set(files)
    return {path for path, text in sources.items()
            if path in changed or changed & set(re.findall(r'^#include "(weir/[^"]+)"', text, re.MULTILINE))}


def main(arguments):
    tree = check_hygiene.Tree.of(ROOT)
    depends = {name: lists.get("DEPENDS", []) for name, lists in check_hygiene.modules(tree).items()}
    base = base_commit(for_tidy="--sources" in arguments)
    files = None
    if base:
        listed = git("diff", "--name-only", base) or ""
        files = listed.splitlines() + (git("ls-files", "-o", "--exclude-standard") or "").splitlines()
    if "--sources" in arguments:
        texts = {path.relative_to(ROOT).as_posix(): path.read_text() for path in (ROOT / "weir").rglob("*.cc")}
        print("\n".join(sorted(changed_sources(files, texts))))
        return
    modules = changed_modules(files, depends)
    if "--dependents" in arguments:
        modules = with_dependents(modules, depends)
    print("\n".join(sorted(modules)))


if __name__ == "__main__":
    main(sys.argv[1:])
