"""The detector's network as the product computes it, in whole numbers, and its weights as Swift sources.

A dense layer with ReLU, a gated recurrent unit (Cho et al. 2014, in cuDNN's form), a dense output. Weights are
signed bytes in units of 1/64. How they are learned stands in learning.py.
"""

import base64
import re
import textwrap

import numpy as np

FEATURES = 176
FEATURE_UNIT = 32
WEIGHT_UNIT = 64
BIAS_UNIT = 2048


SIGMOID_POINTS = np.round(32767 / (1 + np.exp(-np.arange(-128, 129) / 16))).astype(np.int64)


def whole_logistic(values):
    """From units of 1/2048 to units of 2⁻¹⁵: straight lines between 257 points from −8 to 8."""
    place = np.clip(values, -16384, 16383) + 16384
    index, rest = place >> 7, place & 127
    return SIGMOID_POINTS[index] + ((SIGMOID_POINTS[index + 1] - SIGMOID_POINTS[index]) * rest + 64 >> 7)


def scores(parts, features):
    """What the product makes of scenes × frames × features, in whole numbers: 0 to 1000."""
    matrices = {layer: weights.T.astype(np.float64) for layer, (weights, _) in parts.items()}

    def product(layer, values):
        # Whole numbers below 2⁵³ are exact in double precision, and their products far quicker.
        return (values.astype(np.float64) @ matrices[layer]).astype(np.int64)

    hidden = parts["hidden"][0].shape[1]
    state = np.zeros((len(features), hidden), np.int64)
    result = np.zeros(features.shape[:2], np.int64)
    for frame in range(features.shape[1]):
        dense = np.clip(product("dense", features[:, frame]) + parts["dense"][1], 0, 32767)
        given = (product("input", dense) + 32 >> 6) + parts["input"][1]
        kept = (product("hidden", state) + 512 >> 10) + parts["hidden"][1]
        reset = whole_logistic(given[:, :hidden] + kept[:, :hidden])
        update = whole_logistic(given[:, hidden : 2 * hidden] + kept[:, hidden : 2 * hidden])
        recalled = np.clip(kept[:, 2 * hidden :], -32768, 32767)
        fresh = 2 * whole_logistic(2 * (given[:, 2 * hidden :] + (reset * recalled + 16384 >> 15))) - 32767
        state = fresh + (update * (state - fresh) + 16384 >> 15)
        logit = (product("output", state) + 512 >> 10)[:, 0] + parts["output"][1][0]
        result[:, frame] = whole_logistic(logit) * 1000 + 16384 >> 15
    return result


def thresholds(score, highest):
    """What the product holds each score of one scene against; see MovingThreshold.swift."""
    result = np.zeros(len(score), np.int64)
    last = mean = 0
    for frame, now in enumerate(score.tolist()):
        result[frame] = highest if 4 * last < highest else -(highest * (1000 + (mean >> 10)) // -2000)
        last = now
        mean += (now << 10) - mean >> 4
    return result


# Where the weights are: one file would be too long to look at.
FILES = ["SpeechNetworkWeights.swift", "SpeechNetworkWeights+Hidden.swift"]
# A layer in them: its rows and columns, its name, its numbers.
LAYER = re.compile(r'    /// (\d+) rows of (\d+) weights, then.*\n    static let (\w+): StaticString = """([^"]*)"""')
ORIGIN = re.compile(r"/// Made by .*\n(?:/// .*\n)*")


def swift(folder, parts, origin):
    """The Swift sources of a folder with other parameters in them: {name: text}."""
    def layer(match):
        weights, biases = parts[name := match[3]]
        base = base64.b64encode(weights.astype(np.int8).tobytes() + biases.astype(">i2").tobytes()).decode().rstrip("=")
        lines = "\n".join("        " + line for line in textwrap.wrap(base, 88))
        return (
            f"    /// {weights.shape[0]} rows of {weights.shape[1]} weights, then the biases.\n"
            f'    static let {name}: StaticString = """\n{lines}\n        """'
        )

    comment = "".join(f"/// {line}\n" for line in textwrap.wrap(origin, 92))
    return {name: LAYER.sub(layer, ORIGIN.sub(comment, read_text(folder, name))) for name in FILES}


def read_text(folder, name):
    with open(f"{folder}/{name}") as file:
        return file.read()


def read(folder):
    """The parameters in the product's units, from its sources: {layer: (weights, biases)}."""
    parts = {}
    for rows, columns, layer, base in LAYER.findall("".join(read_text(folder, name) for name in FILES)):
        base, shape = "".join(base.split()), (int(rows), int(columns))
        raw = base64.b64decode(base + "=" * (-len(base) % 4))
        weights = np.frombuffer(raw, np.int8, shape[0] * shape[1]).astype(np.int64).reshape(shape)
        parts[layer] = (weights, np.frombuffer(raw, ">i2", shape[0], weights.size).astype(np.int64))
    return parts
