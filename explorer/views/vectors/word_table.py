"""A model's words and vectors for the Word vectors page: a cached table, rankings and typed lists."""

import re
from collections.abc import Iterable
from typing import Any

from explorer import analysis
from explorer.files.lines import filled_lines
from explorer.locale import _, localised
from explorer.views import kit
from explorer.views.frame.saving import saving
from explorer.views.types import LanguageModel, Neighbour, Vectors

PAIRS = 2000  # random pairs of words, whose mean cosine is the baseline
AMONG = 10_000  # the most frequent words, from which the pairs are drawn


@kit.kept(8)
def table(model: "LanguageModel") -> "Vectors":
    """A model's word vectors, kept for all visitors. Raises AbilityError for a model without them."""
    return analysis.vectors.of(model)


@kit.kept(8)
def random_cosine(model: "LanguageModel") -> float:
    """The mean cosine of two words drawn at random: a cosine is high only against this one.

    Ethayarajh, "How Contextual are Contextualized Word Representations?" (EMNLP 2019), section 4.1.
    """
    import torch

    embeddings = table(model)
    generator = torch.Generator().manual_seed(0)
    one, other = torch.randint(min(len(embeddings), AMONG), (2, PAIRS), generator=generator)
    one, other = (pair[one != other] for pair in (one, other))
    dots = (embeddings.matrix[one] * embeddings.matrix[other]).sum(-1)
    cosines = dots / embeddings.lengths[one] / embeddings.lengths[other]
    return float(cosines.mean()) if len(cosines) else 0.0


def rows(neighbours: "Iterable[Neighbour]", blocked: kit.Blocklist, chosen: str = "") -> list[dict[str, Any]]:
    """Words of a ranking as bars; those that the question was made of are marked."""
    return [
        {
            "token": n.word,
            "cosine": n.cosine,
            "rank": n.rank,
            "state": "chosen" if n.word == chosen else "highlight" if n.in_query else "",
            "tip": _("a question word") if n.in_query else "",
            "covered": kit.blocklist.covers(blocked, "", n.word),
        }
        for n in neighbours
    ]


def ranking_csv(neighbours: "Iterable[Neighbour]", blocked: kit.Blocklist) -> str:
    """A ranking as a table."""
    heads = ["rank", "word", "cosine"]
    return saving.table(heads, [[n.rank, display(n.word, blocked), n.cosine] for n in neighbours])


def measure() -> str:
    """What the number beside a word is called: on a stage in plain English."""
    return _("closeness") if kit.presenting() else _("cosine")


def display(word: str, blocked: kit.Blocklist) -> str:
    """A word as the page writes it: dots for a blocked word."""
    return kit.blocklist.DOTS if kit.blocklist.covers(blocked, "", word) else word


def nearest_line(cosines: Iterable[tuple[str, float]]) -> str:
    """The words nearest to one, with their cosines, as its dot on a map says them."""
    words = ", ".join(f"{word} {localised(f'{cosine:.2f}')}" for word, cosine in cosines)
    return _("nearest: {words}", words=words.replace("-", "−"))


def split_words(text: str) -> list[str]:
    """The distinct words of a typed list, separated by spaces, commas or semicolons."""
    return list(dict.fromkeys(word for word in re.split(r"[\s,;]+", text) if word))


def groups(text: str) -> dict[str, list[str]]:
    """A typed list, a group a line: `food: bread cheese`. A line without a name is named by its number."""
    words_by_group: dict[str, list[str]] = {}
    earlier: set[str] = set()
    for number, line in enumerate(filled_lines(text), 1):
        name, colon, rest = line.partition(":")
        words = [w for w in split_words(rest if colon else line) if w.lower() not in earlier]
        earlier.update(w.lower() for w in words)
        if words:
            words_by_group.setdefault(
                name.strip() if colon and name.strip() else _("group {number}", number=number), []
            ).extend(words)
    return words_by_group


def group_words(
    embeddings: "Vectors", text: str, most: int
) -> tuple[list[str], list[int], list[str], list[str]]:
    """The words of a typed list that have a vector, the group of each, the groups' names; words without."""
    groups_of_words = groups(text)
    words: list[str] = []
    member, missing = [], []
    for number, group in enumerate(groups_of_words.values()):
        for word in group:
            place = embeddings.find(word)
            if place is None:
                missing.append(word)
            elif embeddings.words[place] not in words:
                words.append(embeddings.words[place])
                member.append(number)
    return words[:most], member[:most], list(groups_of_words), missing
