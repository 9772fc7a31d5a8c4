"""Trains the network with PyTorch on one thread: rounded weights forward, straight-through gradients back.

On one kind of machine the same call gives the same weights to the byte.
"""

import math
import os

import numpy as np
import torch
from torch.nn import functional

import network
import variation

STRETCH = 150
WARM_UP_STEPS, RATE_MIN = 200, 1e-5
# The product's layers, and what they are called here.
LAYERS = {
    "dense": "dense.weight dense.bias", "input": "recurrent.weight_ih_l0 recurrent.bias_ih_l0",
    "hidden": "recurrent.weight_hh_l0 recurrent.bias_hh_l0", "output": "output.weight output.bias",
}

torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)


class Network(torch.nn.Module):
    """The product's network in floating point, with an auxiliary output: whether music or a machine is heard.

    Training on it teaches the hidden state to tell voices from other tones; the product has the first output only.
    """

    def __init__(self, dense, hidden, seed):
        super().__init__()
        self.dense = torch.nn.Linear(network.FEATURES, dense)
        self.recurrent = torch.nn.GRU(dense, hidden)
        self.output = torch.nn.Linear(hidden, 2)
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for values in self.parameters():
                if values.dim() == 2:
                    values.normal_(0, values.shape[1] ** -0.5, generator=generator)
                else:
                    values.zero_()
            self.recurrent.bias_ih_l0[hidden : 2 * hidden] = 1

    def forward(self, features, state):
        """Maps frames × scenes × features and the state before them to two logits per frame and the state after."""
        states, last = self.recurrent(functional.relu(self.dense(features / network.FEATURE_UNIT)), state)
        return self.output(states), last

    def rounded(self, features, state):
        """Runs `forward` with weights rounded to the product's units; gradients pass through the rounding."""
        whole = {}
        for name, values in self.named_parameters():
            unit, most = (network.WEIGHT_UNIT, 127) if values.dim() == 2 else (network.BIAS_UNIT, 32767)
            nearest = (values.detach() * unit).round().clamp(-most, most) / unit
            whole[name] = nearest + (values - values.detach())
        return torch.func.functional_call(self, whole, (features, state))

    def whole(self):
        """Returns the parameters in the product's units, without the auxiliary output."""
        values, parts = self.state_dict(), {}
        for layer, names in LAYERS.items():
            weights, biases = (values[name].double().numpy() for name in names.split())
            parts[layer] = (
                np.clip(np.round(weights * network.WEIGHT_UNIT), -127, 127).astype(np.int64),
                np.clip(np.round(biases * network.BIAS_UNIT), -32767, 32767).astype(np.int64),
            )
        parts["output"] = tuple(part[:1] for part in parts["output"])
        return parts

    def begin_with(self, parts):
        """Copies a network of this size or smaller; further units keep their random input and start with no effect."""
        values = dict(self.named_parameters())
        with torch.no_grad():
            for layer, names in LAYERS.items():
                gates = 3 if layer in ("input", "hidden") else 1
                for name, part, unit in zip(names.split(), parts[layer], (network.WEIGHT_UNIT, network.BIAS_UNIT)):
                    before = torch.tensor(part / unit).unflatten(0, (gates, -1))
                    now = values[name].unflatten(0, (gates, -1))[:, : before.shape[1]]
                    now.zero_()[(..., *map(slice, before.shape[2:]))] = before


def loss_of(logits, truth, importance, mechanical, auxiliary):
    """Returns the weighted cross entropy of the first output per scene, and the total loss of both outputs."""
    hearing = importance * functional.binary_cross_entropy_with_logits(logits[..., 0], truth, reduction="none")
    known = (mechanical >= 0).float()
    other = functional.binary_cross_entropy_with_logits(
        logits[..., 1], mechanical.clamp(min=0).expand_as(truth), reduction="none"
    )
    return hearing.mean(0), hearing.mean() + auxiliary * (known * other).mean()


class Descent:
    """One run of Adam with warm-up and cosine decay; writes a checkpoint after each epoch.

    Every batch mixes scenes with a voice, each seen once per epoch, and noise-only scenes: half of these are drawn
    uniformly, half in proportion to their last loss.
    """

    def __init__(self, model, material, weights, options, epochs, rate, seed, path):
        self.model, self.material, self.weights = model, material, weights
        self.options, self.epochs, self.rate, self.path = options, epochs, rate, path
        self.random = np.random.default_rng(seed)
        self.voiced, self.lonely = np.flatnonzero(~material.lonely), np.flatnonzero(material.lonely)
        self.hardness = np.ones(len(self.lonely))
        self.optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.99))
        self.lonely_size = min(options["lonely_in_batch"], len(self.lonely))
        self.voiced_size = min(options["batch"] - self.lonely_size, len(self.voiced))
        self.steps = self.epochs * (len(self.voiced) // self.voiced_size) * (material.truth.shape[1] // STRETCH)
        self.epoch = self.step = 0

    def run(self):
        """Trains all epochs, from the checkpoint if there is one."""
        if os.path.exists(self.path):
            kept = torch.load(self.path)
            self.model.load_state_dict(kept["model"])
            self.optimizer.load_state_dict(kept["optimizer"])
            self.random.bit_generator.state = kept["random"]
            self.epoch, self.step, self.hardness = kept["epoch"], kept["step"], np.array(kept["hardness"])
        while self.epoch < self.epochs:
            order = self.random.permutation(self.voiced)
            losses = [
                self.learn(order[at : at + self.voiced_size])
                for at in range(0, len(order) - self.voiced_size + 1, self.voiced_size)
            ]
            self.epoch += 1
            self.keep()
            print(f"epoch {self.epoch} of {self.epochs}: loss {np.mean(losses):.4f}", flush=True)

    def learn(self, voiced):
        """Trains on one batch with truncated back-propagation: the state crosses stretches, the gradient doesn't."""
        material, likely = self.material, self.hardness + self.hardness.mean()
        drawn = self.random.choice(len(self.lonely), self.lonely_size, False, likely / likely.sum())
        chosen = np.concatenate([voiced, self.lonely[drawn]])
        heard = np.ascontiguousarray(material.features[chosen].transpose(1, 0, 2))
        features = torch.from_numpy(variation.varied(self.random, heard))
        truth = torch.from_numpy(material.truth[chosen].T.astype(np.float32))
        weights = torch.from_numpy(np.ascontiguousarray(self.weights[chosen].T, np.float32))
        mechanical = torch.from_numpy(material.mechanical[chosen].astype(np.float32))
        state = torch.zeros(1, len(chosen), self.model.recurrent.hidden_size)
        losses = torch.zeros(len(chosen))
        for at in range(0, len(truth), STRETCH):
            part = slice(at, at + STRETCH)
            logits, state = self.model.rounded(features[part], state)
            by_scene, loss = loss_of(logits, truth[part], weights[part], mechanical, self.options["auxiliary"])
            self.descend(loss)
            state, losses = state.detach(), losses + by_scene.detach() * STRETCH / len(truth)
        self.hardness[drawn] = losses[len(voiced) :].numpy()
        return float(losses.mean())

    def descend(self, loss):
        cosine = 0.5 + 0.5 * math.cos(math.pi * self.step / self.steps)
        self.step += 1
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate * min(1, self.step / WARM_UP_STEPS) * cosine + RATE_MIN
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1)
        self.optimizer.step()

    def keep(self):
        torch.save({
            "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(), "step": self.step,
            "epoch": self.epoch, "random": self.random.bit_generator.state, "hardness": self.hardness.tolist(),
        }, self.path + ".new")
        os.replace(self.path + ".new", self.path)
