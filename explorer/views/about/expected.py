"""What it expected, suspected or had near: a table of the first guesses at every snapshot of the training."""

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.about import milestones
from explorer.views.about.choice import Training, choose, sentence_box, snapshot, snapshots_shown
from explorer.views.about.record import Guess
from explorer.views.about.saves import guesses_csv, record_csv
from explorer.views.about.settings import POINT, SENTENCE, WORD


def draw(page: kit.OpenPage[Training]) -> kit.Saves:
    """The table of guesses; one word is traced through its columns."""
    key, settings, training = "models/milestones", page.settings, page.data
    name, sentence = training.name, settings[SENTENCE]
    blocked = kit.blocklist.over(name)
    indices = snapshots_shown(page)
    guesses = milestones.table(training.record, sentence, blocked, indices)
    traced = next((i for i, w in enumerate(guesses["words"]) if w["token"] == settings[WORD]), -1)

    def trace() -> None:
        if (word := kit.component_value(key, "word", WORD.takes)) is not None:
            settings.set(WORD.to(word))

    kit.component("about/milestones")(
        key=key,
        data={
            **guesses,
            "shown": f"{name}/{sentence}",
            "label": _("The first guesses at each recorded step of the training"),
            "point": indices.index(snapshot(page)),
            "locked": traced,
        },
        on_point_change=choose(page, key, indices),
        on_word_change=trace,
    )
    return [
        kit.Picture("picture", f"{name}-guesses"),
        kit.Export(
            N_("Guesses"), f"{name}-guesses.csv", lambda: guesses_csv(training.record, sentence, blocked)
        ),
        kit.Export(N_("All measurements"), f"{name}-training.csv", lambda: record_csv(training.record)),
    ]


def guesses_by_step(name: str, sentence: int, top: int) -> "list[tuple[int, list[Guess]]]":
    """A bundled model's first guesses for one of its record's sentences, by tokens read in training."""
    from explorer.views.about import record

    training = record.read(name)
    snapshots = training.snapshots if training else []
    return [(snapshot.tokens, snapshot.guesses[sentence][:top]) for snapshot in snapshots]


def _view(name: str) -> kit.View[Training]:
    return kit.View(
        text=kit.view_text("models", name),
        settings=(SENTENCE, POINT, WORD),
        controls=sentence_box,
        picture=draw,
        example=lambda page: kit.Example(
            guesses_by_step, name=page.data.name, sentence=page.settings[SENTENCE], top=milestones.PLACES
        ),
        stage=kit.Stage(
            covered=(".guess, .sure, .column:first-child .cell", ".column + .column .cell, path"),
            desk=".foot",
            covers_most=True,
        ),
    )


VIEW = _view("predicted")
NEAREST = _view("nearest")  # word vectors record the words nearest to a few, with their cosines
SUSPECTED = _view("suspected")  # a discriminator records the tokens that it took for replaced
