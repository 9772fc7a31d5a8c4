"""Invented music: players who keep time together, in a room or through a loudspeaker.

Every instrument, tune, beat and room is drawn; no tune is anybody's. Like the noises of noises.py, music is a function
of a random generator and a number of samples, and only relative level matters.
"""

import numpy as np
from scipy.signal import fftconvolve, lfilter

from sound import band, bumpy, place, slow, uniform_log
from speech import RATE

# Steps of a scale in semitones: major, minor, harmonic minor, Dorian, two pentatonic ones, the blues, whole tones.
SCALES = [
    [0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10], [0, 2, 3, 5, 7, 8, 11], [0, 2, 3, 5, 7, 9, 10],
    [0, 2, 4, 7, 9], [0, 3, 5, 7, 10], [0, 3, 5, 6, 7, 10], [0, 2, 4, 6, 8, 10],
]
# How long notes last, in beats: even runs, a slow tune, a dotted one, triplets.
RHYTHMS = [[0.5], [1, 1, 2], [1.5, 0.5], [1, 0.5, 0.5], [0.25, 0.25, 0.5], [1 / 3, 1 / 3, 1 / 3], [2, 4], [0.75, 0.25]]


def semitones(steps):
    return 2 ** (steps / 12)


class Instrument:
    """One of four ways to sound a pitch, with its colour, its beginning and its end."""

    def __init__(self, random):
        self.random = random
        self.kind = random.choice(["plucked", "blown", "bell", "organ"], p=[0.3, 0.35, 0.15, 0.2])
        self.tilt, self.colour = random.uniform(0.3, 2.2), bumpy(random, random.uniform(0, 7))
        self.is_odd = random.random() < 0.2
        self.attack = uniform_log(random, 0.002, 0.03 if self.kind in ("plucked", "bell") else 0.25)
        self.decay = uniform_log(random, 0.15, 3)
        self.vibrato, self.wobble = random.uniform(0, 0.06) * (random.random() < 0.6), random.uniform(4, 7.5)
        self.tremolo = random.uniform(0, 0.5) * (random.random() < 0.3)
        self.breath = uniform_log(random, 0.003, 0.3) if self.kind == "blown" else 0
        self.ratio, self.index = random.choice([0.5, 1, 1.41, 2, 3, 3.5]), random.uniform(0.3, 5)
        self.voices = random.choice([1, 1, 1, 2, 4])
        self.damping, self.brightness = random.uniform(0.985, 0.999), random.uniform(0.2, 1)

    def note(self, pitch, seconds, before=None):
        """A note of so many Hz; one that slides in from the one before, if that is given."""
        size = max(64, int(seconds * RATE))
        if self.kind == "plucked":
            sound = self.string(pitch, size)
        elif self.kind == "bell":
            sound = self.modulated(self.turns(pitch, size, None))
        else:
            sound = sum(self.overtones(pitch, self.turns(pitch * semitones(0.15 * k), size, before))
                        for k in self.random.standard_normal(self.voices))
        if self.breath:
            air = band(self.random, self.random.standard_normal(size), pitch, 4 * pitch)
            sound = sound / (sound.std() + 1e-9) + self.breath * air / (air.std() + 1e-9)
        return sound / (sound.std() + 1e-9) * self.shape(size)

    def shape(self, size):
        time = np.arange(size) / RATE
        shape = np.minimum(1, time / self.attack)
        if self.kind in ("plucked", "bell"):
            shape = shape * np.exp(-time / self.decay)
        end = min(size // 3, int(0.05 * RATE))
        shape[-end:] *= np.linspace(1, 0, end)
        return shape * (1 + self.tremolo * np.sin(6.2832 * self.wobble * time))

    def turns(self, pitch, size, before):
        """How often the pitch has gone round: with a vibrato that comes late, and a slide into it."""
        time = np.arange(size) / RATE
        bend = self.vibrato * 12 * np.minimum(1, time / 0.4) * np.sin(6.2832 * self.wobble * time)
        if before is not None:
            bend = bend + 12 * np.log2(before / pitch) * np.exp(-time / 0.04)
        return np.cumsum(pitch * semitones(bend)) / RATE

    def overtones(self, pitch, turns):
        count = int(min(24, 7500 / pitch)) + 1
        numbers = np.arange(1, count + 1, 2 if self.is_odd else 1)
        gains = numbers ** -self.tilt * 10 ** (self.colour(np.maximum(numbers * pitch, 50)) / 20)
        sound, turned = np.zeros(len(turns)), np.exp(6.2832j * turns)
        step = turned * turned if self.is_odd else turned.copy()
        for gain, phase in zip(gains, self.random.uniform(0, 6.28, len(gains))):
            sound += (gain * np.exp(1j * phase) * turned).imag
            turned *= step
        return sound

    def modulated(self, turns):
        """One sine turns another: bells, electric pianos (Chowning 1973)."""
        fading = np.exp(-np.arange(len(turns)) / RATE / (0.4 * self.decay))
        return np.sin(6.2832 * turns + self.index * fading * np.sin(6.2832 * self.ratio * turns))

    def string(self, pitch, size):
        """Noise that goes round a string and loses its edge (Karplus and Strong 1983)."""
        period = max(3, int(RATE / pitch))
        burst = np.zeros(size)
        burst[: min(period, size)] = self.random.standard_normal(min(period, size))
        burst = lfilter([self.brightness], [1, self.brightness - 1], burst)
        loop = np.zeros(period + 2)
        loop[0], loop[period:] = 1, [-0.5 * self.damping, -0.5 * self.damping]
        return lfilter([1], loop, burst)


class Tune:
    """What the players agree on: key, scale, chords and beat."""

    def __init__(self, random):
        self.random = random
        self.beat = 60 / uniform_log(random, 48, 190)
        self.key = uniform_log(random, 55, 110)
        self.scale = SCALES[random.integers(len(SCALES))]
        self.chords = random.integers(0, len(self.scale), random.integers(1, 9)).tolist()
        self.beats_per_chord = int(random.choice([2, 3, 4, 4, 8]))
        self.swing = random.uniform(0, 0.02)

    def pitch(self, degree, octave):
        octaves, step = divmod(int(degree), len(self.scale))
        return self.key * semitones(self.scale[step] + 12 * (octaves + octave))

    def chord_at(self, beats):
        return self.chords[int(beats // self.beats_per_chord) % len(self.chords)]

    def at(self, beats):
        return int(max(0, beats * self.beat + self.swing * self.random.standard_normal()) * RATE)


def melody(random, tune, count):
    """One voice that wanders on the scale and rests now and then."""
    instrument, sound = Instrument(random), np.zeros(count)
    octave, rest = int(random.integers(1, 4)), random.uniform(0, 0.35)
    slides = random.random() < 0.3
    beats, degree, before = 0.0, 0, None
    rhythm = RHYTHMS[random.integers(len(RHYTHMS))]
    while beats * tune.beat * RATE < count:
        for length in rhythm:
            degree = int(np.clip(degree + random.choice([-3, -2, -1, -1, 0, 1, 1, 2, 4]), -4, 9))
            if random.random() > rest:
                pitch = min(tune.pitch(tune.chord_at(beats) * (random.random() < 0.3) + degree, octave), 3000)
                held = length * tune.beat * random.choice([0.5, 0.9, 1.1])
                piece = instrument.note(pitch, held, before if slides else None)
                place(sound, tune.at(beats), random.uniform(0.5, 1) * piece)
                before = pitch
            beats += length
        if random.random() < 0.2:
            rhythm = RHYTHMS[random.integers(len(RHYTHMS))]
    return sound


def chords(random, tune, count):
    """Three or four notes at a time: held, struck on the beat, or one after another."""
    instrument, sound = Instrument(random), np.zeros(count)
    octave, tones = int(random.integers(1, 3)), int(random.integers(2, 5))
    way, length = random.integers(3), float(random.choice([0.5, 1, 2]))
    beats, kept = 0.0, {}
    while beats * tune.beat * RATE < count:
        held = (tune.beats_per_chord if way == 0 else length) * tune.beat
        for tone in range(tones):
            pitch = tune.pitch(tune.chord_at(beats) + 2 * tone, octave)
            if pitch not in kept:
                kept[pitch] = instrument.note(min(pitch, 2500), min(held, 6))
            late = tone * length / tones if way == 2 else 0
            place(sound, tune.at(beats + late), kept[pitch])
        beats += tune.beats_per_chord if way == 0 else length
    return sound


def bass(random, tune, count):
    instrument, sound = Instrument(random), np.zeros(count)
    rhythm = RHYTHMS[random.integers(len(RHYTHMS))]
    fifth = random.random() < 0.5
    beats, kept = 0.0, {}
    while beats * tune.beat * RATE < count:
        for turn, length in enumerate(rhythm):
            degree = tune.chord_at(beats) + (4 if fifth and turn % 2 else 0)
            pitch = tune.pitch(degree, 0)
            if (pitch, length) not in kept:
                kept[pitch, length] = instrument.note(pitch, 0.95 * length * tune.beat)
            place(sound, tune.at(beats), kept[pitch, length])
            beats += length
    return sound


def kick(random):
    time = np.arange(int(0.35 * RATE)) / RATE
    drop, end = random.uniform(60, 250), random.uniform(40, 70)
    turns = end * time + drop * 0.03 * (1 - np.exp(-time / 0.03))
    return 2 * np.sin(6.2832 * turns) * np.exp(-time / uniform_log(random, 0.05, 0.2))


def snare(random):
    time = np.arange(int(0.3 * RATE)) / RATE
    low = uniform_log(random, 300, 2500)
    rattle = band(random, random.standard_normal(len(time)), low, 7500)
    skin = np.sin(6.2832 * uniform_log(random, 120, 350) * time) * np.exp(-time / 0.05)
    return (2 * rattle + random.uniform(0, 1) * skin) * np.exp(-time / uniform_log(random, 0.03, 0.12))


def hat(random):
    time = np.arange(int(0.25 * RATE)) / RATE
    metal = band(random, random.standard_normal(len(time)), uniform_log(random, 3500, 6500), 7900)
    return metal * np.exp(-time / uniform_log(random, 0.01, 0.12))


def drums(random, tune, count):
    """A bar of sixteen steps, again and again, and now and then another."""
    sound, kit = np.zeros(count), [(kick(random), 0.25), (snare(random), 0.15), (hat(random), 0.5)]
    bar = [random.random(16) < share * np.where(np.arange(16) % 4 == 0, 2, 0.7) for _, share in kit]
    step = 0
    while step / 4 * tune.beat * RATE < count:
        for (piece, _), steps in zip(kit, bar):
            if steps[step % 16] != (random.random() < 0.03):
                place(sound, tune.at(step / 4), random.uniform(0.5, 1) * piece)
        step += 1
    return sound


def hall(random, sound):
    """Players in a room: their sound comes back for 0.2 to 3 s."""
    time = np.arange(2 * RATE) / RATE
    tail = random.standard_normal(len(time)) * np.exp(-6.9 * time / uniform_log(random, 0.2, 3))
    tail *= uniform_log(random, 0.1, 2) / np.sqrt((tail**2).sum())
    tail[0] = 1
    return fftconvolve(sound, tail)[: len(sound)]


def song(random, count):
    tune, sound = Tune(random), np.zeros(count)
    players = [melody] * random.integers(0, 3) + [chords] * random.integers(0, 3) + [bass] * random.integers(0, 2)
    for player in players or [melody]:
        part = player(random, tune, count)
        sound += uniform_log(random, 0.25, 1) * part / (part.std() + 1e-9)
    if random.random() < 0.55:
        beat = drums(random, tune, count)
        sound += uniform_log(random, 0.15, 1.5) * sound.std() * beat / (beat.std() + 1e-9)
    if random.random() < 0.5:
        sound = hall(random, sound)
    return sound / (sound.std() + 1e-9)


def radio(random, count):
    """Songs one after another, with rests and fades: from a stage, a loudspeaker, the room next door."""
    sound, at = np.zeros(count), -int(random.uniform(0, 20) * RATE)
    while at < count:
        size = int(uniform_log(random, 15, 120) * RATE)
        end, start = min(at + size, count), max(at, 0)
        if end - start > RATE:
            piece = song(random, end - start)
            ramp = min(int(uniform_log(random, 0.02, 5) * RATE), len(piece) // 2)
            piece[:ramp] *= np.linspace(0, 1, ramp)
            piece[-ramp:] *= np.linspace(1, 0, ramp)
            sound[start:end] += uniform_log(random, 0.5, 1) * piece
        at += size + int(random.exponential(1.5) * RATE)
    if random.random() < 0.3:
        sound *= 10 ** (random.uniform(1, 5) * slow(random, count, uniform_log(random, 0.05, 0.5)) / 20)
    if random.random() < 0.35:
        sound = band(random, sound, uniform_log(random, 60, 500), uniform_log(random, 2500, 7500))
    elif random.random() < 0.3:
        corner = uniform_log(random, 200, 1200)
        keep = np.exp(-6.2832 * corner / RATE)
        sound = lfilter([1 - keep], [1, -keep], sound)
    return sound
