"""The synthetic recordings that the figures of READMEs begin with: small, seeded, made with Python's library alone.

Every function returns a Recording. Units are microvolts, times seconds.
"""
import array
import dataclasses
import json
import math
import random


@dataclasses.dataclass
class Recording:
    rate_hz: int
    channels: list  # of lists of samples
    positions: list | None = None  # (x, y) of each channel in micrometres


def header_of(shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


def write_recording(path, recording):
    """As .npy with Weir's sidecar."""
    frames = len(recording.channels[0])
    rows = array.array("f", (value for row in zip(*recording.channels) for value in row))
    path.write_bytes(header_of((frames, len(recording.channels))) + rows.tobytes())
    places = recording.positions or [None] * len(recording.channels)
    channels = [
        {"name": f"ch{i}", "source_index": i, "gain": 1.0, "offset": 0.0, "unit": "uV",
         "position": None if place is None else [*place, 0.0], "group": ""}
        for i, place in enumerate(places)
    ]
    sidecar = {"weir_raw": 1, "channels": channels, "rate": [recording.rate_hz, 1], "dtype": "float32",
               "order": "time_major", "samples": frames, "segments": [{"start_s": [0, 1], "samples": frames}],
               "start_time": ""}
    path.with_name(path.name + ".json").write_text(json.dumps(sidecar))


def write(path, name):
    """Writes the recording called `name`."""
    write_recording(path, INPUTS[name]())


def write_array(path, name):
    """Writes the array called `name`, as [templates, samples, channels]."""
    templates = ARRAYS[name]()
    values = array.array("f", (value for template in templates for row in template for value in row))
    path.write_bytes(header_of((len(templates), len(templates[0]), len(templates[0][0]))) + values.tobytes())


def write_stack(path, snippets, most=6):
    """Writes the first snippets of a file of `write`, their first channel, as a recording with one channel for each."""
    sidecar = json.loads(snippets.with_name(snippets.name + ".json").read_text())
    data = snippets.read_bytes()
    values = array.array("f", data[10 + int.from_bytes(data[8:10], "little"):])
    samples, width = sidecar["samples"], len(sidecar["channels"])
    count = min(most, len(values) // (samples * width))
    rate = sidecar["rate"][0] // sidecar["rate"][1]
    write_recording(path, Recording(rate, [
        [values[(k * samples + i) * width] for i in range(samples)] for k in range(count)]))


def spike(t):
    """An extracellular action potential: a trough at 0 and a slower hump behind it."""
    return -math.exp(-((t / 0.00018) ** 2)) + 0.35 * math.exp(-(((t - 0.00055) / 0.0003) ** 2))


def spike_times(rng, duration, rate):
    times, at = [], 0.004
    while at < duration - 0.004:
        times.append(at)
        at += 0.003 + rng.expovariate(rate)
    return times


def spikes():
    """Three channels of spikes on slow waves and noise."""
    rng = random.Random(1)
    rate, duration = 30000, 0.12
    channels = []
    for c in range(3):
        times = spike_times(rng, duration, 70)
        phase = rng.random()
        values = []
        for i in range(int(rate * duration)):
            t = i / rate
            slow = 90 * math.sin(2 * math.pi * (17 * t + phase)) + 40 * math.sin(2 * math.pi * (43 * t + 2 * phase))
            values.append(slow + 160 * sum(spike(t - at) for at in times if abs(t - at) < 0.003) + rng.gauss(0, 8))
        channels.append(values)
    return Recording(rate, channels)


def band_spikes():
    """The same without the slow waves."""
    rng = random.Random(2)
    rate, duration = 30000, 0.12
    channels = []
    for c in range(3):
        times = spike_times(rng, duration, 70)
        heights = [rng.uniform(60, 120) for _ in times]
        channels.append([
            sum(h * spike(i / rate - at) for h, at in zip(heights, times) if abs(i / rate - at) < 0.003)
            + rng.gauss(0, 8) for i in range(int(rate * duration))])
    return Recording(rate, channels)


def mains():
    """Alpha waves with mains hum and its harmonics, two channels at 1 kHz."""
    rng = random.Random(3)
    rate, duration = 1000, 1.5
    channels = []
    for c in range(2):
        phase = rng.random()
        values, low = [], 0.0
        for i in range(int(rate * duration)):
            t = i / rate
            low = 0.9 * low + rng.gauss(0, 1.5)
            alpha = 30 * math.sin(2 * math.pi * 9.5 * t + phase) * (1 + 0.5 * math.sin(2 * math.pi * 0.8 * t))
            hum = 22 * math.sin(2 * math.pi * 50 * t) + 9 * math.sin(2 * math.pi * 150 * t + 1)
            values.append(alpha + hum + low)
        channels.append(values)
    return Recording(rate, channels)


def ringing():
    """A 40 Hz oscillation that comes and goes in noise."""
    rng = random.Random(4)
    rate, duration = 1000, 1.5
    channels = []
    for c in range(2):
        centre = 0.45 + 0.5 * c
        channels.append([
            35 * math.exp(-(((i / rate - centre) / 0.15) ** 2)) * math.sin(2 * math.pi * 40 * i / rate)
            + rng.gauss(0, 14) for i in range(int(rate * duration))])
    return Recording(rate, channels)


def emg():
    """Two muscles that contract in turn: noise in bursts."""
    rng = random.Random(5)
    rate, duration = 2000, 2.0
    channels = []
    for c in range(2):
        values, last = [], 0.0
        for i in range(int(rate * duration)):
            t = i / rate
            force = max(0.0, math.sin(2 * math.pi * (0.9 * t + 0.5 * c))) ** 2
            last = 0.5 * last + rng.gauss(0, 6 + 90 * force)
            values.append(last)
        channels.append(values)
    return Recording(rate, channels)


def drift():
    """A 6 Hz wave on a drifting baseline, off zero."""
    rng = random.Random(6)
    rate, duration = 500, 3.0
    channels = []
    for c in range(2):
        slope, start = (70, -60) if c == 0 else (-55, 150)
        channels.append([
            start + slope * i / rate + 12 * math.sin(2 * math.pi * 6 * i / rate + c) + rng.gauss(0, 3)
            for i in range(int(rate * duration))])
    return Recording(rate, channels)


def outliers():
    """A smooth curve with single samples far off."""
    rng = random.Random(7)
    rate, duration = 500, 1.0
    channels = []
    for c in range(2):
        values = [40 * math.sin(2 * math.pi * 3 * i / rate + c) + rng.gauss(0, 2)
                  for i in range(int(rate * duration))]
        for _ in range(14):
            values[rng.randrange(len(values))] += rng.choice((-1, 1)) * rng.uniform(50, 110)
        channels.append(values)
    return Recording(rate, channels)


def steps():
    """Noisy plateaus with edges that ought to stay."""
    rng = random.Random(8)
    rate, duration = 500, 1.0
    channels = []
    for c in range(2):
        level, values = 0.0, []
        for i in range(int(rate * duration)):
            if i % 70 == 35 * c:
                level = rng.uniform(-45, 45)
            values.append(level + rng.gauss(0, 6))
        channels.append(values)
    return Recording(rate, channels)


def smooth():
    """A noisy curve with narrow and wide humps."""
    rng = random.Random(9)
    rate, duration = 500, 1.0
    channels = []
    for c in range(2):
        humps = [(0.12 + 0.1 * c, 0.012), (0.35, 0.03), (0.62 - 0.06 * c, 0.06), (0.88, 0.02)]
        channels.append([
            sum(60 * math.exp(-(((i / rate - at) / width) ** 2)) for at, width in humps) + rng.gauss(0, 5)
            for i in range(int(rate * duration))])
    return Recording(rate, channels)


def stimulated():
    """Responses to stimuli at 20, 60 and 100 ms whose artefacts hide everything."""
    rng = random.Random(10)
    rate, duration = 30000, 0.13
    channels = []
    for c in range(2):
        values = []
        for i in range(int(rate * duration)):
            t = i / rate
            value = rng.gauss(0, 7)
            for at in (0.02, 0.06, 0.10):
                after = t - at
                if 0 <= after < 0.03:
                    value += (-1) ** c * 240 * math.exp(-after / 0.0012) * math.cos(2 * math.pi * 700 * after)
                    value += 130 * spike(after - 0.008 - 0.002 * c)
            values.append(value)
        channels.append(values)
    return Recording(rate, channels)


def saturated():
    """Waves that run into the amplifier's rail at 200 uV now and then."""
    rng = random.Random(11)
    rate, duration = 10000, 0.4
    channels = []
    for c in range(2):
        kicks = [0.09 + 0.05 * c, 0.21, 0.33 - 0.03 * c]
        values = []
        for i in range(int(rate * duration)):
            t = i / rate
            value = 50 * math.sin(2 * math.pi * 9 * t + c) + rng.gauss(0, 7)
            value += sum((-1) ** k * 900 * math.exp(-(((t - at) / 0.006) ** 2)) for k, at in enumerate(kicks))
            values.append(max(-200.0, min(200.0, value)))
        channels.append(values)
    return Recording(rate, channels)


def probe():
    """Six contacts 25 um apart: an interference that all share, and two units near contacts 1 and 4."""
    rng = random.Random(12)
    rate, duration = 30000, 0.05
    frames = int(rate * duration)
    shared, last = [], 0.0
    for i in range(frames):
        last = 0.93 * last + rng.gauss(0, 14)
        shared.append(last + 30 * math.sin(2 * math.pi * 220 * i / rate))
    units = [(1.1, spike_times(rng, duration, 60)), (4.0, spike_times(rng, duration, 60))]
    channels = []
    for c in range(6):
        values = []
        for i in range(frames):
            t = i / rate
            value = shared[i] + rng.gauss(0, 6)
            for place, times in units:
                near = math.exp(-(((c - place) / 1.1) ** 2))
                value += 220 * near * sum(spike(t - at) for at in times if abs(t - at) < 0.003)
            values.append(value)
        channels.append(values)
    return Recording(rate, channels, [(0.0, 25.0 * c) for c in range(6)])


def stripes():
    """Twenty-four contacts: an interference that grows along the probe, and a unit near contact 11."""
    rng = random.Random(13)
    rate, duration = 30000, 0.03
    frames = int(rate * duration)
    shared, last = [], 0.0
    for i in range(frames):
        last = 0.9 * last + rng.gauss(0, 20)
        shared.append(last)
    times = spike_times(rng, duration, 90)
    channels = []
    for c in range(24):
        channels.append([
            shared[i] * (0.4 + c / 16) + rng.gauss(0, 6)
            + 220 * math.exp(-(((c - 11) / 1.2) ** 2)) * sum(spike(i / rate - at) for at in times
                                                           if abs(i / rate - at) < 0.003)
            for i in range(frames)])
    return Recording(rate, channels, [(0.0, 20.0 * c) for c in range(24)])


def faulty():
    """Sixteen contacts of one brain; contact 5 is dead and contact 10 picks up noise."""
    rng = random.Random(14)
    rate, duration = 30000, 1.0
    frames = int(rate * duration)
    waves = []
    for _ in range(6):
        last, wave = 0.0, []
        for i in range(frames):
            last = 0.97 * last + rng.gauss(0, 5)
            wave.append(last)
        waves.append((rng.uniform(-2, 18), wave))
    channels = []
    for c in range(16):
        weights = [math.exp(-(((c - at) / 9) ** 2)) for at, _ in waves]
        own = 60 if c == 10 else 4
        scale = 0.02 if c == 5 else 1.0
        gauss = rng.gauss
        channels.append([
            scale * (sum(w * wave[i] for w, (_, wave) in zip(weights, waves)) + gauss(0, own))
            for i in range(frames)])
    return Recording(rate, channels, [(0.0, 20.0 * c) for c in range(16)])


def staggered():
    """One wave on 24 channels, which converters sample one after the other as on a Neuropixels 1.0 probe."""
    rate, duration = 30000, 0.004
    channels = []
    for c in range(24):
        late = (c // 2 % 12) / 13
        channels.append([
            100 * math.sin(2 * math.pi * 3000 * (i + late) / rate) * math.sin(math.pi * (i + late) / rate / duration)
            for i in range(int(rate * duration))])
    return Recording(rate, channels)


def chirp():
    """A tone that rises from 5 to 120 Hz, and a slow wave with noise."""
    rng = random.Random(15)
    rate, duration = 1000, 1.0
    frames = int(rate * duration)
    rising = [50 * math.sin(2 * math.pi * (5 * t + 57.5 * t * t)) for t in (i / rate for i in range(frames))]
    noisy = [40 * math.sin(2 * math.pi * 4 * i / rate) + rng.gauss(0, 9) for i in range(frames)]
    return Recording(rate, [rising, noisy])


def bursts():
    """Oscillations at 60 Hz whose amplitude swells and fades."""
    rate, duration = 1000, 1.0
    channels = []
    for c in range(2):
        channels.append([
            50 * (0.55 + 0.45 * math.sin(2 * math.pi * (2 + c) * i / rate)) * math.sin(2 * math.pi * 60 * i / rate)
            for i in range(int(rate * duration))])
    return Recording(rate, channels)


def scales():
    """Three channels alike but for their size and their middle."""
    rng = random.Random(16)
    rate, duration = 500, 1.0
    channels = []
    for gain, zero in ((12, 80), (45, -20), (90, 30)):
        values, last = [], 0.0
        for i in range(int(rate * duration)):
            last = 0.8 * last + rng.gauss(0, 0.6)
            values.append(zero + gain * last)
        channels.append(values)
    return Recording(rate, channels)


def spike_templates():
    """What a spike of `band_spikes` looks like on each of its three channels, 0.5 ms before its trough to 1.5 ms after."""
    rate = 30000
    shape = [100 * spike((i - 15) / rate) for i in range(60)]
    return [[[value if c == k else 0.0 for c in range(3)] for value in shape] for k in range(3)]


ARRAYS = {function.__name__: function for function in (spike_templates,)}
INPUTS = {function.__name__: function for function in (
    spikes, band_spikes, mains, ringing, emg, drift, outliers, steps, smooth, stimulated, saturated, probe, stripes,
    faulty, staggered, chirp, bursts, scales)}
