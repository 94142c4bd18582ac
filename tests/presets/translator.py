"""What the presets of “Translator” promise, and its signs of doubt."""

import re

from explorer.analysis import translation
from tests.shared_models import model

FAMILIAR = re.compile(r"\b(tu|te|t'|toi|ton|ta|tes)\b|t'", re.IGNORECASE)
POLITE = re.compile(r"\b(vous|votre|vos)\b", re.IGNORECASE)


def read(text: str):
    """A text's translation, what was written, and the mean of all cross-attention, [written source]."""
    best = translation.translate(model("translator"), text)
    trace = translation.trace(model("translator"), text, best.ids)
    return best, trace, trace.cross.pattern.mean((0, 1))


def places(tokens: list[str], beginning: str) -> list[int]:
    """The tokens from the one that begins a word so, to the word's end."""
    spelled = [token.replace("▁", " ") for token in tokens]
    joined = "".join(spelled)
    start = joined.casefold().find(f" {beginning.casefold()}")
    end = next((i for i in range(start + 1, len(joined)) if not joined[i].isalpha()), len(joined))
    ends = [len("".join(spelled[: at + 1])) for at in range(len(spelled))]
    return [at for at in range(len(spelled)) if start >= 0 and start < ends[at] <= end]


def has_the_adjective_behind(text: str, adjective: str, noun: str, adjectif: str, nom: str) -> bool:
    _, trace, cross = read(text)
    english = [places(trace.source.tokens, word) for word in (adjective, noun)]
    french = [places(trace.written, word) for word in (adjectif, nom)]
    if not all((*english, *french)) or french[1][0] > french[0][0]:
        return False
    share = [[float(cross[f][:, e].sum(1).mean()) for e in english] for f in french]
    return share[0][0] > share[0][1] and share[1][1] > share[1][0]


def has_two_words_for_not(text: str) -> bool:
    _, trace, cross = read(text)
    (english,) = places(trace.source.tokens, "not")
    ne, pas = places(trace.written, "ne") or places(trace.written, "n"), places(trace.written, "pas")
    if not (ne and pas) or pas[0] - ne[0] < 2:
        return False
    return all(float(cross[at[0], english]) > 1 / len(trace.source.tokens) for at in (ne, pas))


def has_both_kinds_of_you(text: str) -> bool:
    hypotheses = [model("translator").tokenizer.decode(list(h.ids)) for h in read(text)[0].hypotheses]
    return any(map(FAMILIAR.search, hypotheses)) and any(map(POLITE.search, hypotheses))


def signs(text: str) -> list[str]:
    limits = translation.limits(model("translator"))
    return [doubt.kind for doubt in translation.doubts(read(text)[0], limits)]


def is_doubted(text: str, kind: str) -> bool:
    return kind in signs(text)
