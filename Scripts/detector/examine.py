"""Writes scenes of speakers and noises that no training heard, in the form that Scripts/vad-report takes."""

import json
import sys

import scenes
import speech

SECONDS, SEED = 150, 5


def main(folder):
    voices = speech.load(speech.EXAMINED)
    for kind in [None] + scenes.EXAMINED:
        for snr in [10, 0] if kind else [40]:
            scene = scenes.examination(voices, SEED, kind, snr, SECONDS)
            path = f"{folder}/{(kind or 'clean').replace(' ', '-')}-{snr}"
            speech.soundfile.write(f"{path}.16k.wav", scenes.pcm(scene.samples), speech.RATE)
            spurts = [[1000 * at / speech.RATE for at in spurt] for spurt in scene.spurts]
            truth = {"speech_ms": spurts, "seconds": SECONDS, "noise": kind, "snr_db": snr if kind else None}
            with open(f"{path}.truth.json", "w") as file:
                json.dump(truth, file)


if __name__ == "__main__":
    main(sys.argv[1])
