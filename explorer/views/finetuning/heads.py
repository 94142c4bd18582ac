"""Which head answers: the one that was just trained, one that was opened, or the ready one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.views.finetuning.bench import Bench

HOW = {
    "frozen": "on frozen layers",
    "whole": "together with the layers",
    "low rank": "with small changes to the layers",
}


@dataclass(frozen=True, eq=False)
class Speaker:
    """A head, and where it comes from."""

    head: "TrainedHead"
    origin: str

    @property
    def said(self) -> str:
        """Which head it is, how it was trained, and how good it is on what was kept aside."""
        about = self.head.about
        told = f"{self.origin}, trained {HOW.get(str(about.get('how')), '')} with {about.get('examples', 0):,} examples"
        scores = about.get("scores") or {}
        if scores and about.get("aside"):
            name, value = next(iter(scores.items()))
            told += f"; {name.replace('f1', 'F1')} {value:.0%} on the {about['aside']:,} kept aside"
        return f"{told}."


def speaker(bench: "Bench") -> Speaker | None:
    """The head that answers; None where there is none for these examples yet."""
    if bench.run is not None and bench.run.head is not None:
        return Speaker(bench.run.head, "Your own head")
    return None
