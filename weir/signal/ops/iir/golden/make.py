"""Golden data of `iir`: designs by mpmath, outputs by SciPy in float64. Run: python make.py (writes beside itself)."""
import json
import pathlib
import platform

import mpmath as mp
import numpy as np
import scipy
from scipy import signal

HERE = pathlib.Path(__file__).parent
mp.mp.dps = 60

# name: (band, edges, order, rate); the C++ test has the same list in the same order.
DESIGNS = [
    ("bandpass", [300, 6000], 5, 30000), ("bandpass", [1, 300], 5, 30000), ("bandpass", [0.5, 100], 5, 30000),
    ("bandpass", [0.1, 10], 5, 30000), ("bandpass", [5, 200], 5, 30000), ("bandpass", [20, 450], 4, 2000),
    ("bandstop", [59, 61], 2, 30000), ("bandstop", [45, 55], 4, 1000), ("bandstop", [100, 9000], 3, 30000),
] + [("lowpass", [300], n, 30000) for n in range(1, 9)] + [("highpass", [0.3], n, 30000) for n in range(1, 9)] + [
    ("bandpass", [8, 13], n, 256) for n in range(1, 9)] + [("bandstop", [2000, 9100], n, 30000) for n in range(1, 9)] + [
    ("lowpass", [14999], 4, 30000), ("highpass", [14990], 3, 30000), ("bandpass", [9000, 14000], 5, 30000),
    ("bandpass", [1000, 13000], 5, 30000)]


# The same for the other families: (family, ripple, attenuation, band, edges, order, rate).
FAMILIES = [(family, ripple, attenuation, *rest)
            for family, ripple, attenuation in [("chebyshev1", 0.5, None), ("chebyshev2", None, 60), ("elliptic", 0.1, 80),
                                                ("bessel", None, None)]
            for rest in [("lowpass", [300], n, 30000) for n in range(1, 9)] + [
                ("highpass", [0.3], 5, 30000), ("bandpass", [300, 6000], 5, 30000), ("bandpass", [8, 13], 4, 256),
                ("bandpass", [0.1, 10], 5, 30000), ("bandstop", [59, 61], 3, 30000), ("bandstop", [2000, 9100], 4, 30000),
                ("lowpass", [14990], 4, 30000), ("lowpass", [1000], 16, 30000), ("highpass", [12000], 7, 30000)]] + [
    ("elliptic", 3, 20, "lowpass", [300], 10, 30000), ("elliptic", 1e-3, 200, "bandpass", [300, 6000], 8, 30000),
    ("chebyshev1", 12, None, "highpass", [300], 6, 30000), ("chebyshev1", 0.5, None, "lowpass", [3000], 32, 30000),
    ("elliptic", 0.1, 80, "lowpass", [3000], 20, 30000)]


def prototype(family, ripple, attenuation, order):
    """Poles, zeros and the gain at 0 of the analogue low-pass of frequency 1."""
    unit = [mp.exp(1j * mp.pi * mp.mpf(2 * k + order + 1) / (2 * order)) for k in range(order)]
    excess = [mp.sqrt(mp.mpf(10) ** (mp.mpf(repr(v)) / 10) - 1) if v else None for v in (ripple, attenuation)]
    level = mp.mpf(1) if order % 2 or not ripple else mp.mpf(10) ** (-mp.mpf(repr(ripple)) / 20)
    if family == "butterworth":
        return unit, [], level
    if family == "chebyshev1":
        mu = mp.asinh(1 / excess[0]) / order
        return [mp.mpc(p.real * mp.sinh(mu), p.imag * mp.cosh(mu)) for p in unit], [], level
    if family == "chebyshev2":
        mu = mp.asinh(excess[1]) / order
        zeros = [1j / p.imag for p in unit if abs(p.imag) > mp.mpf(10) ** -40]
        return [1 / mp.mpc(p.real * mp.sinh(mu), p.imag * mp.cosh(mu)) for p in unit], zeros, level
    if family == "bessel":
        f = mp.factorial
        poly = [f(2 * order - k) / (f(k) * f(order - k) * mp.mpf(2) ** (order - k)) for k in range(order, -1, -1)]
        with mp.workdps(200):
            roots = mp.polyroots(poly, maxsteps=500, extraprec=2000)
        radius = poly[-1] ** (mp.mpf(1) / order)
        return [mp.mpc(r.real, 0 if abs(r.imag) < mp.mpf(10) ** -40 else r.imag) / radius for r in roots], [], level
    m1 = (excess[0] / excess[1]) ** 2
    m = mp.mfrom(q=mp.qfrom(m=m1) ** (mp.mpf(1) / order))
    k, k1 = mp.ellipk(m), mp.ellipk(m1)
    v = -1j * mp.ellipf(mp.asin(1j / excess[0]), m1) / k1 / order
    zeros, poles = [], []
    for i in range(order):
        u = mp.mpf(2 * i + 1) / order
        cd = lambda at: mp.ellipfun("cd", at * k, m=m)
        pole = 1j * cd(u - 1j * v)
        poles.append(mp.mpc(pole.real, 0) if 2 * i + 1 == order else pole)
        if 2 * i + 1 != order:
            zeros.append(1j / (mp.sqrt(m) * cd(u)).real)
    return poles, zeros, level


def design(band, edges, order, rate, family="butterworth", ripple=None, attenuation=None):
    """b0 beta1 beta2 alpha1 alpha2 of each section, in float64 rounded from 60 digits, poles sorted as the C++ says."""
    t = [mp.tan(mp.pi * mp.mpf(repr(float(e))) / rate) for e in edges]
    p0, z0, level = prototype(family, ripple, attenuation, order)
    k0 = level * mp.fprod([-p for p in p0]) / mp.fprod([-z for z in z0])
    others = order - len(z0)
    if band == "lowpass":
        poles, zeros, gain = [t[0] * p for p in p0], [t[0] * z for z in z0], k0 * t[0] ** others
    elif band == "highpass":
        poles, zeros, gain = [t[0] / p for p in p0], [t[0] / z for z in z0] + [mp.mpf(0)] * others, level
    else:
        width, square = t[1] - t[0], t[0] * t[1]

        def both(values):
            halves = [v * width / 2 if band == "bandpass" else width / 2 / v for v in values]
            roots = [mp.sqrt(h * h - square) for h in halves]
            return [h + r for h, r in zip(halves, roots)] + [h - r for h, r in zip(halves, roots)]
        poles, zeros = both(p0), both(z0)
        if band == "bandpass":
            zeros, gain = zeros + [mp.mpf(0)] * others, k0 * width ** others
        else:
            zeros, gain = zeros + [1j * mp.sqrt(square), -1j * mp.sqrt(square)] * others, level
    k = gain * mp.fprod([1 - z for z in zeros]) / mp.fprod([1 - p for p in poles])
    zp = [(1 + p) / (1 - p) for p in poles]
    zz = [(1 + z) / (1 - z) for z in zeros] + [mp.mpf(-1)] * (len(poles) - len(zeros))
    return pair(zp, zz, mp.re(k))


def is_real(v):
    return abs(mp.im(v)) < mp.mpf(10) ** -40


def pair(poles, zeros, k):
    poles, zeros, rows = list(poles), list(zeros), []
    while poles:
        p = min(poles, key=lambda v: abs(1 - abs(v)))
        poles.remove(p)
        if is_real(p):
            rest = [v for v in poles if is_real(v)]
            q = min(rest, key=lambda v: abs(1 - abs(v))) if rest else None
        else:
            q = min(poles, key=lambda v: abs(v - mp.conj(p)))
        if q is not None:
            poles.remove(q)
        chosen = []
        complex_zeros = [v for v in zeros if not is_real(v)]
        keep = len(poles) % 2 and len(zeros) - len(complex_zeros) < 3  # the first-order section needs the real zero
        for _ in range(1 if q is None else 2):
            real = q is None or (chosen and is_real(chosen[0]))
            zeros_left = [v for v in zeros if is_real(v)] if real else complex_zeros if keep else zeros
            near = (lambda v: abs(v - p)) if not chosen or is_real(chosen[0]) else (lambda v: abs(v - mp.conj(chosen[0])))
            z = min(zeros_left, key=near)
            zeros.remove(z)
            complex_zeros = [v for v in zeros if not is_real(v)]
            chosen.append(z)
        if q is None:
            q, chosen = mp.mpf(0), chosen + [mp.mpf(0)]
        b1, b2 = -(chosen[0] + chosen[1]), chosen[0] * chosen[1]
        a1, a2 = -(p + q), p * q
        rows.insert(0, [mp.re(v) for v in (mp.mpf(1), 2 + b1, 1 + b1 + b2, 2 + a1, 1 + a1 + a2)])
    rows[0][:3] = [v * k for v in rows[0][:3]]
    return rows


def save(name, values):
    np.save(HERE / f"{name}.npy", np.ascontiguousarray(values))


def noise(frames, channels, seed, offset=0.0):
    return (np.random.default_rng(seed).normal(0, 30, (frames, channels)) + offset).astype(np.float32)


def steps(count):
    """Whole numbers 500 … 1499 that any language makes alike."""
    state = 1
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        yield 500 + (state >> 8) % 1000


SCIPY = {"chebyshev1": "cheby1", "chebyshev2": "cheby2", "elliptic": "ellip", "bessel": "bessel"}
TURNS = [0.001, 0.004, 0.0137, 0.043, 0.11, 0.19, 0.27, 0.36, 0.45]  # of the rate


def scipy_response(family, ripple, attenuation, band, edges, order, rate):
    sos = signal.iirfilter(order, edges if len(edges) > 1 else edges[0], ripple, attenuation, band, ftype=SCIPY[family], fs=rate, output="sos")
    h = signal.freqz_sos(sos, [f * rate for f in TURNS], fs=rate)[1]
    return np.stack([h.real, h.imag], axis=1).ravel()


# Limits whose smallest filters SciPy finds: pass-band, stop-band, ripple, attenuation, rate.
LIMITS = [([1000], [1500], 1, 40, 30000), ([300], [250], 0.5, 60, 30000), ([6000], [9000], 3, 30, 30000),
          ([0.5], [0.1], 1, 25, 250), ([300, 6000], [150, 9000], 1, 40, 30000), ([8, 13], [6, 16], 0.1, 50, 256),
          ([45, 55], [48, 52], 1, 30, 1000), ([40, 70], [58, 62], 0.5, 40, 1000), ([50, 61], [59, 60], 3, 20, 500),
          ([300, 5000], [200, 5500], 0.1, 30, 30000)]


def smallest_filters():
    """Rows: family, edges (1 or 2), pass-band, stop-band, ripple, attenuation, rate, order, cut-off."""
    two = lambda v: [float(v[0]), float(v[-1])]
    rows = []
    for pass_, stop, ripple, attenuation, rate in LIMITS:
        for family, find in enumerate([signal.buttord, signal.cheb1ord, signal.cheb2ord, signal.ellipord]):
            edges = (pass_[0], stop[0]) if len(pass_) == 1 else (pass_, stop)
            order, cutoff = find(*edges, ripple, attenuation, fs=rate)
            rows.append([family, len(pass_), *two(pass_), *two(stop), ripple, attenuation, rate, order,
                         *two(np.atleast_1d(cutoff))])
    return np.array(rows, dtype=np.float64)


def mp_sos(spec):
    """The accurate design as rows for SciPy: a1, a2 rounded to float64 from 60 digits."""
    return np.array([[float(b0), float(e1 - 2 * b0), float(e2 - e1 + b0), 1.0, float(c1 - 2), float(c2 - c1 + 1)]
                     for b0, e1, e2, c1, c2 in design(*spec)])


def main():
    rows = [[float(v) for v in row] for spec in DESIGNS for row in design(*spec)]
    save("designs", np.array(rows))
    rows = [[float(v) for v in row] for family, ripple, attenuation, *spec in FAMILIES
            for row in design(*spec, family, ripple, attenuation)]
    save("families", np.array(rows))
    save("smallest", smallest_filters())
    save("families_scipy", np.array([scipy_response(*spec) for spec in FAMILIES]))

    # One noise with an offset through everything: [frames, channels].
    x = noise(2000, 3, 7, offset=12.0)
    save("noise", x)
    outputs = []
    for spec in DESIGNS:
        outputs.append(signal.sosfilt(mp_sos(spec), x[:300, 0].astype(np.float64)))
    save("forward", np.array(outputs).T.astype(np.float32))

    band = mp_sos(DESIGNS[0])
    save("zero_phase", signal.sosfiltfilt(band, x.astype(np.float64), axis=0).astype(np.float32))
    # One column for each family, from SciPy's own designs.
    sections = [signal.cheby1(5, 0.5, [300, 6000], "bandpass", fs=30000, output="sos"),
                signal.cheby2(3, 40, [55, 65], "bandstop", fs=30000, output="sos"),
                signal.ellip(7, 0.1, 80, 300, "highpass", fs=30000, output="sos"),
                signal.bessel(4, 3000, "lowpass", fs=30000, output="sos")]
    save("families_zero_phase", np.stack([signal.sosfiltfilt(s, x[:, 0].astype(np.float64)) for s in sections],
                                         axis=1).astype(np.float32))
    notch = np.hstack(signal.iirnotch(60, 30, 30000)).reshape(1, 6)
    save("notch", signal.sosfiltfilt(notch, x.astype(np.float64), axis=0).astype(np.float32))
    steady = np.stack([signal.sosfilt(band, c, zi=signal.sosfilt_zi(band) * c[0])[0] for c in x.T.astype(np.float64)], axis=1)
    save("steady", steady.astype(np.float32))
    # SciPy's rule for the shortest segment: one sample more than padlen.
    shortest = [signal.sosfiltfilt(mp_sos(("bandpass", [300, 6000], 5, 30000)), x[:34, 0].astype(float)),
                signal.sosfiltfilt(mp_sos(("bandpass", [300, 6000], 4, 30000)), x[:28, 0].astype(float)),
                signal.sosfiltfilt(mp_sos(("highpass", [0.3], 5, 30000)), x[:19, 0].astype(float))]
    save("shortest", np.concatenate(shortest).astype(np.float32))
    # Case A6: order 5, 49-51 Hz at 44 kHz on a constant 0.5: one value in 200 of 6 s.
    step = signal.sosfilt(mp_sos(("bandstop", [49, 51], 5, 44000)), np.full(264000, 0.5))
    band_a6 = signal.sosfilt(mp_sos(("bandpass", [49, 51], 5, 44000)), np.full(264000, 0.5))
    save("constant", np.stack([step[::200], band_a6[::200]], axis=1).astype(np.float32))
    # Case A1: 60 s at 30 kHz of noise on an offset of 1000: the first and last 256 samples, and one in 211.
    long = np.array(list(steps(1_800_000)), dtype=np.float64)
    out = signal.sosfiltfilt(mp_sos(("bandpass", [5, 200], 5, 30000)), long)
    save("long", np.concatenate([out[:256], out[-256:], out[::211]]).astype(np.float32))
    # 5 s of the same through a filter that remembers seconds: one sample in 31.
    save("slow", signal.sosfilt(mp_sos(("bandpass", [0.1, 10], 5, 30000)), long[:150_009])[::31].astype(np.float32))
    (HERE / "versions.json").write_text(json.dumps({"python": platform.python_version(), "numpy": np.__version__,
                                                    "scipy": scipy.__version__, "mpmath": mp.__version__}) + "\n")


if __name__ == "__main__":
    main()
