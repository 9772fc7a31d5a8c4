"""Judges weights by the product's own arithmetic on folders of scenes such as Scripts/vad-report takes.

The figures are those of Scripts/vad-report.d/scorer.py, after the machine that has the talk gate's times.
"""

import argparse
import os
import re
import subprocess
import sys

import numpy as np

import network

sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../vad-report.d")
import scenes  # noqa: E402
import scorer  # noqa: E402

SHIPPED = "Sources/Client/VoiceActivity/Network"
# Where the loudest band's level stands, and what it is where no band holds anything: SpeechFeatures.isEmpty.
LOUDEST, EMPTY = 169, -96
SPEAKING = {
    "auc": "AUC", "bacc": "bacc", "far": "false far off", "miss200": "first 200 ms missed", "sent_cut": "cut > 20 ms",
    "sent_unsent": "speech not sent", "sent_silence": "silence sent",
}


def default_threshold(root):
    """Where the product's moving threshold stands highest."""
    path = f"{root}/Sources/Client/VoiceActivity/Detector/SpeechDetector+Configuration.swift"
    with open(path) as file:
        return int(re.search(r"var threshold: Int = (\d+)", file.read())[1])


def described(program, scene):
    """What the product's own code makes of a scene."""
    done = subprocess.run([program, "16000"], input=scene.samples(16).tobytes(), capture_output=True, check=True)
    return np.frombuffer(done.stdout, np.int8).reshape(-1, network.FEATURES)


def judged(program, highest, candidates, folder):
    """{candidate: {figure: value}}: means over the scenes with a voice, and what is sent in each of the others."""
    rows, all_scenes = {}, scenes.load(folder)
    described_scenes = [described(program, scene) for scene in all_scenes]
    features = np.zeros((len(all_scenes), max(map(len, described_scenes)), network.FEATURES), np.int8)
    for place, found in enumerate(described_scenes):
        features[place, : len(found)] = found
    for name, parts in candidates.items():
        scores, spoken, alone = network.scores(parts, features), [], {}
        scores[features[:, :, LOUDEST] <= EMPTY] = 0
        for scene, score in zip(all_scenes, scores):
            decisions = scenes.Decisions(score >= network.thresholds(score, highest), score)
            if scene.spurts:
                spoken.append(scorer.score(scene, decisions))
                continue
            figures = scorer.empty_score(scene, decisions)
            alone |= {f"{scene.name}: sent": figures["sent_sent"], f"{scene.name}: s": figures["sent_longest_s"]}
        mean = scorer.mean(spoken) if spoken else {}
        rows[name] = {title: mean[key] for key, title in SPEAKING.items() if mean} | alone
    return rows


def text(rows):
    """A table: a line for each figure, a column for each candidate."""
    width = max(map(len, next(iter(rows.values()))))
    lines = [" ".join([" " * width] + [f"{name:>12}" for name in rows])]
    for figure in next(iter(rows.values())):
        lines.append(" ".join([figure.ljust(width)] + [f"{row[figure]:12.2f}" for row in rows.values()]))
    return "\n".join(lines)


def keep(folder, name, scenes_name, row):
    """Writes the scores into the experiment that lies beside its weights, once."""
    path, title = f"{folder}/{name}.toml", f"[scores.{scenes_name}]"
    if os.path.exists(path) and title not in open(path).read():
        with open(path, "a") as file:
            file.write("\n".join(["", title, *(f'"{figure}" = {value:.3f}' for figure, value in row.items()), ""]))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--root", required=True)
    arguments.add_argument("--features", required=True)
    arguments.add_argument("--scenes", action="append", required=True)
    arguments.add_argument("candidates", nargs="*")
    options = arguments.parse_args()
    folders = {os.path.basename(os.path.normpath(folder)): folder for folder in options.candidates}
    candidates = {"shipped": network.read(f"{options.root}/{SHIPPED}")}
    candidates |= {name: network.read(folder) for name, folder in folders.items()}
    for scenes_folder in options.scenes:
        rows = judged(options.features, default_threshold(options.root), candidates, scenes_folder)
        print(text(rows), flush=True)
        for name, folder in folders.items():
            keep(folder, name, os.path.basename(os.path.normpath(scenes_folder)), rows[name])


if __name__ == "__main__":
    main()
