"""Trains the speech detector; see Scripts/train-detector --help.

One thread, fixed seeds: on one kind of machine the weights are the same to the byte.
"""

import argparse
import glob
import hashlib
import json
import multiprocessing
import os
import re
import subprocess

import numpy as np

import alone
import network
import scenes
import speech
import variation

SECONDS = 60
FRAMES = 50 * SECONDS
STRETCH = 150
BATCH = 50
# What the features are made by.
FEATURE_SOURCES = [
    "Features/BandSpectrum", "Features/ComplexLanes", "Features/Decimator", "Features/FourierTransform",
    "Features/NoiseFloor", "Features/Octaves", "Features/Periodicity", "Features/Repetition",
    "Features/Repetition+Memory", "Numbers/InlineStorage", "Numbers/ScalarProduct", "Features/SpeechFeatures",
]
# What scenes are made by.
MAKERS = ["speech", "sound", "people", "noises", "outdoors", "pitched", "players", "alone", "scenes"]
# How much speech counts, the first 200 ms of a spurt, and its first 300 ms as far as they stand out.
SPEECH_COUNTS, BEGINNING_COUNTS, AUDIBLE_BEGINNING_COUNTS = 1.8, 8, 12
# How much silence counts in scenes of a sort; 1 in the others. Among people it counts less: a word lost there is a
# word lost, and what is sent instead is only what everybody hears anyway.
SILENCE_COUNTS, CROWDED_COUNTS = {"outdoors": 2.5, "windy": 1.8, "calm": 0.7, "breathing": 0.8}, 0.5
# The louder the noise, the less: where a voice hardly lies over it, words are lost before pauses are sent.
MEAN_OVER_DB, LOUD_COUNTS = [0, 10], [0.5, 1.1]
# And where it hisses: of noises that hiss for a moment we invent more than people meet, and what hisses among people
# is most often a consonant.
HISS_COUNTS = 0.4
# What the network settles on once it hears: over a voice's plain ratio to the noise, how much silence counts. The more a
# voice stands out, the surer one can be before the pre-roll's 200 ms have passed, and all that is sent sooner is
# silence; the less it does, the longer each word takes to tell, and a word is lost.
RATIO_DB, RATIO_COUNTS = [2, 7, 12], [0.4, 0.8, 1.8]
RATE_MAX, SETTLING_RATE_MAX, ALONE_RATE_MAX, RATE_MIN, WARM_UP_STEPS = 3e-3, 3e-4, 7e-4, 1e-5, 200
SETTLING_EPOCHS, ALONE_EPOCHS = 3, 10


def say(text):
    print(text, flush=True)


def features_of(program, pcm):
    """What the product's own code makes of 16 kHz samples."""
    done = subprocess.run([program, "16000"], input=pcm.tobytes(), capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.int8).reshape(-1, network.FEATURES)


class Material:
    """Scenes × frames: features, truth, how far speech lies over noise in dB; and what sort of scene it is."""

    def __init__(self, count):
        self.features = np.zeros((count, FRAMES, network.FEATURES), np.int8)
        self.truth = np.zeros((count, FRAMES), bool)
        self.over = np.zeros((count, FRAMES), np.float16)
        self.sorts = np.full(count, "any", dtype="U9")
        self.crowded = np.zeros(count, bool)

    def only(self, chosen):
        """The material of the chosen scenes."""
        part = Material(0)
        for name, values in vars(self).items():
            setattr(part, name, values[chosen])
        return part


def cast_of(index, voices):
    """A scene's speakers: these two in every third, the others in the rest.

    Crowd and talker thus share their voices, and only nearness tells them apart.
    """
    pair = {name: spurts for name, spurts in voices.items() if name in ("it-m", "de")}
    others = {name: spurts for name, spurts in voices.items() if name not in pair}
    return (pair if index % 3 == 2 and pair else others) or voices


def store_for(root, seed, count, speakers):
    """A folder for scenes, named after all that they depend on: an interrupted training goes on where it was."""
    digest = hashlib.sha256(repr((seed, count, sorted(speakers), SECONDS)).encode())
    here = os.path.dirname(os.path.abspath(__file__))
    makers = [f"{here}/{name}.py" for name in MAKERS]
    product = [f"{root}/Sources/Client/VoiceActivity/{name}.swift" for name in FEATURE_SOURCES]
    for path in makers + product:
        with open(path, "rb") as file:
            digest.update(file.read())
    folder = f"{root}/.build/detector/scenes-{digest.hexdigest()[:16]}"
    os.makedirs(folder, exist_ok=True)
    return folder


# Of ten scenes in which nobody speaks.
LONELY = ("music", "surging", "alone", "music", "dawning", "surging", "music", "settling", "alone", "still")


def sort_of(index, count):
    """Of thirteen parts of the scenes two are calm, two windy and one full of breath; of eight in the rest five may be
    anything, one is a rough day, one a walk in the open and one a crowd. In those beyond the count nobody speaks."""
    if index >= count:
        return LONELY[index % 10]
    part = 13 * index // count
    if part >= 8:
        return ("calm", "calm", "windy", "breathing", "windy")[part - 8]
    return ("any", "any", "rough", "any", "outdoors", "any", "crowd", "any")[index % 8]


def is_heard_at_last(index, count):
    """Whether a scene is heard once more when the network learns what it is to be alone: three of 25 with a voice, of
    all casts and sorts alike, and all without."""
    return index >= count or index % 25 in (0, 10, 15)


class Inventor:
    """Makes the scenes of one seed in its own process; what every scene needs is handed over once."""

    @classmethod
    def begin(cls, *needed):
        cls.needed = needed

    @classmethod
    def invent(cls, task):
        invent(*cls.needed, *task)


def invent(program, voices, seed, count, index, path):
    """One scene of our own, in its file."""
    if os.path.exists(path):
        return
    sort = sort_of(index, count)
    made = scenes.lonely_scene if sort in alone.SORTS else scenes.training_scene
    scene, over = made(cast_of(index, voices), seed, index, SECONDS, sort)
    features = features_of(program, scenes.pcm(scene.samples))[:FRAMES]
    is_crowded = any(name in ("babble", "talk-shaped") for name in scene.noise_names)
    with open(path + ".new", "wb") as file:
        np.savez(file, f=features, truth=scene.truth, over=over.astype(np.float16), crowded=is_crowded)
    os.replace(path + ".new", path)


def invented(program, voices, seed, count, store, indices):
    """Material of scenes of our own, as many at once as there are processors: none depends on another."""
    material = Material(len(indices))
    tasks = [(index, f"{store}/{index:04d}.npz") for index in indices]
    with multiprocessing.Pool(None, Inventor.begin, (program, voices, seed, count)) as pool:
        for done, _ in enumerate(pool.imap_unordered(Inventor.invent, tasks), 1):
            if done % 50 == 0:
                say(f"scene {done} of {len(tasks)}")
    for place, (index, path) in enumerate(tasks):
        material.sorts[place] = sort_of(index, count)
        with np.load(path) as kept:
            material.features[place], material.crowded[place] = kept["f"], kept["crowded"]
            material.truth[place], material.over[place] = kept["truth"], kept["over"]
    return material


def given(program, folder):
    """Material of scenes that somebody else made: NAME.16k.wav and NAME.truth.json with `speech_ms`."""
    pieces = []
    for path in sorted(glob.glob(os.path.join(folder, "*.truth.json"))):
        with open(path) as file:
            spurts = json.load(file)["speech_ms"]
        samples, rate = speech.soundfile.read(path.replace(".truth.json", ".16k.wav"), dtype="int16")
        if rate != speech.RATE:
            raise SystemExit(f"{path}: the sound has {rate} samples a second, not {speech.RATE}")
        truth = scenes.truth_of([(int(16 * start), int(16 * end)) for start, end in spurts], len(samples))
        features = features_of(program, samples)
        for at in range(0, len(truth) - FRAMES + 1, FRAMES):
            pieces.append((features[at : at + FRAMES], truth[at : at + FRAMES]))
    if not pieces:
        raise SystemExit(f"{folder} holds no NAME.16k.wav with NAME.truth.json of {SECONDS} s or more")
    material = Material(len(pieces))
    for place, (features, truth) in enumerate(pieces):
        material.features[place], material.truth[place] = features, truth
    return material


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


def importance(material):
    """How much each frame counts: most where a spurt begins, least where nobody could tell.

    A beginning that stands out is often a hiss, which noises are too: without a weight of its own it would be one.
    """
    truth, over = material.truth, material.over
    before = np.pad(truth, ((0, 0), (1, 0)))[:, :-1]
    spoken, silent = since(truth & ~before), since(truth)
    weights = np.where(truth, np.float32(SPEECH_COUNTS), np.float32(1))
    weights[truth & (spoken < 10)] = BEGINNING_COUNTS
    weights[truth & (over < -12)] *= 0.3
    weights[truth & (spoken < 15) & (over > 0)] = AUDIBLE_BEGINNING_COUNTS
    weights[~truth & (silent <= 5)] = 0.6
    weights[~truth & (silent > 30)] = 1.5
    # The tail of a reverberant voice is neither speech nor silence.
    weights[~truth & (silent <= 40) & (over > 0)] = 0.2
    weights = np.where(truth, weights, weights * silence_counts(material))
    for scene, features in enumerate(material.features):
        # Where nobody speaks, what hisses is breath and water.
        if material.sorts[scene] not in alone.SORTS:
            weights[scene, ~truth[scene] & hisses(features)] *= np.float32(HISS_COUNTS)
    return weights


def trained(material, epochs, seed):
    """The network in the product's units, learned from nothing, then settled where a client wants it."""
    random = np.random.default_rng(seed)
    parameters = network.drawn(random)
    weights = importance(material)
    descend(parameters, material, weights, epochs, RATE_MAX, random)
    return settled(network.whole(parameters), material, weights, seed)


def settled(parts, material, weights, seed):
    """A network that hears, moved a little to where the ratio of voice and noise asks for it."""
    parameters = network.fractions(parts)
    weights = np.where(material.truth, weights, weights * ratio_counts(material))
    random = np.random.default_rng([seed, 1])
    descend(parameters, material, weights, SETTLING_EPOCHS, SETTLING_RATE_MAX, random)
    return network.whole(parameters)


def left_alone(parts, material, seed):
    """A network that hears and has settled, after scenes in which nobody speaks."""
    parameters = network.fractions(parts)
    weights = importance(material)
    weights = np.where(material.truth, weights, weights * ratio_counts(material))
    random = np.random.default_rng([seed, 2])
    descend(parameters, material, weights, ALONE_EPOCHS, ALONE_RATE_MAX, random)
    return network.whole(parameters)


def descend(parameters, material, weights, epochs, rate_max, random):
    """Goes down the slope of the loss, at a rate that falls to nearly nothing."""
    optimizer = network.Adam(parameters)
    size = min(BATCH, len(material.truth))
    batches = len(material.truth) // size
    total = epochs * batches * (FRAMES // STRETCH)
    for epoch in range(epochs):
        losses = []
        order = random.permutation(len(material.truth))
        for batch in range(batches):
            chosen = order[batch * size : (batch + 1) * size]
            features = variation.varied(random, np.ascontiguousarray(material.features[chosen].transpose(1, 0, 2)))
            truth = material.truth[chosen].T.astype(np.float32)
            state = np.zeros((size, network.HIDDEN), np.float32)
            for at in range(0, FRAMES, STRETCH):
                part = slice(at, at + STRETCH)
                loss, gradient, state = network.loss_and_gradient(
                    parameters, features[part], truth[part], weights[chosen].T[part], state
                )
                done = optimizer.step_count
                cosine = 0.5 + 0.5 * np.cos(np.pi * done / total)
                optimizer.step(gradient, rate_max * min(1, (done + 1) / WARM_UP_STEPS) * cosine + RATE_MIN)
                losses.append(loss)
        say(f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.4f}")


def silence_counts(material):
    counts = np.array([SILENCE_COUNTS.get(sort, 1) for sort in material.sorts], np.float32)
    counts = np.where(material.crowded, CROWDED_COUNTS * counts, counts)
    for scene, (truth, over) in enumerate(zip(material.truth, material.over)):
        # Scenes that somebody else made do not say how loud the noise is.
        if over[truth].any():
            mean_over = np.clip(over[truth].astype(np.float32), -20, 40).mean()
            counts[scene] *= np.float32(np.interp(mean_over, MEAN_OVER_DB, LOUD_COUNTS))
    return counts[:, None]


def ratio_counts(material):
    """How much silence counts in each scene, after its speech over its noise as the features tell it."""
    counts = np.ones((len(material.truth), 1), np.float32)
    for scene, (features, truth) in enumerate(zip(material.features, material.truth)):
        if truth.any() and not truth.all():
            # Levels are in eighths of an octave: the mean over the bands, and each band against it.
            mean = features[:, [variation.LEVELS.start]].astype(np.float32)
            powers = (2 ** ((features[:, variation.SHAPE] + mean) / 8)).sum(1)
            ratio = powers[truth].mean() / powers[~truth].mean() - 1
            counts[scene] = np.interp(10 * np.log10(max(ratio, 1e-3)), RATIO_DB, RATIO_COUNTS)
    return counts


def area(truth, score):
    """The area under the ROC curve."""
    values, places, counts = np.unique(score, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[places]
    hits = truth.sum()
    return 100 * (ranks[truth].sum() - hits * (hits + 1) / 2) / (hits * (~truth).sum())


def default_threshold(root):
    """Where the product's moving threshold stands highest."""
    path = f"{root}/Sources/Client/VoiceActivity/Detector/SpeechDetector+Configuration.swift"
    with open(path) as file:
        return int(re.search(r"var threshold: Int = (\d+)", file.read())[1])


def examine(program, parts, voices, threshold):
    """Speakers and noises that no training heard; every figure in per cent."""
    say("noise               SNR   bacc    AUC  false far off  first 200 ms missed")
    rows = []
    for kind in [None] + scenes.EXAMINED:
        for snr in [10, 0] if kind else [40]:
            scene = scenes.examination(voices, 5, kind, snr, 75)
            features = features_of(program, scenes.pcm(scene.samples))
            score = network.scores(parts, features[None])[0]
            truth, heard = scene.truth, score >= network.thresholds(score, threshold)
            before = np.pad(truth, (1, 0))[:-1]
            beginning = truth & (since((truth & ~before)[None])[0] < 10)
            far = ~truth & (since(truth[None])[0] > 30)
            rows.append((
                50 * (heard[truth].mean() + 1 - heard[~truth].mean()), area(truth, score),
                100 * heard[far].mean(), 100 * (1 - heard[beginning].mean()),
            ))
            figures = "{:6.1f} {:6.1f} {:14.1f} {:20.1f}".format(*rows[-1])
            say(f"{kind or 'none':18} {snr:4} {figures}")
    mean = np.mean(rows, axis=0)
    say(f"{'mean':18}      {mean[0]:6.1f} {mean[1]:6.1f} {mean[2]:14.1f} {mean[3]:20.1f}")


def made_up(count):
    """Features without meaning, to hold the product's arithmetic against ours; see TrainedScores.swift."""
    frame, place = np.meshgrid(np.arange(count), np.arange(network.FEATURES), indexing="ij")
    return ((frame // 4 * 37 + place * (101 + frame % 4)) % 255 - 127).astype(np.int8)


TRIAL = '''/// Scores of the trained network for features without meaning, by the training's own arithmetic.
///
/// Written by Scripts/train-detector together with the weights.
enum TrainedScores {{
    static let scores: [Int16] = [
{scores}
    ]

    /// One feature of one frame.
    static func feature(_ place: Int, in frame: Int) -> Int16 {{
        Int16((frame / 4 * 37 + place * (101 + frame % 4)) % 255 - 127)
    }}
}}
'''


def write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
    say(path)


def raised(options, voices):
    """The network, from scenes of our own: from nothing, or from the weights that stand in the sources."""
    store = store_for(options.root, options.seed, options.count, voices)
    everything = range(options.count + options.lonely)
    at_last = np.array([is_heard_at_last(index, options.count) for index in everything])
    indices = np.flatnonzero(at_last) if options.resume else np.array(everything)
    material = invented(options.features, voices, options.seed, options.count, store, indices.tolist())
    if options.resume:
        parts = network.read(f"{options.root}/Sources/Client/VoiceActivity/Network")
    else:
        parts = trained(material.only(indices < options.count), options.epochs, options.seed)
    if not options.lonely:
        return parts
    return left_alone(parts, material.only(at_last[indices]), options.seed)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", required=True)
    arguments.add_argument("--features", required=True)
    arguments.add_argument("--scenes")
    arguments.add_argument("--count", type=int, default=3250)
    arguments.add_argument("--lonely", type=int, default=0)
    arguments.add_argument("--resume", action="store_true")
    arguments.add_argument("--epochs", type=int, default=12)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--out")
    options = arguments.parse_args()
    if options.resume and (options.scenes or not options.lonely):
        arguments.error("--resume needs --lonely, and goes without --scenes")
    if options.out:
        os.makedirs(options.out, exist_ok=True)
    voices = speech.load(speech.SPEAKERS)
    for name, spurts in voices.items():
        say(f"{name}: {len(spurts)} talk spurts, {sum(map(len, spurts)) / speech.RATE:.0f} s")
    if options.scenes:
        material = given(options.features, options.scenes)
        options.count, options.lonely = len(material.truth), 0
        parts = trained(material, options.epochs, options.seed)
    else:
        parts = raised(options, voices)
    examine(options.features, parts, speech.load(speech.EXAMINED), default_threshold(options.root))
    say(f"{sum(os.times()[:4]):.0f} s of processor")
    at_last = f"; {options.lonely} scenes in which nobody speaks, {ALONE_EPOCHS} epochs" if options.lonely else ""
    origin = (
        f"Made by Scripts/train-detector, seed {options.seed}: {options.count} scenes of {SECONDS} s, "
        f"{options.epochs} epochs and {SETTLING_EPOCHS} of settling{at_last}. Base 64 of signed bytes in units of "
        f"1/{network.WEIGHT_UNIT}, row by row, then 16-bit biases in units of 1/{network.BIAS_UNIT}."
    )
    sources = options.out or f"{options.root}/Sources/Client/VoiceActivity/Network"
    tests = options.out or f"{options.root}/Tests/Client/VoiceActivityTests/Network"
    for name, text in network.swift(parts, origin).items():
        write(f"{sources}/{name}", text)
    trial = network.scores(parts, made_up(64)[None])[0].tolist()
    lines = "\n".join("        " + ", ".join(map(str, trial[at : at + 16])) + "," for at in range(0, 64, 16))
    write(f"{tests}/TrainedScores.swift", TRIAL.format(scores=lines))


if __name__ == "__main__":
    main()
