"""ULMFiT's way: the language model first, slanted rates, slower below, and layers let go one by one."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import lessons, sets, ulmfit_effect
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.lessons import Lesson
from explorer.views.finetuning.one_sentence import ONE_SENTENCE as SENTENCES
from explorer.views.finetuning.settings import (
    SEED,
    ULMFIT_DISCRIMINATIVE,
    ULMFIT_LANGUAGE,
    ULMFIT_SET,
    ULMFIT_SLANTED,
    ULMFIT_UNFREEZING,
)
from explorer.views.finetuning.train_row import threads
from explorer.views.frame.example import Example, Load
from explorer.views.frame.hints import Hints
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.courses import Moment, UlmfitCourse
    from explorer.models import LanguageModel

MODEL = "gpt"
TRICKS = {
    "language": "Language model first",
    "slanted": "Slanted rates",
    "discriminative": "Discriminative rates",
    "unfreezing": "Gradual unfreezing",
}
SWITCHES = {
    "language": ULMFIT_LANGUAGE,
    "slanted": ULMFIT_SLANTED,
    "discriminative": ULMFIT_DISCRIMINATIVE,
    "unfreezing": ULMFIT_UNFREEZING,
}
NEVER = "embeddings: they never learn here"


def controls(page: Page[Bench]) -> None:
    """The examples, and which of the four are on."""
    settings = page.settings
    known = sets.offered([SENTENCES])
    settings.restrict(ULMFIT_SET, known)
    examples, tricks = st.columns([27, 73], gap="medium", vertical_alignment="center")
    examples.selectbox(
        "Examples",
        list(known),
        key=settings.key(ULMFIT_SET, "Examples", known.get),
        format_func=known.__getitem__,
        label_visibility="collapsed",
    )
    with tricks.container(horizontal=True, gap="medium"):
        for name, label in TRICKS.items():
            st.toggle(label, key=settings.key(SWITCHES[name], label))


def draw(page: Page[Bench]) -> Saves:
    """The layers, and beside them the rate, the loss and what is right. Raises ExplorerError."""
    asked = course(page.settings)
    asked.check()
    _stage(page.settings, page.model.config.layers)
    return [
        Picture("picture", "ulmfit"),
        *_saves(asked),
        *ulmfit_effect.saves(),
    ]


def below(page: Page[Bench]) -> None:
    """What the tricks gave, as it was measured."""
    ulmfit_effect.draw()


def reading(page: Page[Bench]) -> Reading:
    """How to read the layers and the curves."""
    return Reading(
        "A lit layer learns now; its bar is its rate. First the language model guesses the next word of "
        "these texts, labels unseen; then a classifier on top learns alone for one round, and with gradual "
        "unfreezing each further round unfreezes one more layer. Slanted triangular rates rise in the first "
        "tenth of the steps and fall in the rest; below, each layer is 2.6 times slower than the one above "
        "it. Earlier trainings on the same examples stay as pale lines.",
        "After Howard and Ruder 2018, who have an LSTM of three layers; here it is our gpt, with six. A "
        "quarter of the examples is kept aside. Of our sentences about films it gets about half right, and "
        "so does a head on the frozen model: they are few, and each has a twin that says the opposite in "
        "similar words.",
    )


def example(page: Page[Bench]) -> Example:
    """The same training from Python."""
    asked, settings = course(page.settings), page.settings
    from explorer.finetuning import typed

    _, _, name = settings[ULMFIT_SET].partition("/")
    tricks = {name: getattr(asked, name) for name in TRICKS}
    if name == sets.OWN:
        lines = typed.write(asked.examples)
        return Example(ulmfit_on_typed, model=Load(MODEL), lines=lines, seed=asked.seed, **tricks)
    return Example(ulmfit_on_ready, model=Load(MODEL), name=name, seed=asked.seed, **tricks)


def ulmfit_on_ready(
    model: "LanguageModel",
    name: str,
    seed: int,
    language: bool,
    slanted: bool,
    discriminative: bool,
    unfreezing: bool,
) -> "list[float]":
    """The share that is right on sentences kept aside, after each round of the classifier."""
    from explorer.finetuning import library
    from explorer.finetuning.courses import UlmfitCourse

    tricks = (language, slanted, discriminative, unfreezing)
    course = UlmfitCourse(str(model.checkpoint), library.examples(name), seed, 1, *tricks)
    return [moment["right"] for moment in course.moments(model) if "right" in moment]


def ulmfit_on_typed(
    model: "LanguageModel",
    lines: str,
    seed: int,
    language: bool,
    slanted: bool,
    discriminative: bool,
    unfreezing: bool,
) -> "list[float]":
    """The share that is right on sentences kept aside, after each round of the classifier."""
    from explorer.finetuning import tables
    from explorer.finetuning.courses import UlmfitCourse

    examples = tables.typed("classes", lines).examples
    tricks = (language, slanted, discriminative, unfreezing)
    course = UlmfitCourse(str(model.checkpoint), tuple(examples), seed, 1, *tricks)
    return [moment["right"] for moment in course.moments(model) if "right" in moment]


def course(settings: Settings) -> "UlmfitCourse":
    """The training of the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.courses import UlmfitCourse

    examples = sets.named(settings, [SENTENCES], settings[ULMFIT_SET])
    tricks = {name: settings[SWITCHES[name]] for name in TRICKS}
    return UlmfitCourse(MODEL, examples, settings[SEED], threads(), **tricks)


@st.fragment
def _stage(settings: Settings, layers: int) -> None:
    asked = course(settings)
    lesson = lessons.look(asked)
    left, right = st.columns([38, 62], gap="medium")
    with left:
        component("finetuning/tower")(key="finetuning/tower/ulmfit", data=tower(asked, lesson, layers))
    with right:
        learn, aside = asked.parts()
        about = f"{len(learn)} sentences, {len(aside)} kept aside"
        lessons.row(asked, about, curves(asked, lesson, layers), "finetuning/ulmfit-trainer")


def tower(asked: "UlmfitCourse", lesson: Lesson | None, layers: int) -> dict[str, Any]:
    """The layers as they learn at the last step; before the first one, all that will."""
    from explorer.finetuning.ulmfit import RATE, SLOWER

    moment = lesson.moments[-1] if lesson and lesson.moments else None
    stage = moment["stage"] if moment else None
    learning = moment["learning"] if moment else []
    now = moment["rate"] / RATE if moment else 1.0
    slower = SLOWER if asked.discriminative else 1.0
    rows = []
    for layer in reversed(range(layers)):
        part = 1 / slower ** (layers - 1 - layer)
        lit = layer in learning
        rows.append(
            {
                "name": f"layer {layer}",
                "share": part * now if lit or not moment else 0.0,
                "number": f"{part * now:.1%}" if lit or not moment else "waits",
                "note": "",
                "lit": lit,
            }
        )
    return {
        "label": "The layers of gpt, and how fast each learns",
        "heads": [
            {"text": "next word", "lit": stage == "language model"},
            {"text": "classifier", "lit": stage == "classifier"},
        ],
        "rows": rows,
        "foot": NEVER,
    }


def curves(asked: "UlmfitCourse", lesson: Lesson | None, layers: int) -> list[dict[str, Any]]:
    """The rate, the loss, and the share of right answers."""
    from explorer.finetuning.ulmfit import RATE

    free = tuple(TRICKS)
    before = lessons.beside(asked, *free)
    moments = lesson.moments if lesson else []
    plan = _planned(asked, layers)
    losses = [(moment["step"], moment["loss"]) for moment in moments]
    right = [{"name": told(other), "points": _right(one.moments)} for other, one in before]
    ends = [one.moments[-1]["of"] for _, one in before if one.moments]
    return [
        lessons.curve(
            "rate of the top layer",
            [(moment["step"], moment["rate"] / RATE) for moment in moments],
            1.0,
            percent=True,
            others=[{"name": "", "points": plan}],
            of=len(plan),
        ),
        lessons.curve("loss, nats", losses, lessons.reach([losses], 1.0), of=len(plan)),
        lessons.curve(
            "right answers, kept aside",
            _right(moments),
            1.0,
            percent=True,
            others=right,
            named=told(asked),
            of=max([len(plan), *ends]),
        ),
    ]


def _planned(asked: "UlmfitCourse", layers: int) -> list[tuple[int, float]]:
    """The rate of each step to come, as a share of the highest."""
    from explorer.finetuning.ulmfit import factor, planned

    stages = planned(len(asked.parts()[0]), layers, asked.tricks)
    rates = [factor(step, of, asked.tricks) for of in stages.values() for step in range(of)]
    return list(enumerate(rates, 1))


def _right(moments: "list[Moment]") -> list[tuple[int, float]]:
    return [(moment["step"], moment["right"]) for moment in moments if moment.get("right") is not None]


def told(asked: "UlmfitCourse") -> str:
    """Which of the four are on, in a word or two."""
    on = [name for name in TRICKS if getattr(asked, name)]
    if len(on) in (0, len(TRICKS)):
        return "all four" if on else "plain"
    return f"{len(on)} of four"


def _saves(asked: "UlmfitCourse") -> list[Export]:
    lesson = lessons.find(asked)
    if lesson is None or not lesson.moments:
        return []
    names = ("step", "stage", "loss", "rate", "learning", "right")
    rows = [
        [" ".join(map(str, moment[name])) if name == "learning" else moment.get(name, "") for name in names]
        for moment in lesson.moments
    ]
    heads = ["step", "stage", "loss in nats", "rate of the top layer", "layers that learn", "share right"]
    return [Export("Each step", "ulmfit.csv", lambda: table(heads, rows))]


VIEW = View(
    label="ULMFiT’s way",
    first=Hints(
        "Before the first step: the dashed line is how the rate will rise and fall.",
        "Press Train, and watch the layers light up; then switch all four off and train again.",
    ),
    settings=(ULMFIT_SET, *SWITCHES.values()),
    presets=[
        Preset(
            "Plain fine-tuning",
            "Press Train with all four switched off: every layer learns at once, all at the same rate.",
            {"view": "ulmfit"} | {f"ulmfit_{name}": False for name in TRICKS},
        ),
    ],
    model=MODEL,
    controls=controls,
    draw=draw,
    below=below,
    reading=reading,
    example=example,
)
