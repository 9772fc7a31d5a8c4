"""The detector's network: how it is trained, in fractions, and what the product computes, in whole numbers.

A dense layer with ReLU, a gated recurrent unit (Cho et al. 2014, in cuDNN's form), a dense output. Weights are
signed bytes in units of 1/64. Training rounds them on the way forward and not on the way back, so the rounding
is part of what is learned.
"""

import base64
import re
import textwrap

import numpy as np

FEATURES = 176
DENSE = 64
HIDDEN = 96
FEATURE_UNIT = 32
WEIGHT_UNIT = 64
BIAS_UNIT = 2048
LAYERS = ["dense", "input", "hidden", "output"]


def drawn(random):
    """The parameters before training: {layer: (weights, biases)}."""
    shapes = [(DENSE, FEATURES), (3 * HIDDEN, DENSE), (3 * HIDDEN, HIDDEN), (1, HIDDEN)]
    parameters = {
        layer: (random.standard_normal(shape) / np.sqrt(shape[1]), np.zeros(shape[0]))
        for layer, shape in zip(LAYERS, shapes)
    }
    parameters["input"][1][HIDDEN : 2 * HIDDEN] = 1
    return {layer: tuple(part.astype(np.float32) for part in parts) for layer, parts in parameters.items()}


def whole(parameters):
    """The parameters in the product's units."""
    return {
        layer: (
            np.clip(np.round(weights * WEIGHT_UNIT), -127, 127).astype(np.int64),
            np.clip(np.round(biases * BIAS_UNIT), -32767, 32767).astype(np.int64),
        )
        for layer, (weights, biases) in parameters.items()
    }


def fractions(parts):
    """What the product's units stand for."""
    return {
        layer: ((weights / WEIGHT_UNIT).astype(np.float32), (biases / BIAS_UNIT).astype(np.float32))
        for layer, (weights, biases) in parts.items()
    }


def rounded(parameters):
    return fractions(whole(parameters))


def logistic(values):
    """In place and in single precision, the hyperbolic tangent is the quickest way there."""
    values *= np.float32(0.5)
    np.tanh(values, out=values)
    values *= np.float32(0.5)
    values += np.float32(0.5)
    return values


class Forward:
    """What the layers hold over a stretch of frames × scenes, kept for the way back."""

    def __init__(self, weights, features, state):
        (w1, b1), (wi, bi), (wh, bh), (wo, bo) = weights
        frames, scenes = features.shape[:2]
        self.given_in = features.astype(np.float32).reshape(frames * scenes, -1)
        self.given_in *= np.float32(1 / FEATURE_UNIT)
        self.dense = np.maximum(self.given_in @ w1.T + b1, 0)
        given = (self.dense @ wi.T + bi).reshape(frames, scenes, -1)
        self.states = np.empty((frames + 1, scenes, HIDDEN), np.float32)
        self.states[0] = state
        self.gates = np.empty((frames, scenes, 2 * HIDDEN), np.float32)
        self.fresh = np.empty((frames, scenes, HIDDEN), np.float32)
        self.recalled = np.empty((frames, scenes, HIDDEN), np.float32)
        hidden_t, kept = np.ascontiguousarray(wh.T), np.empty((scenes, 3 * HIDDEN), np.float32)
        for t in range(frames):
            np.matmul(self.states[t], hidden_t, out=kept)
            kept += bh
            gates, fresh, after = self.gates[t], self.fresh[t], self.states[t + 1]
            logistic(np.add(given[t, :, : 2 * HIDDEN], kept[:, : 2 * HIDDEN], out=gates))
            self.recalled[t] = kept[:, 2 * HIDDEN :]
            np.multiply(gates[:, :HIDDEN], self.recalled[t], out=fresh)
            fresh += given[t, :, 2 * HIDDEN :]
            np.tanh(fresh, out=fresh)
            np.subtract(self.states[t], fresh, out=after)
            after *= gates[:, HIDDEN:]
            after += fresh
        self.logits = self.states[1:] @ wo[0] + bo[0]


def gradient_of_gates(forward, d_logits, hidden, output):
    """The loss's slope at what the recurrent layer is given and at what it keeps."""
    frames, scenes = d_logits.shape
    d_given = np.empty((frames, scenes, 3 * HIDDEN), np.float32)
    d_kept = np.empty_like(d_given)
    slopes = forward.gates * (1 - forward.gates)
    slopes[:, :, :HIDDEN] *= forward.recalled
    slopes[:, :, HIDDEN:] *= forward.states[:-1] - forward.fresh
    bends = (1 - forward.gates[:, :, HIDDEN:]) * (1 - forward.fresh**2)
    d_outputs = d_logits[:, :, None] * output
    d_state = np.zeros((scenes, HIDDEN), np.float32)
    for t in range(frames - 1, -1, -1):
        d_state += d_outputs[t]
        given, kept, slope = d_given[t], d_kept[t], slopes[t]
        np.multiply(d_state, bends[t], out=given[:, 2 * HIDDEN :])
        np.multiply(given[:, 2 * HIDDEN :], forward.gates[t, :, :HIDDEN], out=kept[:, 2 * HIDDEN :])
        np.multiply(given[:, 2 * HIDDEN :], slope[:, :HIDDEN], out=given[:, :HIDDEN])
        np.multiply(d_state, slope[:, HIDDEN:], out=given[:, HIDDEN : 2 * HIDDEN])
        kept[:, : 2 * HIDDEN] = given[:, : 2 * HIDDEN]
        d_state *= forward.gates[t, :, HIDDEN:]
        d_state += kept @ hidden
    return d_given.reshape(frames * scenes, -1), d_kept.reshape(frames * scenes, -1)


def loss_and_gradient(parameters, features, truth, importance, state):
    """Weighted cross entropy of a stretch of frames × scenes × features, its gradient, and the last state.

    Back-propagation goes through the stretch and ends at its first frame.
    """
    weights = [rounded(parameters)[layer] for layer in LAYERS]
    forward = Forward(weights, features, state)
    logits = forward.logits
    loss = float((importance * (np.logaddexp(0, logits) - truth * logits)).mean())
    d_logits = (importance * (logistic(logits.copy()) - truth) / truth.size).astype(np.float32)
    d_given, d_kept = gradient_of_gates(forward, d_logits, weights[2][0], weights[3][0][0])
    d_dense = d_given @ weights[1][0]
    d_dense *= forward.dense > 0
    before, after = (forward.states[part].reshape(truth.size, -1) for part in (slice(-1), slice(1, None)))
    gradient = {
        "dense": (d_dense.T @ forward.given_in, d_dense.sum(0)),
        "input": (d_given.T @ forward.dense, d_given.sum(0)),
        "hidden": (d_kept.T @ before, d_kept.sum(0)),
        "output": (d_logits.reshape(1, -1) @ after, d_logits.sum(keepdims=True).reshape(1)),
    }
    return loss, gradient, forward.states[-1]


class Adam:
    """Kingma and Ba 2015, with the whole gradient kept to a length of 1."""

    def __init__(self, parameters):
        self.parameters, self.step_count = parameters, 0
        self.means = {key: [np.zeros_like(part) for part in parts] for key, parts in parameters.items()}
        self.squares = {key: [np.zeros_like(part) for part in parts] for key, parts in parameters.items()}

    def step(self, gradient, rate):
        self.step_count += 1
        length = np.sqrt(sum(float((part**2).sum()) for parts in gradient.values() for part in parts))
        scale = np.float32(min(1.0, 1.0 / (length + 1e-9)))
        bias_1, bias_2 = 1 - 0.9**self.step_count, 1 - 0.99**self.step_count
        for key, parts in self.parameters.items():
            for place, values in enumerate(parts):
                slope, mean, square = gradient[key][place] * scale, self.means[key][place], self.squares[key][place]
                mean += np.float32(0.1) * (slope - mean)
                square += np.float32(0.01) * (slope**2 - square)
                values -= np.float32(rate / bias_1) * mean / (np.sqrt(square / np.float32(bias_2)) + np.float32(1e-8))


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


TEMPLATE = '''/// The weights of the detector's network{part}: written by a program, not to be edited.
///
{origin}
{kind} SpeechNetworkWeights {{
{layers}
}}
'''

# Which file holds which layers; one for all would be too long to look at.
FILES = {
    "SpeechNetworkWeights.swift": ("enum", "", ["dense", "input", "output"]),
    "SpeechNetworkWeights+Hidden.swift": ("extension", ", its memory", ["hidden"]),
}


def layer_swift(name, weights, biases):
    text = base64.b64encode(weights.astype(np.int8).tobytes() + biases.astype(">i2").tobytes()).decode()
    lines = "\n".join("        " + line for line in textwrap.wrap(text.rstrip("="), 88))
    return (
        f"    /// {len(weights)} rows of {weights.shape[1]} weights, then the biases.\n"
        f'    static let {name}: StaticString = """\n{lines}\n        """'
    )


def swift(parts, origin):
    """The parameters as Swift sources: {name: text}."""
    comment = "\n".join("/// " + line for line in textwrap.wrap(origin, 92))
    return {
        name: TEMPLATE.format(
            kind=kind, part=part, origin=comment,
            layers="\n\n".join(layer_swift(layer, *parts[layer]) for layer in layers),
        )
        for name, (kind, part, layers) in FILES.items()
    }


def read(folder):
    """The parameters in the product's units, from its sources."""
    text = ""
    for name in FILES:
        with open(f"{folder}/{name}") as file:
            text += file.read()
    parts = {}
    for layer, (weights, biases) in drawn(np.random.default_rng(0)).items():
        base = re.search(rf'let {layer}: StaticString = """([^"]*)"""', text)[1].translate({10: None, 32: None})
        raw = base64.b64decode(base + "=" * (-len(base) % 4))
        parts[layer] = (
            np.frombuffer(raw, np.int8, weights.size).astype(np.int64).reshape(weights.shape),
            np.frombuffer(raw, ">i2", biases.size, weights.size).astype(np.int64),
        )
    return parts
