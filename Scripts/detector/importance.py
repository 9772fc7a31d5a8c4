"""How much each frame counts while the network learns; the numbers stand in the experiment's [importance]."""

import numpy as np

import variation


def since(marks):
    """How many frames ago each scene's last mark was."""
    places = np.where(marks, np.arange(marks.shape[1]), -100_000)
    return np.arange(marks.shape[1]) - np.maximum.accumulate(places, axis=1)


def hisses(features):
    """Where sound stands out, 4 dB more above 4.4 kHz than below 2 kHz, and has no pitch.

    The places are those of the rises over the last half second and of the pitch in one frame: SpeechFeatures.swift.
    """
    bright, dull = features[:, 88:96].mean(1, np.float32), features[:, 64:80].mean(1, np.float32)
    return (bright > 20) & (bright - dull > 10) & (features[:, 128:136].max(1) < 60)


def importance(material, counts):
    """How much each frame counts: most where a spurt begins, least where nobody could tell.

    A beginning that stands out is often a hiss, which noises are too: without a weight of its own it would be one.
    """
    truth, over = material.truth, material.over
    before = np.pad(truth, ((0, 0), (1, 0)))[:, :-1]
    spoken, silent = since(truth & ~before), since(truth)
    weights = np.where(truth, np.float32(counts["speech"]), np.float32(1))
    weights[truth & (spoken < 10)] = counts["beginning"]
    weights[truth & (over < -12)] *= 0.3
    weights[truth & (spoken < 15) & (over > 0)] = counts["audible_beginning"]
    weights[~truth & (silent <= 5)] = 0.6
    weights[~truth & (silent > 30)] = 1.5
    # The tail of a reverberant voice is neither speech nor silence.
    weights[~truth & (silent <= 40) & (over > 0)] = 0.2
    weights = np.where(truth, weights, weights * silence_counts(material, counts))
    for scene, features in enumerate(material.features):
        # Where nobody speaks, what hisses is breath and water.
        if not material.lonely[scene]:
            weights[scene, ~truth[scene] & hisses(features)] *= np.float32(counts["hiss"])
    return weights


def silence_counts(material, counts):
    """How much silence counts in each scene, after its sort, its crowd and how far its voice lies over its noise."""
    found = np.array([counts["silence"].get(sort, 1) for sort in material.sorts], np.float32)
    found = np.where(material.crowded, np.float32(counts["crowded"]) * found, found)
    for scene, (truth, over) in enumerate(zip(material.truth, material.over)):
        if material.lonely[scene]:
            found[scene] *= np.float32(counts["lonely"])
        elif truth.any():
            mean_over = np.clip(over[truth].astype(np.float32), -20, 40).mean()
            found[scene] *= np.float32(np.interp(mean_over, counts["over_db"], counts["over_counts"]))
    return found[:, None]


def ratio_counts(material, counts):
    """How much silence counts in each scene, after its speech over its noise as the features tell it."""
    found = np.ones((len(material.truth), 1), np.float32)
    for scene, (features, truth) in enumerate(zip(material.features, material.truth)):
        if truth.any() and not material.lonely[scene]:
            # Levels are in eighths of an octave: the mean over the bands, and each band against it.
            mean = features[:, [variation.LEVELS.start]].astype(np.float32)
            powers = (2 ** ((features[:, variation.SHAPE] + mean) / 8)).sum(1)
            ratio = powers[truth].mean() / powers[~truth].mean() - 1
            found[scene] = np.interp(10 * np.log10(max(ratio, 1e-3)), counts["ratio_db"], counts["ratio_counts"])
    return found
