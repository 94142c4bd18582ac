"""Looking back: step through a continuation, and see what the model attended to as it chose each token."""

from dataclasses import dataclass
from typing import Any

import regex
import streamlit as st

from explorer.locale import N_, _, format_number, in_this_language, localised
from explorer.text.letters import WORD
from explorer.views import kit
from explorer.views.continuations.examples import attention_while_generating
from explorer.views.continuations.prompt_box import prompt_box
from explorer.views.continuations.settings import (
    LOOK_FIRST,
    LOOK_HEAD,
    LOOK_LAYER,
    LOOK_STEP,
    LOOK_TEMPERATURE,
    LOOK_TEXT,
    MODEL,
)
from explorer.views.continuations.steps import HOLLOW, as_written, listed, spelled, spelled_id
from explorer.views.types import Generation, GenerationAttention, LanguageModel, Tensor
from explorer.views.widgets.layer_names import number_on_screen
from explorer.views.widgets.token_text import distinct

KEY = "continuations/looking_back"
LENGTH = 40
TEMPERATURES = (0.0, 0.7, 1.0)
CANDIDATES = 5
SCALE = 10_000  # weights travel as whole ten-thousandths


@dataclass(frozen=True, eq=False)
class Continuation:
    """A generated continuation, the attention at each step, and how many tokens of the text did not fit."""

    generation: "Generation"
    attention: "GenerationAttention"
    cut: int


def controls(page: kit.OpenPage[None]) -> None:
    """The text, the heads that are averaged, and the temperature."""
    settings, config = page.settings, page.model.config
    prompt_box(page, LOOK_TEXT, [LOOK_STEP.to(0)])
    settings.nearest(LOOK_TEMPERATURE, TEMPERATURES)
    with st.container(key="look-controls", horizontal=True, vertical_alignment="center", gap="small"):
        kit.numbered(settings, LOOK_LAYER, _("Layer"), config.layers, width=132, every=_("All layers"))
        kit.numbered(settings, LOOK_HEAD, _("Head"), config.heads, width=132, every=_("All heads"))
        kit.menu(
            settings,
            LOOK_TEMPERATURE,
            _("Temperature"),
            {temperature: f"{temperature:g}" for temperature in TEMPERATURES},
            width=180,
            label_visibility="collapsed",
            format_func=in_this_language(named_temperature),
            help=_("At 0 the most probable token is always taken. Above 0 one is drawn at random."),
        )


def named_temperature(value: float) -> str:
    """A temperature with its name, as the menu shows it."""
    return _("Temperature {value}", value=localised(f"{value:g}"))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The continuation, shaded by the attention of the chosen step."""
    settings = page.settings
    continuation = continue_text(page.model, settings[LOOK_TEXT], settings[LOOK_TEMPERATURE])
    data = picture_data(settings, continuation)
    settings.show_instead(LOOK_STEP.to(data["step"]))

    def step() -> None:
        chosen = kit.component_value(KEY, "step", LOOK_STEP.takes)
        if chosen is not None:
            settings.set(LOOK_STEP.to(chosen))

    def first() -> None:
        if (on := kit.component_value(KEY, "first", bool)) is not None:
            settings.set(LOOK_FIRST.to(on))

    kit.component("continuations/looking_back")(
        key=KEY,
        data=_without_numbers(data) if kit.for_class() else data,
        on_step_change=step,
        on_first_change=first,
    )
    notes = []
    if continuation.cut:
        cut = format_number(continuation.cut)
        notes.append(_("The first {count} tokens of the text did not fit and were not read.", count=cut))
    if not settings[LOOK_FIRST]:
        share = (
            sum(float(_row(settings, continuation, s, True)[0]) for s in range(data["steps"])) / data["steps"]
        )
        notes.append(
            _(
                "{share} of the attention rested on the first token; the rest is rescaled to sum to 1.",
                share=kit.whole_percent(share),
            )
        )
    kit.note_html(" ".join(notes))
    file = f"{settings[MODEL]}-looked-at"
    return [
        kit.Picture("picture", file),
        kit.Export(N_("What each new token looked at"), f"{file}.csv", lambda: _rows_table(data)),
    ]


FIRST_WORD = regex.compile(rf"{WORD}(?:[’'-]{WORD})*")


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word comes next after the prompt; right is the word that the model writes."""
    settings = page.settings
    if not settings[LOOK_TEXT].strip():
        return []
    words = continue_text(page.model, settings[LOOK_TEXT], settings[LOOK_TEMPERATURE]).generation.continuation
    written = FIRST_WORD.search(words)
    blocked = kit.blocklist.over(settings[MODEL], settings[LOOK_TEXT])
    if written is None or kit.blocklist.covers(blocked, "", written[0]):
        return []
    question = kit.Question(
        "word", _("Which word comes next?"), f"{kit.text_end(settings[LOOK_TEXT].rstrip())} …"
    )
    return [kit.Poll(question, truth=written[0])]


def picture_data(settings: kit.Settings, continuation: Continuation) -> dict[str, Any]:
    """The data of the picture."""
    attention, generation = continuation.attention, continuation.generation
    blocked = kit.blocklist.over(settings[MODEL], settings[LOOK_TEXT])
    steps = len(generation.steps)
    visible_texts = as_written(generation, blocked)
    texts = [*attention.tokens[: attention.prompt], *(text or HOLLOW for text in listed(generation, blocked))]
    names = distinct([text.strip() or spelled(text) for text in texts])
    candidates = [_candidates(generation, index, visible_texts, blocked) for index in range(steps)]
    rows = [
        (_row(settings, continuation, s, settings[LOOK_FIRST]) * SCALE).round().int().tolist()
        for s in range(steps)
    ]
    return {
        "run": f"{generation.text}\0{generation.prompt}\0{settings[MODEL]}",
        "tokens": [{"text": text, "name": name} for text, name in zip(texts, names)],
        "prompt": attention.prompt,
        "steps": steps,
        "step": min(max(settings[LOOK_STEP], 0), steps - 1),
        "rows": rows,
        "candidates": candidates,
        "first": settings[LOOK_FIRST],
        "who": attention_of(settings),
    }


def _without_numbers(data: dict[str, Any]) -> dict[str, Any]:
    """The same, with each token named as it is written: a class sees in the text which “Philipp” it is."""
    tokens = [token | {"name": token["text"].strip() or token["name"]} for token in data["tokens"]]
    return data | {"tokens": tokens}


def _candidates(
    generation: "Generation", index: int, visible_texts: list[str], blocked: kit.blocklist.Blocklist
) -> list[dict[str, Any]]:
    """The most probable tokens of a step; the chosen token is the last if it is not among them."""
    step, tokenizer = generation.steps[index], generation.model.tokenizer
    before = generation.prompt + "".join(earlier.text for earlier in generation.steps[:index])
    rows = [(c.id, c.token, c.probability) for c in step.candidates[:CANDIDATES]]
    if all(id != step.id for id, _, _ in rows):
        rows[-1] = (step.id, step.token, step.probability)
    hidden = {id for id, token, _ in rows if kit.blocklist.covers(blocked, before, token)} - {step.id}
    hidden |= {step.id} if visible_texts[index] != step.text else set()
    return [
        {
            "text": kit.blocklist.DOTS if id in hidden else spelled_id(tokenizer, id).strip(),
            "probability": round(probability, 5),
            "taken": id == step.id,
        }
        for id, _, probability in rows
    ]


def attention_of(settings: kit.Settings) -> str:
    """The heads whose attention is averaged, in words."""
    layer, head = settings[LOOK_LAYER], settings[LOOK_HEAD]
    if layer >= 0 and head >= 0:
        return _("one head") if kit.for_class() else _("head {name}", name=kit.head_name(layer, head))
    if layer >= 0:
        return _("all heads of layer {number}", number=number_on_screen(layer))
    if head >= 0:
        return _("head {number} of every layer", number=number_on_screen(head))
    return _("all heads of all layers")


@kit.kept(32, N_("Writing"))
def continue_text(model: "LanguageModel", text: str, temperature: float) -> Continuation:
    """A continuation of LENGTH tokens, generated once for all visitors."""
    from explorer.analysis.attention.while_generating import generation_attention
    from explorer.analysis.generation.steps import Sampling, generate
    from explorer.tokenizers.prompt import encode_prompt

    encoding = encode_prompt(model.tokenizer, text, kit.LIVE_TOKENS - LENGTH)
    prompt = model.tokenizer.decode(encoding.ids.tolist()) if encoding.truncated else text
    sampling = Sampling(temperature=temperature, seed=0, max_new_tokens=LENGTH)
    generation = generate(model, prompt, sampling, candidates=CANDIDATES)
    list(generation)
    return Continuation(generation, generation_attention(generation), encoding.truncated + generation.cut)


def _row(settings: kit.Settings, continuation: Continuation, step: int, with_first: bool) -> "Tensor":
    layer, head = (None if settings[number] < 0 else settings[number] for number in (LOOK_LAYER, LOOK_HEAD))
    return continuation.attention.row(step, layer, head, without_first=not with_first)


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same attention from Python."""
    settings = page.settings
    layer, head = (None if settings[number] < 0 else settings[number] for number in (LOOK_LAYER, LOOK_HEAD))
    prompt = continue_text(page.model, settings[LOOK_TEXT], settings[LOOK_TEMPERATURE]).generation.prompt
    return kit.Example(
        attention_while_generating,
        model=kit.Load(settings[MODEL]),
        prompt=prompt,
        new_tokens=LENGTH,
        temperature=settings[LOOK_TEMPERATURE],
        layer=layer,
        head=head,
        without_first=not settings[LOOK_FIRST],
    )


def _rows_table(data: dict[str, Any]) -> str:
    names = [token["name"] for token in data["tokens"]]
    cells = [
        (names[data["prompt"] + step], names[place], weight / SCALE)
        for step, row in enumerate(data["rows"])
        for place, weight in enumerate(row)
    ]
    return kit.table(["chosen", "looked at", "attention"], cells)


VIEW = kit.View(
    text=kit.view_text("continuations", "look-back"),
    settings=(LOOK_TEXT, LOOK_STEP, LOOK_LAYER, LOOK_HEAD, LOOK_FIRST, LOOK_TEMPERATURE),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".generated, .tables, .line",), plain=".chip", desk=".first", polls=asks),
)
