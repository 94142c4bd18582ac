"""One training of word2vec in one session: what was asked for, how far it is, its next turn.

run = current(settings)      a new one, not yet begun, where a setting was changed
extend(run)                  the next steps, as many as fit into a tenth of a second
"""

from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.analysis.projection.methods import Projection
    from explorer.analysis.vectors import train
    from explorer.analysis.vectors.words import Vectors

TURN_SECONDS = 0.1  # how long one turn learns; other visitors are served between two
READ = 30_000  # running words read in all: a small text many times, a longer one less often
FEWEST_EPOCHS, MOST_EPOCHS = 3, 60
LONGEST = 20_000  # characters of text
REACH = (0.7, 0.4)  # of unit vectors on the plane, at the least: what is small should look small
RATE = {"skip-gram": 0.05, "cbow": 0.2}
RUN = "vectors/run"
_numbers = count()


@dataclass(eq=False)
class Run:
    """One training in one session: what was asked for, and what there is so far."""

    asked: tuple[Any, ...]
    number: int
    training: "train.Training"
    now: "Vectors"
    going: bool = False
    progress: "train.Progress | None" = None
    losses: list[tuple[int, float]] = field(default_factory=list)
    plane: "Projection | None" = None
    reach: tuple[float, float] = REACH

    @property
    def at(self) -> int:
        """How many steps have been made."""
        return self.progress.step if self.progress else 0

    @property
    def verb(self) -> str:
        """What its button does now."""
        if self.going:
            return "Stop"
        return "Train" if not self.at else "Again" if self.at == self.training.steps else "Continue"


def choices(settings: Settings) -> "train.Settings":
    """The settings as the analysis knows them."""
    from explorer.analysis.vectors import train

    words = max(len(settings["text"].split()), 1)
    return train.Settings(
        method=settings["method"],
        window=settings["window"],
        dimensions=settings["dimensions"],
        negatives=settings["negatives"],
        epochs=min(max(READ // words, FEWEST_EPOCHS), MOST_EPOCHS),
        rate=RATE[settings["method"]],
        subsample=0.01,  # so small a text has little to spare: only the most frequent words are thinned
        seed=settings["seed"],
    )


def current(settings: Settings) -> Run:
    """This session's training; a new one, not yet begun, where anything was changed. Raises TextError."""
    names = ("text", "method", "window", "dimensions", "negatives", "seed")
    asked = tuple(settings[name] for name in names)
    run = st.session_state.get(RUN)
    if run is None or run.asked != asked:
        run = st.session_state[RUN] = begin(asked, settings)
    return run


def begin(asked: tuple[Any, ...], settings: Settings) -> Run:
    """A training before its first step: random vectors."""
    from explorer.analysis.vectors import train

    text = settings["text"].strip()
    if len(text) > LONGEST:
        raise TextError(
            f"The text has {len(text):,} characters; at most {LONGEST:,} are trained on here.",
            "Paste a part of it.",
        )
    training = train.train(text, choices(settings))
    return Run(asked, next(_numbers), training, training.vectors)


def restart(run: Run) -> None:
    """From the beginning, with the same seed and therefore the same vectors."""
    from explorer.analysis.vectors import train

    run.training = train.train(run.training.text, run.training.settings)
    run.now, run.progress, run.losses, run.going = run.training.vectors, None, [], True
    run.number = next(_numbers)


def extend(run: Run) -> None:
    """Make the next steps: as many as fit into one turn, and one at least."""
    started = perf_counter()
    while run.going:
        step = next(run.training, None)
        if step is None or step.step == step.steps:
            run.going = False
        if step is None:
            return
        if step.loss is not None:
            run.losses.append((step.step, step.loss))
        kept = run.progress
        run.progress, run.now = step, step.vectors
        if step.centre is None and kept is not None and kept.centre is not None:
            continue  # thinning left no pair: read on until there is one to light
        if perf_counter() - started > TURN_SECONDS:
            return
