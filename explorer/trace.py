"""The results of one forward pass: Encoding, Attention, Trace; and a Checkpoint's name.

One text, one trace, no batch axis. All tensors are on the CPU; activations are float32.
In the shapes of this and all other files, `depth` is layers + 1: the embedding, then each block.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Flag, auto
from typing import TypeVar

from jaxtyping import Bool, Float, Int
from torch import Tensor

from explorer.catalogue.ability import Ability as Ability
from explorer.catalogue.checkpoint_names import parsed_name
from explorer.short_text import WithShortText

Result = TypeVar("Result")


class Capture(Flag):
    """The results of a forward pass to keep; the rest is not computed or not stored.

    >>> trace = explorer.load("bert").trace("It rains.", capture=Capture.HIDDEN | Capture.LOGITS)
    >>> trace.attention is None, trace.logits is None
    (True, False)
    """

    NONE = 0
    HIDDEN = auto()
    ATTENTION = auto()
    LOGITS = auto()
    ALL = HIDDEN | ATTENTION | LOGITS


def captured(result: Result | None) -> Result:
    """A captured field of a Trace or the like: captured(trace.logits).

    Raises ValueError if it was not captured.

    >>> trace = explorer.load("bert").trace("It rains.", capture=Capture.HIDDEN)
    >>> captured(trace.hidden_states).shape  # 6 layers and the embedding, 5 tokens, 384 numbers each
    torch.Size([7, 5, 384])
    """
    if result is None:
        raise ValueError("The pass did not keep this: name it in `capture`.")
    return result


# A hook into the forward pass at a named site: edit(site, layer, tensor) -> tensor.
# Sites: embedding, queries, keys, values, scores, pattern, head_output,
# attention_output, mlp_output, hidden; and for BERT, which normalises the sum of its token, position
# and segment vectors, embedding_sum: that sum (GPT's `embedding` is the sum itself), which is narrower
# than a layer in ALBERT. The layer of `embedding` and of `embedding_sum` is 0. An edit that is data
# (`explorer.models.interventions`) can be sent to a model on another machine.
Edit = Callable[[str, int, Tensor], Tensor]


@dataclass(frozen=True)
class Checkpoint:
    """The name of one trained model's files, or of a model on a server; `str` and `parse` are inverses.

    >>> str(Checkpoint("bundled", "bert")), str(Checkpoint("hub", "org/name", "v1"))
    ('bert', 'hub:org/name@v1')

    `abilities` is None until known, and takes no part in equality or in the string.
    """

    source: str
    name: str
    revision: str | None = None
    abilities: Ability | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if self.source == "bundled":
            return self.name
        revision = f"@{self.revision}" if self.revision else ""
        return f"{self.source}:{self.name}{revision}"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """Read a checkpoint's string: `bert`, `hub:org/name@revision`, `folder:/path` or `serve:http://...`.

        Other unambiguous spellings are understood (see `explorer.catalogue.checkpoint_names`), such as an
        address of the hub, or a path. Raises NotFoundError for an empty name or an unknown source.
        """
        return cls(*parsed_name(text))


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text as the model reads it.

    `tokens` are vocabulary strings (`##ing`, `Ġbank`). `spans` are (start, end) characters
    in `text`, or in `pair` where the side is 1; a token of the frame has (0, 0).
    `special` marks the tokens of the frame, and typed ones such as [SEP], but not blanks.
    `sides` says which of two texts each token belongs to (one of the frame goes with the text before it), and
    is None without a pair; `segments` are the network's input, which may be 0 for both.
    `truncated` is the number of tokens dropped because the text was too long, `dropped_characters` that
    of characters without a token. `characters` are those of each token, for a model that reads spelling.

    >>> encoding = explorer.load("bert").encode("Two riverbanks")
    >>> encoding.tokens, encoding.surface(2), encoding.spans[2]
    (['[CLS]', 'two', 'river', '##bank', '##s', '[SEP]'], 'river', (4, 9))
    """

    text: str
    tokens: list[str]
    ids: Int[Tensor, "pos"]
    spans: list[tuple[int, int]]
    special: Bool[Tensor, "pos"]
    segments: Int[Tensor, "pos"]
    pair: str | None = None
    truncated: int = 0
    dropped_characters: int = 0
    characters: Int[Tensor, "pos char"] | None = None
    sides: Int[Tensor, "pos"] | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    def without_frame(self) -> "Encoding":
        """The text's own tokens, without the special ones around it.

        >>> explorer.load("bert").encode("Two riverbanks").without_frame().tokens
        ['two', 'river', '##bank', '##s']
        """
        own = [i for i, special in enumerate(self.frame.tolist()) if not special]
        return self if len(own) == len(self) else self.at(own)

    @property
    def frame(self) -> Bool[Tensor, "pos"]:
        """Which tokens are around the text and not part of it.

        >>> encoding = explorer.load("bert").encode("We [SEP] sat")
        >>> encoding.special.tolist(), encoding.frame.tolist()
        ([True, False, True, False, True], [True, False, False, False, True])
        """
        return self.special & self.special.new_tensor([span == (0, 0) for span in self.spans])

    def at(self, positions: Sequence[int]) -> "Encoding":
        """The tokens at some positions, of the same text.

        >>> explorer.load("bert").encode("Two riverbanks").at([1, 2]).tokens
        ['two', 'river']
        """
        rows = self.ids.new_tensor(positions)
        return replace(
            self,
            tokens=[self.tokens[i] for i in positions],
            ids=self.ids[rows],
            spans=[self.spans[i] for i in positions],
            special=self.special[rows],
            segments=self.segments[rows],
            characters=None if self.characters is None else self.characters[rows],
            sides=None if self.sides is None else self.sides[rows],
        )

    def side(self, position: int) -> int:
        """The text of a token: 0, or 1 for the pair's second text.

        >>> encoding = explorer.load("bert").encode("We sat.", "It rained.")
        >>> encoding.tokens[4], encoding.side(4), encoding.tokens[5], encoding.side(5)
        ('[SEP]', 0, 'it', 1)
        """
        return 0 if self.sides is None else int(self.sides[position])

    def surface(self, position: int) -> str:
        """A token's characters in the text, as typed."""
        if self.special[position]:
            return self.tokens[position]
        start, end = self.spans[position]
        return self.source(position)[start:end]

    def source(self, position: int) -> str:
        """The text that contains a token: the first, or the pair.

        >>> encoding = explorer.load("bert").encode("Two banks.", "One river.")
        >>> encoding.source(1), encoding.source(len(encoding) - 2)
        ('Two banks.', 'One river.')
        """
        return self.pair if self.pair is not None and self.side(position) == 1 else self.text


@dataclass(frozen=True, eq=False)
class Attention:
    """The activations of every head. A row of `pattern` is a query and sums to 1.

    Queries and keys are of the same positions, unless a decoder reads an encoder's (see `PairTrace`).
    They are in the form in which they are compared: a row of scores is q k^T / sqrt(d_head) before the mask,
    also with rotary positions, or if several heads share a key. `causal` says that no token can read a later
    one.

    >>> attention = captured(explorer.load("bert").trace("It rains.").attention)
    >>> attention.pattern.shape, bool(((attention.pattern.sum(-1) - 1).abs() < 1e-5).all())
    (torch.Size([6, 12, 5, 5]), True)
    """

    queries: Float[Tensor, "layer head query_pos d_head"]
    keys: Float[Tensor, "layer head key_pos d_head"]
    values: Float[Tensor, "layer head key_pos d_head"]
    pattern: Float[Tensor, "layer head query_pos key_pos"]
    causal: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Trace(WithShortText):
    """The results of one forward pass; what was not captured is None.

    `hidden_states[0]` is the embedding, `hidden_states[l]` the raw output of block l.
    In a pre-norm network (GPT, Llama) the last entry is therefore *before* the final norm, which belongs
    to `unembed` (transformers puts the normalised state there instead).

    >>> trace = explorer.load("gpt").trace("The river bank")
    >>> trace.tokens, captured(trace.logits).shape[0] == len(trace.tokens)
    (['The', 'Ġriver', 'Ġbank'], True)
    """

    checkpoint: str
    encoding: Encoding
    hidden_states: Float[Tensor, "depth pos d_model"] | None = None
    attention: Attention | None = None
    logits: Float[Tensor, "pos d_vocab"] | None = None

    @property
    def tokens(self) -> list[str]:
        """The vocabulary strings of the encoding."""
        return self.encoding.tokens


@dataclass(frozen=True, eq=False)
class PairTrace:
    """The results of a pass over a source and a target, for a model with an encoder and a decoder.

    `source` is the encoder's trace. `target` is the decoder's: its tokens are those that the decoder
    read, the start token first, its attention is to these, and row i of its logits scores the token after
    token i. Its row i is therefore the step that wrote `written[i]`. `cross` has the same rows as queries,
    and keys and values of the source's tokens:

        cross.queries                  layer head target_pos d_head
        cross.keys, cross.values       layer head source_pos d_head
        cross.pattern                  layer head target_pos source_pos     a row sums to 1

    Encoder and decoder may differ in their numbers of layers and heads; `cross` has the decoder's.

    >>> from explorer.analysis.translation import trace
    >>> found = trace(explorer.load("translator"), "It rains.", "Il pleut.")
    >>> captured(found.cross).pattern.shape[-2:] == (len(found.written), len(found.source.tokens))
    True
    """

    source: Trace
    target: Trace
    cross: Attention | None
    written: list[str]
