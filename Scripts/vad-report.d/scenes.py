"""Labelled scenes: recordings with the truth about where speech is.

A folder of scenes holds for each NAME: NAME.16k.wav and NAME.48k.wav, the same sound as 16-bit PCM
mono, and NAME.truth.json with "speech_ms" (talk spurts as pairs of milliseconds, none where nobody
speaks), "seconds", "noise" (null for none) and "snr_db".
"""
import json
import pathlib
import wave

import numpy

FRAME_MS = 20


class SceneError(Exception):
    """Scenes that cannot be used, in words for the user."""


class Scene:
    """One recording and its truth."""

    def __init__(self, truth_file):
        self.name = truth_file.name.removesuffix(".truth.json")
        self.folder = truth_file.parent
        try:
            truth = json.loads(truth_file.read_text())
            self.milliseconds = round(truth["seconds"] * 1000)
            self.spurts = [(round(start), round(end)) for start, end in truth["speech_ms"]]
            self.noise = truth.get("noise")
            self.snr = truth.get("snr_db")
        except (ValueError, KeyError, TypeError) as error:
            raise SceneError(f"{truth_file}: no truth of a scene ({error!r})") from error
        # Whether somebody talks, for each millisecond.
        self.speech = numpy.zeros(self.milliseconds, bool)
        for start, end in self.spurts:
            self.speech[start:end] = True

    def path(self, kilohertz):
        return self.folder / f"{self.name}.{kilohertz}k.wav"

    def samples(self, kilohertz):
        """The sound at 16 or 48 kHz as 16-bit integers."""
        path = self.path(kilohertz)
        try:
            with wave.open(str(path)) as file:
                form = (file.getframerate(), file.getnchannels(), file.getsampwidth())
                if form != (kilohertz * 1000, 1, 2):
                    raise SceneError(f"{path}: 16-bit mono at {kilohertz} kHz is needed, not {form}")
                return numpy.frombuffer(file.readframes(file.getnframes()), "<i2")
        except (OSError, EOFError, wave.Error) as error:
            raise SceneError(f"{path}: cannot be read ({error})") from error


def load(folder):
    """All scenes of a folder, in the order of their names."""
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        raise SceneError(f"there is no folder '{folder}'")
    files = sorted(folder.glob("*.truth.json"))
    if not files:
        raise SceneError(f"'{folder}' holds no NAME.truth.json; make scenes with --make-scenes")
    return [Scene(file) for file in files]


class Decisions:
    """What a detector made of one scene, frame by frame.

    flags   whether each whole 20 ms frame is speech, before attack and hangover
    scores  numbers that grow with the likeness to speech, or None
    states  the program's own state after each frame, or None
    """

    def __init__(self, flags, scores=None, states=None):
        self.flags = numpy.asarray(flags, bool)
        self.scores = None if scores is None else numpy.asarray(scores, float)
        self.states = states


def read_csv(path):
    """Decisions from a CSV with the columns start_ms, speech, state and score."""
    flags, scores, states = [], [], []
    with open(path) as file:
        if next(file).strip() != "start_ms,speech,state,score":
            raise SceneError(f"{path}:1: the columns are not start_ms,speech,state,score")
        for number, line in enumerate(file):
            start, speech, state, score = line.strip().split(",")
            if int(start) != number * FRAME_MS:
                raise SceneError(f"{path}:{number + 2}: start_ms is {start}, not {number * FRAME_MS}")
            flags.append(speech == "1")
            states.append(state)
            scores.append(float(score))
    return Decisions(flags, scores, states)
