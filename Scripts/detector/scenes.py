"""Scenes: voices on a line of silence, noises over them, a microphone in front of both.

A scene is a pure function of its voices and its random generator. Truth is exact because every spurt was cut from a
clean clip before anything was added.
"""

import collections

import numpy as np
from scipy.signal import butter, fftconvolve, resample_poly, sosfilt

import alone
import exam
import noises
import outdoors
import people
import pitched
import players
from sound import bumpy, place, shaped, slow, uniform_log
from speech import RATE

FRAME = RATE // 50


# Samples in ±1, for each 20 ms frame whether it is speech, where the spurts lie, and what is heard beside them.
Scene = collections.namedtuple("Scene", "samples truth spurts noise_names")


def rms(samples):
    return float(np.sqrt((samples**2).mean()) + 1e-12)


def decibels(value):
    return 10 ** (value / 20)


def turned(random, spurt, spread):
    """The spurt on a tape that runs slower or faster: good enough for one voice of many."""
    up = int(np.clip(np.round(40 * 2 ** (spread * random.standard_normal())), 29, 55))
    return spurt if up == 40 else resample_poly(spurt, up, 40).astype(np.float32)


def any_spurt(random, voices):
    names = sorted(voices)
    shares = np.sqrt([sum(map(len, voices[name])) for name in names])
    name = names[random.choice(len(names), p=shares / shares.sum())]
    return voices[name][random.integers(len(voices[name]))]


def babble(random, count, voices, talkers=None):
    """A crowd of 2 to 20, some nearer than others, now and then through a wall or in a hall."""
    sound = np.zeros(count)
    for _ in range(talkers or int(round(uniform_log(random, 2, 20)))):
        gain = decibels(random.uniform(-8, 0)) if talkers is None else 1
        at = int(random.uniform(-1, 0.4) * RATE)
        while at < count:
            spurt = turned(random, any_spurt(random, voices), 0.2)[max(0, -at) :]
            place(sound, max(at, 0), gain * spurt)
            at = max(at, 0) + len(spurt) + int(random.uniform(0.02, 0.5) * RATE)
    return reverberant(random, sound) if random.random() < 0.4 else sound


def talk_shaped(random, count, voices):
    """Noise or a buzz with the envelope of speech, and no speech in it."""
    envelope = np.zeros(count)
    at = 0
    while at < count:
        spurt = turned(random, any_spurt(random, voices), 0.2)
        place(envelope, at, np.convolve(np.abs(spurt), np.hanning(640), "same"))
        at += len(spurt) + int(random.uniform(0.1, 1.5) * RATE)
    carrier = noises.hiss if random.random() < 0.7 else pitched.engine
    sound = carrier(random, count)
    return sound / rms(sound) * envelope


def reverberant(random, sound, direct=1):
    """The sound in a room of its own: an exponential tail after the direct sound, if any of that comes."""
    time = np.arange(int(0.8 * RATE)) / RATE
    tail = random.standard_normal(len(time)) * np.exp(-6.9 * time / uniform_log(random, 0.12, 0.9))
    tail[: int(random.uniform(0.001, 0.02) * RATE)] = 0
    response = tail / np.sqrt((tail**2).sum()) * decibels(random.uniform(-15, 1))
    response[0] = direct
    return fftconvolve(sound, response)[: len(sound)]


def coloured(random, sound, spread):
    """Through a microphone, a hood or a pocket: a smooth random response."""
    response = bumpy(random, spread)
    frequencies = np.fft.rfftfreq(len(sound), 1 / RATE)
    return np.fft.irfft(np.fft.rfft(sound) * decibels(response(np.maximum(frequencies, 10))), len(sound))


def timeline(random, voices, count, is_plain):
    """Speech with pauses, and where each spurt lies."""
    line, spurts = np.zeros(count), []
    pace = 1.0 if is_plain else uniform_log(random, 0.6, 3)
    swing = 4.5 if is_plain else random.uniform(1, 7)
    at = int(random.uniform(0.3, 2.5) * RATE) if not is_plain else int(1.5 * RATE)
    while True:
        spurt = any_spurt(random, voices)
        if not is_plain:
            spurt = people.another(random, spurt)
        if at + len(spurt) > count - RATE // 2:
            break
        line[at : at + len(spurt)] = spurt * decibels(random.uniform(-swing, swing))
        spurts.append((at, at + len(spurt)))
        kind = random.random()
        low, high = (0.3, 0.7) if kind < 0.35 else (0.7, 2) if kind < 0.8 else (2, 5)
        at += len(spurt) + int(pace * random.uniform(low, high) * RATE)
    active = np.concatenate([line[start:end] for start, end in spurts])
    return line / rms(active), spurts


def one_noise(random, kind, count, voices):
    if kind == "babble":
        return babble(random, count, voices)
    if kind == "babble of 8":
        return babble(random, count, voices, talkers=8)
    if kind == "talk-shaped":
        return talk_shaped(random, count, voices)
    for family in FAMILIES + exam.EXAMINED:
        if family.__name__ == kind:
            return family(random, count)
    raise ValueError(f"there is no noise '{kind}'")


# The families that need no speech; babble and what is shaped like talk are made of voices.
FAMILIES = [
    noises.hiss, noises.modulated, noises.impacts, noises.crackle, noises.breath, noises.rain, noises.rub,
    noises.water, noises.applause, outdoors.wind, outdoors.gusts, outdoors.blows, pitched.engine, pitched.tones,
    pitched.birds, players.radio, pitched.machine, pitched.insects, pitched.calls,
]
# What is met most often, or is hardest to tell from a voice, is drawn more often than the rest.
TRAINED = [family.__name__ for family in FAMILIES] + ["gusts", "blows", "talk-shaped"] + 4 * ["babble"]
EXAMINED = [family.__name__ for family in exam.EXAMINED] + ["babble of 8"]


# What is drawn where somebody walks in the open: it comes and goes as syllables do.
OUTDOORS = ["blows", "blows", "blows", "gusts", "gusts", "impacts", "crackle", "rub", "breath", "rain"]
# What is drawn where the noise is people: nothing but nearness parts the talker from them.
CROWD = ["babble"]
# What is drawn where nothing stirs: whatever stands out there, were it only a hiss, is most likely somebody.
CALM = ["hiss"]
# What is drawn where the wind blows, and where somebody climbs: the breath of one's own is as near as the voice.
WINDY, BREATHING = ["wind", "gusts"], ["breath"]
# A scene's sort, and what is drawn for it.
SORTS = {
    "any": TRAINED, "rough": TRAINED, "outdoors": OUTDOORS, "crowd": CROWD, "calm": CALM, "windy": WINDY,
    "breathing": BREATHING,
}
# How far the voice lies over the noise at least in most scenes, in dB; -3 in the other sorts.
LEAST_OVER = {"windy": -14, "breathing": -6}


def noise_bed(random, kinds, count, voices):
    """A mixture with level changes: steps that stay, swells, things that come and go."""
    bed = np.zeros(count)
    for position, kind in enumerate(kinds):
        sound = one_noise(random, kind, count, voices)
        sound = coloured(random, sound / rms(sound), random.choice([0, 3, 6]))
        if kind not in ("babble", "talk-shaped") and random.random() < 0.12:
            sound = reverberant(random, sound)
        gain = decibels(random.uniform(-12, 3)) if position else 1
        bed += gain * sound / rms(sound)
    if random.random() < 0.25:
        curve = np.zeros(count)
        for _ in range(random.integers(1, 4)):
            curve[random.integers(count) :] += random.uniform(-25, 25)
        bed *= decibels(np.clip(curve - curve.mean(), -20, 20))
    if random.random() < 0.15:
        bed *= decibels(4 * slow(random, count, 0.1))
    return bed / rms(bed)


def bright(sound):
    """Roughly as an ear weighs it: a rumble counts for little."""
    return np.diff(sound, prepend=0) + 0.1 * sound


def speech_over_noise(speech, noise):
    """For each frame, pre-emphasised speech over noise in dB."""
    def power(sound):
        return (bright(sound)[: len(sound) // FRAME * FRAME].reshape(-1, FRAME) ** 2).mean(1)
    return 10 * np.log10((power(speech) + 1e-14) / (power(noise) + 1e-12))


def truth_of(spurts, count):
    marks = np.zeros(count)
    for start, end in spurts:
        marks[start:end] = 1
    return marks[: count // FRAME * FRAME].reshape(-1, FRAME).mean(1) >= 0.5


def roughened(random, line, bed):
    """Speech and noise as a worse day has them: band-limited, noise that jumps and stays, and now and then a gust
    or a bang far louder than the voice, after which people go on talking as before."""
    edge = butter(3, random.uniform(6000, 7600), fs=RATE, output="sos")
    curve = np.full(len(bed), random.uniform(-10, 0))
    for _ in range(random.integers(1, 4)):
        curve[random.integers(len(bed)) :] = random.uniform(-30, 5)
    bed = bed * decibels(curve)
    for _ in range(random.integers(0, 7)):
        length = int(uniform_log(random, 0.05, 4) * RATE)
        tilt = random.uniform(-9, -2)
        bang = shaped(random, length, lambda f: tilt * np.log2(f / 500))
        place(bed, random.integers(len(bed)), bang / rms(bang) * decibels(random.uniform(3, 35)))
    return sosfilt(edge, line), sosfilt(edge, bed)


def as_heard(line, spurts, bed):
    """The noise as loud as the voice to an ear: what a rumble hides of it is then as much as what a hiss hides."""
    spoken = rms(bright(np.concatenate([line[start:end] for start, end in spurts])))
    return bed * min(spoken / rms(bright(bed)), decibels(15))


def training_scene(voices, random, seconds, sort):
    """A scene as nobody has heard it: everything is drawn."""
    kinds = SORTS[sort]
    count = seconds * RATE
    line, spurts = timeline(random, voices, count, is_plain=False)
    line = coloured(random, line, random.choice([0, 3, 6]))
    if random.random() < 0.25:
        line = reverberant(random, line)
    if random.random() < 0.25:
        line = sosfilt(butter(4, random.uniform(2500, 6500), fs=RATE, output="sos"), line)
    line /= rms(np.concatenate([line[start:end] for start, end in spurts]))
    names = []
    bed = np.zeros(count)
    if random.random() < 0.93:
        names = [kinds[k] for k in random.integers(0, len(kinds), random.choice([1, 2, 3], p=[0.65, 0.25, 0.1]))]
        over = random.uniform(LEAST_OVER.get(sort, -3), 22) if random.random() < 0.85 else random.uniform(-12, 40)
        bed = noise_bed(random, names, count, voices)
        bed = (as_heard(line, spurts, bed) if random.random() < 0.5 else bed) * decibels(-over)
    if random.random() < 0.3:
        edges = [random.uniform(40, 300), random.uniform(3000, 7800)]
        room = butter(4, edges, "band", fs=RATE, output="sos")
        line, bed = sosfilt(room, line), sosfilt(room, bed)
    if sort == "rough":
        line, bed = roughened(random, line, bed)
    level = decibels(random.uniform(-50, -12) if random.random() < 0.5 else random.normal(-26, 5))
    floor = decibels(random.uniform(-95, -65)) * random.standard_normal(count)
    if random.random() < 0.15:
        floor = np.zeros(count)
    mix = level * (line + bed) + floor
    if random.random() < 0.1:
        mix += random.uniform(-0.3, 0.3)
    if sort == "rough" and random.random() < 0.3:
        for _ in range(random.integers(1, 8)):
            mix[random.integers(count) :] += random.uniform(-0.4, 0.4)
    if random.random() < 0.08:
        mix *= random.uniform(1, 6) / np.abs(mix).max()
    elif (peak := np.abs(mix).max()) > 0.98:
        mix *= 0.98 / peak
    over = speech_over_noise(level * line, level * bed + floor)
    return Scene(mix, truth_of(spurts, count), spurts, names), over


def few_words(random, voices, bed):
    """One to four spurts over a bed, and where they lie."""
    line, spurts = np.zeros(len(bed)), []
    level = max(rms(bed) * decibels(random.uniform(-3, 22)), decibels(random.uniform(-50, -18)))
    for start in np.sort(random.integers(0, len(bed), random.integers(1, 5))):
        spurt = people.another(random, any_spurt(random, voices))
        start = max(int(start), spurts[-1][1] + RATE // 3 if spurts else 0)
        if start + len(spurt) < len(bed):
            line[start : start + len(spurt)] = level * decibels(random.uniform(-4, 4)) * spurt
            spurts.append((start, start + len(spurt)))
    return line, spurts


def far_talk(random, count, voices):
    """People on somebody's radio or in the next room: hardly a sound of theirs comes straight, or from above 4 kHz."""
    line, _ = timeline(random, voices, count, is_plain=False)
    edges = [random.uniform(150, 500), random.uniform(1800, 4000)]
    line = sosfilt(butter(3, edges, "band", fs=RATE, output="sos"), line)
    return alone.at_level(reverberant(random, line, random.choice([0, 0.1])), -65, -38, random)


def lonely_scene(voices, random, seconds, sort):
    """A scene in which nobody speaks; in two of five somebody says a word or two, lest the bed alone decide."""
    count = seconds * RATE
    bed = far_talk(random, count, voices) if sort == "far talk" else alone.SORTS[sort](random, count)
    line, spurts = np.zeros(count), []
    if random.random() < 0.4:
        line, spurts = few_words(random, voices, bed)
    floor = decibels(random.uniform(-95, -70)) * random.standard_normal(count)
    if random.random() < (0.9 if sort == "dawning" else 0.25):
        floor = np.zeros(count)
    if random.random() < 0.3:
        room = butter(2, [random.uniform(40, 200), random.uniform(3000, 7800)], "band", fs=RATE, output="sos")
        line, bed = sosfilt(room, line), sosfilt(room, bed)
    mix = line + bed + floor
    mix *= min(1, 0.98 / (np.abs(mix).max() + 1e-12))
    return Scene(mix, truth_of(spurts, count), spurts, []), speech_over_noise(line, bed + floor)


def examination(voices, seed, kind, snr, seconds):
    """A scene like those by which detectors are compared: plain voices, one noise, one ratio."""
    key = sum(kind.encode()) if kind else 0
    random = np.random.default_rng([seed, key, 100 + snr])
    count = seconds * RATE
    line, spurts = timeline(random, voices, count, is_plain=True)
    bed = np.zeros(count)
    if kind:
        bed = one_noise(random, kind, count, voices)
        bed *= decibels(-snr) / rms(bed)
    mix = decibels(-26) * (line + bed) + decibels(-85) * random.standard_normal(count)
    mix *= min(1, 0.98 / np.abs(mix).max())
    return Scene(mix, truth_of(spurts, count), spurts, [kind] if kind else [])


def pcm(samples):
    return np.clip(np.round(samples * 32768), -32768, 32767).astype("<i2")
