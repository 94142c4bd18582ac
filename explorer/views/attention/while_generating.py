"""While GPT generates: step through a continuation and see what each new token looked at."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.attention.token_names import distinct
from explorer.views.attention.view_presets import WRITING
from explorer.views.frame import blocklist, memory
from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.page import Preset
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.registry import component
from explorer.views.widgets.steps import HOLLOW, as_written, spelled

if TYPE_CHECKING:
    from explorer.analysis.attention.while_generating import Looking
    from explorer.analysis.generation import Generation
    from explorer.models import LanguageModel
    from explorer.trace import Trace

DEFAULTS = {
    "look_step": 0,
    "look_layer": -1,  # -1: all layers, or all heads
    "look_head": -1,
    "look_first": True,  # whether the first token, where heads rest, takes part
    "look_heat": 0.0,
}
KEY = "attention/looking"
LENGTH = 40
HEATS = (0.0, 0.7, 1.0)
CANDIDATES = 5
SCALE = 10_000  # weights travel as whole ten-thousandths


@dataclass(frozen=True, eq=False)
class Written:
    """A continuation, what its choices looked at, and what there was no room for."""

    generation: "Generation"
    looking: "Looking"
    cut: int


def controls(settings: Settings, trace: "Trace") -> None:
    """Which heads are averaged, and how tokens are drawn."""
    layers, heads = trace.attention.pattern.shape[:2]
    for name, size in (("look_layer", layers), ("look_head", heads)):
        if not -1 <= settings[name] < size:
            settings.set(**{name: -1})
        word = name.removeprefix("look_")
        st.selectbox(
            word.capitalize(), range(-1, size), key=settings.key(name), width=122,
            label_visibility="collapsed",
            format_func=lambda i, word=word: f"{word.capitalize()} {i}" if i >= 0 else f"All {word}s",
        )  # fmt: skip
    if settings["look_heat"] not in HEATS:
        settings.set(look_heat=min(HEATS, key=lambda heat: abs(heat - settings["look_heat"])))
    st.selectbox(
        "Temperature", HEATS, key=settings.key("look_heat"), width=170, label_visibility="collapsed",
        format_func=lambda heat: f"Temperature {heat:g}",
        help="0 always takes the most probable token; above it one is drawn.",
    )  # fmt: skip


def draw(settings: Settings, trace: "Trace") -> None:
    """The continuation, darkened where the chosen step looked. Raises AbilityError for BERT."""
    from explorer.trace import Ability

    model = memory.get(settings["model"])
    if not model.abilities & Ability.GENERATE:
        _offer_gpt(settings, str(model.checkpoint))
        return
    made = written(settings["model"], settings["text"], settings["look_heat"])
    data = drawn(settings, made)
    settings.set(look_step=data["step"])

    def step() -> None:
        chosen = st.session_state[KEY].step
        if chosen is not None:
            settings.set(look_step=int(chosen))

    def first() -> None:
        if (on := st.session_state[KEY].first) is not None:
            settings.set(look_first=on)

    component("attention/while_generating")(key=KEY, data=data, on_step_change=step, on_first_change=first)
    said = []
    if made.cut:
        said.append(f"The first {made.cut:,} tokens of the text did not fit and were not read.")
    if not settings["look_first"]:
        share = sum(float(_row(settings, made, s, True)[0]) for s in range(data["steps"])) / data["steps"]
        said.append(
            f"{share:.0%} of the attention rested on the first token; the rest is rescaled to sum to 1."
        )
    st.html(f'<p class="rb-quiet" style="margin:0">{" ".join(said)}</p>')
    _offer(settings, made, data)


def drawn(settings: Settings, made: Written) -> dict[str, Any]:
    """What the picture is given."""
    looking, generation = made.looking, made.generation
    cover = blocklist.over(settings["model"], settings["text"])
    steps = len(generation.steps)
    shown = as_written(generation, cover)
    texts = [*looking.tokens[: looking.prompt], *(text or HOLLOW for text in shown)]
    names = distinct([text.strip() or spelled(text) for text in texts])
    candidates = [_candidates(generation, index, shown, cover) for index in range(steps)]
    rows = [
        (_row(settings, made, s, settings["look_first"]) * SCALE).round().int().tolist() for s in range(steps)
    ]
    return {
        "run": f"{generation.text}\0{generation.prompt}\0{settings['model']}",
        "tokens": [{"text": text, "name": name} for text, name in zip(texts, names)],
        "prompt": looking.prompt,
        "steps": steps,
        "step": min(max(settings["look_step"], 0), steps - 1),
        "rows": rows,
        "candidates": candidates,
        "first": settings["look_first"],
        "who": who(settings),
    }


def _candidates(
    generation: "Generation", index: int, shown: list[str], cover: blocklist.Blocklist
) -> list[dict[str, Any]]:
    """The most probable tokens of a step; the one taken stands last where it is none of them."""
    step = generation.steps[index]
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:index])
    rows = [(c.id, c.token, c.probability) for c in step.candidates[:CANDIDATES]]
    if all(id != step.id for id, _, _ in rows):
        rows[-1] = (step.id, step.token, step.probability)
    hidden = {id for id, token, _ in rows if blocklist.covers(cover, before, token)} - {step.id}
    hidden |= {step.id} if shown[index] != step.text else set()
    return [
        {
            "text": blocklist.DOTS if id in hidden else spelled(token).strip(),
            "probability": round(probability, 5),
            "taken": id == step.id,
        }
        for id, token, probability in rows
    ]


def who(settings: Settings) -> str:
    """Whose attention is averaged, in words."""
    layer, head = settings["look_layer"], settings["look_head"]
    if layer >= 0 and head >= 0:
        return f"head L{layer}H{head}"
    if layer >= 0:
        return f"all heads of layer {layer}"
    return f"head {head} of every layer" if head >= 0 else "all heads of all layers"


def written(model: str, text: str, heat: float) -> Written:
    """A continuation of LENGTH tokens, made once for all visitors."""
    return _written(model, text, heat)


@st.cache_resource(max_entries=32, show_spinner="Writing")
def _written(model: str, text: str, heat: float) -> Written:
    from explorer.analysis.attention.while_generating import look
    from explorer.analysis.generation import Sampling, generate

    loaded = memory.get(model)
    ids = loaded.tokenizer.encode(text).ids.tolist()
    room = LIVE_TOKENS - LENGTH
    prompt = text if len(ids) <= room else loaded.tokenizer.decode(ids[-room:])
    sampling = Sampling(temperature=heat, seed=0, max_new_tokens=LENGTH)
    made = generate(loaded, prompt, sampling, candidates=CANDIDATES)
    for _ in made:
        pass
    return Written(made, look(made), max(len(ids) - room, 0) + made.cut)


def _row(settings: Settings, made: Written, step: int, with_first: bool):
    layer, head = (None if settings[n] < 0 else settings[n] for n in ("look_layer", "look_head"))
    return made.looking.row(step, layer, head, without_first=not with_first)


def _offer_gpt(settings: Settings, name: str) -> None:
    """BERT has no next token: say so, and offer a model that has."""
    st.html(
        '<p class="rb-caption" style="padding:150px 0 16px;text-align:center">This view watches a model '
        "write, token by token. The one in the picker reads whole sentences and writes nothing.</p>"
    )
    with st.container(horizontal=True, horizontal_alignment="center"):
        st.button("Watch GPT", key="attention/gpt", on_click=lambda: settings.set(model="gpt"))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "The framed token is being chosen: the model stands on the underlined one before it and looks back, "
        "and the darker a token, the more it looked there. Arrow keys and the slider step through the text.",
        "An average over heads hides what each does: choose one. What a token looked at is not why it was "
        "chosen; the values that were read and the MLPs decide as well.",
    )


def presets(settings: Settings) -> list[Preset]:
    """Three examples."""
    return WRITING


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same rows from Python."""
    from explorer.trace import Ability

    if not model.abilities & Ability.GENERATE:
        return "# Choose GPT in the picker: this model writes nothing.\n"
    made = written(settings["model"], settings["text"], settings["look_heat"])
    chosen = ", ".join(
        f"{name}={settings[f'look_{name}']}" for name in ("layer", "head") if settings[f"look_{name}"] >= 0
    )
    options = ", ".join(
        filter(None, ["step", chosen, "" if settings["look_first"] else "without_first=True"])
    )
    return f"""\
import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.attention.while_generating import look

model = explorer.load({settings["model"]!r})
sampling = Sampling(temperature={settings["look_heat"]}, max_new_tokens={LENGTH})
generation = generate(model, {made.generation.prompt!r}, sampling)
steps = list(generation)
looking = look(generation)
for step, new in enumerate(steps):
    row = looking.row({options})
    most = int(row.argmax())
    print(f"{{new.token!r:16}} looked at {{looking.tokens[most]!r:16}} {{row[most]:.3f}}")
"""


def _offer(settings: Settings, made: Written, data: dict[str, Any]) -> None:
    names = [token["name"] for token in data["tokens"]]

    def rows() -> str:
        cells = [
            (names[data["prompt"] + step], names[place], weight / SCALE)
            for step, row in enumerate(data["rows"])
            for place, weight in enumerate(row)
        ]
        return table(["chosen", "looked at", "attention"], cells)

    offer(settings, Export("What each new token looked at", f"{settings['model']}-looked-at.csv", rows))
