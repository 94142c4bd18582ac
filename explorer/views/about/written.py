"""What it wrote: how the model continued a text at every snapshot of the training."""

from explorer.catalogue.ability import Ability
from explorer.catalogue.manifest import manifests
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.about import milestones
from explorer.views.about.choice import Training, choose, sentence_box, snapshot, snapshots_shown
from explorer.views.about.saves import record_csv, texts_csv
from explorer.views.about.settings import POINT, SENTENCE

VIEW_TEXT = kit.view_text("models", "written")


def draw(page: kit.OpenPage[Training]) -> kit.Saves:
    """The texts, one line per snapshot."""
    key, training = "models/drafts", page.data
    name, sentence = training.name, page.settings[SENTENCE]
    blocked = kit.blocklist.over(name)
    indices = snapshots_shown(page)
    kit.component("about/drafts")(
        key=key,
        data={
            "rows": milestones.texts(training.record, sentence, blocked, indices),
            "prompt": training.record.sentences[sentence] + (" → " if translates(name) else ""),
            "shown": f"{name}/{sentence}",
            "label": _("What the model wrote at each recorded step of the training"),
            "point": indices.index(snapshot(page)),
        },
        on_point_change=choose(page, key, indices),
    )
    return [
        kit.Picture("picture", f"{name}-texts"),
        kit.Export(N_("Texts"), f"{name}-texts.csv", lambda: texts_csv(training.record, sentence, blocked)),
        kit.Export(N_("All measurements"), f"{name}-training.csv", lambda: record_csv(training.record)),
    ]


def translates(name: str) -> bool:
    """Whether a bundled model translates, rather than continuing a text."""
    return name in manifests() and Ability.TRANSLATE in manifests()[name].abilities


def texts_by_step(name: str, sentence: int) -> list[tuple[int, str]]:
    """How a bundled model continued one of its record's sentences, by tokens read in training."""
    from explorer.views.about import record

    training = record.read(name)
    snapshots = training.snapshots if training else []
    return [(snapshot.tokens, snapshot.continuations[sentence]) for snapshot in snapshots]


VIEW = kit.View(
    text=VIEW_TEXT.of_page(
        reading=lambda page: (
            VIEW_TEXT.readings["translated"] if translates(page.data.name) else VIEW_TEXT.reading
        )
    ),
    settings=(SENTENCE, POINT),
    controls=sentence_box,
    picture=draw,
    example=lambda page: kit.Example(texts_by_step, name=page.data.name, sentence=page.settings[SENTENCE]),
    stage=kit.Stage(
        covered=(".tokens, .reading:not(:has(+ .few)), .when",),
        plain=".few .chosen",
        desk=".rb-facts, .st-key-models-sentence",
    ),
)
