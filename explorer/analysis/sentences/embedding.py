"""A text as one vector, pooled from the states of its tokens, and what each token gives to it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.errors import AbilityError, TextError
from explorer.locale import N_
from explorer.models import Model
from explorer.models.padding import batches, padded
from explorer.models.pooling import LAST, Pooling
from explorer.short_text import WithShortText
from explorer.trace import Ability, Encoding

Progress = Callable[[int, int], None]  # texts so far, texts in all; it may raise, to stop


@dataclass(frozen=True, eq=False, repr=False)
class TokenShares(WithShortText):
    """What each token of a text gives to the text's vector, `vectors.sum(0)`, which has length 1.

    So the cosine of two texts is a sum over the pairs of their tokens:

        cosine = (query.vectors @ passage.vectors.T).sum()
    """

    encoding: Encoding
    vectors: Float[Tensor, "token d_model"]


def pooling(model: Model) -> Pooling:
    """How a model's files pool. Without such files it is the mean, and for a decoder its last token.

    >>> pooling(explorer.load("bert")).modes, pooling(explorer.load("gpt")).modes
    (('mean',), ('lasttoken',))
    """
    own: Pooling | None = getattr(model, "pooling", None)
    if own is not None:
        return own
    if model.causal:
        return Pooling(
            (LAST,), note=N_("It reads from the left, so the last token alone has read the whole text.")
        )
    if Ability.VECTORS in model.abilities:
        return Pooling()
    return Pooling(note=N_("Its files say nothing of pooling, so this is the mean of all tokens."))


def prompts(model: Model) -> tuple[str, str]:
    """What a model's files put before a question, and before a passage: empty for most models.

    Where they name no prompt for one of the two, it is their default, if they have one.

    >>> prompts(explorer.load("bert"))
    ('', '')
    """
    pool = pooling(model)
    texts = pool.prompts

    def before(*purposes: str) -> str:
        return next((texts[purpose] for purpose in purposes if purpose in texts), pool.default_prompt)

    return before("query"), before("document", "passage", "corpus")


def embed(
    model: Model, texts: Sequence[str], progress: Progress | None = None, prompt: str = ""
) -> Float[Tensor, "text width"]:
    """One vector a text: its tokens' states at the last layer, pooled as the model's files say.

    A model that gives each word one vector, such as word2vec, gives their mean, and zeros for a text
    without a word that it knows. `prompt` is put before each text, as E5 and BGE need it (see `prompts`).
    Texts of similar length run together. Raises TextError if there is no text, or for a single string, and
    AbilityError if the files ask for what is not computed.

    >>> embed(explorer.load("bert"), ["It rains.", "We sat on the bank."]).shape
    torch.Size([2, 384])
    """
    if isinstance(texts, str) or not texts:
        raise TextError("There is no list of texts.", "Pass a list, with one text or more.")
    pool = _computed(model)
    encodings = [encode(model, prompt + text) for text in texts]
    before = prompt_length(model, prompt)
    vectors: dict[int, Tensor] = {}
    count = sum(len(encoding) == 0 for encoding in encodings)
    for at, states in _states(model, encodings):
        for row, state in zip(at, states, strict=True):
            vectors[row] = pool.finish(pool.parts(state, before).sum(0))
        count += len(at)
        if progress is not None:
            progress(count, len(texts))
    if len(vectors) < len(texts):
        nothing = pool.finish(torch.zeros(len(pool.modes) * model.config.d_model))
        vectors |= {row: nothing for row in range(len(texts)) if row not in vectors}
    return torch.stack([vectors[row] for row in range(len(texts))])


def token_shares(model: Model, text: str, prompt: str = "") -> TokenShares:
    """What each token gives to a text's vector; the tokens of the frame, such as [CLS], take part.

    >>> bert = explorer.load("bert")
    >>> first, second = (token_shares(bert, text).vectors for text in ("It rains.", "It snows."))
    >>> round(float((first @ second.T).sum()), 4) == round(float(first.sum(0) @ second.sum(0)), 4)
    True
    """
    pool = _computed(model)
    if not pool.linear:
        raise AbilityError(
            f"The files of {model.checkpoint} add a layer after pooling, so no vector is a sum over tokens.",
            "Choose another model to see what each token gives.",
        )
    encoding = encode(model, prompt + text)
    if not len(encoding):
        return TokenShares(encoding, torch.zeros(0, model.config.d_model))
    (_, (states,)), *_ = _states(model, [encoding])
    parts = pool.finish_parts(pool.parts(states, prompt_length(model, prompt)))
    return TokenShares(encoding, parts / parts.sum(0).norm().clamp_min(1e-12))


def prompt_length(model: Model, prompt: str) -> int:
    """How many tokens at the start of a text belong to its prompt and are not pooled: 0 for most models."""
    if not prompt or pooling(model).pools_prompt:
        return 0
    encoding = encode(model, prompt)
    ends = len(encoding) > 0 and int(encoding.ids[-1]) in model.tokenizer.special_ids
    return len(encoding) - ends


def _computed(model: Model) -> Pooling:
    """A model's pooling. Raises AbilityError if its files ask for what is not computed."""
    pool = pooling(model)
    if pool.refusal:
        raise AbilityError(
            f"The files of {model.checkpoint} ask for {pool.refusal}, which is not computed here.",
            "Choose another model for sentence vectors.",
        )
    return pool


def encode(model: Model, text: str) -> Encoding:
    """A text as far as `embed` reads it; without a token if it is a model of words that knows none of them.

    >>> encode(explorer.load("bert"), "We sat " * 500).truncated
    490
    """
    if Ability.CONTEXT not in model.abilities:
        try:
            return model.tokenizer.encode(text, None, model.config.positions)
        except TextError:  # no word of it has a vector
            return model.tokenizer.encode("")
    pool = pooling(model)
    return model.encode(_lowered(model, text) if pool.lowered else text, limit=pool.limit)


def _lowered(model: Model, text: str) -> str:
    """A text in small letters, letter by letter as tokenizers do it; special tokens stay as they are."""
    marks = model.tokenizer.marks.values()
    parts = re.split(f"({'|'.join(map(re.escape, marks))})", text) if marks else [text]
    return "".join(part if part in marks else "".join(map(str.lower, part)) for part in parts)


def _states(
    model: Model, encodings: Sequence[Encoding]
) -> Iterator[tuple[list[int], list[Float[Tensor, "pos d_model"]]]]:
    """The last layer's states in batches of similar length, with the places of their texts.

    A text without a token is left out.
    """
    filled = [i for i, encoding in enumerate(encodings) if len(encoding)]
    for batch in batches([encodings[i] for i in filled]):
        at = [filled[i] for i in batch]
        ids, masks = padded([encodings[i] for i in at], model.tokenizer.padding, model.device)
        last = model.final_norm(model.run(ids, masks["segments"], masks["mask"]).last).cpu().float()
        yield at, [last[row, : len(encodings[i])] for row, i in enumerate(at)]
