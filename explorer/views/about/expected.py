"""What it expected, suspected or had near: a table of the first guesses at every snapshot of the training."""

from typing import TYPE_CHECKING

from explorer.views.about import milestones
from explorer.views.about.choice import Training, choose, sentence_box, snapshot, snapshots_shown
from explorer.views.about.saves import guesses_csv, record_csv
from explorer.views.about.settings import POINT, SENTENCE, WORD
from explorer.views.frame.example import Example
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving.saving import Export, Picture
from explorer.views.frame.view import OpenPage, Reading, Saves, View
from explorer.views.look import blocklist
from explorer.views.widgets.registry import component, component_value

if TYPE_CHECKING:
    from explorer.views.about.record import Guess

ANECDOTE = "A few sentences are an anecdote, not a measurement: the curves count thousands of words."


def draw(page: OpenPage[Training]) -> Saves:
    """The table of guesses; one word is traced through its columns."""
    key, settings, training = "models/milestones", page.settings, page.data
    name, sentence = training.name, settings[SENTENCE]
    blocked = blocklist.over(name)
    indices = snapshots_shown(page)
    guesses = milestones.table(training.record, sentence, blocked, indices)
    traced = next((i for i, w in enumerate(guesses["words"]) if w["token"] == settings[WORD]), -1)

    def trace() -> None:
        if (word := component_value(key, "word", WORD.takes)) is not None:
            settings.set(WORD.to(word))

    component("about/milestones")(
        key=key,
        data={
            **guesses,
            "shown": f"{name}/{sentence}",
            "label": "The first guesses at each recorded step of the training",
            "point": indices.index(snapshot(page)),
            "locked": traced,
        },
        on_point_change=choose(page, key, indices),
        on_word_change=trace,
    )
    return [
        Picture("picture", f"{name}-guesses"),
        Export("Guesses", f"{name}-guesses.csv", lambda: guesses_csv(training.record, sentence, blocked)),
        Export("All measurements", f"{name}-training.csv", lambda: record_csv(training.record)),
    ]


def example(page: OpenPage[Training]) -> Example:
    """The record from Python."""
    return Example(
        guesses_by_step,
        name=page.data.name,
        sentence=page.settings[SENTENCE],
        top=milestones.PLACES,
    )


def guesses_by_step(name: str, sentence: int, top: int) -> "list[tuple[int, list[Guess]]]":
    """A bundled model's first guesses for one of its record's sentences, by tokens read in training."""
    from explorer.views.about import record

    training = record.read(name)
    snapshots = training.snapshots if training else []
    return [(snapshot.tokens, snapshot.guesses[sentence][:top]) for snapshot in snapshots]


def _view(label: str, first: Hints, how: str, caveat: str) -> View[Training]:
    def reading(page: OpenPage[Training]) -> Reading:
        """How to read the table."""
        return Reading(how, caveat)

    return View(
        label=label,
        first=first,
        settings=(SENTENCE, POINT, WORD),
        controls=sentence_box,
        draw=draw,
        reading=reading,
        example=example,
    )


VIEW = _view(
    "What it expected",
    Hints(
        "Each column is the model at another step of its training, with its five best guesses.",
        "Press “Play the training”, then choose another sentence.",
    ),
    "Each column shows the model at one step of its training, the latest on the right: the five tokens "
    "that it found most probable then. One token is traced through all columns. Point at another one or "
    "click it to trace that.",
    ANECDOTE,
)
# Word vectors record the words nearest to a few, with their cosines.
NEAREST = _view(
    "What lay near",
    Hints(
        "Each column is a step of the training, with the words that lay nearest then.",
        "Press “Play the training”, then choose another word.",
    ),
    "Each column shows the vectors at one step of their training, the latest on the right: the five "
    "words nearest to the chosen word then, with their cosines. One word is traced through all columns. "
    "Point at another one or click it to trace that.",
    "A few words are an anecdote, not a measurement: the curves count thousands of questions.",
)
# A discriminator records the tokens that it took for replaced.
SUSPECTED = _view(
    "What it suspected",
    Hints(
        "Each column is the model at another step of its training, with the five tokens it suspected most.",
        "Press “Play the training”, then choose another sentence.",
    ),
    "In each sentence we put in one word. Each column shows the model at one step of its "
    "training, the latest on the right: the five tokens that it found most probably replaced, with that "
    "probability. One token is traced through all columns. Point at another one or click it to trace "
    "that.",
    ANECDOTE,
)
