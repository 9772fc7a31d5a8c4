"""Invented noises, each a function of a random generator and a number of samples at 16 kHz.

No noise is a recording. Every call draws its spectrum, rates and sizes anew, so that a family is a region
and not a sound. Only relative level matters: the mixing sets the absolute one.
"""

import numpy as np

from sound import band, bumpy, place, ring, shaped, slow, uniform_log
from speech import RATE


def hiss(random, count):
    tilt = random.uniform(-9, 4)
    bumps = bumpy(random, random.uniform(0, 8))
    return shaped(random, count, lambda f: tilt * np.log2(f / 500) + bumps(f))


def modulated(random, count):
    """Noise without rest: one to five colours, each of which swells and ebbs by itself, in seconds or minutes."""
    sound = np.zeros(count)
    for _ in range(random.integers(1, 6)):
        layer, depth = hiss(random, count), random.uniform(2, 14)
        curve = slow(random, count, uniform_log(random, 0.1, 16))
        sound += uniform_log(random, 0.2, 1) * layer / layer.std() * 10 ** (depth * curve / 20)
    return sound


def impacts(random, count):
    """Steps, pole taps, knocks, hammering: struck bodies and bursts, in a rhythm or without one."""
    sound = np.zeros(count)
    rate = uniform_log(random, 0.5, 8)
    jitter = random.choice([0.03, 0.15, 1.0])
    is_pair = random.random() < 0.5
    decay = uniform_log(random, 0.004, 0.06)
    low, high = uniform_log(random, 60, 600), uniform_log(random, 1200, 7000)
    rings = random.random() < 0.4
    modes = uniform_log(random, 100, 2500)
    now = random.uniform(0, 1 / rate)
    while now * RATE < count:
        for offset, gain in ((0, 1.0), (random.uniform(0.05, 0.13), 0.6))[: 2 if is_pair else 1]:
            length = int(8 * decay * RATE)
            envelope = np.exp(-np.arange(length) / (decay * random.uniform(0.7, 1.3)) / RATE)
            piece = band(random, random.standard_normal(length) * envelope, low, high * random.uniform(0.6, 1))
            if rings:
                body = ring(random, 4, modes, 3 * modes, decay, 4 * decay, 4 * length)
                piece = np.concatenate([piece, np.zeros(3 * length)]) + 0.5 * body
            place(sound, int((now + offset) * RATE), gain * random.uniform(0.4, 1.6) * piece)
        now += (1 + jitter * random.uniform(-1, 1)) / rate if jitter < 1 else random.exponential(1 / rate)
    return sound


def crackle(random, count):
    """Clicks, typing, fire: short events without rhythm, from a few to hundreds a second."""
    sound = np.zeros(count)
    rate = uniform_log(random, 1.5, 150)
    total = random.poisson(rate * count / RATE)
    shapes = [
        ring(random, 3, 300, 7000, 0.0003, 0.01, 800) + random.uniform(0, 1) * random.standard_normal(800)
        * np.exp(-np.arange(800) / RATE / uniform_log(random, 0.0003, 0.008))
        for _ in range(12)
    ]
    lull = slow(random, count, uniform_log(random, 0.3, 3)) > random.uniform(-2, 0.5)
    for start in random.integers(0, count, total):
        if lull[start]:
            place(sound, start, np.exp(random.standard_normal()) * shapes[random.integers(12)])
    return sound


def breath(random, count):
    """Breathing and puffing: bands of noise in and out, sometimes through something like a mouth."""
    sound = np.zeros(count)
    now = random.uniform(0, 1)
    pace = random.uniform(0.5, 1.6)
    centre_in, centre_out = uniform_log(random, 500, 2500), uniform_log(random, 300, 1600)
    ratio = random.uniform(1.8, 5)
    while now * RATE < count:
        for centre, gain, length in ((centre_in, random.uniform(0.3, 1), 0.55), (centre_out, 1.0, 0.65)):
            seconds = pace * length * random.uniform(0.7, 1.3)
            size = int(seconds * RATE)
            piece = band(random, random.standard_normal(size), centre / ratio, centre * ratio)
            if random.random() < 0.4:
                piece += 0.7 * band(random, random.standard_normal(size), 2 * centre, 2.6 * centre)
            phase = np.arange(size) / size
            skew = random.uniform(0.6, 1.6)
            place(sound, int(now * RATE), gain * piece * np.sin(np.pi * phase**skew) ** random.uniform(0.7, 2))
            now += seconds + pace * random.uniform(0.02, 0.3)
    return sound


def rain(random, count):
    """Drops on cloth, stone or water over a hiss of far drops."""
    sound = np.zeros(count)
    rate = uniform_log(random, 8, 400)
    drops = [
        ring(random, 2, 500, 6000, 0.001, 0.02, 1200) + random.standard_normal(1200)
        * np.exp(-np.arange(1200) / RATE / uniform_log(random, 0.001, 0.006))
        for _ in range(16)
    ]
    for start in random.integers(0, count, random.poisson(rate * count / RATE)):
        place(sound, start, np.exp(0.8 * random.standard_normal()) * drops[random.integers(16)])
    far = shaped(random, count, lambda f: 2 * np.log2(f / 500))
    swell = 10 ** (3 * slow(random, count, 0.3) / 20)
    return (sound / sound.std() + random.uniform(0, 1.5) * far / far.std()) * swell


def rub(random, count):
    """Cloth and straps on a microphone: irregular bursts of dull and bright noise."""
    sound = np.zeros(count)
    now = random.uniform(0, 1)
    while now * RATE < count:
        size = int(uniform_log(random, 0.05, 0.8) * RATE)
        low = uniform_log(random, 40, 1500)
        piece = band(random, random.standard_normal(size), low, low * uniform_log(random, 2, 12))
        rough = np.maximum(0, 1 + 0.8 * slow(random, size, uniform_log(random, 5, 60)))
        swell = np.sin(np.pi * np.arange(size) / size) ** random.uniform(0.3, 2)
        place(sound, int(now * RATE), uniform_log(random, 0.3, 3) * piece / (piece.std() + 1e-9) * rough * swell)
        now += size / RATE + random.exponential(uniform_log(random, 0.05, 1.0))
    return sound


def water(random, count):
    """A stream: bubbles, each a short rising tone, over a hiss."""
    sound = np.zeros(count)
    rate = uniform_log(random, 10, 120)
    for start in random.integers(0, count, random.poisson(rate * count / RATE)):
        size = int(uniform_log(random, 0.01, 0.1) * RATE)
        time = np.arange(size) / RATE
        frequency = uniform_log(random, 250, 3500)
        turns = frequency * (time + uniform_log(random, 0.3, 5) * time**2)
        bubble = np.sin(6.2832 * turns) * np.exp(-5 * time * RATE / size)
        place(sound, start, np.exp(0.7 * random.standard_normal()) * bubble)
    flow = hiss(random, count)
    return sound / (sound.std() + 1e-9) + random.uniform(0.1, 1.5) * flow / flow.std()


def applause(random, count):
    """Many hands: dense bursts around a common colour."""
    rate = uniform_log(random, 15, 300)
    sound = np.zeros(count)
    claps = []
    for _ in range(12):
        centre = uniform_log(random, 600, 2500)
        envelope = np.exp(-np.arange(900) / RATE / uniform_log(random, 0.003, 0.015))
        claps.append(band(random, random.standard_normal(900) * envelope, centre / 1.5, centre * 1.8))
    swell = 10 ** (random.uniform(0, 8) * slow(random, count, uniform_log(random, 0.2, 1)) / 20)
    for start in random.integers(0, count, random.poisson(rate * count / RATE)):
        place(sound, start, uniform_log(random, 0.1, 1) * claps[random.integers(12)])
    return sound * swell
