"""Heard features as they might have been: every time a scene comes round, the training varies it."""

import numpy as np

# What the way down from 48 kHz takes from the last six bands: Decimator.swift, in eighths of an octave.
DECIMATED = np.array([0.8, 1.6, 3.0, 4.9, 7.6, 10.8]) * 8 / 3.01
# What the feature of the loudest forgets in a frame: fadePerFrame in SpeechFeatures.swift, in eighths.
LOUDEST_FADES = 12 / 32
# After how many frames the floor has followed a rise: two to four seconds, as in NoiseFloor.swift.
FLOOR_FOLLOWS_MIN, FLOOR_FOLLOWS_MAX = 100, 200


def varied(random, features):
    """Frames × scenes as other microphones hear them: 1.4 dB unsure, each coloured, now and then deaf in some bands.

    What stands where is told in SpeechFeatures.swift; a unit is 0.376 dB.
    """
    changed = features.astype(np.float32)
    changed += random.integers(-6, 7, features.shape, np.int8)
    changed[:, :, 108:] = 0
    for scene in range(features.shape[1]):
        heights = random.choice([0, 8, 16]) * random.standard_normal(8)
        response = np.interp(np.linspace(0, 7, 32), np.arange(8), heights)
        if random.random() < 0.35:
            response[26:] -= DECIMATED
        changed[:, scene, 64:96] += response - response.mean()
        changed[:, scene, 104:106] += 12 * random.standard_normal()
        if random.random() < 0.3:
            first, count = random.integers(32), random.integers(1, 7)
            for group in (0, 32, 64):
                changed[:, scene, group + first : group + min(32, first + count)] = 0
        if random.random() < 0.5:
            after_bangs(random, changed[:, scene])
    return changed


def with_jumps(random, features):
    """Now and then, all grows louder at once by up to 30 dB and stays so: until the floor has followed, all stands out."""
    changed = varied(random, features)
    for scene in range(features.shape[1]):
        for _ in range(random.integers(4) if random.random() < 0.6 else 0):
            jump(random, changed[:, scene])
    return changed


def jump(random, features):
    rise, start = random.uniform(10, 80), random.integers(len(features))
    follows = slice(start, start + random.integers(FLOOR_FOLLOWS_MIN, FLOOR_FOLLOWS_MAX))
    features[:start, 104:106] -= rise
    features[follows, :64] += rise
    features[follows, 106:108] = np.minimum(features[follows, 106:108] + rise, 0)
    np.clip(features, -127, 127, out=features)


def after_bangs(random, features):
    """As after bangs far louder than the voice: the memory of the loudest stays high for seconds."""
    frames = np.arange(len(features))
    remembered = np.full(len(features), -1000.0)
    for _ in range(random.integers(1, 5)):
        start = random.integers(len(features))
        bang = features[:, 104].max() + random.uniform(-40, 90)
        fading = bang - LOUDEST_FADES * (frames[start:] - start)
        remembered[start:] = np.maximum(remembered[start:], fading)
    for place, more in ((0, 0), (1, random.uniform(0, 40))):
        level = features[:, 104 + place]
        features[:, 106 + place] = np.clip(np.minimum(features[:, 106 + place], level - remembered - more), -127, 0)
