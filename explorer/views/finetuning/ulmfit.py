"""ULMFiT's way: the language model first, slanted rates, slower below, and layers unfrozen one by one."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.finetuning import choices, sets, trainings
from explorer.views.finetuning.sets import SENTENCES
from explorer.views.finetuning.settings import (
    SEED,
    ULMFIT_DISCRIMINATIVE,
    ULMFIT_LANGUAGE,
    ULMFIT_SET,
    ULMFIT_SLANTED,
    ULMFIT_UNFREEZING,
)
from explorer.views.finetuning.train_row import axis_top, curve, progress_note, train_row, update
from explorer.views.finetuning.trainings import Training
from explorer.views.frame.example import Example, Load
from explorer.views.frame.saving.saving import Export, table
from explorer.views.settings.settings import Settings
from explorer.views.widgets.layer_names import block_name
from explorer.views.widgets.registry import component

if TYPE_CHECKING:
    from explorer.finetuning.training_specs import Record, UlmfitSpec
    from explorer.models import LanguageModel

MODEL = "gpt"
TRICKS = {
    "language": (ULMFIT_LANGUAGE, "Language model first"),
    "slanted": (ULMFIT_SLANTED, "Slanted rates"),
    "discriminative": (ULMFIT_DISCRIMINATIVE, "Discriminative rates"),
    "unfreezing": (ULMFIT_UNFREEZING, "Gradual unfreezing"),
}
SWITCHES = [switch for switch, _ in TRICKS.values()]


def controls(settings: Settings) -> None:
    """The examples, and which of the four tricks are on."""
    examples, tricks = st.columns([27, 73], gap="medium", vertical_alignment="center")
    with examples:
        choices.task_examples_box(settings, ULMFIT_SET, [SENTENCES], "stretch")
    with tricks.container(horizontal=True, gap="medium"):
        for switch, label in TRICKS.values():
            st.toggle(label, key=settings.key(switch, label))


def draw(settings: Settings, model: "LanguageModel") -> list[Export]:
    """The layers, and beside them the rate, the loss and the accuracy. Raises ExplorerError."""
    spec = training_spec(settings)
    spec.check()
    _panel(spec, model)
    return _saves(spec)


def example(settings: Settings) -> Example:
    """The same training from Python."""
    spec, (_, name) = training_spec(settings), sets.split_path([SENTENCES], settings[ULMFIT_SET])
    arguments = sets.code_arguments(name, spec.examples) | {"seed": spec.seed}
    return Example(
        accuracies, model=Load(MODEL), **arguments, **{name: getattr(spec, name) for name in TRICKS}
    )


def accuracies(
    model: "LanguageModel",
    name: str,
    lines: str,
    seed: int,
    language: bool,
    slanted: bool,
    discriminative: bool,
    unfreezing: bool,
) -> "list[float]":
    """The accuracy on held-out sentences after each round of the classifier.

    It is trained on the lines, or else on the ready examples `name`.
    """
    from explorer.finetuning import library, parsing
    from explorer.finetuning.training_specs import UlmfitSpec

    examples = parsing.parse_lines("classes", lines).examples if lines else library.examples(name)
    tricks = (language, slanted, discriminative, unfreezing)
    spec = UlmfitSpec(str(model.checkpoint), examples, seed, 1, *tricks)
    return [record["right"] for record in spec.records(model) if "right" in record]


def training_spec(settings: Settings) -> "UlmfitSpec":
    """The training for the present settings. Raises TextError for examples that cannot be read."""
    from explorer.finetuning.training_specs import UlmfitSpec

    examples = sets.examples(settings, *sets.split_path([SENTENCES], settings[ULMFIT_SET]))
    tricks = [settings[switch] for switch in SWITCHES]
    return UlmfitSpec(MODEL, examples, settings[SEED], trainings.threads(), *tricks)


@st.fragment
def _panel(spec: "UlmfitSpec", model: "LanguageModel") -> None:
    training, layers = update(spec, model), model.config.layers
    left, right = st.columns([38, 62], gap="medium")
    with left:
        component("finetuning/tower")(key="finetuning/tower/ulmfit", data=tower(spec, training, layers))
    with right:
        learn, held_out = spec.parts()
        note = progress_note(training, f"{len(learn)} sentences, {len(held_out)} held out")
        train_row("finetuning/ulmfit-trainer", spec, model, note, curves(spec, layers))


def tower(spec: "UlmfitSpec", training: Training | None, layers: int) -> dict[str, Any]:
    """The component's data: the layers that learn at the last step; before the first one, all that will."""
    from explorer.finetuning.ulmfit import RATE, SLOWER

    record = training.last if training else None
    stage, learning = (record["stage"], record["learning"]) if record else (None, [])
    top_rate = record["rate"] / RATE if record else 1.0
    slower = SLOWER if spec.discriminative else 1.0
    rows = []
    for layer in reversed(range(layers)):
        rate = top_rate / slower ** (layers - 1 - layer)
        waits = record is not None and layer not in learning
        rows.append(
            {
                "name": block_name(layer),
                "share": 0.0 if waits else rate,
                "number": "waits" if waits else f"{rate:.1%}",
                "note": "",
                "lit": layer in learning,
            }
        )
    return {
        "label": "The layers of gpt, and how fast each learns",
        "heads": [
            {"text": "next word", "lit": stage == "language model"},
            {"text": "classifier", "lit": stage == "classifier"},
        ],
        "rows": rows,
        "foot": "embeddings: always frozen here",
    }


def curves(spec: "UlmfitSpec", layers: int) -> list[dict[str, Any]]:
    """The rate, the loss, and the accuracy."""
    from explorer.finetuning.ulmfit import RATE

    others = trainings.beside(spec, *TRICKS)
    records = trainings.records(spec)
    plan = _planned_rates(spec, layers)
    losses = [(record["step"], record["loss"]) for record in records]
    return [
        curve(
            "rate of the top layer",
            [(record["step"], record["rate"] / RATE) for record in records],
            1.0,
            percent=True,
            others=[{"name": "", "points": plan}],
            of=len(plan),
        ),
        curve("loss, nats", losses, axis_top([losses], 1.0), of=len(plan)),
        curve(
            "accuracy, held out",
            _accuracy(records),
            1.0,
            percent=True,
            others=[
                {"name": tricks_label(other), "points": _accuracy(past.records)} for other, past in others
            ],
            name=tricks_label(spec),
            of=max([len(plan), *(past.position[1] for _, past in others)]),
        ),
    ]


def _planned_rates(spec: "UlmfitSpec", layers: int) -> list[tuple[int, float]]:
    """The rate of each step to come, as a share of the highest."""
    from explorer.finetuning.ulmfit import rate_factor, stage_steps

    stages = stage_steps(len(spec.parts()[0]), layers, spec)
    rates = [rate_factor(step, of, spec) for of in stages.values() for step in range(of)]
    return list(enumerate(rates, 1))


def _accuracy(records: "list[Record]") -> list[tuple[int, float]]:
    return [(record["step"], record["right"]) for record in records if record.get("right") is not None]


def tricks_label(spec: "UlmfitSpec") -> str:
    """Which of the four are on, in a word or two."""
    on = [name for name in TRICKS if getattr(spec, name)]
    if len(on) in (0, len(TRICKS)):
        return "all four" if on else "plain"
    return f"{len(on)} of four"


def _saves(spec: "UlmfitSpec") -> list[Export]:
    names = ("step", "stage", "loss", "rate", "learning", "right")
    rows = [
        [" ".join(map(str, record[name])) if name == "learning" else record.get(name, "") for name in names]
        for record in trainings.records(spec)
    ]
    heads = ["step", "stage", "loss in nats", "rate of the top layer", "layers that learn", "share right"]
    return [Export("Each step", "ulmfit.csv", lambda: table(heads, rows))] if rows else []
