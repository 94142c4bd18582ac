"""The senses that WordNet 3.0 lists for the words of our sentences and of a course, from a stored extract.

Miller, "WordNet: A Lexical Database for English" (Communications of the ACM 38, 1995). The extract is made by
`python -m measuring.wordnet`, and is stored with its licence.
"""

from dataclasses import dataclass
from functools import cache

from explorer import assets
from explorer.assets import WORDNET
from explorer.errors import TextError
from explorer.locale import _


@dataclass(frozen=True)
class Meaning:
    """One sense: its base form, part of speech, number in WordNet's order, synonyms, and definition."""

    lemma: str
    part: str
    number: int
    synonyms: list[str]
    definition: str


def meanings(word: str) -> list[Meaning]:
    """All senses of a word, by part of speech. Raises TextError for a word outside the extract.

    >>> [(sense.part, sense.definition[:12]) for sense in meanings("apple")]
    [('noun', 'fruit with r'), ('noun', 'native Euras')]
    """
    senses = _extract().get(word.strip().lower())
    if senses is None:
        raise TextError(
            _("“{word}” is not in the extract of WordNet.", word=word.strip()),
            _(
                "It has {count} words: those under Examples, and common ones such as “good”.",
                count=len(_extract()),
            ),
        )
    return senses


def missing(word: str) -> list[str]:
    """The senses of our own sentences that WordNet does not list for a word, by their tags.

    The list was compiled by hand.
    """
    return list(_missing().get(word.strip().lower(), []))


@cache
def _extract() -> dict[str, list[Meaning]]:
    path = WORDNET / "senses.json"
    try:
        return {word: [Meaning(**sense) for sense in senses] for word, senses in assets.data(path).items()}
    except (TypeError, AttributeError) as error:
        raise assets.damaged(path) from error


@cache
def _missing() -> dict[str, list[str]]:
    tags: dict[str, list[str]] = assets.data(WORDNET / "missing.json")
    return tags
