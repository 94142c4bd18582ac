"""Two prompts that differ in a few tokens, and the two answers that tell them apart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, cast

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.patching.runs import answers, local
from explorer.analysis.prediction.answers import CONTINUED, SPACE, FirstTokens, first_tokens, ids_in_blank
from explorer.analysis.prediction.masking import MASK, mask_positions
from explorer.analysis.prompt import encode_prompt
from explorer.errors import TextError
from explorer.locale import N_, _
from explorer.models.base import Model, context_length
from explorer.models.language_model import LanguageModel
from explorer.short_text import WithShortText
from explorer.text.byte_letters import BROKEN
from explorer.text.letters import has_letters
from explorer.text.spacing import space_before
from explorer.trace import Ability, Encoding

MOST_PASSED = 8  # tokens that both prompts go on with before their answers differ
NEAR = 50  # likeliest tokens, among which a word is looked for
LEAST = 1e-4  # difference of the measure: with less there is nothing to share out


@dataclass(frozen=True, eq=False, repr=False)
class Contrast(WithShortText):
    """Two prompts of as many tokens, the place of the answer, and two answers (ids of tokens).

    `answer` is that of the `first` prompt and `instead` that of the `second`. `logits` are those of the
    whole vocabulary at `position`, of each prompt. `measure` says how answers are compared: "logits", the
    answer's minus the other's, or "probability", that of the answer. `noise` is added to the vectors of the
    second prompt's tokens, see `disturb`. `notes` say what was made of a typed answer, and `words` are
    both answers as they are read.
    """

    first: Encoding
    second: Encoding
    position: int
    answer: int
    instead: int
    logits: Float[Tensor, "prompt d_vocab"]
    measure: str = "logits"
    noise: Float[Tensor, "pos d_model"] | None = None
    notes: tuple[str, ...] = ()
    words: tuple[str, str] = ("", "")

    @cached_property
    def high(self) -> float:
        """The measure after the first prompt."""
        return float(self.value(self.logits[0]))

    @cached_property
    def low(self) -> float:
        """The measure after the second prompt."""
        return float(self.value(self.logits[1]))

    @cached_property
    def differing(self) -> list[int]:
        """The positions at which the prompts have different tokens, or disturbed ones."""
        differ = self.first.ids != self.second.ids if self.noise is None else self.noise.any(-1).cpu()
        return differ.nonzero().flatten().tolist()

    def value(self, logits: Float[Tensor, "*row d_vocab"]) -> Float[Tensor, "*row"]:
        """The measure: the answer's logit minus the other's, or the answer's probability."""
        if self.measure == "probability":
            return logits.softmax(-1)[..., self.answer]
        return logits[..., self.answer] - logits[..., self.instead]

    def share(self, logits: Float[Tensor, "*row d_vocab"]) -> Float[Tensor, "*row"]:
        """How far logits are from those of the second prompt (0) towards those of the first (1).

            (measure - low) / (high - low)

        With logits the normalised logit difference (Zhang and Nanda 2024). Patching may overshoot.
        """
        return (self.value(logits) - self.low) / (self.high - self.low)


def contrast(
    model: Model,
    first: str,
    second: str,
    answer: str = "",
    instead: str = "",
    measure: str = "logits",
    limit: int | None = None,
) -> Contrast:
    """Two prompts to be patched; without answers, the likeliest word after each (or in its blank).

    What both prompts go on with alike, MOST_PASSED tokens at most, is put behind both, so that the answers
    are the first words that differ; marks and spaces are no words. Of a typed answer of several tokens the
    first is taken, and of two that begin alike the first that differs: what they share is put behind both
    prompts. `notes` say so. Raises TextError if the prompts are equal, have different numbers of tokens or
    the same answer, or if there is no blank for a model that fills blanks; AbilityError for a model that
    predicts no words.

    >>> pair = contrast(explorer.load("bert"), "The keys [MASK] here.", "The key [MASK] here.", "are", "is")
    >>> pair.position, explorer.load("bert").tokenizer.token(pair.answer)
    (3, 'are')
    """
    own, texts = local(model), (first, second)
    encodings, place, logits = _answered(own, texts, limit)
    typed_ids, start, notes = typed_answers(own, encodings, place, (answer, instead), [*logits])
    if start:
        encodings, place, logits = _answered(own, [text + start for text in texts], limit)
    typed, passed = any(id is not None for id in typed_ids), ""
    likeliest = _likeliest(own, logits, typed)
    for __ in range(0 if typed or Ability.GENERATE not in own.abilities else MOST_PASSED):
        added = cast(Any, own.tokenizer).raw(likeliest[0]).decode(errors="ignore")
        if likeliest[0] != likeliest[1] or not added or len(encodings[0]) >= _room(own, limit):
            break
        passed += added
        encodings, place, logits = _answered(own, [text + passed for text in texts], limit)
        likeliest = _likeliest(own, logits, typed)
    ids = [one if id is None else id for id, one in zip(typed_ids, likeliest, strict=True)]
    notes = notes if typed else tuple(_passed_over(own, passed, ids, logits))
    if ids[0] == ids[1]:
        word = word_of(own, ids[0])
        if None not in typed_ids and answer.strip() != instead.strip():
            raise TextError(
                _("Both answers begin with “{word}” on this model.", word=word),
                _("Type two that begin with other tokens."),
            )
        raise TextError(
            _("Both prompts are answered by “{word}”.", word=word),
            _("Change a word so that the answer changes, or type two answers."),
        )
    one, other = encodings
    words = word_of(own, ids[0], one.text), word_of(own, ids[1], other.text)
    pair = Contrast(one, other, place, ids[0], ids[1], logits, measure, None, notes, words)
    if abs(pair.high - pair.low) < LEAST:
        raise TextError(
            _("The prompts do not differ in how they prefer one answer to the other."),
            _("Type other answers."),
        )
    return pair


def _answered(
    model: LanguageModel, texts: Sequence[str], limit: int | None
) -> tuple[tuple[Encoding, ...], int, Float[Tensor, "prompt d_vocab"]]:
    """Two prompts as they are read, the place of the answer, and the logits there."""
    encodings, places = zip(*(read_prompt(model, text, limit) for text in texts), strict=True)
    _check(model, encodings, places)
    return encodings, places[0], torch.stack([answers(model, one, places[0])[0] for one in encodings])


def _likeliest(model: LanguageModel, logits: Float[Tensor, "prompt d_vocab"], typed: bool) -> list[int]:
    """The likeliest token after each prompt; where one is no word and none can be passed over, its word."""
    ids: list[int] = logits.argmax(-1).tolist()
    if typed or (ids[0] == ids[1] and Ability.GENERATE in model.abilities):
        return ids
    special, near = model.tokenizer.special_ids, min(NEAR, logits.shape[-1])
    return [
        next((id for id in best if id not in special and has_letters(model.tokenizer.readable(id))), best[0])
        for best in logits.topk(near).indices.tolist()
    ]


def _passed_over(
    model: LanguageModel, text: str, ids: Sequence[int], logits: Float[Tensor, "prompt d_vocab"]
) -> Iterator[str]:
    if text:
        yield N_(
            "Both prompts go on with “{text}”: the answers are the first words after it.",
            text=text.strip() or text,
        )
    for id, best in zip(ids, logits.argmax(-1).tolist(), strict=True):
        if id != best:
            words = {"word": word_of(model, best), "answer": word_of(model, id)}
            yield N_("“{word}” is likelier than “{answer}”, but no word.", **words)


def read_prompt(model: LanguageModel, text: str, limit: int | None = None) -> tuple[Encoding, int]:
    """A prompt, and the position whose state answers it: the last, or that of the first blank.

    Raises TextError for an empty or a long one, and for one without a blank if the model fills blanks.

    >>> read_prompt(explorer.load("bert"), "A cup of [MASK].")[1]
    4
    """
    if not text.strip():
        raise TextError(_("A prompt is empty."), _("Type two prompts that differ in a word."))
    if Ability.GENERATE in model.abilities:
        room = _room(model, limit)
        whole = encode_prompt(model, text)
        if len(whole) > room:
            raise TextError(
                _("A prompt has {count} tokens, {most} at most are read here.", count=len(whole), most=room),
                _("Shorten it."),
            )
        return whole, len(whole) - 1
    encoding = model.encode(text, limit=limit)
    blanks = mask_positions(model, encoding)
    if encoding.truncated:
        raise TextError(_("A prompt has more than {most} tokens.", most=len(encoding)), _("Shorten it."))
    if not blanks:
        raise TextError(
            _("There is no {mask} in “{text}”.", mask=MASK, text=text[:60]),
            _("Write {mask} where the answer stands.", mask=MASK),
        )
    return encoding, blanks[0]


def _room(model: LanguageModel, limit: int | None) -> int:
    """The most tokens of a prompt."""
    return int(min(limit or context_length(model.config), model.config.positions))


def _check(model: LanguageModel, encodings: Sequence[Encoding], places: Sequence[int]) -> None:
    first, second = encodings
    if first.ids.tolist() == second.ids.tolist():
        raise TextError(_("The two prompts are the same."), _("Change a word of the second one."))
    if len(first) != len(second):
        counts = "; ".join(_unequal(model, first, second))
        raise TextError(
            _(
                "The prompts have {first} and {second} tokens: {counts}.",
                first=len(first),
                second=len(second),
                counts=counts,
            ),
            _("Each state is put where one of the same position was: choose a word with as many tokens."),
        )
    if places[0] != places[1]:
        raise TextError(_("{mask} is not at the same place in both prompts.", mask=MASK), _("Move it."))


def _unequal(model: LanguageModel, first: Encoding, second: Encoding) -> Iterator[str]:
    """The parts of two prompts that have different numbers of tokens, in words."""
    matcher = SequenceMatcher(None, first.ids.tolist(), second.ids.tolist(), autojunk=False)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal" and j - i != m - k:
            parts = ((first, i, j), (second, k, m))
            yield _(" and ").join(
                _("“{text}” has {count}", text=_surface(e, a, b), count=b - a) if b > a else _("nothing")
                for e, a, b in parts
            )


def _surface(encoding: Encoding, start: int, end: int) -> str:
    spans = encoding.spans[start:end]
    return encoding.text[spans[0][0] : spans[-1][1]].strip()


def word_of(model: LanguageModel, id: int, text: str | None = None) -> str:
    """An answer as it is read, without the space before it; after a `text`, with a sign where it matters.

    It is `␣` for a space where people write none, and `##` for none where they write one.

    >>> gpt = explorer.load("gpt")
    >>> tea = gpt.tokenizer.id("Ġtea")
    >>> [word_of(gpt, tea, text) for text in ("A cup of", "A cup of (")]
    ['tea', '␣tea']
    """
    readable: str = cast(Any, model.tokenizer).readable(id)
    word = readable.strip()
    if BROKEN in word:
        in_bytes: str = cast(Any, model.tokenizer).whole_or_bytes(id, word)
        return in_bytes
    if text is None or not word or not model.causal or not text or text[-1].isspace():
        return word or readable
    has_space, expected = readable[0].isspace(), bool(space_before(text, word))
    return word if has_space == expected else f"{SPACE if has_space else CONTINUED}{word}"


def typed_answers(
    model: LanguageModel,
    encodings: Sequence[Encoding],
    position: int,
    texts: Sequence[str],
    scores: Sequence[Tensor],
) -> tuple[list[int | None], str, tuple[str, ...]]:
    """The tokens of typed answers, what is put behind the prompts, and what is said of both.

    Without a typed answer its token is None. Raises TextError for an answer without a token.
    """
    prompts, words = [encoding.text for encoding in encodings], [text.strip() for text in texts]
    if model.causal:
        first = first_tokens(model, prompts, texts, scores)
    else:
        rows = zip(encodings, words, strict=True)
        lists = [ids_in_blank(model, encoding, position, word) if word else [] for encoding, word in rows]
        first = FirstTokens([ids[0] if ids else None for ids in lists], [len(ids) for ids in lists])
    notes = [first.note] if first.note else []
    for id, length, word, text in zip(first.ids, first.lengths, words, prompts, strict=True):
        if word and (id is None or id == model.tokenizer.unknown):
            raise TextError(
                _("“{word}” has no token in {model}.", word=word[:40], model=model.checkpoint),
                _("Type another answer."),
            )
        if id is not None and length > 1:
            note = N_("“{word}” has {count} tokens; its first is “{token}”.")
            if first.start.strip():
                note = N_("“{word}” has {count} more tokens; its first is “{token}”.")
            notes.append(N_(note, word=word, count=length, token=word_of(model, id, text + first.start)))
    return first.ids, first.start, tuple(notes)
