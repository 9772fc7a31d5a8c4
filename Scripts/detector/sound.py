"""What invented sounds are made of: coloured noise, slow curves, struck bodies, all at 16 kHz."""

import numpy as np
from scipy.signal import butter, sosfilt

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
