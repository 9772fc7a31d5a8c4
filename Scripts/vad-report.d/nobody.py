"""Writes scenes in which nobody speaks, invented from nothing: what opens a gate that should stay shut.

    python3 Scripts/vad-report.d/nobody.py FOLDER [--minutes N] [--seed N]

For each kind below NAME.16k.wav, NAME.48k.wav and NAME.truth.json, whose "speech_ms" is empty. None of
the recipes is one that the detector was trained on (Scripts/detector).

  music      chords, a bass and a melody with overtones, at 70 to 140 beats a minute; with and without drums
  dawn       digital silence, then noise at -70 dBFS, in turns of 5 s
  river, fan noise of rushing water and of blades that rises by 25 dB within 10 s, stays 20 s, and falls
  breath     breathing in and out close to the microphone, calm and out of breath
  bed        steady noise at -55 dBFS: a room, a road far away, rain on leaves
  rises      24 noises of other colours, some with tones, that rise by 25 dB within 20 ms to 10 s and stay
  glides     tones that slide within two octaves, with and without overtones
"""
import argparse
import json
import pathlib
import wave

import numpy

RATE = 48_000


def level(sound, decibels):
    """The sound at so many dB below full scale (a root mean square of 1)."""
    return sound * 10 ** (decibels / 20) / numpy.sqrt(numpy.mean(sound ** 2) + 1e-20)


def filtered(random, count, gain):
    """Noise whose spectrum is `gain` of the frequency in Hz, in pieces of 16 s that fade into each other."""
    length, fade = 16 * RATE, RATE
    gains = gain(numpy.fft.rfftfreq(length, 1 / RATE))
    ramp = numpy.sin(numpy.linspace(0, numpy.pi / 2, fade))
    sound = numpy.zeros(count + 2 * length)
    for start in range(0, count, length - fade):
        piece = numpy.fft.irfft(numpy.fft.rfft(random.standard_normal(length)) * gains, length)
        piece[:fade] *= ramp
        piece[-fade:] *= ramp[::-1]
        sound[start:start + length] += piece
    return sound[:count]


def note(hertz, seconds, random, harmonics=8):
    """A note that is struck and dies away."""
    time = numpy.arange(int(seconds * RATE)) / RATE
    fall = random.uniform(0.6, 1.6)
    sound = sum(numpy.sin(2 * numpy.pi * hertz * k * time + random.uniform(0, 6.3)) / k ** fall
                for k in range(1, harmonics + 1) if hertz * k < RATE / 2)
    return sound * numpy.minimum(1, time / 0.008) * numpy.exp(-time * random.uniform(1.5, 4))


def music(random, count, drums):
    """Four chords round and round, a bass on each beat, and a melody from the chord."""
    sound = numpy.zeros(count + 8 * RATE)
    beat = 60 / random.uniform(70, 140)
    root = 110 * 2 ** (random.integers(0, 12) / 12)
    chords = [(0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14)]
    for step in range(int(count / RATE / beat)):
        start = int(step * beat * RATE)
        chord = chords[step // 4 % 4]
        played = [(root * 2 ** (chord[0] / 12) / 2, beat, 0.8)]
        if step % 2 == 0:
            played += [(root * 2 ** (semitone / 12) * 2, 2 * beat, 0.4) for semitone in chord]
        if random.random() < 0.7:
            played.append((root * 2 ** (random.choice(chord) / 12) * 4, beat, 0.7))
        for hertz, seconds, loudness in played:
            piece = note(hertz, seconds, random)
            sound[start:start + len(piece)] += loudness * piece
        if drums:
            hit = random.standard_normal(int(0.08 * RATE)) * numpy.exp(-numpy.arange(int(0.08 * RATE)) / 700)
            sound[start:start + len(hit)] += (0.8 if step % 2 else 0.3) * hit
    return level(sound[:count], -30)


def dawn(random, count):
    turns = (numpy.arange(count) // (5 * RATE)) % 2 == 1
    return level(random.standard_normal(count), -70) * turns


def rising(random, count, gain):
    """25 dB up within 10 s, 20 s there, down within 10, 20 s below."""
    second = numpy.arange(count) / RATE % 60
    decibels = numpy.interp(second, [0, 10, 20, 40, 50, 60], [-60, -60, -35, -35, -60, -60])
    return level(filtered(random, count, gain), 0) * 10 ** (decibels / 20)


def river(hertz):
    return (hertz > 50) / (1 + (hertz / 500) ** 1.2)


def fan(hertz):
    hum = sum(numpy.exp(-((hertz - k * 97) / 2) ** 2) * 25 / k for k in range(1, 12))
    return (hertz > 30) / (1 + (hertz / 250) ** 2) + hum


def breath(random, count):
    sound = numpy.zeros(count + 4 * RATE)
    start = 0
    while start < count:
        rate = random.uniform(12, 40)
        for share, loudness, centre in [(0.4, 0.6, 1500), (0.5, 1, 900)]:
            length = int(share * 60 / rate * RATE)
            gain = lambda hertz: numpy.exp(-(numpy.log2(numpy.maximum(hertz, 20) / centre) / 1.2) ** 2)
            shape = numpy.sin(numpy.pi * numpy.arange(length) / length) ** 1.5
            spectrum = numpy.fft.rfft(random.standard_normal(length)) * gain(numpy.fft.rfftfreq(length, 1 / RATE))
            sound[start:start + length] += loudness * level(numpy.fft.irfft(spectrum, length), 0) * shape
            start += length
        start += int(random.uniform(0.1, 0.6) * 60 / rate * RATE)
    return level(sound[:count], -40)


def bed(gain):
    return lambda random, count: level(filtered(random, count, gain), -55)


def rises(random, count):
    """Each in its turn: 8 s at -60 dBFS, up, and there until the next."""
    turn = count // 24
    seconds = numpy.arange(turn) / RATE
    sound = numpy.zeros(count)
    for place in range(24):
        corner, slope = random.uniform(100, 4000), random.uniform(0.5, 3)
        noise = level(filtered(random, turn, lambda hertz: (hertz > 40) / (1 + (hertz / corner) ** slope)), 0)
        if place % 3 == 0:
            hum = random.uniform(60, 300)
            noise += level(sum(numpy.sin(2 * numpy.pi * hum * k * seconds) / k for k in range(1, 9)), -3)
        rise = 0.02 * 500 ** (place / 23)
        decibels = numpy.interp(seconds, [8, 8 + rise], [-60, -35])
        sound[place * turn:(place + 1) * turn] = level(noise, 0) * 10 ** (decibels / 20)
    return sound


def glides(random, count):
    """A tone of 5 s that slides from pitch to pitch as a finger on a string does, then 5 s of quiet."""
    sound = 10 ** (-75 / 20) * random.standard_normal(count)
    length = 5 * RATE
    for start in range(0, count - length, 2 * length):
        time = numpy.arange(length) / RATE
        step, since = numpy.divmod(time, random.uniform(0.3, 1.2))
        octaves, step = random.uniform(-1, 1, 18), step.astype(int)
        slide = octaves[step + 1] + (octaves[step] - octaves[step + 1]) * numpy.exp(-5 * since)
        turns = numpy.cumsum(random.uniform(200, 1200) * 2 ** slide) / RATE
        tone = sum(numpy.sin(2 * numpy.pi * k * turns) / k ** 1.5 for k in range(1, random.integers(2, 8)))
        fade = numpy.minimum(1, numpy.minimum(time, time[::-1]) / 0.05)
        sound[start:start + length] += level(tone, random.uniform(-45, -20)) * fade
    return sound


KINDS = {
    "music-plain": lambda random, count: music(random, count, False),
    "music-drums": lambda random, count: music(random, count, True),
    "dawn": dawn,
    "river": lambda random, count: rising(random, count, river),
    "fan": lambda random, count: rising(random, count, fan),
    "breath": breath,
    "bed-room": bed(lambda hertz: 1 / (1 + hertz / 100)),
    "bed-road": bed(lambda hertz: (hertz > 40) / (1 + (hertz / 300) ** 3)),
    "bed-leaves": bed(lambda hertz: numpy.minimum(1, hertz / 2000)),
    "rises": rises,
    "glides": glides,
}


def write(path, sound, rate):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(numpy.clip(numpy.round(sound * 32768), -32768, 32767).astype("<i2").tobytes())


def narrowed(sound):
    """48 kHz to 16 kHz, without what lies above 7.5 kHz."""
    half = 90
    taps = numpy.sinc(numpy.arange(-half, half + 1) * 2 * 7_500 / RATE) * numpy.hanning(2 * half + 1)
    padded = numpy.pad(sound, half)
    count = len(sound) // 3
    narrow = numpy.zeros(count)
    for offset, tap in enumerate(taps / taps.sum()):
        narrow += tap * padded[offset:offset + 3 * count:3]
    return narrow


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for number, (name, make) in enumerate(KINDS.items()):
        random = numpy.random.default_rng([arguments.seed, number])
        sound = make(random, arguments.minutes * 60 * RATE)
        write(arguments.folder / f"{name}.48k.wav", sound, 48_000)
        write(arguments.folder / f"{name}.16k.wav", narrowed(sound), 16_000)
        truth = {"speech_ms": [], "seconds": arguments.minutes * 60, "noise": name.split("-")[0], "snr_db": None}
        (arguments.folder / f"{name}.truth.json").write_text(json.dumps(truth))


if __name__ == "__main__":
    main()
