"""Invented noises, each a function of a random generator and a number of samples at 16 kHz.

No noise is a recording. Every call draws its spectrum, rates and sizes anew, so that a family is a region
and not a sound. Only relative level matters: the mixing sets the absolute one.
"""

import numpy as np
from scipy.signal import butter, lfilter, sosfilt

from speech import RATE


def uniform_log(random, low, high):
    return float(np.exp(random.uniform(np.log(low), np.log(high))))


def shaped(random, count, gain_db):
    """Gaussian noise whose spectrum in dB is a function of the frequencies in Hz."""
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    spectrum = random.standard_normal(len(frequencies)) + 1j * random.standard_normal(len(frequencies))
    return np.fft.irfft(spectrum * 10 ** (gain_db(np.maximum(frequencies, 10)) / 20), count)


def bumpy(random, spread_db, bumps=8):
    """A smooth random response in dB over octaves from 50 Hz to 8 kHz."""
    places = np.linspace(np.log2(50), np.log2(8000), bumps)
    heights = spread_db * random.standard_normal(bumps)
    return lambda f: np.interp(np.log2(f), places, heights)


def slow(random, count, hertz):
    """A random curve of unit variance that changes about `hertz` times a second."""
    step = max(1, int(RATE / hertz / 8))
    points = random.standard_normal(count // step + 34)
    kernel = np.hanning(18)[1:-1]
    points = np.convolve(points, kernel / np.sqrt((kernel**2).sum()), "same")[16:-16]
    return np.interp(np.arange(count) / step, np.arange(len(points)), points)


def band(random, sound, low, high):
    high = min(high, 7900)
    return sosfilt(butter(2, [low, max(high, 1.2 * low)], "band", fs=RATE, output="sos"), sound)


def place(sound, start, piece):
    end = min(len(sound), start + len(piece))
    if end > start:
        sound[start:end] += piece[: end - start]


def ring(random, modes, low, high, decay_low, decay_high, count):
    """A struck body: decaying modes."""
    time = np.arange(count) / RATE
    sound = np.zeros(count)
    for _ in range(modes):
        decay = uniform_log(random, decay_low, decay_high)
        frequency = uniform_log(random, low, high)
        phase = random.uniform(0, 6.28)
        sound += random.uniform(0.2, 1) * np.exp(-time / decay) * np.sin(6.2832 * frequency * time + phase)
    return sound


def hiss(random, count):
    tilt = random.uniform(-9, 4)
    bumps = bumpy(random, random.uniform(0, 8))
    return shaped(random, count, lambda f: tilt * np.log2(f / 500) + bumps(f))


def modulated(random, count):
    """Noise that swells and ebbs, a few times a second or a few times a minute."""
    depth = random.uniform(2, 14)
    sound = hiss(random, count) * 10 ** (depth * slow(random, count, uniform_log(random, 0.1, 16)) / 20)
    if random.random() < 0.5:
        sound += hiss(random, count) * 10 ** (depth * slow(random, count, uniform_log(random, 0.1, 16)) / 20)
    return sound


def wind(random, count):
    corner = uniform_log(random, 30, 150)
    slope = random.uniform(3, 7)
    rumble = shaped(random, count, lambda f: -slope * np.log2(1 + (f / corner) ** 2))
    corner_2 = uniform_log(random, 150, 700)
    buffet = shaped(random, count, lambda f: -5 * np.log2(1 + (f / corner_2) ** 2) - 9 * np.maximum(0, np.log2(90 / f)))
    gust = 10 ** (random.uniform(3, 10) * slow(random, count, uniform_log(random, 0.2, 1.5)) / 20)
    burst = np.maximum(0, slow(random, count, uniform_log(random, 2, 12)) - random.uniform(0, 1)) ** 1.5
    hiss_part = shaped(random, count, lambda f: -3 * np.log2(f / 500))
    sound = rumble / rumble.std() * gust + random.uniform(0.1, 1.5) * buffet / buffet.std() * burst * gust
    return sound + 0.02 * random.random() * hiss_part / hiss_part.std() * gust**2


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


def engine(random, count):
    """A harmonic comb whose pitch and load wander: engines, fans, drills, pumps."""
    pitch = uniform_log(random, 18, 350)
    wander = random.uniform(0.002, 0.2)
    curve = pitch * 2 ** (wander * slow(random, count, uniform_log(random, 0.1, 2)))
    phase = 6.2832 * np.cumsum(curve) / RATE
    sound = np.zeros(count)
    tilt = random.uniform(0.3, 1.6)
    response = bumpy(random, 6)
    for harmonic in range(1, min(40, int(7500 / pitch)) + 1):
        gain = harmonic**-tilt * 10 ** (response(np.array([harmonic * pitch]))[0] / 20) * random.uniform(0.3, 1)
        sound += gain * np.sin(harmonic * phase + random.uniform(0, 6.28))
    beat = 1 + random.uniform(0, 0.8) * np.sin(phase / random.choice([1, 2, 4]))
    noise = hiss(random, count)
    load = 10 ** (random.uniform(0, 5) * slow(random, count, uniform_log(random, 0.1, 3)) / 20)
    return (sound / sound.std() + random.uniform(0.05, 1.5) * noise / noise.std() * beat) * load


def tones(random, count):
    """Beeps, sirens, whistles: one to three tones, steady, gliding or keyed."""
    sound = np.zeros(count)
    for _ in range(random.integers(1, 4)):
        frequency = uniform_log(random, 150, 4500)
        kind = random.integers(3)
        if kind == 0:
            curve = np.full(count, frequency)
        elif kind == 1:
            sweep = random.uniform(0.1, 1) * np.sin(6.2832 * uniform_log(random, 0.1, 6) * np.arange(count) / RATE)
            curve = frequency * 2**sweep
        else:
            curve = frequency * 2 ** (random.uniform(0.05, 0.5) * slow(random, count, uniform_log(random, 0.3, 5)))
        phase = 6.2832 * np.cumsum(curve) / RATE
        tone = sum(random.random() / k * np.sin(k * phase) for k in (1, 2, 3))
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


def music(random, count):
    """Notes of several instruments with harmonics and decays, chords, now and then a drum."""
    sound = np.zeros(count)
    tempo = uniform_log(random, 1.2, 8)
    for _ in range(random.integers(1, 4)):
        base = uniform_log(random, 60, 700)
        tilt, attack, decay = random.uniform(0.5, 2), uniform_log(random, 0.003, 0.1), uniform_log(random, 0.08, 1.5)
        vibrato = random.uniform(0, 0.015)
        now = 0.0
        while now * RATE < count:
            size = int(min(4 * decay, 2) * RATE)
            time = np.arange(size) / RATE
            for _ in range(random.integers(1, 4)):
                pitch = base * 2 ** (random.integers(-7, 13) / 12)
                phase = 6.2832 * pitch * (time + vibrato / 31 * np.sin(31 * time))
                harmonics = np.arange(1, max(2, min(12, int(7500 / pitch))))
                note = sum(h**-tilt * np.sin(h * phase) for h in harmonics)
                place(sound, int(now * RATE), note * np.minimum(1, time / attack) * np.exp(-time / decay))
            now += random.choice([1, 1, 2, 4]) / tempo
    if random.random() < 0.5:
        drum = impacts(random, count)
        sound += random.uniform(0.1, 0.8) * sound.std() * drum / (drum.std() + 1e-9)
    return sound


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
        place(sound, start, np.exp(0.7 * random.standard_normal()) * np.sin(6.2832 * turns) * np.exp(-5 * time * RATE / size))
    flow = hiss(random, count)
    return sound / (sound.std() + 1e-9) + random.uniform(0.1, 1.5) * flow / flow.std()


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
        carrier = band(random, random.standard_normal(count), *(lambda f: (f, f * random.uniform(1.05, 1.5)))(uniform_log(random, 2000, 6000)))
        sound += random.random() * carrier * pulses * lfilter([0.002], [1, -0.998], song.astype(float))
    return sound + 0.003 * random.standard_normal(count)


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
            place(sound, int(now * RATE), random.uniform(0.5, 1.5) * piece * np.sin(np.pi * phase ** random.uniform(0.3, 1)))
            now += length * random.uniform(1.2, 3)
        now += random.exponential(2)
    return sound + 0.003 * random.standard_normal(count)


# The families that need no speech. `babble` and `echo of speech` are in scenes.py: they are made of voices.
TRAINED = [
    hiss, modulated, wind, impacts, crackle, breath, rain, engine, tones, birds,
    music, rub, water, machine, insects, applause, calls,
]
