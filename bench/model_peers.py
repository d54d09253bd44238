#!/usr/bin/env python3
"""Workload W1 by other programs, to stand beside model_bench and likelihood_bench of the same minutes.

    python3 bench/model_peers.py [ROUNDS] [--value]

Needs numpy; numba, numba-stats and iminuit for the fits (said where they lack). One thread. Prints the best of ROUNDS
(7): the value of the likelihood at 10^6 events by NumPy, and, without --value, whole fits (MIGRAD and HESSE from the
truth) at 316,228.
"""
import sys
import time

import numpy as np


def events(count):
    random = np.random.default_rng(1)
    peak = random.normal(0.5, 0.1, size=count // 2)
    fall = random.exponential(1.0, size=2 * count)
    return np.append(peak, fall[fall < 1][:count // 2])


def best(body, rounds):
    body()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        body()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


def by_numpy(x, z, mu, sigma, slope):
    t = (x - mu) * (1 / sigma)
    peak = np.exp(-0.5 * t * t) * (1 / (sigma * np.sqrt(2 * np.pi)))
    fall = np.exp(x * (-1 / slope)) * (1 / (slope * (1 - np.exp(-1 / slope))))
    return -np.log(z * peak + (1 - z) * fall).sum()


def fits(x, rounds):
    try:
        from iminuit import Minuit
        from iminuit.cost import UnbinnedNLL
        from numba_stats import norm, truncexpon
    except ImportError as missing:
        print(f"numba-stats + iminuit: not here ({missing})")
        return

    def density(x, z, mu, sigma, slope):
        return z * norm.pdf(x, mu, sigma) + (1 - z) * truncexpon.pdf(x, 0.0, 1.0, 0.0, slope)

    def fit():
        minuit = Minuit(UnbinnedNLL(x, density), z=0.5, mu=0.5, sigma=0.1, slope=1.0)
        minuit.limits["z", "mu"] = (0, 1)
        minuit.limits["sigma", "slope"] = (0, 10)
        minuit.migrad()
        minuit.hesse()
        assert minuit.valid
        return minuit

    print(f"numba-stats + iminuit, whole fit of {len(x)} events: {best(fit, rounds):.1f} ms, {fit().nfcn} calls")


def main():
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    rounds = numbers[0] if numbers else 7
    x = events(1_000_000)
    print(f"NumPy {np.__version__}, value at {len(x)} events: {best(lambda: by_numpy(x, 0.5, 0.5, 0.1, 1.0), rounds):.2f} ms")
    if "--value" not in sys.argv:
        fits(events(316_228), max(1, rounds // 2))


if __name__ == "__main__":
    main()
