"""ELMo in NumPy, from the paper and from the layout of its published files; it knows nothing of our code.

Random weights with different primes for every size, written under the names of its `weights.hdf5`;
then, word by word and side by side, what the arithmetic of those files comes to. Every loop is
written out, nothing is batched, and the numbers are float64.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file, save_file

OPTIONS = {
    "lstm": {
        "use_skip_connections": True, "projection_dim": 11, "cell_clip": 0.9, "proj_clip": 0.7, "dim": 23,
        "n_layers": 2,
    },
    "char_cnn": {
        "activation": "relu",
        "filters": [[1, 3], [2, 7], [3, 5], [5, 2]],
        "n_highway": 2,
        "embedding": {"dim": 13},
        "n_characters": 261,
        "max_characters_per_token": 19,
    },
}  # fmt: skip
DIRECTIONS = 2
HIGHWAY = ("W_carry", "b_carry", "W_transform", "b_transform")


def write(folder: Path, seed: int = 0, **changes: dict[str, Any]) -> None:
    """Options and random weights in a folder; `changes` replace single options."""
    options = {part: values | changes.get(part, {}) for part, values in OPTIONS.items()}
    (folder / "config.json").write_text(json.dumps({"model_type": "elmo"} | options), encoding="utf-8")
    random = np.random.default_rng(seed)
    weights = {path: random.normal(0, 0.45, shape) for path, shape in shapes(options).items()}
    save_file({path: x.astype(np.float32) for path, x in weights.items()}, folder / "model.safetensors")


def shapes(options: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """Every array of the file. A cell has one matrix for its input and its own last output."""
    lstm, cnn = options["lstm"], options["char_cnn"]
    found = sum(count for _, count in cnn["filters"])
    half, hidden, room = lstm["projection_dim"], lstm["dim"], cnn["embedding"]["dim"]
    result: dict[str, tuple[int, ...]] = {"char_embed": (261, room)}
    for i, (width, count) in enumerate(cnn["filters"]):
        result |= {f"CNN/W_cnn_{i}": (1, width, room, count), f"CNN/b_cnn_{i}": (count,)}
    for i in range(cnn.get("n_highway") or 0):
        for gate in ("carry", "transform"):
            result |= {f"CNN_high_{i}/W_{gate}": (found, found), f"CNN_high_{i}/b_{gate}": (found,)}
    if found != half:
        result |= {"CNN_proj/W_proj": (found, half), "CNN_proj/b_proj": (half,)}
    for direction in range(DIRECTIONS):
        for layer in range(lstm["n_layers"]):
            cell = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            result |= {f"{cell}/W_0": (2 * half, 4 * hidden), f"{cell}/B": (4 * hidden,)}
            if half < hidden:
                result[f"{cell}/W_P_0"] = (hidden, half)
    return result


class Reference:
    """The published computation on a folder's files. `state` is carried from sentence to sentence."""

    def __init__(self, folder: Path) -> None:
        options = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.lstm, self.cnn = options["lstm"], options["char_cnn"]
        weights = load_file(folder / "model.safetensors")
        self.weights = {path: weights[path].astype(np.float64) for path in shapes(options)}
        self.forget()

    def forget(self) -> None:
        """Both readers begin with nothing in mind."""
        count = self.lstm["n_layers"]
        half, hidden = self.lstm["projection_dim"], self.lstm["dim"]
        self.state = [[(np.zeros(half), np.zeros(hidden)) for _ in range(count)] for _ in range(DIRECTIONS)]

    def layers(self, words: list[str]) -> np.ndarray:
        """Layer, position and dimension of a sentence, the marks at both ends included."""
        text = [self.word(ids) for ids in self.spell(words)]
        stacks = []
        for direction in range(DIRECTIONS):
            order = range(len(text)) if direction == 0 else range(len(text) - 1, -1, -1)
            stack = [text]
            for layer in range(self.lstm["n_layers"]):
                above: list[np.ndarray] = [np.empty(0)] * len(text)
                h, c = self.state[direction][layer]
                for position in order:
                    h, c = self.cell(direction, layer, stack[-1][position], h, c)
                    skips = self.lstm["use_skip_connections"] and layer > 0
                    above[position] = h + stack[-1][position] if skips else h
                self.state[direction][layer] = h, c
                stack.append(above)
            stacks.append(np.array(stack))
        return np.concatenate(stacks, axis=-1)

    def spell(self, words: list[str]) -> list[list[int]]:
        """258, the bytes, 259, then 260; the sentence's own marks are 256 and 257."""
        room = self.cnn["max_characters_per_token"]
        spelled = [[256], *(list(word.encode())[: room - 2] for word in words), [257]]
        return [[258, *ids, 259] + [260] * (room - 2 - len(ids)) for ids in spelled]

    def word(self, ids: list[int]) -> np.ndarray:
        """A word's vector from its characters."""
        characters = np.array([self.weights["char_embed"][i] for i in ids])
        bend = np.tanh if self.cnn["activation"] == "tanh" else lambda x: np.maximum(x, 0)
        result = []
        for i, (width, count) in enumerate(self.cnn["filters"]):
            kernel, bias = self.weights[f"CNN/W_cnn_{i}"][0], self.weights[f"CNN/b_cnn_{i}"]
            for which in range(count):
                matches = [
                    (characters[start : start + width] * kernel[:, :, which]).sum() + bias[which]
                    for start in range(len(ids) - width + 1)
                ]
                result.append(bend(max(matches)))
        x = np.array(result)
        for i in range(self.cnn.get("n_highway") or 0):
            part = {name: self.weights[f"CNN_high_{i}/{name}"] for name in HIGHWAY}
            gate = sigmoid(x @ part["W_carry"] + part["b_carry"])
            changed = np.maximum(x @ part["W_transform"] + part["b_transform"], 0)
            x = gate * changed + (1 - gate) * x
        if "CNN_proj/W_proj" in self.weights:
            x = x @ self.weights["CNN_proj/W_proj"] + self.weights["CNN_proj/b_proj"]
        return x

    def cell(
        self, direction: int, layer: int, x: np.ndarray, h: np.ndarray, c: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """One step: input gate, candidate, forget gate (plus 1), output gate, in the order of the file."""
        name = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
        raw = np.concatenate([x, h]) @ self.weights[f"{name}/W_0"] + self.weights[f"{name}/B"]
        hidden = self.lstm["dim"]
        gate, candidate, forget, out = (raw[k * hidden : (k + 1) * hidden] for k in range(4))
        c = sigmoid(forget + 1) * c + sigmoid(gate) * np.tanh(candidate)
        if self.lstm.get("cell_clip"):
            c = np.clip(c, -self.lstm["cell_clip"], self.lstm["cell_clip"])
        h = sigmoid(out) * np.tanh(c)
        if f"{name}/W_P_0" in self.weights:
            h = h @ self.weights[f"{name}/W_P_0"]
            if self.lstm.get("proj_clip"):
                h = np.clip(h, -self.lstm["proj_clip"], self.lstm["proj_clip"])
        return h, c


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + e^-x)."""
    return 1 / (1 + np.exp(-x))
