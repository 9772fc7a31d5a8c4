"""Invented noises with a pitch: machines, instruments, animals.

Like those of noises.py, each is a function of a random generator and a number of samples.
"""

import numpy as np
from scipy.signal import lfilter

from noises import hiss
from sound import band, bumpy, place, slow, uniform_log
from speech import RATE


def engine(random, count):
    """A harmonic comb whose pitch and load wander: engines, fans, drills, pumps."""
    pitch = uniform_log(random, 18, 350)
    wander = random.uniform(0.002, 0.2)
    curve = pitch * 2 ** (wander * slow(random, count, uniform_log(random, 0.1, 2)))
    phase = 6.2832 * np.cumsum(curve) / RATE
    sound = np.zeros(count)
    tilt = random.uniform(0.3, 1.6)
    response = bumpy(random, 6)
    turn, turned = np.exp(1j * phase), 1
    for harmonic in range(1, min(40, int(7500 / pitch)) + 1):
        gain = harmonic**-tilt * 10 ** (response(np.array([harmonic * pitch]))[0] / 20) * random.uniform(0.3, 1)
        turned = turned * turn
        sound += (gain * np.exp(1j * random.uniform(0, 6.28)) * turned).imag
    beat = 1 + random.uniform(0, 0.8) * np.sin(phase / random.choice([1, 2, 4]))
    noise = hiss(random, count)
    load = 10 ** (random.uniform(0, 5) * slow(random, count, uniform_log(random, 0.1, 3)) / 20)
    return (sound / sound.std() + random.uniform(0.05, 1.5) * noise / noise.std() * beat) * load


def tones(random, count):
    """Beeps, sirens, whistles: one to three tones, steady, gliding or keyed."""
    sound = np.zeros(count)
    for _ in range(random.integers(1, 4)):
        frequency = uniform_log(random, 150, 4500)
        kind = random.integers(4)
        if kind == 0:
            curve = np.full(count, frequency)
        elif kind == 1:
            sweep = random.uniform(0.1, 1) * np.sin(6.2832 * uniform_log(random, 0.1, 6) * np.arange(count) / RATE)
            curve = frequency * 2**sweep
        elif kind == 2:
            # Up or down at one pace, and back to where it began.
            octaves = random.uniform(-2, 2) * (uniform_log(random, 0.1, 2) * np.arange(count) / RATE % 1)
            curve = np.minimum(frequency * 2**octaves, 7000)
        else:
            curve = frequency * 2 ** (random.uniform(0.05, 0.5) * slow(random, count, uniform_log(random, 0.3, 5)))
        phase = 6.2832 * np.cumsum(curve) / RATE
        overtones = range(1, min(random.integers(2, 8), int(7500 / frequency) + 1))
        tone = sum(random.random() / k * np.sin(k * phase) for k in overtones)
        if random.random() < 0.6:
            keyed = slow(random, count, uniform_log(random, 0.5, 8)) > random.uniform(-0.5, 1)
            tone *= lfilter([0.01], [1, -0.99], keyed.astype(float))
        sound += tone
    return sound + 0.003 * random.standard_normal(count)


def birds(random, count):
    """Chirps, trills and calls; also the howl of an animal that is no person."""
    sound = np.zeros(count)
    for _ in range(random.integers(1, 4)):
        centre = uniform_log(random, 500, 5500)
        now = random.uniform(0, 3)
        while now * RATE < count:
            notes = random.integers(1, 9)
            length = uniform_log(random, 0.03, 0.3)
            glide, trill = random.uniform(-1, 1), random.uniform(0, 0.2)
            for _ in range(notes):
                size = int(length * RATE)
                phase = np.arange(size) / size
                wobble = trill * np.sin(6.2832 * uniform_log(random, 10, 60) * phase * length)
                turns = np.cumsum(np.minimum(centre * 2 ** (glide * (phase - 0.5) + wobble), 7500)) / RATE
                note = np.sin(6.2832 * turns) + random.uniform(0, 0.5) * np.sin(12.566 * turns)
                place(sound, int(now * RATE), note * np.sin(np.pi * phase))
                now += length * random.uniform(1.05, 1.8)
            now += random.exponential(1.5)
    return sound + 0.002 * random.standard_normal(count)


def machine(random, count):
    """Noise chopped by a rotation or stroke: saws, wheels, presses, blowers."""
    rate = uniform_log(random, 1.5, 45)
    curve = rate * (1 + 0.03 * slow(random, count, 0.5))
    phase = np.cumsum(curve) / RATE % 1
    duty, sharpness = random.uniform(0.1, 0.8), uniform_log(random, 1, 20)
    chop = np.clip(sharpness * (duty - phase), 0, 1) * np.clip(sharpness * 3 * phase, 0, 1)
    sound = hiss(random, count) * (random.uniform(0, 0.5) + chop)
    if random.random() < 0.4:
        other = engine(random, count)
        sound += random.uniform(0.2, 1) * sound.std() * other / other.std()
    return sound


def insects(random, count):
    sound = np.zeros(count)
    for _ in range(random.integers(1, 5)):
        time = np.arange(count) / RATE
        pulses = np.maximum(0, np.sin(6.2832 * uniform_log(random, 3, 80) * time)) ** random.uniform(0.5, 4)
        song = slow(random, count, uniform_log(random, 0.2, 2)) > random.uniform(-2, 0.5)
        hiss_alone = random.standard_normal(count)
        low = uniform_log(random, 2000, 6000)
        carrier = band(random, hiss_alone, low, low * random.uniform(1.05, 1.5))
        sound += random.random() * carrier * pulses * lfilter([0.002], [1, -0.998], song.astype(float))
    return sound + 0.003 * random.standard_normal(count)


def calls(random, count):
    """Barks, bleats, honks, squeaks: harmonic and noisy bursts without a sentence's rhythm."""
    sound = np.zeros(count)
    now = random.uniform(0, 2)
    base = uniform_log(random, 150, 1500)
    while now * RATE < count:
        length = uniform_log(random, 0.06, 0.5)
        for _ in range(random.integers(1, 5)):
            size = int(length * RATE)
            phase = np.arange(size) / size
            turns = np.cumsum(base * random.uniform(0.85, 1.15) * 2 ** (random.uniform(-0.6, 0.6) * phase)) / RATE
            tilt = random.uniform(0.2, 1.2)
            piece = sum(k**-tilt * np.sin(6.2832 * k * turns) for k in range(1, max(2, min(12, int(7000 / base)))))
            piece += random.uniform(0, 1.5) * random.standard_normal(size)
            centre = uniform_log(random, 400, 2500)
            piece = band(random, piece, centre / 2.5, centre * 2.5)
            gain, skew = random.uniform(0.5, 1.5), random.uniform(0.3, 1)
            place(sound, int(now * RATE), gain * piece * np.sin(np.pi * phase**skew))
            now += length * random.uniform(1.2, 3)
        now += random.exponential(2)
    return sound + 0.003 * random.standard_normal(count)
