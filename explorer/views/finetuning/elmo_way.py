"""ELMo's way: its three layers stay frozen, and a tagger learns how much each of them counts."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import lessons, sets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.every_word import EVERY_WORD as WORDS
from explorer.views.finetuning.one_sentence import ONE_SENTENCE as SENTENCES
from explorer.views.finetuning.settings import ELMO_SET, SEED
from explorer.views.finetuning.train_row import threads
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.courses import MixCourse, Moment
    from explorer.finetuning.tasks import Kind
    from explorer.models import LanguageModel

MODEL = "elmo"
CASES = (WORDS, SENTENCES)
NAMES = ("letters", "layer 1", "layer 2")
MEASURES = {"words": "F1, kept aside", "sentence": "right answers, kept aside"}


def controls(page: Page[Bench]) -> None:
    """The examples."""
    settings = page.settings
    known = sets.offered(CASES)
    if settings[ELMO_SET] not in known:
        settings.adjust(ELMO_SET.to(next(iter(known))))
    st.selectbox(
        "Examples",
        list(known),
        key=settings.key(ELMO_SET, "Examples", known.get),
        format_func=known.__getitem__,
        label_visibility="collapsed",
        width=360,
    )


def draw(page: Page[Bench]) -> Saves:
    """The layers with their weights, and beside them the curves. Raises ExplorerError."""
    asked = course(page.settings)
    asked.check()
    _stage(page.settings)
    return [Picture("picture", "elmo-mix"), *_saves(asked)]


def reading(page: Page[Bench]) -> Reading:
    """How to read the weights."""
    return Reading(
        "ELMo reads each word once; its layers never change. A bar is the weight of a layer in the learnt "
        "mix that the head reads; softmax makes the three sum to 1. Weights and head are learnt together. At "
        "the end each layer stands alone under a head of its own, to compare.",
        "After Peters et al. 2018, equation 1, whose scale γ the linear head absorbs. A weight does not "
        "prove that a layer is better: layers are scaled alike here, but they overlap in what they know.",
    )


def example(page: Page[Bench]) -> Example:
    """The same mix from Python."""
    settings, asked = page.settings, course(page.settings)
    from explorer.finetuning import typed

    case, _, name = settings[ELMO_SET].partition("/")
    if name == sets.OWN:
        kind = next(one.kind for one in CASES if one.name == case)
        lines = typed.write(asked.examples)
        return Example(mix_of_typed, model=Load(MODEL), kind=kind, lines=lines, seed=asked.seed)
    return Example(mix_of_ready, model=Load(MODEL), name=name, seed=asked.seed)


def mix_of_ready(model: "LanguageModel", name: str, seed: int) -> "list[float]":
    """The weights of the layers that a head for ready examples learns, the lowest first."""
    from explorer.finetuning import library
    from explorer.finetuning.courses import MixCourse

    moments = MixCourse(str(model.checkpoint), library.examples(name), seed).moments(model)
    *_, weights = [moment["weights"] for moment in moments if "weights" in moment]
    return list(weights)


def mix_of_typed(model: "LanguageModel", kind: "Kind", lines: str, seed: int) -> "list[float]":
    """The weights of the layers that a head for typed examples learns, the lowest first."""
    from explorer.finetuning import tables
    from explorer.finetuning.courses import MixCourse

    examples = tuple(tables.typed(kind, lines).examples)
    moments = MixCourse(str(model.checkpoint), examples, seed).moments(model)
    *_, weights = [moment["weights"] for moment in moments if "weights" in moment]
    return list(weights)


def course(settings: Settings) -> "MixCourse":
    """The training of the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.courses import MixCourse

    examples = sets.named(settings, CASES, settings[ELMO_SET])
    return MixCourse(MODEL, examples, settings[SEED], threads())


@st.fragment
def _stage(settings: Settings) -> None:
    asked = course(settings)
    lesson = lessons.look(asked)
    moments = lesson.moments if lesson else []
    left, right = st.columns([44, 56], gap="medium")
    with left:
        component("finetuning/tower")(key="finetuning/tower/elmo", data=tower(moments, settings[ELMO_SET]))
    with right:
        about = f"{len(asked.examples)} examples, a quarter of them kept aside"
        lessons.row(asked, about, curves(moments, settings[ELMO_SET]), "finetuning/elmo-trainer")


def tower(moments: "list[Moment]", name: str) -> dict[str, Any]:
    """The three layers with their weights, and what each reaches alone."""
    learnt = [moment for moment in moments if "weights" in moment]
    alone = {moment["layer"]: moment["score"] for moment in moments if moment["stage"] == "alone"}
    weights = learnt[-1]["weights"] if learnt else [1 / len(NAMES)] * len(NAMES)
    measure = "F1" if name.startswith(WORDS.name) else "right"
    rows = []
    for layer in reversed(range(len(NAMES))):
        score = alone.get(layer)
        rows.append(
            {
                "name": NAMES[layer],
                "share": weights[layer],
                "number": f"{weights[layer]:.2f}",
                "note": f"alone: {measure} {score:.0%}" if score is not None else "",
                "lit": bool(learnt),
            }
        )
    reader = "tagger" if name.startswith(WORDS.name) else "classifier"
    return {
        "label": "How much each layer of ELMo counts",
        "heads": [{"text": reader, "lit": bool(learnt)}, {"text": "mix of layers", "lit": bool(learnt)}],
        "rows": rows,
        "foot": "frozen: no layer learns",
    }


def curves(moments: "list[Moment]", name: str) -> list[dict[str, Any]]:
    """The loss, and the score on what is kept aside."""
    learnt = [moment for moment in moments if "weights" in moment]
    losses = [(moment["step"], moment["loss"]) for moment in learnt]
    scores = [(moment["step"], moment["score"]) for moment in learnt if moment["score"] is not None]
    of = learnt[-1]["step"] if learnt else 1
    return [
        lessons.curve("loss, nats", losses, lessons.reach([losses], 1.0), of=of),
        lessons.curve(MEASURES[name.partition("/")[0]], scores, 1.0, percent=True, of=of),
    ]


def _saves(asked: "MixCourse") -> list[Export]:
    lesson = lessons.find(asked)
    learnt = [moment for moment in lesson.moments if "weights" in moment] if lesson else []
    rows = [(p["step"], p["loss"], p["score"], p["gamma"], *p["weights"]) for p in learnt]
    heads = ["step", "loss in nats", "score kept aside", "gamma", *(f"weight of {name}" for name in NAMES)]
    return [Export("The weights of each step", "elmo-mix.csv", lambda: table(heads, rows))] if rows else []


VIEW = View(
    label="ELMo’s way",
    first=Hints(
        "Before training each of ELMo’s three layers counts one third.",
        "Press Train: which layer gains? Then choose other examples, and train again.",
    ),
    settings=(ELMO_SET,),
    presets=[],
    model=MODEL,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
