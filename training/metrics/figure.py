"""One measured number, as data; and many of them as a table to read."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 62


@dataclass(frozen=True)
class Figure:
    """A number with what it was measured on; without a `value`, `note` says why there is none.

    `key` is its name for programs (`masked_top1`), `label` its name for people. A `share` reads
    as a percentage. `layers` are the same number layer by layer, 0 being the embedding.
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
    def shown(self) -> str:
        """The value as a table shows it."""
        if self.value is None:
            return "–"
        return _number(self.value, self.share) + (" %" if self.share else "")

    @property
    def told(self) -> str:
        """The number of items and the note, whichever there are."""
        counted = f"{self.items:,} {self.of}" if self.of else ""
        return "; ".join(filter(None, (counted, self.note)))

    @property
    def by_layer(self) -> str:
        """The number at every layer, where there is one a layer."""
        numbers = "  ".join(_number(x, self.share) for x in self.layers)
        return f"by layer, from 0: {numbers}" if numbers else ""


def table(title: str, measured: Sequence[tuple[str, Sequence[Figure]]]) -> str:
    """Figures under their headings, one a line: label, value, number of items, note."""
    lines = [title, ""]
    for heading, figures in measured:
        lines.append(heading)
        for figure in figures:
            lines.append(f"  {figure.label:<{WIDTH}} {figure.shown:>8}   {figure.told}".rstrip())
            if figure.layers:
                lines.append(f"    {figure.by_layer}")
        lines.append("")
    return "\n".join(lines)


def _number(value: float, share: bool) -> str:
    return f"{100 * value:.1f}" if share else f"{value:.3f}"
