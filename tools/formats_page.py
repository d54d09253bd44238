#!/usr/bin/env python3
"""Writes docs/formats.md from the folders of weir/formats/kinds: what each format's source says it can do, and what
its README names as limits.

    tools/formats_page.py [ROOT]        # writes the page; tools/check_hygiene.py refuses one that is not current
"""

import pathlib
import re
import sys

PAGE = "docs/formats.md"
KINDS = "weir/formats/kinds"
HEAD = """# Formats

Made by `tools/formats_page.py` from the folders of `weir/formats/kinds`; `weir formats` prints the same. A format is found by a file's
first bytes and its name, never by the extension alone; `write` picks one by the extension, or by `format`.

`weir convert IN OUT` keeps whole numbers as they are stored: up to 16 bits as int16 (those without a sign 32768 less, the offset moved, so that every
value stays), longer ones as int32, exact to 24 bits, what is longer counted in the report; floats become physical values in float32. Where
samples of more than 24 bits go through a pipeline or into other types, a warning names the stored type. Names, units, gains, positions, groups, start and segments go along, in the file or in the sidecar beside it; texts and edges go into EDF+ and BDF+, else into tables
beside the file. What a format or we cannot keep is said by name. `--probe` (or `probe` of a `read` node) gives channels the places of a probeinterface
JSON or a .prb, `weir probe` writes them as such a JSON.

| format | extensions | what | recordings | events | tables of numbers | limits, not yet |
|---|---|---|---|---|---|---|
"""


def entries(text):
    """The members of the one Format that a source defines: name -> text of the initialiser."""
    match = re.search(r"const Format k\w+\{(.*?)\n\s*\};", text, re.S)
    if not match:
        return None
    parts = re.split(r"(?:^|,)\s*\.(\w+) =", match.group(1))
    return {key: value.strip() for key, value in zip(parts[1::2], parts[2::2])}


def words(can):
    return " and ".join(can) or "–"


def limits(readme):
    """The paragraphs that a README starts with **Limits.** or **Not yet:**, on one line."""
    found = []
    for paragraph in readme.split("\n\n"):
        for match in re.finditer(r"\*\*(Limits\.|Not yet:)\*\*\s*(.*?)(?=\*\*|\Z)", paragraph, re.S):
            text = " ".join(match.group(2).split()).rstrip(".")
            found.append(text if match.group(1) == "Limits." else "not yet: " + text)
    return "; ".join(found).replace("|", "\\|") or "–"


def row(folder, source, readme):
    """The format's line of the table, or None when the source defines no format."""
    format_entries = entries(source)
    if format_entries is None:
        return None

    def able(member):
        return format_entries.get(member, "nullptr").startswith("&")

    strings = re.findall(r'"([^"]*)"', format_entries["extensions"])
    extensions = " ".join(f"`{extension}`" for extension in strings) or "–"
    summary = "".join(re.findall(r'"([^"]*)"', format_entries["summary"])).replace("|", "\\|")
    link = f"[{folder}](../{KINDS}/{folder}/README.md)" if readme else folder
    recordings = words([word for word, member in (("read", "open"), ("written", "create")) if able(member)])
    keeps_events = able("create_events") or format_entries.get("holds_annotations") == "true"
    events = words(["read"] * able("open_events") + ["written"] * keeps_events)
    tables = words(["read"] * able("open_table"))
    return f"| {link} | {extensions} | {summary} | {recordings} | {events} | {tables} | {limits(readme or '')} |"


def page(root):
    rows = []
    for folder in sorted(path for path in (pathlib.Path(root) / KINDS).iterdir() if path.is_dir()):
        source = folder / f"{folder.name}.cc"
        if not source.is_file():
            continue  # The remains of a folder that another branch has.
        readme = folder / "README.md"
        rows.append(row(folder.name, source.read_text(encoding="utf-8"),
                        readme.read_text(encoding="utf-8") if readme.is_file() else None))
    return HEAD + "".join(line + "\n" for line in rows if line)


def main(arguments):
    root = pathlib.Path(arguments[0]) if arguments else pathlib.Path(__file__).resolve().parents[1]
    (root / PAGE).write_text(page(root), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
