"""The groups that a map colours: the senses that the sentences give, or clusters by k-means."""

from dataclasses import dataclass
from typing import Any

from explorer.locale import _, language, localised
from explorer.server.kept import kept
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.widgets.marks import mark, parts

BEFORE = 18  # characters of a sentence before its word, in a list


@dataclass(frozen=True, eq=False)
class Grouping:
    """The groups of a word's occurrences: known senses, or clusters.

    `member` is the group of each occurrence, None if it has none. `words` are the most distinctive words of
    each group's sentences. `note` is a line on how clusters were made.
    """

    names: list[str]
    member: list[int | None]
    words: list[list[str]]
    from_clusters: bool = False
    note: str = ""

    def name(self, index: int) -> str:
        """The name of an occurrence's group; empty if it has none."""
        group = self.member[index]
        return "" if group is None else self.names[group]


def grouping(occurrences: WordOccurrences, senses: bool) -> Grouping:
    """The known senses if `senses` is on and there are any, or else clusters by k-means."""
    return _grouping(occurrences.key, senses and any(occurrences.senses), language(), occurrences)


def entry(occurrences: WordOccurrences, groups: Grouping, index: int) -> dict[str, Any]:
    """An occurrence as an entry of a list: its mark and the words around it."""
    return {
        "id": occurrences.name(index),
        "parts": parts(occurrences.text(index), occurrences.matches.span[index], BEFORE),
        "whole": occurrences.text(index),
        "sense": groups.name(index),
        **mark(groups.member[index]),
    }


@kept(48)
def _grouping(key: str, senses: bool, language: str, _occurrences: WordOccurrences) -> Grouping:
    return by_sense(_occurrences) if senses else by_cluster(_occurrences)


def by_sense(occurrences: WordOccurrences) -> Grouping:
    """The senses that the sentences give, with the most distinctive words of each."""
    from explorer.analysis.senses.keywords import distinctive

    names = list(dict.fromkeys(sense for sense in occurrences.senses if sense))
    member = [None if sense is None else names.index(sense) for sense in occurrences.senses]
    keywords = distinctive(_texts(occurrences), member, occurrences.word, least=2)
    words = [[word for word in keywords.get(g, []) if word != name.lower()] for g, name in enumerate(names)]
    return Grouping(names, member, [group_words if len(group_words) > 1 else [] for group_words in words])


def by_cluster(occurrences: WordOccurrences) -> Grouping:
    """Clusters by k-means, named by their most distinctive words."""
    from explorer.analysis.senses import clusters
    from explorer.analysis.senses.keywords import distinctive

    groups = clusters.groups(occurrences.at(occurrences.layers))
    if groups is None:
        no_groups: list[int | None] = [None] * len(occurrences.matches)
        return Grouping([], no_groups, [], True, _("No groups stand apart in the last layer."))
    keywords = distinctive(_texts(occurrences), groups.member, occurrences.word)
    names = [", ".join(keywords.get(g, [])) or _("group {number}", number=g + 1) for g in range(groups.count)]
    return Grouping(
        names,
        list(groups.member),
        [[] for name in names],
        True,
        _(
            "{count} groups by k-means in the last layer (silhouette {silhouette}), named by distinctive "
            "words.",
            count=groups.count,
            silhouette=localised(f"{groups.silhouette:.2f}"),
        ),
    )


def _texts(occurrences: WordOccurrences) -> list[str]:
    return [occurrences.text(i) for i in range(len(occurrences.matches))]
