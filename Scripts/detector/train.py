"""Trains the speech detector; see Scripts/train-detector --help."""

import argparse
import hashlib
import os
import re
import tomllib

import numpy as np

import importance
import learning
import material
import network
import speech

SHIPPED, TESTS = "Sources/Client/VoiceActivity/Network", "Tests/Client/VoiceActivityTests/Network"
TRIAL = "TrainedScores.swift"


def made_up(count):
    """Features without meaning, to hold the product's arithmetic against ours; see TrainedScores.swift."""
    frame, place = np.meshgrid(np.arange(count), np.arange(network.FEATURES), indexing="ij")
    return ((frame // 4 * 37 + place * (101 + frame % 4)) % 255 - 127).astype(np.int8)


def write(path, text):
    with open(path + ".new", "w") as file:
        file.write(text)
    os.replace(path + ".new", path)
    print(path)


def digest_of(options):
    """Stands for the experiment and for what carries it out: what another has begun is not gone on with."""
    here = os.path.dirname(os.path.abspath(__file__))
    digest = hashlib.sha256()
    for path in (options.experiment, *(f"{here}/{name}.py" for name in ("importance", "learning", "variation"))):
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:8]


def trained(options, experiment, found):
    """The network in the product's units: it learns to hear, then settles where voice and noise ask it to."""
    sizes, seed, plan = experiment["network"], experiment["seed"], experiment["training"]
    model = learning.Network(sizes["dense"], sizes["hidden"], seed)
    if experiment.get("resume"):
        model.begin_with(network.read(f"{options.root}/{SHIPPED}"))
    weights = importance.importance(found, experiment["importance"])
    for phase, place in (("hearing", 1), ("settling", 2)):
        if phase == "settling":
            counts = importance.ratio_counts(found, experiment["importance"])
            weights = np.where(found.truth, weights, weights * counts)
        path = f"{options.out}/{phase}-{digest_of(options)}.checkpoint"
        epochs, rate = plan[phase]["epochs"], plan[phase]["rate"]
        learning.Descent(model, found, weights, plan, epochs, rate, [seed, place], path).run()
    return model.whole()


def write_sources(options, parts, origin):
    """The weights as Swift sources, and what the tests expect of them."""
    expected = network.scores(parts, made_up(64)[None])[0].tolist()
    lines = "\n".join("        " + ", ".join(map(str, expected[at : at + 16])) + "," for at in range(0, 64, 16))
    texts = network.swift(f"{options.root}/{SHIPPED}", parts, origin)
    texts[TRIAL] = re.sub(r"(?<== \[\n)[^]]*(?=\n    \])", lines, network.read_text(f"{options.root}/{TESTS}", TRIAL))
    for name, text in texts.items():
        write(f"{options.out}/{name}", text)
        if options.ship:
            write(f"{options.root}/{TESTS if name == TRIAL else SHIPPED}/{name}", text)


def main():
    arguments = argparse.ArgumentParser()
    for name in ("experiment", "--root", "--features", "--out"):
        arguments.add_argument(name)
    arguments.add_argument("--processes", type=int)
    for name in ("--ship", "--invent"):
        arguments.add_argument(name, action="store_true")
    options = arguments.parse_args()
    with open(options.experiment, "rb") as file:
        experiment = tomllib.load(file)
    if missing := {"seed", "network", "scenes", "training", "importance"} - experiment.keys():
        raise SystemExit(f"error: {options.experiment} lacks {', '.join(sorted(missing))}; see the others beside it")
    name = os.path.basename(options.experiment).removesuffix(".toml")
    options.out = options.out or f"{options.root}/.build/detector/candidates/{name}"
    os.makedirs(options.out, exist_ok=True)
    voices, counts = speech.load(speech.SPEAKERS), experiment["scenes"]
    store = material.store_for(options.root, experiment["seed"], voices)
    found = material.invented(
        options.features, voices, experiment["seed"], store, counts["voiced"], counts["lonely"], options.processes
    )
    if options.invent:
        return
    parts, plan = trained(options, experiment, found), experiment["training"]
    origin = (
        f"Made by Scripts/train-detector, {name}.toml, seed {experiment['seed']}: {counts['voiced']} scenes with a "
        f"voice, {counts['lonely']} without, {plan['hearing']['epochs']} epochs and {plan['settling']['epochs']} of "
        f"settling{', from the weights before' * experiment.get('resume', False)}. Base 64 of signed bytes in units of "
        f"1/{network.WEIGHT_UNIT}, row by row, then 16-bit biases in units of 1/{network.BIAS_UNIT}."
    )
    write_sources(options, parts, origin)
    with open(options.experiment) as file:
        write(f"{options.out}/{name}.toml", file.read())
    print(f"{sum(os.times()[:4]):.0f} s of processor")
    print(options.out)


if __name__ == "__main__":
    main()
