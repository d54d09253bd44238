#!/usr/bin/env python3
"""Draws the figures of the operators' READMEs with the program itself.

    tools/figures.py [--weir PROGRAM] [OPERATOR...]

For each folder weir/signal/ops/<name> with a figure.json: writes the recording it asks for, runs the operator on it
(`weir run`), draws both over one another (`weir plot`) and writes <name>/figure.png. figure.json holds

    input     a function of tools/figure_inputs.py
    fields    the operator's fields
    plot      flags of `weir plot` (width 720 and height 300 unless given)
    draw      "both" (the default), "result" alone, "events": marks on the input, or "stack": the first snippets,
              each as a trace
    events    for an operator that takes events: the node that finds them in the input
    arrays    for a field that names an array: files of the spec's folder by functions of tools/figure_inputs.py

The same inputs give the same bytes on one machine; fonts and cairo differ between machines.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import figure_inputs
import small_png

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPS = ROOT / "weir/signal/ops"
MOST_BYTES = 20 * 1024


def flags(options):
    words = []
    for key, value in options.items():
        flag = "--" + key.replace("_", "-")
        words += [flag] if value is True else [flag, str(value)]
    return words


def spec(name, figure, source, result):
    nodes = {
        "raw": {"op": "read", "path": str(source)},
        "op": {"op": name, **figure.get("fields", {})},
        "out": {"op": "write", "path": str(result), "overwrite": True},
    }
    edges = [["raw", "op"], ["op", "out"]]
    if "events" in figure:
        nodes["found"] = figure["events"]
        edges += [["raw", "found"], ["found", "op"]]
    return {"weir_pipeline": 1, "nodes": nodes, "edges": edges, "execution": {"target": "cpu"}}


def draw(weir, name, figure, folder):
    source = folder / "input.npy"
    figure_inputs.write(source, figure["input"])
    way = figure.get("draw", "both")
    result = folder / (f"{name}.csv" if way == "events" else f"{name}.npy")
    document = folder / "spec.json"
    document.write_text(json.dumps(spec(name, figure, source, result)))
    for file, array in figure.get("arrays", {}).items():
        figure_inputs.write_array(folder / file, array)
    subprocess.run([weir, "run", str(document)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    options = {"title": name, "width": 720, "height": 300, **figure.get("plot", {})}
    if way == "events":
        options["events"] = result
    if way == "stack":
        figure_inputs.write_stack(folder / "stack.npy", result)
    files = {"both": [source, result], "result": [result], "events": [source], "stack": [folder / "stack.npy"]}[way]
    picture = OPS / name / "figure.png"
    subprocess.run([weir, "plot", *map(str, files), str(picture), *flags(options)], check=True,
                   stdout=subprocess.DEVNULL)
    small_png.shrink(picture)
    return picture.stat().st_size


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--weir", default=str(ROOT / "build/release/bin/weir"))
    parser.add_argument("operators", nargs="*")
    arguments = parser.parse_args()
    names = arguments.operators or sorted(path.parent.name for path in OPS.glob("*/figure.json"))
    too_large = []
    for name in names:
        figure = json.loads((OPS / name / "figure.json").read_text())
        with tempfile.TemporaryDirectory() as folder:
            size = draw(arguments.weir, name, figure, pathlib.Path(folder))
        print(f"{name}: {size} bytes")
        if size > MOST_BYTES:
            too_large.append(name)
    if too_large:
        sys.exit(f"more than {MOST_BYTES} bytes: {', '.join(too_large)}")


if __name__ == "__main__":
    main()
