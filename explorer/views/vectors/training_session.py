"""One session's training of word2vec: its settings, its state and its next steps.

session = current(settings)     a new one, not yet begun, where a setting was changed
session.extend()                the next steps, as many as fit into a tenth of a second
"""

from collections.abc import Iterator
from typing import Any

from explorer import analysis
from explorer.errors import TextError
from explorer.locale import N_, _, format_number
from explorer.server import growing
from explorer.server.growing import Growing
from explorer.views import kit
from explorer.views.types import Projection, Vectors
from explorer.views.vectors.settings import DIMENSIONS, METHOD, NEGATIVES, SEED, TEXT, WINDOW

MOST_SECONDS = 0.1  # how long it learns between two answers to the page; others are served in between
READ = 30_000  # running words read in all: a small text many times, a longer one less often
FEWEST_EPOCHS, MOST_EPOCHS = 3, 60
LONGEST = 20_000  # characters of text
REACH = (0.7, 0.4)  # of unit vectors on the plane, at the least: what is small should look small
RATE = {"skip-gram": 0.05, "cbow": 0.2}
SUBSAMPLE = 0.01  # so small a text has little to spare: only the most frequent words are thinned
SMOOTH = 30  # steps whose mean is one point of the curve
RUN = kit.Session["TrainingSession | None"]("vectors/run", None)


class TrainingSession(Growing[tuple[int, float]]):
    """One training and its state; its steps are (number, loss in nats) of those with a pair to learn from.

    `plane` is the last map and `reach` its largest coordinates so far; `at_start` is the number of words
    beside one of their group before the first step.
    """

    def __init__(self, request: Any, training: "analysis.vectors.train.Training") -> None:
        super().__init__(request, self._learn(), MOST_SECONDS)
        self.training, self.going = training, False
        self.progress: analysis.vectors.train.Progress | None = None
        self.plane: Projection | None = None
        self.reach = REACH
        self.at_start: int | None = None

    def _learn(self) -> Iterator[tuple[int, float]]:
        for progress in self.training:
            self.progress = progress
            if progress.loss is not None:  # else subsampling left no pair to light
                yield progress.step, progress.loss

    def extend(self, seconds: float | None = None) -> None:
        """Make the next steps, while it is going."""
        if self.going:
            super().extend(seconds)
            self.going = self.going and not self.finished

    @property
    def vectors(self) -> "Vectors":
        """Those of the last step."""
        return (self.progress or self.training).vectors

    @property
    def step(self) -> int:
        """The number of steps so far."""
        return self.progress.step if self.progress else 0

    @property
    def finished(self) -> bool:
        """Whether all steps have been made."""
        return self.step == self.training.steps

    @property
    def button(self) -> str:
        """The label of the button, in English."""
        if self.going:
            return N_("Stop")
        return N_("Train") if not self.step else N_("Train again") if self.finished else N_("Continue")


def train_settings(settings: kit.Settings) -> dict[str, Any]:
    """The settings of the training by the names that the analysis has for them."""
    words = max(len(settings[TEXT].split()), 1)
    return {
        "method": settings[METHOD],
        "window": settings[WINDOW],
        "dimensions": settings[DIMENSIONS],
        "negatives": settings[NEGATIVES],
        "epochs": min(max(READ // words, FEWEST_EPOCHS), MOST_EPOCHS),
        "rate": RATE[settings[METHOD]],
        "subsample": SUBSAMPLE,
        "seed": settings[SEED],
    }


def current(settings: kit.Settings) -> TrainingSession:
    """This session's training; a new one, not yet begun, where anything was changed. Raises TextError."""
    declared = (TEXT, METHOD, WINDOW, DIMENSIONS, NEGATIVES, SEED)
    request = tuple(settings.value(name) for name in declared)
    return growing.current(RUN, request, lambda: begin(request, settings))


def begin(request: tuple[Any, ...], settings: kit.Settings) -> TrainingSession:
    """A training before its first step: random vectors. Raises TextError."""
    from explorer.analysis.vectors import train

    text = settings[TEXT].strip()
    if len(text) > LONGEST:
        raise TextError(
            _(
                "The text has {count} characters; at most {most} are trained on here.",
                count=format_number(len(text)),
                most=format_number(LONGEST),
            ),
            _("Paste a part of it."),
        )
    return TrainingSession(request, train.train(text, train.Settings(**train_settings(settings))))


def restart(session: TrainingSession) -> None:
    """Start again, with the same seed and therefore the same vectors; the map turns back from where it is."""
    from explorer.analysis.vectors import train

    again = TrainingSession(session.request, train.train(session.training.text, session.training.settings))
    again.plane, again.reach, again.going = session.plane, session.reach, True
    RUN.set(again)


def curve(losses: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """The loss, averaged over a few steps each: (the last of them, nats)."""
    parts = [losses[i : i + SMOOTH] for i in range(0, len(losses), SMOOTH)]
    if len(parts) > 1 and len(parts[-1]) < SMOOTH:  # the newest point is a mean of as many as the others
        parts[-1] = losses[-SMOOTH:]
    return [(part[-1][0], round(sum(loss for _, loss in part) / len(part), 4)) for part in parts]


def place(session: TrainingSession, words: list[str]) -> "Projection":
    """The words on PCA's plane, rotated to match the one drawn before, so that dots glide."""
    plane = analysis.projection.project(session.vectors.unit(words), "pca")
    if session.plane is not None:
        plane = analysis.projection.align(session.plane, plane)
    session.plane = plane
    reach = plane.coordinates.abs().amax(0).tolist()
    session.reach = (max(session.reach[0], reach[0]), max(session.reach[1], reach[1]))
    return plane


def losses_csv(session: TrainingSession) -> str:
    """The loss of each step so far, in nats."""
    return kit.table(["step", "loss in nats"], session.done)


def vectors_csv(session: TrainingSession) -> str:
    """The vectors as they are now, a word a line, the most frequent first."""
    rows = session.vectors.matrix.tolist()
    return kit.table(
        ["word", *range(1, len(rows[0]) + 1)],
        [[word, *row] for word, row in zip(session.vectors.words, rows)],
    )
