#!/usr/bin/env python3
"""Writes docs/model_functions.md from the folders of weir/model/functions: what each function's source says it is.

    tools/functions_page.py [ROOT]        # writes the page; tools/check_hygiene.py refuses one that is not current
"""

import pathlib
import re
import sys

PAGE = "docs/model_functions.md"
FUNCTIONS = "weir/model/functions"
HEAD = """# Model functions

Made by `tools/functions_page.py` from the folders of `weir/model/functions`. A text of a model calls them by name; outside its support a density is 0.
Integral: whether the integral over a range has a closed form here; the others are normalised numerically.
"""


def strings(text):
    """The string literals of an initialiser, joined."""
    return "".join(a or b for a, b in re.findall(r'R"\((.*?)\)"|"([^"]*)"', text, re.S))


def section(folder, source, readme):
    """The function's part of the page, or None when the source defines none."""
    match = re.search(r"const ModelFunction k\w+\{(.*?)\};\n", source, re.S)
    if not match:
        return None
    parts = re.split(r"(?:^|,)\s*\.(\w+) =", match.group(1))
    entries = dict(zip(parts[1::2], parts[2::2]))
    arguments = ", ".join(re.findall(r'"(\w+)"', entries["arguments"]))
    more = ", ..." if entries.get("repeats_last", "").strip() == "true" else ""
    integral = "closed form" if "&" in entries.get("integral", "") else "numeric"
    link = f" [More]({pathlib.PurePosixPath('..', FUNCTIONS, folder, 'README.md')})." if readme else ""
    return (f"\n## {folder}({arguments}{more})\n\n{strings(entries['summary']).rstrip('.')}. Integral: {integral}. "
            f"Source: {strings(entries['source'])}.{link}\n\n$$ {strings(entries['formula'])} $$\n")


def page(root):
    text = HEAD
    for folder in sorted(path for path in (pathlib.Path(root) / FUNCTIONS).iterdir() if path.is_dir()):
        source = folder / f"{folder.name}.cc"
        if source.is_file():
            text += section(folder.name, source.read_text(encoding="utf-8"), (folder / "README.md").is_file()) or ""
    return text


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[1]
    (root / PAGE).write_text(page(root), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
