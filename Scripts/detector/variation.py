"""Heard features as they might have been: every time a scene comes round, the training varies it."""

import numpy as np

# What stands where: see SpeechFeatures.swift.
SHAPE = slice(96, 128)
LEVELS, BELOW_LOUDEST, END = slice(168, 170), slice(170, 172), 172
# What the way down from 48 kHz takes from the last six bands: Decimator.swift, in eighths of an octave.
DECIMATED = np.array([0.8, 1.6, 3.0, 4.9, 7.6, 10.8]) * 8 / 3.01
# What the feature of the loudest forgets in a frame: fadePerFrame in SpeechFeatures.swift, in eighths.
LOUDEST_FADES = 12 / 32


def varied(random, features):
    """Frames × scenes as other microphones hear them: 1.4 dB unsure, each coloured, now and then deaf in some bands.

    A unit is 0.376 dB.
    """
    changed = features.astype(np.float32)
    changed += random.integers(-6, 7, features.shape, np.int8)
    changed[:, :, END:] = 0
    for scene in range(features.shape[1]):
        heights = random.choice([0, 8, 16]) * random.standard_normal(8)
        response = np.interp(np.linspace(0, 7, 32), np.arange(8), heights)
        if random.random() < 0.35:
            response[26:] -= DECIMATED
        changed[:, scene, SHAPE] += response - response.mean()
        changed[:, scene, LEVELS] += 12 * random.standard_normal()
        if random.random() < 0.3:
            first, count = random.integers(32), random.integers(1, 7)
            for group in range(0, SHAPE.stop, 32):
                changed[:, scene, group + first : group + min(32, first + count)] = 0
        if random.random() < 0.5:
            after_bangs(random, changed[:, scene])
    return changed


def after_bangs(random, features):
    """As after bangs far louder than the voice: the memory of the loudest stays high for seconds."""
    frames = np.arange(len(features))
    remembered = np.full(len(features), -1000.0)
    for _ in range(random.integers(1, 5)):
        start = random.integers(len(features))
        bang = features[:, LEVELS.start].max() + random.uniform(-40, 90)
        fading = bang - LOUDEST_FADES * (frames[start:] - start)
        remembered[start:] = np.maximum(remembered[start:], fading)
    for place, more in ((0, 0), (1, random.uniform(0, 40))):
        level, below = (features[:, group.start + place] for group in (LEVELS, BELOW_LOUDEST))
        below[:] = np.clip(np.minimum(below, level - remembered - more), -127, 0)
