"""The GPT family as its papers give it, from assets/texts/gpt-scale.json, and our own models beside it."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from explorer import assets
from explorer.assets import TEXTS
from explorer.views.about import cards, record
from explorer.views.frame.memory import short_label
from explorer.views.frame.saving import table
from explorer.views.frame.sizes import sizes

FILE = TEXTS / "gpt-scale.json"


@dataclass(frozen=True)
class Member:
    """One published model: its parameters, and its zero-shot accuracy on LAMBADA in per cent, if given."""

    parameters: int
    lambada: float | None


@dataclass(frozen=True)
class FamilyMembers:
    """The models of one paper, the smallest first; `..._from` say which paper and table a figure is from."""

    name: str
    year: int
    text: str
    text_from: str
    sizes_from: str
    scores_from: str
    members: list[Member]


@dataclass(frozen=True)
class Own:
    """A bundled model: its name, its parameters, and the tokens it read; None where no record was kept."""

    name: str
    parameters: int
    tokens: int | None


@cache
def published(path: Path = FILE) -> list[FamilyMembers]:
    """GPT, GPT-2 and GPT-3. Raises ExplorerError where the file is damaged."""
    try:
        return [
            FamilyMembers(
                members=[Member(**one) for one in found.pop("models")],
                **found,
            )
            for found in assets.data(path)["families"]
        ]
    except (KeyError, TypeError) as error:
        raise assets.damaged(path) from error


@cache
def papers(path: Path = FILE) -> dict[str, str]:
    """The papers by the year under which a figure names them."""
    found: dict[str, str] = assets.data(path)["papers"]
    return found


def own() -> list[Own]:
    """The models that ship, the smallest first: parameters from their weights, tokens from their records."""
    found = []
    for name in cards.shipped():
        kept = record.read(name)
        known = sizes(record.folder(name))
        found.append(Own(short_label(name), known.parameters, kept.last.tokens if kept else None))
    return sorted(found, key=lambda one: one.parameters)


def scale_csv() -> str:
    """All models with what is known of them, and where it is written."""
    rows: list[list[str | int | float]] = []
    for family in published():
        for one in family.members:
            score = "" if one.lambada is None else one.lambada
            rows.append([family.name, family.year, one.parameters, family.text, score, family.scores_from])
    for mine in own():
        read = "" if mine.tokens is None else f"{mine.tokens} tokens"
        rows.append([mine.name, "", mine.parameters, read, "", "the weights, and their record"])
    heads = ["model", "year", "parameters", "text", "LAMBADA, zero-shot, per cent", "source of the score"]
    return table(heads, rows)
