"""What the network is trained on: scenes of our own, invented once and kept, as features, truth and importance."""

import hashlib
import multiprocessing
import os
import subprocess

import numpy as np

import scenes

SECONDS = 60
FRAMES = 50 * SECONDS
FEATURES = 176
HERE = os.path.dirname(os.path.abspath(__file__))
# What scenes are made by, and what the product makes their features by.
MAKERS = ["speech", "sound", "people", "noises", "outdoors", "pitched", "players", "alone", "scenes", "material"]
FEATURE_FOLDERS = ["Features", "Numbers"]
# Of thirteen scenes with a voice five may be anything, one is a rough day, one a walk in the open and one a crowd.
VOICED = (
    "any", "calm", "any", "windy", "rough", "any", "breathing", "outdoors", "calm", "any", "crowd", "windy", "any",
)
# Of fourteen in which nobody speaks.
LONELY = (
    "music", "surging", "tones", "dawning", "music", "alone", "far talk", "surging", "music", "settling", "tones",
    "surging", "dawning", "still",
)
# Whether music or a machine is heard in a lonely scene, for the auxiliary output; in others it may be.
MECHANICAL = {"music": 1, "tones": 1, "alone": 0, "dawning": 0, "far talk": 0}
MECHANICAL_NOISES = {"engine", "tones", "radio", "machine"}


def features_of(program, pcm):
    """What the product's own code makes of 16 kHz samples."""
    done = subprocess.run([program, "16000"], input=pcm.tobytes(), capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.int8).reshape(-1, FEATURES)


class Material:
    """Scenes × frames: features, truth, how far speech lies over noise in dB; and what sort of scene it is."""

    def __init__(self, count):
        self.features = np.zeros((count, FRAMES, FEATURES), np.int8)
        self.truth = np.zeros((count, FRAMES), bool)
        self.over = np.zeros((count, FRAMES), np.float16)
        self.crowded, self.lonely = np.zeros(count, bool), np.zeros(count, bool)
        self.mechanical = np.zeros(count, np.int8)
        self.sorts = np.full(count, "any", dtype="U9")


def cast_of(index, voices):
    """A scene's speakers: these two in every third, the others in the rest.

    Crowd and talker thus share their voices, and only nearness tells them apart.
    """
    pair = {name: spurts for name, spurts in voices.items() if name in ("it-m", "de")}
    others = {name: spurts for name, spurts in voices.items() if name not in pair}
    return (pair if index % 3 == 2 and pair else others) or voices


def store_for(root, seed, speakers):
    """A folder for scenes, named after all that they depend on: an interrupted training goes on where it was."""
    digest = hashlib.sha256(repr((seed, sorted(speakers))).encode())
    product = f"{root}/Sources/Client/VoiceActivity"
    sources = [f"{HERE}/{name}.py" for name in MAKERS]
    sources += [f"{product}/{folder}/{name}" for folder in FEATURE_FOLDERS
                for name in sorted(os.listdir(f"{product}/{folder}"))]
    for path in sources:
        with open(path, "rb") as file:
            digest.update(file.read())
    folder = f"{root}/.build/detector/scenes-{digest.hexdigest()[:16]}"
    os.makedirs(folder, exist_ok=True)
    return folder


class Inventor:
    """Makes the scenes of one seed in its own process; what every scene needs is handed over once."""

    @classmethod
    def begin(cls, *needed):
        cls.program, cls.voices, cls.seed, cls.store = needed

    @classmethod
    def path(cls, task):
        return f"{cls.store}/{'lonely' if task[0] else 'voiced'}-{task[1]:04d}.npz"

    @classmethod
    def invent(cls, task):
        """One scene, in its file: (whether nobody speaks in it, its number)."""
        is_lonely, index = task
        if os.path.exists(path := cls.path(task)):
            return
        sort = sort_of(task)
        make = scenes.lonely_scene if is_lonely else scenes.training_scene
        random = np.random.default_rng([cls.seed, int(is_lonely), index])
        scene, over = make(cast_of(index, cls.voices), random, SECONDS, sort)
        features = features_of(cls.program, scenes.pcm(scene.samples))[:FRAMES]
        is_crowded = any(name in ("babble", "talk-shaped") for name in scene.noise_names)
        heard = int(not MECHANICAL_NOISES.isdisjoint(scene.noise_names))
        mechanical = MECHANICAL.get(sort, -1) if is_lonely else heard
        with open(path + ".new", "wb") as file:
            np.savez(file, features=features, truth=scene.truth, over=over.astype(np.float16), crowded=is_crowded,
                     mechanical=mechanical)
        os.replace(path + ".new", path)


def sort_of(task):
    is_lonely, index = task
    return (LONELY if is_lonely else VOICED)[index % len(LONELY if is_lonely else VOICED)]


def invented(program, voices, seed, store, voiced, lonely, processes=None):
    """Material of scenes of our own, those with a voice first; none depends on another."""
    tasks = [(False, index) for index in range(voiced)] + [(True, index) for index in range(lonely)]
    needed = (program, voices, seed, store)
    with multiprocessing.Pool(processes, Inventor.begin, needed) as pool:
        for done, _ in enumerate(pool.imap_unordered(Inventor.invent, tasks), 1):
            if done % 50 == 0:
                print(f"scene {done} of {len(tasks)}", flush=True)
    Inventor.begin(*needed)
    material = Material(len(tasks))
    for place, task in enumerate(tasks):
        material.sorts[place], material.lonely[place] = sort_of(task), task[0]
        with np.load(Inventor.path(task)) as kept:
            for name in kept.files:
                getattr(material, name)[place] = kept[name]
    return material
