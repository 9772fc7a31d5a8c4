"""Noises for the examination alone: no training ever hears them."""

import numpy as np
from scipy.signal import lfilter

from sound import band, place, ring, shaped, slow, uniform_log
from speech import RATE


def helicopter(random, count):
    """Blades that slap 10 to 20 times a second over a turbine's whine."""
    phase = np.cumsum(uniform_log(random, 10, 20) * (1 + 0.02 * slow(random, count, 0.3))) / RATE
    slap = np.exp(-10 * (phase % 1)) * shaped(random, count, lambda f: -6 * np.log2(1 + (f / 300) ** 2))
    whine = np.sin(6.2832 * 37.7 * phase) + 0.4 * np.sin(6.2832 * 90.1 * phase)
    return slap / slap.std() + 0.15 * whine + 0.1 * random.standard_normal(count)


def gravel(random, count):
    """A walk on gravel: each step a cloud of grains."""
    sound = np.zeros(count)
    now, pace = 0.3, random.uniform(1.4, 2.2)
    while now * RATE < count:
        for _ in range(random.integers(15, 60)):
            grain = ring(random, 2, 900, 6500, 0.0005, 0.004, 300)
            moment = now + random.gamma(2, 0.05)
            place(sound, int(moment * RATE), np.exp(0.8 * random.standard_normal()) * grain)
        now += random.uniform(0.92, 1.08) / pace
    return sound + 0.003 * random.standard_normal(count)


def cowbells(random, count):
    """A herd: bells of fixed modes, struck at a walking animal's whim."""
    sound = np.zeros(count)
    for _ in range(random.integers(2, 7)):
        bell = ring(random, 6, 350, 4500, 0.03, 0.35, RATE)
        gain = uniform_log(random, 0.1, 1)
        for start in random.integers(0, count, random.poisson(uniform_log(random, 0.3, 3) * count / RATE)):
            place(sound, start, gain * random.uniform(0.2, 1) * bell)
    return sound + 0.002 * random.standard_normal(count)


def zipper(random, count):
    """Zips: a comb of clicks that speeds up and slows down."""
    sound = np.zeros(count)
    now = random.uniform(0, 1)
    while now * RATE < count:
        size = int(random.uniform(0.25, 1.2) * RATE)
        speed = 60 + 260 * np.sin(np.pi * np.arange(size) / size) * random.uniform(0.4, 1)
        clicks = np.diff(np.floor(np.cumsum(speed) / RATE), prepend=0)
        tooth = ring(random, 4, 1200, 7000, 0.0005, 0.003, 200)
        place(sound, int(now * RATE), np.convolve(clicks, tooth)[:size])
        now += size / RATE + random.exponential(0.8)
    return sound + 0.003 * random.standard_normal(count)


def flapping(random, count):
    """A tent in a storm: cloth that flaps six to fourteen times a second, in gusts."""
    curve = random.uniform(6, 14) * 2 ** (0.4 * slow(random, count, 1))
    phase = np.cumsum(curve) / RATE % 1
    gust = 10 ** (6 * slow(random, count, 0.5) / 20)
    cloth = shaped(random, count, lambda f: -3 * np.log2(f / 400) - 8 * np.maximum(0, np.log2(200 / f)))
    rumble = shaped(random, count, lambda f: -5 * np.log2(1 + (f / 80) ** 2))
    return (cloth / cloth.std() * np.exp(-6 * phase) + 0.5 * rumble / rumble.std()) * gust


def snore(random, count):
    """A sleeper: a low, rough buzz once in four seconds."""
    sound = np.zeros(count)
    now = 0.5
    while now * RATE < count:
        size = int(random.uniform(0.8, 1.6) * RATE)
        turns = np.cumsum(random.uniform(25, 70) * (1 + 0.15 * slow(random, size, 12))) / RATE
        buzz = np.maximum(0, np.sin(6.2832 * turns)) ** 6 * random.standard_normal(size)
        piece = band(random, buzz, 120, random.uniform(600, 2500))
        place(sound, int(now * RATE), piece * np.sin(np.pi * np.arange(size) / size))
        now += random.uniform(3, 5)
    return sound + 0.002 * np.abs(sound).max() * random.standard_normal(count)


def train(random, count):
    """A carriage: rail joints in pairs of pairs, wheels that squeal, a rumble."""
    sound = shaped(random, count, lambda f: -4 * np.log2(1 + (f / 120) ** 2))
    sound /= sound.std()
    period, now = random.uniform(0.7, 1.4), 0.2
    while now * RATE < count:
        for offset in (0, 0.11, 0.4, 0.51):
            knock = ring(random, 5, 80, 1500, 0.01, 0.05, 3000)
            place(sound, int((now + offset * period) * RATE), random.uniform(2, 4) * knock)
        now += period
    squeal = np.sin(6.2832 * np.cumsum(uniform_log(random, 1500, 4000) * 2 ** (0.05 * slow(random, count, 2))) / RATE)
    return sound + 0.5 * squeal * lfilter([0.001], [1, -0.999], (slow(random, count, 0.3) > 0.8).astype(float))


def clatter(random, count):
    """Dishes and cutlery."""
    sound = np.zeros(count)
    for start in random.integers(0, count, random.poisson(uniform_log(random, 1, 6) * count / RATE)):
        modes = uniform_log(random, 700, 3000)
        piece = ring(random, 7, modes, 3 * modes, 0.004, 0.12, 5000)
        place(sound, start, np.exp(0.8 * random.standard_normal()) * piece)
    return sound + 0.003 * random.standard_normal(count)


EXAMINED = [helicopter, gravel, cowbells, zipper, flapping, snore, train, clatter]
