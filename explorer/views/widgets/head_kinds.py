"""The names of kinds of head, the same on every page: “object →” looks from an object to its verb."""

from collections.abc import Sequence

from explorer import analysis, assets
from explorer.locale import translate

BRIEF: dict[str, str] = assets.table(assets.LABELS)["short"]


def kind_name(kind: "analysis.heads.Kind") -> str:
    """A word for a kind of head; for a relation, an arrow shows whether the head looks from it or to it."""
    return relation_name(kind.name, kind.direction) if kind.direction else translate(kind.name)


def relation_name(relation: str, direction: str) -> str:
    """A relation read from its dependent (“object →”) or to it (“→ object”).

    >>> relation_name("obj", "to_dependent")
    '→ object'
    """
    word = translate(BRIEF.get(relation, relation))
    return f"{word} →" if direction == "to_head" else f"→ {word}"


def kind_names(kinds: "Sequence[analysis.heads.Kind]", most: int = 3) -> str:
    """The kinds of a head in short, such as `object →, → aux verb`; empty if it has none."""
    return ", ".join(map(kind_name, kinds[:most]))
