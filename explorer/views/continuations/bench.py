"""The bench: the next word's bars go through steps in a row, and a random number lands on one of them."""

from dataclasses import replace
from math import inf
from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number, language, localised
from explorer.views import kit
from explorer.views.continuations.bench_text import MARKED, continued, marked, written
from explorer.views.continuations.examples import next_word_by_steps
from explorer.views.continuations.pipeline import ruler
from explorer.views.continuations.prompt_box import prompt_box
from explorer.views.continuations.settings import (
    BENCH_TEXT,
    MODEL,
    SEED,
    STEP_ORDER,
    STEP_VALUES,
    STEPS_ON,
    TESTED,
)
from explorer.views.continuations.steps import spelled_id
from explorer.views.types import LanguageModel, Pipeline, Sampling, Tensor

KEY, ROWS, DRAWS, TOKENS = "continuations.bench", 7, 100, 40
LONGEST_TEXT = 90  # characters of the text's end above the strips
DEAD = N_("No token is left: the steps before the grammar have cut all that it allows. Put it first.")
LABELS = {
    "repetition_penalty": N_("Repetition"),
    "grammar": N_("Grammar"),
    "temperature": N_("Temperature"),
    "top_k": N_("Top-k"),
    "top_p": N_("Top-p"),
    "min_p": N_("Min-p"),
    "typical_p": N_("Typical"),
    "watermark": N_("Watermark"),
}
SIGNS = {
    "repetition_penalty": ("÷ {value}", "g"),
    "grammar": (N_("pattern"), ""),
    "temperature": ("÷ {value}", "g"),
    "top_k": (N_("best {value}"), "g"),
    "top_p": (N_("to {value}"), "%"),
    "min_p": (N_("from {value}"), "%"),
    "typical_p": (N_("to {value}"), "%"),
    "watermark": ("+ {value}", "g"),
}
LIMITS = {
    "repetition_penalty": (1.0, 2.0, 0.05, N_("Scores of tokens that are in the text are divided by it.")),
    "temperature": (0.1, 2.0, 0.1, N_("All scores are divided by it: below 1 the probable words gain.")),
    "top_k": (1, 100, 1, N_("The k most probable tokens stay.")),
    "top_p": (0.05, 1.0, 0.05, N_("The fewest tokens stay whose probabilities add up to p.")),
    "min_p": (0.0, 0.5, 0.01, N_("Tokens stay that are at least p times as probable as the best one.")),
    "typical_p": (
        0.05,
        1.0,
        0.05,
        N_("Tokens stay that are about as surprising as one must expect, up to p."),
    ),
    "watermark": (
        0.5,
        6.0,
        0.5,
        N_("Added to the scores of half of all tokens, which the token before chooses."),
    ),
}


def controls(page: kit.OpenPage[None]) -> None:
    """The prompt, the seed, and the value of each step."""
    settings = page.settings
    prompt_box(page, BENCH_TEXT)
    with st.container(key="bench-controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        kit.seed_box(settings, SEED, width=150)
        with st.popover(_("Settings")):
            settings.send_again(*STEP_VALUES.values())
            for name, (least, most, step, says) in LIMITS.items():
                kit.slider(settings, STEP_VALUES[name], _(LABELS[name]), least, most, step=step, help=_(says))
    if "grammar" in steps(settings):
        kit.text_box(
            settings, STEP_VALUES["grammar"], _("Grammar: what is written matches this pattern"), "yes|no"
        )
    if "watermark" in steps(settings):
        kit.text_box(
            settings,
            TESTED,
            _("Is this text marked?"),
            _("Paste what it wrote and delete words, or type a text"),
        )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The text, a strip of bars for the model and for each step that is on, and where the number lands."""
    settings, tokenizer, text = page.settings, page.model.tokenizer, page.settings[BENCH_TEXT]
    pipeline, counts = drawn(page.model, text, sampling(settings), settings[SEED])
    dead = is_dead(pipeline)
    blocked = kit.blocklist.over(settings[MODEL], text)

    def name(id: int) -> str:
        if kit.blocklist.covers(blocked, text, tokenizer.readable(id)):
            return kit.blocklist.DOTS
        return spelled_id(tokenizer, id).strip() or spelled_id(tokenizer, id)

    def moved() -> None:
        if names := kit.component_value(KEY, "order", list):
            settings.set(STEP_ORDER.to(names))

    def switched() -> None:
        if (names := kit.component_value(KEY, "on", list)) is not None:
            settings.set(STEPS_ON.to(names))

    other = swapped(page)
    ids, on = listed(pipeline, other), steps(settings)
    strips = strips_of(settings, pipeline, ids)
    names = [name(id) for id in ids]
    if dead:
        says = _(DEAD)
    elif kit.for_class():
        says = _("The draw lands on “{token}”.", token=name(pipeline.id))
    else:
        number = localised(f"{pipeline.draw:.3f}")
        says = _("The random number {number} lands on “{token}”.", number=number, token=name(pipeline.id))
    kit.component("continuations/bench")(
        key=KEY,
        data={
            "text": f"{kit.text_end(text.rstrip(), LONGEST_TEXT)} …",
            "large": kit.presenting(),
            "names": names,
            "strips": strips,
            "order": order(settings),
            "off": [{"name": name, "label": _(LABELS[name])} for name in order(settings) if name not in on],
            "orders": [order_text(each) for each in (pipeline, other)] if other else [],
            "swapped": strips_of(settings, other, ids)[1:] if other else [],
            "counts": [counts.get(id, 0) for id in ids],
            "ruler": [] if dead else ruler(pipeline, name),
            "draw": pipeline.draw,
            "hit": "" if dead else name(pipeline.id),
            "says": says,
            "written": written(page.model, *written_by(settings), blocked),
        },
        on_order_change=moved,
        on_on_change=switched,
    )
    columns = ["token", "The model", *map(LABELS.__getitem__, pipeline.scores), "drawn of 100"]
    bars = zip(*(strip["bars"] for strip in strips), strict=True)
    rows = [[word, *row, counts.get(id, 0)] for word, id, row in zip(names, ids, bars, strict=True)]
    return [
        kit.Picture("picture", "bench"),
        kit.Export(N_("The steps"), "bench.csv", lambda: kit.table(columns, rows)),
    ]


def swapped(page: kit.OpenPage[None]) -> "Pipeline | None":
    """The draw after two steps in the other order; None with more, a grammar, or where nothing is cut."""
    way = sampling(page.settings)
    if len(way.order) != 2 or way.grammar:
        return None
    way = replace(way, order=way.order[::-1])
    other = drawn(page.model, page.settings[BENCH_TEXT], way, page.settings[SEED])[0]
    return None if other.after_p.all() else other


def order_text(pipeline: "Pipeline") -> tuple[str, str]:
    """The steps in their order, and how many tokens no step has cut."""
    names, count = [_(LABELS[name]) for name in pipeline.scores], format_number(int(pipeline.after_p.sum()))
    left = _("{count} words left", count=count) if kit.for_class() else _("{count} tokens left", count=count)
    return " → ".join(names), left


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The chances from Python."""
    settings = page.settings
    values = {name: settings[STEP_VALUES[name]] for name in steps(settings)}
    return kit.Example(
        next_word_by_steps,
        model=kit.Load(settings[MODEL]),
        prompt=settings[BENCH_TEXT],
        steps=values,
        seed=settings[SEED],
    )


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word the random number lands on, and whether the text that is shown has a watermark."""
    settings, tokenizer = page.settings, page.model.tokenizer
    result = drawn(page.model, settings[BENCH_TEXT], sampling(settings), settings[SEED])[0]
    context = f"{kit.text_end(settings[BENCH_TEXT].rstrip())} …"
    question = kit.Question("word", _("Which word is drawn?"), context)

    def chances() -> dict[str, float]:
        return {kit.visible(tokenizer.readable(id)): float(result.chances[id]) for id in listed(result)}

    yes, no = _("yes"), _("no")

    def is_marked() -> str:
        return yes if marked(page.model, *written_by(settings)).z > MARKED else no

    drawn_word = kit.visible(tokenizer.readable(result.id))
    polls = [] if is_dead(result) else [kit.Poll(question, kit.Later(chances), drawn=drawn_word)]
    if "watermark" in steps(settings):
        prompt, way, tested = written_by(settings)
        text = tested or "".join(continued(page.model, prompt, way, language()).pieces)
        question = kit.Question("choice", _("Is this text marked?"), kit.text_end(text.strip()), (yes, no))
        polls.append(kit.Poll(question, find_truth=is_marked))
    return polls


def order(settings: kit.Settings) -> list[str]:
    """All steps in their order; a link may bring anything."""
    return list(dict.fromkeys([name for name in settings[STEP_ORDER] if name in LABELS] + list(LABELS)))


def steps(settings: kit.Settings) -> list[str]:
    """The steps that are on, in their order."""
    return [name for name in order(settings) if name in settings[STEPS_ON]]


def sampling(settings: kit.Settings) -> "Sampling":
    """The settings of the steps that are on."""
    from explorer.analysis.generation.steps import Sampling
    from explorer.generation.watermark import Watermark

    values = {name: settings[STEP_VALUES[name]] for name in steps(settings)}
    if "watermark" in values:
        values["watermark"] = Watermark(values["watermark"])
    return Sampling(**values, order=steps(settings))


def written_by(settings: kit.Settings) -> "tuple[str, Sampling, str]":
    """The prompt, how the text after it is written, and the text that is tested in its place."""
    way = replace(sampling(settings), seed=settings[SEED], max_new_tokens=TOKENS)
    return settings[BENCH_TEXT], way, settings[TESTED]


@kit.kept(64, N_("Reading"))
def next_logits(model: "LanguageModel", text: str) -> "tuple[Tensor, list[int]]":
    """The scores of the word after a text, and the ids that were read."""
    from explorer.analysis.generation.steps import Sampling, generate

    generation = generate(model, text, Sampling(greedy=True, max_new_tokens=1), candidates=1)
    list(generation)
    return generation.logits(0), generation.prompt_ids


@kit.kept(16)  # for the picture and the poll of a run; each holds the scores after every step
def drawn(model: "LanguageModel", text: str, way: "Sampling", seed: int) -> "tuple[Pipeline, dict[int, int]]":
    """The steps of one draw, and how often each token is drawn by DRAWS random numbers."""
    import torch

    from explorer.generation.pipeline import pipeline

    logits, ids = next_logits(model, text)
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.rand(DRAWS, generator=generator, dtype=torch.float64)
    result = pipeline(logits, way, float(numbers[0]), ids, tokenizer=model.tokenizer)
    if is_dead(result):
        return result, {}
    places = torch.searchsorted(result.cumulative, numbers * result.cumulative[-1], right=True)
    drawn_ids, counts = places.unique(return_counts=True)
    return result, dict(zip(drawn_ids.tolist(), counts.tolist(), strict=True))


def is_dead(pipeline: "Pipeline") -> bool:
    """Whether the steps have cut every token."""
    return bool(pipeline.chances.isnan().any())


def listed(pipeline: "Pipeline", other: "Pipeline | None" = None) -> list[int]:
    """The ids that get a row: the most probable ones, the best one in the end, and the drawn one.

    Beside an `other` order also the likeliest token that only one of the two cuts, and that both cut.
    """
    rows = set() if is_dead(pipeline) else {int(pipeline.chances.argmax()), pipeline.id}
    for cut in (pipeline.after_p ^ other.after_p, ~(pipeline.after_p | other.after_p)) if other else ():
        if cut.any():
            rows.add(int(pipeline.logits.masked_fill(~cut, -inf).argmax()))
    best = [id for id in pipeline.logits.topk(ROWS).indices.tolist() if id not in rows]
    return sorted([*rows, *best[: ROWS - len(rows)]], key=lambda id: -float(pipeline.logits[id]))


def strips_of(settings: kit.Settings, pipeline: "Pipeline", ids: list[int]) -> list[dict[str, Any]]:
    """A strip for the model and for each step that is on: its bars, those that it cut, and what it left."""
    scores, before = pipeline.logits, pipeline.logits.softmax(-1)
    first = {"name": "", "label": _("The model"), "value": "", "left": "", "cut": []}
    strips: list[dict[str, Any]] = [first | {"bars": before[ids].tolist()}]
    for name, after in pipeline.scores.items():
        cut = scores.isfinite() & ~after.isfinite()
        count = format_number(int(after.isfinite().sum()))
        left = _("{count} left, {share}", count=count, share=kit.whole_percent(float(before[~cut].sum())))
        (sign, form), value = SIGNS[name], settings[STEP_VALUES[name]]
        number = kit.whole_percent(value) if form == "%" else localised(format(value, form))
        shares = after.softmax(-1).nan_to_num()
        strips.append(
            {
                "name": name,
                "label": _(LABELS[name]),
                "value": _(sign, value=number),
                "bars": shares[ids].tolist(),
                "cut": [float(before[id]) if cut[id] else 0 for id in ids],
                "left": left if cut.any() else "",
            }
        )
        scores, before = after, shares
    return strips


VIEW = kit.View(
    text=kit.view_text("continuations", "bench"),
    settings=(BENCH_TEXT, STEP_ORDER, STEPS_ON, TESTED, *STEP_VALUES.values()),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(
            ".swapped :is(.order b, .foot), :is(.swapped, .drawn) .cell > *, .line, .says, .written, .found",
        ),
        plain=".hit",
        polls=asks,
    ),
)
