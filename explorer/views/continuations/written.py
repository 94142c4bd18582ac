"""What is written, as the stream tells it to the component: without a run of the page (`server.stream`)."""

from dataclasses import dataclass, field
from typing import Any

from explorer.locale import _
from explorer.views import kit
from explorer.views.continuations.session import Continuations
from explorer.views.continuations.steps import chips, summary


@dataclass(frozen=True)
class Written:
    """The continuation on the screen, as its visitor reads it: `plain` for a class, probabilities with
    `decimals`.
    """

    run: Continuations
    colours: kit.Palette
    blocked: kit.Blocklist
    plain: bool
    decimals: bool
    drawn_before: dict[Any, dict[str, Any]] = field(default_factory=dict)

    def press(self, run: int, name: str) -> None:
        """Stop, continue or start again; the newest step is shown then."""
        if name == "Stop":  # at once, even while a long prompt is read
            self.run.paused |= run == self.run.number
            return
        with self.run.lock:
            if (run, name) == (self.run.number, self.run.button):
                self.run.press()
                self.run.pressed = True

    def grow(self) -> None:
        """Take a step."""
        self.run.lock.give_way()
        if self.run.going:
            self.run.grow()

    def drawn(self) -> dict[str, Any]:
        """The chips, how far the text is, and what the button does."""
        run = self.run
        with run.lock:
            return {
                "run": run.number,
                "count": len(run.generation.steps),
                "going": run.going,
                "chips": chips(run.generation, self.colours, self.blocked, self.decimals, self.drawn_before),
                "note": summary(run.generation, run.paused, run.finished, self.plain),
                "button": run.button,
                "label": _(run.button),
                "finished": run.finished,
                "message": run.message,
            }
