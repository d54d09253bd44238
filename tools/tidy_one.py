#!/usr/bin/env python3
"""clang-tidy on one source of build/tidy, unless it passed before in exactly this form.

    tools/tidy_one.py SOURCE

What counts is what the compiler sees: the preprocessed text with its comments (NOLINT stands in them), the command, the
checks and clang-tidy's version. Passes are remembered in build/tidy/passed.
"""
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/tidy"
TIDY = "clang-tidy-19"


def command_of(source):
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if entry["file"] == str(source):
            return shlex.split(entry["command"]), entry["directory"]
    sys.exit(f"tidy: {source} is not in build/tidy/compile_commands.json")


def preprocessed(command, folder):
    words = list(command)
    at = words.index("-o")
    del words[at:at + 2]
    words[words.index("-c")] = "-E"
    done = subprocess.run([*words, "-C"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.stdout if done.returncode == 0 else None


def stamp_of(source):
    """Where a pass of the source in this form is remembered; None where it has no form."""
    command, folder = command_of(source)
    text = preprocessed(command, folder)
    if text is None:
        return None
    form = hashlib.sha256()
    version = subprocess.run([TIDY, "--version"], stdout=subprocess.PIPE, check=True).stdout
    for part in (version, (ROOT / ".clang-tidy").read_bytes(), " ".join(command).encode(), text):
        form.update(hashlib.sha256(part).digest())
    return BUILD / "passed" / form.hexdigest()


def main():
    source = (ROOT / sys.argv[1]).resolve()
    stamp = stamp_of(source)
    if stamp is not None and stamp.exists():
        return 0
    done = subprocess.run([TIDY, "-p", str(BUILD), "--quiet", "--extra-arg=-Wno-unknown-warning-option", str(source)],
                          check=False)
    if done.returncode == 0 and stamp is not None:
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
