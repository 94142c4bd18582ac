"""A measured number as data, and a table of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from explorer.errors import NotFoundError
from training.text import Corpus

# Default limits of the measures: enough for the first digit shown.
LIMITS = {"held-out": 100_000, "pairs": 200, "wic": None, "pos": 50_000, "translations": None}


@dataclass(frozen=True)
class Inputs:
    """Folder of development sets, held-out text, training text, sentence pairs, and limits."""

    dev: Path | None = None
    held_out: Corpus | None = None
    text: Corpus | None = None
    pairs: Path | None = None
    limits: Mapping[str, int | None] = field(default_factory=lambda: LIMITS)

    def folder(self, *names: str) -> Path:
        """Folder of a development set under one of its names. Raises NotFoundError."""
        if self.dev is None:
            raise NotFoundError("no development sets were given (--dev)")
        for name in names:
            if (self.dev / name).is_dir():
                return self.dev / name
        raise NotFoundError(f"--dev has no folder {' or '.join(names)}")

    def held_out_text(self) -> Corpus:
        """Held-out text. Raises NotFoundError."""
        if self.held_out is None:
            raise NotFoundError("no held-out text was given (--held-out)")
        return self.held_out

    def sentence_pairs(self) -> Path:
        """File of sentence pairs that a translator learnt from. Raises NotFoundError."""
        if self.pairs is None:
            raise NotFoundError("no sentence pairs were given (--pairs)")
        return self.pairs


WIDTH = 62


@dataclass(frozen=True)
class Figure:
    """A number and its basis; without a `value`, `note` gives the reason.

    `key` is its name for programs (`masked_top1`), `label` its name for people. A `share` is shown as a
    percentage. `layers` holds the number at each layer, 0 being the embedding.
    """

    key: str
    label: str
    value: float | None
    items: int = 0
    of: str = ""
    share: bool = True
    layers: tuple[float, ...] = ()
    note: str = ""

    @property
    def formatted(self) -> str:
        """Value as the table shows it."""
        if self.value is None:
            return "–"
        return _number(self.value, self.share) + (" %" if self.share else "")

    @property
    def basis(self) -> str:
        """Number of items, and the note."""
        count = f"{self.items:,} {self.of}" if self.of else ""
        return "; ".join(filter(None, (count, self.note)))

    @property
    def by_layer(self) -> str:
        """Number at every layer, if it is known."""
        numbers = "  ".join(_number(x, self.share) for x in self.layers)
        return f"by layer, from 0: {numbers}" if numbers else ""


def number(key: str, label: str, value: float | None, items: int = 0, of: str = "", **fields: Any) -> Figure:
    """Figure that is not a share."""
    return Figure(key, label, value, items, of, share=False, **fields)


def values(figures: Sequence[Figure]) -> dict[str, float]:
    """Values by key, of the figures that have one."""
    return {figure.key: figure.value for figure in figures if figure.value is not None}


def by_layer(key: str, label: str, layers: Sequence[float], items: int, of: str) -> Figure:
    """Figure of the last layer, with all layers and the number of the best."""
    note = f"best: layer {layers.index(max(layers))}"
    return Figure(key, label, layers[-1], items, of, layers=tuple(layers), note=note)


def table(title: str, groups: Sequence[tuple[str, Sequence[Figure]]]) -> str:
    """Table of figures under headings, one a line: label, value, number of items, note."""
    lines = [title, ""]
    for heading, figures in groups:
        lines.append(heading)
        for figure in figures:
            lines.append(f"  {figure.label:<{WIDTH}} {figure.formatted:>8}   {figure.basis}".rstrip())
            if figure.layers:
                lines.append(f"    {figure.by_layer}")
        lines.append("")
    return "\n".join(lines)


def _number(value: float, share: bool) -> str:
    return f"{100 * value:.1f}" if share else f"{value:.3f}"
