"""ELMo: two language models over one sentence, one from each side, that read words by their characters.

Paper: Peters, Neumann, Iyyer, Gardner, Clark, Lee, Zettlemoyer, "Deep contextualized word
representations" (NAACL 2018). Reference code: allenai/bilm-tf, bilm/model.py.

    characters -> convolutions, greatest over the word -> highways -> projection -> word vector x
    layer 0     [x, x]: the same vector for both readers
    layer 1     [forward LSTM of x, backward LSTM of x]
    layer 2     [forward LSTM of the left half, backward LSTM of the right half] + layer 1
    softmax     left half of the last layer -> next word, right half -> previous word

The parameters have the shapes, and the names in the rename table have the words, of bilm-tf's
`weights.hdf5`; `options.json` is the heart of our config.json. Published weights come without softmax.
"""

from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.models.character_words import Words
from explorer.models.family import Family, Pass, Rule, register
from explorer.models.layers import edited, layer_list, vocabulary_scores
from explorer.tokenizers.characters import MARKS
from explorer.trace import Ability, Capture, Edit

HEADS = frozenset({"softmax"})


@dataclass(frozen=True)
class ElmoConfig:
    """Sizes and choices; `filters` are (characters wide, how many), `d_half` is one reader's width.

    `d_vocab` counts the words of the softmax: the three marks alone where there is none.
    """

    d_vocab: int = len(MARKS)
    d_half: int = 512
    d_hidden: int = 4096
    layers: int = 2
    d_char: int = 16
    filters: tuple[tuple[int, int], ...] = (
        (1, 32),
        (2, 32),
        (3, 64),
        (4, 128),
        (5, 256),
        (6, 512),
        (7, 1024),
    )
    highways: int | None = 2
    characters: int = 50
    activation: str = "relu"
    skip: bool = True
    cell_clip: float | None = 3.0
    half_clip: float | None = 3.0
    positions: int = 512

    @property
    def d_model(self) -> int:
        """Both halves."""
        return 2 * self.d_half


class Reader(nn.Module):
    """An LSTM in one direction whose output is projected (Sak, Senior, Beaufays 2014).

        i, j, f, o = [x, h] kernel + bias
        c = clip(sigmoid(f + 1) c + sigmoid(i) tanh(j));    h = clip((sigmoid(o) tanh(c)) projection)

    The order of the gates, and adding the 1 here instead of storing it, follow TensorFlow.
    Without room to project (`d_half` = `d_hidden`) h is sigmoid(o) tanh(c), not clipped.
    """

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.kernel = nn.Parameter(torch.zeros(2 * config.d_half, 4 * config.d_hidden))
        self.bias = nn.Parameter(torch.zeros(4 * config.d_hidden))
        self.cell_clip, self.half_clip = config.cell_clip, config.half_clip
        self.projection: nn.Parameter | None = None
        if config.d_half < config.d_hidden:
            self.projection = nn.Parameter(torch.zeros(config.d_hidden, config.d_half))

    def forward(
        self,
        x: Float[Tensor, "batch pos half"],
        mask: Bool[Tensor, "batch pos"] | None,
        backwards: bool = False,
    ) -> Float[Tensor, "batch pos half"]:
        """Read from one end to the other; over padding (`mask` False) nothing changes."""
        entering, recurrent = self.kernel.split(x.shape[-1])
        entered = x @ entering + self.bias
        h, c = torch.zeros_like(x[:, 0]), x.new_zeros(len(x), len(self.bias) // 4)
        outputs: list[Tensor] = [h] * x.shape[1]
        order = range(x.shape[1])
        for position in reversed(order) if backwards else order:
            new_h, new_c = self._step(entered[:, position] + h @ recurrent, c)
            if mask is None:
                h, c = new_h, new_c
            else:
                real = mask[:, position, None]
                h, c = torch.where(real, new_h, h), torch.where(real, new_c, c)
            outputs[position] = h
        return torch.stack(outputs, dim=1)

    def _step(self, gates: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
        i, j, f, o = gates.chunk(4, dim=-1)
        c = torch.sigmoid(f + 1) * c + torch.sigmoid(i) * torch.tanh(j)
        c = c if self.cell_clip is None else c.clamp(-self.cell_clip, self.cell_clip)
        h = torch.sigmoid(o) * torch.tanh(c)
        if self.projection is not None:
            h = h @ self.projection
            h = h if self.half_clip is None else h.clamp(-self.half_clip, self.half_clip)
        return h, c


class Layer(nn.Module):
    """A reader from the left and one from the right, which know nothing of each other."""

    def __init__(self, config: ElmoConfig) -> None:
        super().__init__()
        self.forwards = Reader(config)
        self.backwards = Reader(config)

    def forward(
        self, x: Float[Tensor, "batch pos d_model"], mask: Bool[Tensor, "batch pos"] | None
    ) -> Float[Tensor, "batch pos d_model"]:
        left, right = x.chunk(2, dim=-1)
        return torch.cat([self.forwards(left, mask), self.backwards(right, mask, backwards=True)], dim=-1)


class Elmo(nn.Module):
    """The two language models, with their common softmax where the checkpoint has one."""

    def __init__(self, config: ElmoConfig, heads: frozenset[str] = HEADS) -> None:
        super().__init__()
        self.config = config
        self.words = Words(
            config.filters,
            config.d_char,
            config.d_half,
            config.highways or 0,
            config.characters,
            config.activation,
        )
        self.layers = layer_list(Layer(config) for _ in range(config.layers))
        self.softmax = nn.Linear(config.d_half, config.d_vocab) if "softmax" in heads else None

    def forward(
        self,
        characters: Int[Tensor, "batch pos char"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass:
        """Run both readers; `mask` is False where a row is padding, `segments` must be all 0."""
        batch, length, _ = characters.shape
        kinds, which = characters.flatten(0, 1).unique(dim=0, return_inverse=True)
        x = self.words(kinds)[which].view(batch, length, -1)
        hidden = edited(edit, "embedding", 0, torch.cat([x, x], dim=-1))
        hidden_states = [hidden]
        for i, layer in enumerate(self.layers):
            above = layer(hidden, mask)
            hidden = edited(edit, "hidden", i, above + hidden if self.config.skip and i > 0 else above)
            hidden_states.append(hidden)
        return Pass(last=hidden, hidden_states=hidden_states if Capture.HIDDEN in capture else None)

    def next_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the word after a position, from the last layer."""
        return self._words_from(hidden.chunk(2, dim=-1)[0])

    def previous_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the word before a position, from the last layer."""
        return self._words_from(hidden.chunk(2, dim=-1)[1])

    def _words_from(self, half: Tensor) -> Tensor:
        assert self.softmax is not None, "a model with the ability has the weights"
        return vocabulary_scores(half, self.softmax.weight, self.softmax.bias)


def _read_more(raw: dict[str, Any]) -> dict[str, Any]:
    """The fields of the configuration in our config.json, whose parts are those of bilm-tf's options."""
    lstm, cnn = raw["lstm"], raw["char_cnn"]

    def clip(name: str) -> float | None:
        return float(lstm[name]) if lstm.get(name) else None

    return {
        "d_vocab": raw.get("vocab_size", len(MARKS)),
        "d_half": lstm["projection_dim"],
        "d_hidden": lstm["dim"],
        "layers": lstm.get("n_layers", 1),
        "d_char": cnn["embedding"]["dim"],
        "filters": tuple((int(width), int(count)) for width, count in cnn["filters"]),
        "highways": cnn.get("n_highway") or None,
        "characters": cnn["max_characters_per_token"],
        "activation": cnn["activation"],
        "skip": lstm["use_skip_connections"],
        "cell_clip": clip("cell_clip"),
        "half_clip": clip("proj_clip"),
        "positions": raw.get("max_position_embeddings", 512),
    }


def _rules() -> tuple[Rule, ...]:
    rules = [
        Rule("words.characters", ("char_embed",)),
        Rule("words.filters.{i}.weight", ("CNN/W_cnn_{i}",)),
        Rule("words.filters.{i}.bias", ("CNN/b_cnn_{i}",)),
        Rule("words.project.weight", ("CNN_proj/W_proj",), transpose=True),
        Rule("words.project.bias", ("CNN_proj/b_proj",)),
        Rule("softmax.weight", ("softmax/W",), head="softmax"),
        Rule("softmax.bias", ("softmax/b",), head="softmax"),
    ]
    for gate in ("carry", "transform"):
        ours, theirs = f"words.highways.{{i}}.{gate}", f"CNN_high_{{i}}/%s_{gate}"
        rules.append(Rule(f"{ours}.weight", (theirs % "W",), transpose=True))
        rules.append(Rule(f"{ours}.bias", (theirs % "b",)))
    for side, direction in enumerate(("forwards", "backwards")):
        cell = f"RNN_{side}/RNN/MultiRNNCell/Cell{{i}}/LSTMCell/"
        for ours, theirs in (("kernel", "W_0"), ("bias", "B"), ("projection", "W_P_0")):
            rules.append(Rule(f"layers.{{i}}.{direction}.{ours}", (cell + theirs,)))
    return tuple(rules)


def _abilities(heads: frozenset[str]) -> Ability:
    predicts = Ability.NEXT_WORD | Ability.PREVIOUS_WORD if "softmax" in heads else Ability.NONE
    return Ability.CONTEXT | Ability.CHARACTERS | predicts


register(
    Family(
        model_type="elmo",
        config=ElmoConfig,
        network=Elmo,
        rules=_rules(),
        abilities=_abilities,
        read_more=_read_more,
        keys={
            "d_vocab": "vocab_size",
            "d_half": "projection_dim",
            "d_hidden": "dim",
            "layers": "n_layers",
            "d_char": "embedding dim",
            "highways": "n_highway",
            "characters": "max_characters_per_token",
            "skip": "use_skip_connections",
            "half_clip": "proj_clip",
            "positions": "max_position_embeddings",
        },
    )
)
