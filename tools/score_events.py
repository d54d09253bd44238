#!/usr/bin/env python3
"""Compares detected events with what truly happened. Standard library only; knows nothing of Weir's code.

  score_events.py spikes EVENTS.csv TRUTH.csv    truth: unit,channel,sample,snr  (weir generate)
  score_events.py beats  EVENTS.csv BEATS.csv    truth: sample[,type]            (a list of beats)

EVENTS.csv is an event table of Weir: `channel` and `peak_sample` are read (`--column` picks another).

Matching is one to one within a window: pairs are made in order of their distance in time, nearest first.

Spikes. Several sites see one spike, so one spike may cause many events. Therefore
* a spike is FOUND when an event is its partner, among those within `--window-ms` and at most `--channels-apart`
  channels from the spike's largest site; an event is the partner of one spike only;
* an event is EXPLAINED when any spike of any unit lies within the window and `--channels-heard` channels.
recall = found / spikes, for each unit whose mean snr is at least `--snr`; precision = explained / events.
The least recall of such a unit decides, not the mean, unless `--mean` is given.

Beats. sensitivity = matched / beats, positive predictivity = matched / events. `--channel` picks one channel.

Exit status: 0 when every threshold is met, 1 when one is missed, 2 when the input cannot be read.
"""
import argparse
import bisect
import csv
import sys


class InputError(Exception):
    pass


def read_table(path, columns):
    """The named columns of a CSV file as lists of numbers."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = csv.DictReader(file)
            missing = [name for name in columns if name not in (rows.fieldnames or [])]
            if missing:
                raise InputError(f"{path}: no column {', '.join(missing)}; found {rows.fieldnames}")
            table = {name: [] for name in columns}
            for row in rows:
                for name in columns:
                    try:
                        table[name].append(float(row[name]))
                    except (TypeError, ValueError):
                        raise InputError(f"{path}: row {rows.line_num}: {name} is {row[name]!r}") from None
            return table
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None


def match(truth, events, window, may_pair=lambda i, j: True):
    """One-to-one pairs (truth index, event index), the nearest in time first; both lists may be unsorted."""
    order = sorted(range(len(events)), key=events.__getitem__)
    times = [events[j] for j in order]
    candidates = []
    for i, time in enumerate(truth):
        first = bisect.bisect_left(times, time - window)
        last = bisect.bisect_right(times, time + window)
        for place in range(first, last):
            if may_pair(i, order[place]):
                candidates.append((abs(times[place] - time), i, order[place]))
    candidates.sort()
    taken_truth, taken_events, pairs = set(), set(), []
    for _, i, j in candidates:
        if i not in taken_truth and j not in taken_events:
            taken_truth.add(i)
            taken_events.add(j)
            pairs.append((i, j))
    return pairs


def explained(truth, truth_channels, events, event_channels, window, reach):
    """For each event, whether some spike is near it in time and along the probe."""
    order = sorted(range(len(truth)), key=truth.__getitem__)
    times = [truth[i] for i in order]
    result = []
    for time, channel in zip(events, event_channels):
        first = bisect.bisect_left(times, time - window)
        last = bisect.bisect_right(times, time + window)
        result.append(any(abs(truth_channels[order[place]] - channel) <= reach for place in range(first, last)))
    return result


def score_spikes(truth, events, window, apart, heard):
    """Per unit (spikes, found, mean snr), and (explained events, events)."""
    pairs = match(
        truth["sample"], events["time"], window,
        lambda i, j: abs(truth["channel"][i] - events["channel"][j]) <= apart)
    found = {i for i, _ in pairs}
    units = {}
    for i, unit in enumerate(truth["unit"]):
        spikes, hits, snr = units.get(unit, (0, 0, 0.0))
        units[unit] = (spikes + 1, hits + (i in found), snr + truth["snr"][i])
    units = {unit: (spikes, hits, snr / spikes) for unit, (spikes, hits, snr) in units.items()}
    good = explained(truth["sample"], truth["channel"], events["time"], events["channel"], window, heard)
    return units, (sum(good), len(good))


def share(part, whole):
    return part / whole if whole else 0.0


def run_spikes(options):
    truth = read_table(options.truth, ["unit", "channel", "sample", "snr"])
    table = read_table(options.events, ["channel", options.column])
    events = {"time": table[options.column], "channel": table["channel"]}
    window = options.window_ms / 1000 * options.rate
    units, (good, total) = score_spikes(truth, events, window, options.channels_apart, options.channels_heard)
    print(f"{'unit':>6} {'snr':>7} {'spikes':>8} {'found':>8} {'recall':>8}")
    judged = []
    for unit, (spikes, hits, snr) in sorted(units.items()):
        counts = snr >= options.snr
        print(f"{unit:6.0f} {snr:7.2f} {spikes:8d} {hits:8d} {share(hits, spikes):8.4f}{'' if counts else '  (snr too low to count)'}")
        if counts:
            judged.append((spikes, hits))
    if not judged:
        raise InputError(f"{options.truth}: no unit has a mean snr of {options.snr}")
    mean = share(sum(h for _, h in judged), sum(s for s, _ in judged))
    least = min(share(h, s) for s, h in judged)
    precision = share(good, total)
    print(f"units counted {len(judged)} of {len(units)}, recall mean {mean:.4f}, least {least:.4f}; "
          f"precision {precision:.4f} ({good} of {total} events)")
    recall = mean if options.mean else least
    return verdict([("recall", recall, options.recall), ("precision", precision, options.precision)])


def run_beats(options):
    beats = read_table(options.truth, ["sample"])["sample"]
    table = read_table(options.events, ["channel", options.column])
    events = [time for time, channel in zip(table[options.column], table["channel"])
              if options.channel is None or channel == options.channel]
    pairs = match(beats, events, options.window_ms / 1000 * options.rate)
    sensitivity = share(len(pairs), len(beats))
    predictivity = share(len(pairs), len(events))
    print(f"beats {len(beats)}, events {len(events)}, matched {len(pairs)}: "
          f"sensitivity {sensitivity:.4f}, positive predictivity {predictivity:.4f}")
    return verdict([("sensitivity", sensitivity, options.recall),
                    ("positive predictivity", predictivity, options.precision)])


def verdict(scores):
    missed = [f"{name} {value:.4f} is below {least}" for name, value, least in scores if not value >= least]
    for text in missed:
        print(f"FAILED: {text}")
    return 1 if missed else 0


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    for mode, window, rate in (("spikes", 0.5, 30000.0), ("beats", 75.0, 360.0)):
        sub = modes.add_parser(mode)
        sub.add_argument("events")
        sub.add_argument("truth")
        sub.add_argument("--rate", type=float, default=rate, help="samples per second (%(default)s)")
        sub.add_argument("--window-ms", type=float, default=window, help="largest distance in time (%(default)s)")
        sub.add_argument("--column", default="peak_sample", help="time of an event (%(default)s)")
        sub.add_argument("--recall", type=float, default=0.9, help="least recall or sensitivity (%(default)s)")
        sub.add_argument("--precision", type=float, default=0.9, help="least precision (%(default)s)")
        if mode == "spikes":
            sub.add_argument("--snr", type=float, default=8.0, help="units below are shown, not judged (%(default)s)")
            sub.add_argument("--channels-apart", type=float, default=4, help="to find a spike (%(default)s)")
            sub.add_argument("--channels-heard", type=float, default=16, help="to explain an event (%(default)s)")
            sub.add_argument("--mean", action="store_true", help="judge the mean recall, not the least")
        else:
            sub.add_argument("--channel", type=int, help="events of this channel only")
    return parser.parse_args(arguments)


def main(arguments=None):
    options = parse(arguments)
    try:
        return run_spikes(options) if options.mode == "spikes" else run_beats(options)
    except InputError as error:
        print(f"score_events: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
