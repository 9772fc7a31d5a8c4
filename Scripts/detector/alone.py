"""What is heard where nobody speaks: invented beds for a microphone that nobody talks into.

Each is a function of a random generator and a number of samples, and its level is its own, in ±1: a floor that begins
out of digital silence must not be scaled by what follows. What opens a gate here is sent for nothing.
"""

import numpy as np

import noises
import outdoors
import pitched
import players
from sound import band, bumpy, place, shaped, slow, uniform_log
from speech import RATE

STEADY = [
    noises.hiss, noises.modulated, noises.rain, noises.water, noises.applause, outdoors.wind, pitched.engine,
    pitched.machine,
]


def at_level(sound, low, high, random):
    """The sound at a level drawn between two, in dB below full scale."""
    return sound / (sound.std() + 1e-12) * 10 ** (random.uniform(low, high) / 20)


def music(random, count):
    return at_level(players.radio(random, count), -60, -14, random)


def tones(random, count):
    return at_level(pitched.tones(random, count), -60, -14, random)


def ramps(random, count, least, most):
    """Decibels that rise to between `least` and `most` within 1 to 25 s, stay, and fall, again and again."""
    moments, heights = [0.0], [0.0]
    while moments[-1] < count / RATE:
        height = random.uniform(least, most)
        for seconds, level in (
            (random.uniform(0, 15), 0), (uniform_log(random, 1, 25), height), (random.uniform(1, 25), height),
            (uniform_log(random, 0.5, 15), 0),
        ):
            moments.append(moments[-1] + seconds)
            heights.append(level)
    return np.interp(np.arange(count) / RATE, moments, heights)


def blades(random, count, rise):
    """A fan, a blower, a pump: rushing air and the tones of its blades, which climb a little where it grows louder."""
    speed = 10 ** (random.uniform(0, 0.012) * rise)
    turns = np.cumsum(uniform_log(random, 25, 400) * speed * (1 + 0.004 * slow(random, count, 0.5))) / RATE
    colour, corner = bumpy(random, 6), uniform_log(random, 120, 1500)
    air = shaped(random, count, lambda f: -random.choice([3, 5]) * np.log2(1 + (f / corner) ** 2) + colour(f))
    tones = np.zeros(count)
    for number in range(1, random.integers(2, 16)):
        tones += uniform_log(random, 0.05, 1) / number * np.sin(6.2832 * (number * turns + random.random()))
    return air / air.std() + uniform_log(random, 0.1, 4) * tones / (tones.std() + 1e-9)


def surging(random, count):
    """Water or wind that swells, a fan or an engine that is turned up: by 8 to 32 dB, with tones or without."""
    rise = ramps(random, count, 8, 32)
    if random.random() < 0.45:
        sound = blades(random, count, rise)
    else:
        sound = STEADY[random.integers(len(STEADY))](random, count)
    quiet = 10 ** (random.uniform(-72, -45) / 20)
    return quiet * sound / (sound.std() + 1e-12) * 10 ** (rise / 20)


def one_breath(random, seconds, centre, width, peak):
    """Air through a mouth or a nose: noise around one or two resonances, which may wander as the mouth opens."""
    size = int(seconds * RATE)
    air = random.standard_normal(size)
    sound = band(random, air, max(60, centre / width), centre * width)
    if random.random() < 0.5:
        other = min(centre * random.uniform(1.8, 3.5), 8660)
        sound = sound + random.uniform(0.1, 1) * band(random, air, other / 1.3, other * 1.3)
    phase = np.arange(size) / size
    swell = (phase / peak) ** random.uniform(0.7, 2.5) * np.exp(1 - (phase / peak) ** random.uniform(1, 3))
    swell *= np.minimum(1, 8 * (1 - phase))
    return sound / (sound.std() + 1e-9) * swell * (1 + random.uniform(0, 0.3) * slow(random, size, 20))


def breathing(random, count):
    """Somebody who does nothing but breathe: asleep, at rest, on a climb, close to the microphone or not."""
    if random.random() < 0.2:
        return at_level(noises.breath(random, count), -58, -24, random)
    sound = np.zeros(count)
    inward, outward = uniform_log(random, 500, 3000), uniform_log(random, 250, 2000)
    width, share = uniform_log(random, 1.3, 4), random.uniform(0.25, 0.55)
    pause, unrest = random.choice([0.02, 0.1, 0.4]), random.uniform(0.03, 0.3)
    strength, peak = (uniform_log(random, 0.1, 1), 1.0), random.uniform(0.25, 0.7)
    pace, drift = uniform_log(random, 10, 50), slow(random, count, 0.05)
    now = random.uniform(0, 2)
    while now * RATE < count:
        seconds = 60 / pace * 2 ** (0.3 * drift[int(now * RATE)]) * np.exp(unrest * random.standard_normal())
        for centre, gain, part in ((inward, strength[0], share), (outward, strength[1], 1 - share)):
            length = max(0.12, seconds * part * (1 - pause))
            piece = one_breath(random, length, centre * np.exp(0.1 * random.standard_normal()), width, peak)
            place(sound, int(now * RATE), gain * random.uniform(0.6, 1.2) * piece)
            now += length + seconds * part * pause
    floor = noises.hiss(random, count)
    return at_level(sound, -58, -24, random) + at_level(floor, -90, -60, random)


def dawning(random, count):
    """Digital silence and a floor that begins and ends in it, now softly, now at once."""
    sound = noises.hiss(random, count) if random.random() < 0.5 else random.standard_normal(count)
    if random.random() < 0.2:
        hum = np.sin(6.2832 * random.choice([50, 60, 100, 120]) * np.arange(count) / RATE)
        sound = sound / sound.std() + random.uniform(0, 1) * hum
    is_open, at = np.zeros(count), 0
    fade = int(uniform_log(random, 0.0005, 0.5) * RATE)
    while at < count:
        at += int(uniform_log(random, 0.3, 15) * RATE)
        size = int(uniform_log(random, 0.5, 20) * RATE)
        place(is_open, at, np.minimum(1, np.minimum(np.arange(size), np.arange(size)[::-1]) / fade))
        at += size
    return at_level(sound, -80, -52, random) * is_open


def settling(random, count):
    """A floor that finds its level: steps and slides as a microphone wakes, a hood goes up, a window shuts."""
    sound = STEADY[random.integers(len(STEADY))](random, count)
    curve, smooth = np.zeros(count), uniform_log(random, 0.01, 4)
    for start in random.integers(0, count, random.integers(1, 7)):
        after = np.arange(count - start) / RATE
        curve[start:] += random.uniform(-22, 22) * (1 - np.exp(-after / smooth))
    return at_level(sound * 10 ** (np.clip(curve - curve.mean(), -25, 25) / 20), -65, -35, random)


def still(random, count):
    """A quiet bed: a room, a road far away, leaves, mains hum; hardly more than the microphone's own."""
    tilt, colour = random.uniform(-9, 4), bumpy(random, random.uniform(0, 6))
    low = uniform_log(random, 20, 200)
    sound = shaped(random, count, lambda f: tilt * np.log2(f / 500) + colour(f) - 6 * np.maximum(0, np.log2(low / f)))
    if random.random() < 0.3:
        turns = random.choice([50, 60]) * np.arange(count) / RATE
        hum = sum(random.random() / k * np.sin(6.2832 * k * turns) for k in range(1, 9))
        sound = sound / sound.std() + uniform_log(random, 0.05, 1) * hum / hum.std()
    sound *= 10 ** (random.choice([0, 1, 2]) * slow(random, count, uniform_log(random, 0.05, 1)) / 20)
    return at_level(sound, -75, -40, random)


# A scene's sort, and what is heard in it; of what is far off, scenes.far_talk makes the rest.
SORTS = {
    "music": music, "surging": surging, "alone": breathing, "dawning": dawning, "settling": settling, "still": still,
    "tones": tones,
}
