"""The tokens of a typed word at the place where a model is asked for it.

    after a text            what `text + word` has more than `text`, where that is all that differs
    in a blank              what stands in place of the blank in `before + word`

Whether a space stands between the two is decided as people write it (`explorer.text.spacing`), unless the
model finds the other way a thousand times likelier, or likelier at all where both sides together are one
token, as France. Whoever types a space before the word,
or `##` as before a piece that continues one, decides it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from jaxtyping import Float
from torch import Tensor

from explorer.locale import N_
from explorer.models.base import Model
from explorer.text.letters import has_letters, has_unspaced
from explorer.text.spacing import space_before
from explorer.tokenizers.prompt import encode_prompt, prompt_or_start
from explorer.trace import Encoding

CONTINUED, SPACE = "##", "␣"
SURE = 1000.0  # times as likely


@dataclass(frozen=True)
class FirstTokens:
    """The token of each answer that is compared, None for none; `start` is what the texts now end with.

    `lengths` are the numbers of tokens from there on, and `note` says what was put behind the texts.
    """

    ids: list[int | None]
    lengths: list[int]
    start: str = ""
    note: str = ""


def ids_after(
    model: Model, text: str, word: str, scores: Float[Tensor, "d_vocab"] | None = None
) -> list[int]:
    """The ids of a word as it follows a text; `scores` are the logits there, if they are known."""
    plain = word.strip()
    if plain.startswith(CONTINUED) and len(plain) > 2:
        return ids_spaced(model, text, "", plain[2:])
    gap = space_before(text, plain)
    if not plain or not text or text[-1].isspace():
        return ids_spaced(model, text, "", plain)
    if word[0].isspace():
        return ids_spaced(model, text, " ", plain)
    ids = ids_spaced(model, text, gap, plain)
    if not has_letters(plain[0]) or has_unspaced(plain[0]) or has_unspaced(text[-1]):
        return ids
    others = ids_spaced(model, text, "" if gap else " ", plain)
    if not ids or not others or ids[0] == others[0]:
        return ids
    if scores is None:
        read = prompt_or_start(model.tokenizer, text, model.config.positions).ids
        scores = model.unembed(model.run(read[None]).last[0, -1])
    is_one = len(ids_spaced(model, "a", " ", text.split()[-1] + plain)) == 1
    lead = float(scores[others[0]] - scores[ids[0]])
    sure = lead > (0 if is_one else math.log(SURE))
    return others if sure and model.tokenizer.unknown not in others else ids


def first_tokens(
    model: Model, texts: Sequence[str], answers: Sequence[str], scores: Sequence[Tensor | None]
) -> FirstTokens:
    """The token of each answer after its text that tells the answers apart: the first that differs.

    What they begin with in common, and a space that is a token of its own, is put behind the texts.
    """
    rows = zip(texts, answers, scores, strict=True)
    lists = [ids_after(model, *row) if row[1].strip() else [] for row in rows]
    answer_lists = [ids for ids in lists if ids]
    alike = takewhile(lambda column: len({*column}) == 1, zip(*answer_lists, strict=False))
    shared = [column[0] for column in alike]
    if len(answer_lists) == 1:
        shared = [*takewhile(lambda id: not model.tokenizer.readable(id).strip(), shared)]
    count = len(shared) if all(len(ids) > len(shared) for ids in answer_lists) else 0
    start = b"".join(map(model.tokenizer.raw, shared[:count])).decode("utf-8", errors="replace")
    if not all(ids_spaced(model, text, "", start) == shared[:count] for text in texts):
        count, start = 0, ""
    note = N_("Both answers begin with “{start}”, which is put behind the prompt.", start=start.strip())
    if not start.strip():
        note = N_("On this model the space before such an answer is a token: it is put behind the prompt.")
    return FirstTokens(
        [ids[count] if ids else None for ids in lists],
        [len(ids) - count if ids else 0 for ids in lists],
        start,
        note if count else "",
    )


def ids_in_blank(model: Model, encoding: Encoding, position: int, word: str) -> list[int]:
    """The ids of a word in place of the blank at a position, as far as the text before it decides them."""
    tokenizer, exact = model.tokenizer, model.tokenizer.id(word)
    if exact is not None and word.startswith((CONTINUED, SPACE)):
        return [exact]
    before = text_before(encoding, position)
    inside = has_letters(before[-1:])  # a word that goes on
    if exact is not None and not inside and tokenizer.readable_after(exact, before) == word:
        return [exact]
    side = encoding.side(position)
    own = [i for i in range(position) if not encoding.frame[i] and encoding.side(i) == side]
    left, full = encoding.ids[own].tolist(), tokenizer.encode(before + word).without_frame().ids.tolist()
    tail = full[len(left) :] if full[: len(left)] == left else []
    if tail:
        return tail
    if inside and (piece := tokenizer.id(CONTINUED + word)) is not None:
        return [piece]
    return [exact] if exact is not None else tokenizer.pieces(word)


def text_before(encoding: Encoding, position: int) -> str:
    """The text before a token, on its own side of a pair.

    >>> text_before(explorer.load("bert").encode("A [MASK]."), 2)
    'A '
    """
    text = (encoding.pair or "") if encoding.side(position) else encoding.text
    return text[: encoding.spans[position][0]]


def ids_spaced(model: Model, text: str, gap: str, word: str) -> list[int]:
    """The ids of a word after a text and a known gap: what `text + gap + word` has more than `text`.

    Where more than that differs they are the word's own pieces, with which the text can go on.

    >>> gpt = explorer.load("gpt")
    >>> [gpt.tokenizer.token(ids_spaced(gpt, "We", gap, "see")[0]) for gap in ("", " ")]
    ['see', 'Ġsee']
    """
    tokenizer = model.tokenizer
    own, full = (encode_prompt(tokenizer, one).ids.tolist() for one in (text, text + gap + word))
    if own == full[: len(own)]:
        return full[len(own) :]
    if not gap and not tokenizer.byte_level and (inside := tokenizer.id(CONTINUED + word)) is not None:
        return [inside]
    return tokenizer.pieces(gap + word)
