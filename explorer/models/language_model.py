"""LanguageModel: a network with its tokenizer, run on texts one by one or in batches of similar length."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from explorer.errors import AbilityError, TextError, at_least_one
from explorer.models.base import Model, Text, context_length, final_norm, weights_here
from explorer.models.classifier import Classifier
from explorer.models.family import Pass
from explorer.models.layers import vectors_at
from explorer.models.padding import WINDOW, batches, padded, unpadded
from explorer.models.parameters import InputParameters, LayerParameters, Unfolds
from explorer.models.pooling import Pooling
from explorer.tokenizers import Tokenizer
from explorer.tokenizers.languages import Language
from explorer.tokenizers.texts import check_text
from explorer.trace import Ability, Capture, Checkpoint, Edit, Encoding, Trace


@dataclass(frozen=True, eq=False, repr=False)
class LanguageModel:
    """A trained network with its tokenizer: what `explorer.load` returns.

    `left_out` names the parameters in its files that belong to heads for other tasks; `notes` are other
    remarks on its files, and `title` is what a file calls itself whose own name says nothing. `classifier` is
    the head of a fine-tuned model that gives a text, or each token, a class, and `pooling` how a sentence
    encoder makes one vector of a text.

    >>> bert = explorer.load("bert")
    >>> bert.encode("It rains.").tokens, bert.trace("It rains.").hidden_states.shape
    (['[CLS]', 'it', 'rains', '.', '[SEP]'], torch.Size([7, 5, 384]))
    >>> bert
    LanguageModel(bert: 22,893,116 parameters)
    """

    checkpoint: Checkpoint
    config: Any
    network: nn.Module
    tokenizer: Tokenizer
    abilities: Ability
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    title: str = ""
    classifier: Classifier | None = None
    pooling: Pooling | None = None

    def __repr__(self) -> str:
        return f"LanguageModel({self.checkpoint}: {self.parameters:,} parameters)"

    @property
    def device(self) -> torch.device:
        """Where the weights are: on the CPU, or on a card."""
        return next(self.network.parameters()).device

    @property
    def causal(self) -> bool:
        """Whether each token reads only itself and those before it."""
        return bool(getattr(self.network, "causal", False))

    @property
    def reads_pairs(self) -> bool:
        """Whether it reads two texts at once, from both sides, with its tokenizer's marks around each."""
        return not self.causal and self.tokenizer.frames_pairs

    @property
    def parameters(self) -> int:
        """The number of parameters; those that several layers share count once."""
        return sum(weight.numel() for weight in self.network.parameters())

    @property
    def nbytes(self) -> int:
        """The memory of its weights, in bytes."""
        return sum(weight.nbytes for weight in self.network.parameters())

    @property
    def languages(self) -> frozenset[Language]:
        """Which of English ("en") and Chinese ("zh") it reads, judged by its vocabulary."""
        return self.tokenizer.languages

    def encode(self, text: Text, pair: str | None = None, limit: int | None = None) -> Encoding:
        """Tokenize within the model's context; an empty text becomes the start token alone.

        A model that reads whole words also takes a list of words, which it does not split further.
        Raises TextError for such a list on another model, for a pair on a model that reads one text
        only, and for an empty text if there is no start token.
        """
        check_text(text, pair)
        if pair is not None and not self.reads_pairs:
            raise TextError(
                f"{self.checkpoint} reads one text, not a pair.",
                "Clear the second sentence, or choose a model like BERT.",
            )
        at_least_one(limit=limit)
        room = min(limit or context_length(self.config), self.config.positions)
        if isinstance(text, str):
            encoding = self.tokenizer.encode(text, pair, room)
            if getattr(self.config, "segments", 1) < 2:  # whatever numbers its tokenizer gives them
                encoding = replace(encoding, segments=torch.zeros_like(encoding.segments))
        else:
            encoding = self.tokenizer.encode_words(text, room)
        return encoding if len(encoding) else self._start_alone(encoding)

    def _start_alone(self, encoding: Encoding) -> Encoding:
        """The start token, for a text without tokens. Raises TextError if the model has no start token."""
        start = self.tokenizer.start
        if start is not None:
            return Encoding(
                encoding.text,
                [self.tokenizer.token(start)],
                torch.tensor([start]),
                [(0, 0)],
                torch.tensor([True]),
                torch.tensor([0]),
                dropped_characters=encoding.dropped_characters,
            )
        if encoding.dropped_characters:
            raise TextError(
                f"{self.checkpoint} has no token for any character of this text.",
                "Write in the letters that the model was trained on.",
            )
        raise TextError("There is no text.", "Type a word.")

    def trace(
        self,
        text: Text,
        pair: str | None = None,
        capture: Capture = Capture.ALL,
        limit: int | None = None,
        edit: Edit | None = None,
    ) -> Trace:
        """Run one text (or pair, or list of words) and keep what `capture` names.

        The text is truncated to `limit` tokens, or to the model's context; `trace.encoding.truncated`
        is the number of dropped tokens. `edit(site, layer, tensor)` may replace any activation.
        """
        encoding = self.encode(text, pair, limit)
        return self.trace_encodings([encoding], capture, edit)[0]

    def trace_many(self, texts: Iterable[Text], capture: Capture = Capture.HIDDEN) -> Iterator[Trace]:
        """Traces of many texts, or lists of words, in the order given, run in batches of similar length.

        Lazy: it reads a window of texts ahead and holds no more than that.
        """
        if isinstance(texts, str):
            raise TextError("This is one text, not a list of them.", "Call trace, or pass a list.")
        run = partial(self.trace_encodings, capture=capture)
        source = iter(texts)
        while window := [self.encode(text) for text in islice(source, WINDOW)]:
            finished: dict[int, Trace] = {}
            grouped = list(batches(window))
            for batch, traces in zip(grouped, self._map(run, ([window[i] for i in b] for b in grouped))):
                finished.update(zip(batch, traces, strict=True))
            for i in range(len(window)):
                yield finished.pop(i)

    def _map(self, function: Callable[[Any], list[Trace]], batches: Iterable[Any]) -> Iterable[list[Trace]]:
        """`map`, for a subclass to run several batches at a time."""
        return map(function, batches)

    def trace_encodings(
        self, encodings: Sequence[Encoding], capture: Capture = Capture.ALL, edit: Edit | None = None
    ) -> list[Trace]:
        """One padded forward pass over several encodings, padding removed again."""
        if Capture.LOGITS in capture and not self.abilities & (Ability.FILL | Ability.GENERATE):
            capture &= ~Capture.LOGITS
        if not encodings:
            return []
        with torch.no_grad():
            ids, masks = self._inputs(encodings)
            result = self.network(ids, **masks, capture=capture, edit=edit)
        name = str(self.checkpoint)
        return [unpadded(name, e, result, row, self.causal) for row, e in enumerate(encodings)]

    def states_at(
        self, encodings: Sequence[Encoding], positions: Sequence[Sequence[int]]
    ) -> list[Float[Tensor, "depth pos d_model"]]:
        """The hidden states at some positions of each text, at every layer, in the order given.

        Runs batches of similar length and keeps no other states. A network that is `memory_efficient`
        computes its last layer at these positions only.
        """
        result: dict[int, Tensor] = {}
        efficient = getattr(self.network, "memory_efficient", False)
        for batch in batches(encodings):
            most = max(1, *(len(positions[i]) for i in batch))
            at = torch.zeros(len(batch), most, dtype=torch.long, device=self.device)
            for row, i in enumerate(batch):
                at[row, : len(positions[i])] = torch.as_tensor(positions[i], dtype=torch.long)
            ids, masks = self._inputs([encodings[i] for i in batch])
            with torch.no_grad():
                if efficient:
                    states = self.network(ids, **masks, capture=Capture.HIDDEN, at=at).hidden_states
                else:
                    whole = self.network(ids, **masks, capture=Capture.HIDDEN).hidden_states
                    states = [vectors_at(state, at) for state in whole]
            stacked = torch.stack(states, 1).cpu()
            result.update((i, stacked[row, :, : len(positions[i])].clone()) for row, i in enumerate(batch))
        return [result[i] for i in range(len(encodings))]

    def _inputs(self, encodings: Sequence[Encoding]) -> tuple[Tensor, dict[str, Tensor | None]]:
        return padded(encodings, self.tokenizer.padding, self.device)

    def run(
        self,
        ids: Int[Tensor, "batch pos"],
        segments: Int[Tensor, "batch pos"] | None = None,
        mask: Bool[Tensor, "batch pos"] | None = None,
        capture: Capture = Capture.NONE,
        edit: Edit | None = None,
    ) -> Pass:
        """One forward pass over token ids as they are: nothing is added or truncated.

        For inputs that cannot be typed, such as a candidate in a blank. `mask` is False at padding.
        """
        inputs = {"segments": segments, "mask": mask}
        placed = {name: value.to(self.device) for name, value in inputs.items() if value is not None}
        with torch.no_grad():
            result: Pass = self.network(ids.to(self.device), **placed, capture=capture, edit=edit)
        return result

    def unembed(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Hidden states to logits, through the head (and, for GPT, the final LayerNorm).

        Raises AbilityError for an encoder without a prediction head.
        """
        self.require(Ability.FILL | Ability.GENERATE, "predict words")
        return self._head("unembed", hidden)

    def final_norm(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_model"]:
        """The last layer's states as the model's own heads read them: normalised, in a pre-norm network."""
        with torch.no_grad():
            return final_norm(self.network, hidden.to(self.device)).to(hidden.device)

    def next_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the whole word after each position. Raises AbilityError."""
        self.require(Ability.NEXT_WORD, "guess the next word")
        return self._head("next_word", hidden)

    def previous_word(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos d_vocab"]:
        """Scores for the whole word before each position. Raises AbilityError."""
        self.require(Ability.PREVIOUS_WORD, "guess the word before")
        return self._head("previous_word", hidden)

    def next_sentence(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the second sentence follows" (0) and "it does not" (1). Raises AbilityError."""
        self.require(Ability.NEXT_SENTENCE, "judge two sentences")
        return self._head("next_sentence", hidden)

    def detect(self, hidden: Float[Tensor, "*pos d_model"]) -> Float[Tensor, "*pos"]:
        """Scores for "this token was replaced", above 0 if that is likelier. Raises AbilityError."""
        self.require(Ability.DETECT, "judge which tokens were replaced")
        return self._head("detect", hidden)

    def sentence_order(self, hidden: Float[Tensor, "batch pos d_model"]) -> Float[Tensor, "batch 2"]:
        """Scores for "the sentences are in order" (0) and "they are not" (1). Raises AbilityError."""
        self.require(Ability.SENTENCE_ORDER, "judge the order of two sentences")
        return self._head("sentence_order", hidden)

    def _head(self, name: str, hidden: Tensor) -> Tensor:
        with torch.no_grad():
            scores: Tensor = getattr(self.network, name)(hidden.to(self.device))
        return scores.to(hidden.device)

    def layer_parameters(self, layer: int) -> LayerParameters:
        """The parameters of one layer. Raises AbilityError if the network is not a Transformer."""
        return self._unfolded().layer_parameters(layer)

    def input_parameters(self) -> InputParameters:
        """The tables of the input embedding. Raises AbilityError as `layer_parameters` does."""
        return self._unfolded().input_parameters()

    def token_vectors(self, ids: Int[Tensor, "token"]) -> Float[Tensor, "token d_embedding"]:
        """The vectors of some tokens in the embedding table, with the network's scale; of none, their mean.

        Raises AbilityError if the network is not a Transformer.
        """
        start = self.input_parameters()
        rows = (
            start.tokens[ids.to(self.device)] if len(ids) else start.tokens.mean(0, True, dtype=torch.float)
        )
        return rows.detach().float().cpu() * start.scale

    def _unfolded(self) -> Unfolds:
        weights_here(self, "its weights are not here")
        if not isinstance(self.network, Unfolds):
            raise AbilityError(
                f"{self.checkpoint} has no Transformer layer to step through.",
                "Choose a Transformer, such as BERT or GPT, in the picker.",
            )
        return self.network

    @property
    def table(self) -> Float[Tensor, "d_vocab d_model"] | None:
        """One vector per token of the vocabulary; None if the network has no such table."""
        weight = getattr(getattr(self.network, "tokens", None), "weight", None)
        return weight if isinstance(weight, Tensor) else None

    def require(self, ability: Ability, purpose: str) -> None:
        """Raise AbilityError unless the model has one of the abilities that a purpose needs."""
        if not self.abilities & ability:
            missing = "its files lack the weights for that"
            if getattr(self.network, "mlm_head", None) is not None and Ability.FILL in ability:
                missing = "its tokenizer has no token [MASK]"
            elif getattr(self.network, "nsp_head", None) is not None and Ability.NEXT_SENTENCE in ability:
                missing = "its tokenizer does not tell two sentences apart"
            raise AbilityError(
                f"{str(self.checkpoint).rpartition('/')[2]} cannot {purpose}: {missing}.",
                "Choose another model in the picker; each page lists those that can.",
            )


def with_attention(model: Model, purpose: str) -> LanguageModel:
    """The model itself, if it has heads; else AbilityError says that it cannot do the `purpose`."""
    model.require(Ability.ATTENTION, purpose)
    assert isinstance(model, LanguageModel), "every model with heads is one"
    return model
