"""People who never were: recorded talk spurts as others might have said them, elsewhere.

A handful of speakers teaches a detector those speakers, and their microphones. Pitch, length of the throat, pace,
breath, dynamics and the way to the recording are therefore drawn anew for every spurt, each by itself, as widely as
people differ: from a creaking bass to a small child, from a clear voice to a hoarse one, from a studio to a toy.
"""

import numpy as np
from scipy.signal import resample_poly

from sound import band, bumpy, uniform_log
from speech import RATE

SIZE, HOP = 512, 128
WINDOW = np.hanning(SIZE + 1)[:-1]
# Envelopes are cepstra up to 1.75 ms: below the period of the highest voice, above the formants' detail.
LIFTER = 28
PITCH_LOW, PITCH_HIGH = 0.62, 1.9


def stretched(sound, factor, hop=160, reach=120):
    """The sound as long as the factor says at the pitch that it has (WSOLA: Verhelst and Roelands 1993)."""
    if abs(factor - 1) < 0.02 or len(sound) < 4 * hop + reach:
        return sound
    count = int(len(sound) * factor)
    window = np.hanning(2 * hop + 1)[:-1]
    padded = np.concatenate([np.zeros(reach), sound, np.zeros(3 * hop + 2 * reach)])
    result = np.zeros(count + 2 * hop)
    at = reach
    for start in range(0, count, hop):
        if start:
            natural = padded[at + hop : at + 3 * hop]
            ideal = reach + int(start / factor)
            likeness = np.correlate(padded[ideal - reach : ideal + reach + 2 * hop], natural, "valid")
            at = ideal - reach + int(np.argmax(likeness))
        result[start : start + 2 * hop] += window * padded[at : at + 2 * hop]
        at = min(at, len(padded) - 3 * hop)
    return result[:count]


def envelopes(spectra):
    """The natural logarithm of each spectrum's smooth envelope."""
    cepstra = np.fft.irfft(np.log(np.abs(spectra) + 1e-5))
    cepstra[:, LIFTER : SIZE - LIFTER + 1] = 0
    return np.fft.rfft(cepstra).real


def way(random):
    """From mouth to recording: the gain in each bin, as a natural logarithm."""
    frequencies = np.maximum(np.arange(SIZE // 2 + 1) * RATE / SIZE, 100)
    decibels = bumpy(random, random.choice([1, 3, 6]))(frequencies)
    decibels = decibels + random.uniform(-4, 3) * np.log2(frequencies / 500)
    if random.random() < 0.35:
        decibels -= 30 * np.maximum(0, np.log2(frequencies / uniform_log(random, 2200, 7000)))
    if random.random() < 0.35:
        decibels -= 18 * np.maximum(0, np.log2(uniform_log(random, 110, 450) / frequencies))
    return np.clip(decibels, -60, 20) * np.log(10) / 20


def spoken_through(random, sound, warp, voiced_below):
    """The sound with its formants moved by a factor, with breath in place of voice above a frequency, recorded."""
    padded = np.pad(sound, (SIZE, SIZE + HOP))
    spectra = np.fft.rfft(WINDOW * np.lib.stride_tricks.sliding_window_view(padded, SIZE)[::HOP])
    before = envelopes(spectra)
    bins = np.arange(before.shape[1])
    sources = np.minimum(bins / warp, bins[-1])
    below = sources.astype(int)
    above = np.minimum(below + 1, bins[-1])
    rest = sources - below
    after = before[:, below] * (1 - rest) + before[:, above] * rest
    gain = way(random)
    moved = spectra * np.exp(np.clip(after - before, -3, 3) + gain)
    breathed = bins * RATE / SIZE > voiced_below
    if breathed.any():
        noise = random.standard_normal(spectra.shape) + 1j * random.standard_normal(spectra.shape)
        moved[:, breathed] = (noise * np.exp(after + gain))[:, breathed]
    frames = np.fft.irfft(moved) * WINDOW
    result = np.zeros(len(padded) + SIZE)
    for place, frame in enumerate(frames):
        result[place * HOP : place * HOP + SIZE] += frame
    return result[SIZE : SIZE + len(sound)] / 1.5


def with_dynamics(sound, power):
    """Weak parts weaker (a power above 1) or stronger (below)."""
    level = np.sqrt(np.convolve(sound**2, np.hanning(480) / 240, "same") + 1e-9)
    return sound * (level / level.max()).clip(1e-2) ** (power - 1)


def begun_with_hiss(random, spurt):
    """The word with a consonant before it that is breath alone, from a back ach to a sharp s, as few recorded words
    begin: without it a detector learns that whatever hisses is noise."""
    count = int(uniform_log(random, 0.05, 0.3) * RATE)
    low = uniform_log(random, 1000, 5000)
    hiss = random.standard_normal(count)
    hiss = 0.1 * random.random() * hiss + band(random, hiss, low, low * uniform_log(random, 1.4, 5))
    onset, overlap = max(1, int(count * random.uniform(0.1, 0.6))), int(random.uniform(0.005, 0.03) * RATE)
    hiss *= np.minimum(1, np.arange(count) / onset) ** random.uniform(0.7, 2)
    hiss[-overlap:] *= np.linspace(1, 0, overlap)
    hiss *= 10 ** (random.uniform(-20, 2) / 20) / (np.sqrt((hiss**2).mean()) + 1e-9)
    # Some close the mouth before the vowel, as in "stone"; the rest run into it.
    start = count + int(random.uniform(0.02, 0.08) * RATE) if random.random() < 0.25 else count - overlap
    result = np.zeros(start + len(spurt))
    result[start:] = spurt
    result[:count] += hiss
    return result


def another(random, spurt):
    """The spurt in another mouth, RMS 1; now and then in its own."""
    if random.random() < 0.15:
        return spurt
    if random.random() < 0.3:
        spurt = begun_with_hiss(random, spurt)
    pitch = uniform_log(random, PITCH_LOW, PITCH_HIGH)
    pace = uniform_log(random, 0.75, 1.35)
    up = int(round(40 / pitch))
    pitch = 40 / up
    sound = resample_poly(stretched(spurt.astype(float), pitch * pace), up, 40)
    throat = pitch**0.35 * 2 ** (0.1 * random.standard_normal())
    voiced_below = uniform_log(random, 1000, 6000) if random.random() < 0.25 else RATE
    sound = spoken_through(random, sound, throat / pitch, voiced_below)
    if random.random() < 0.5:
        sound = with_dynamics(sound, random.uniform(0.7, 1.5))
    return (sound / (np.sqrt((sound**2).mean()) + 1e-9)).astype(np.float32)
