"""Where the answer is: which state, put into the run on the second prompt, brings the first answer back."""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, translate
from explorer.server import turns
from explorer.views import kit
from explorer.views.types import Contrast, LanguageModel, PatchedStates, Tensor
from explorer.views.why import examples, fixes, prompts
from explorer.views.why.patch_run import continued, states
from explorer.views.why.prompts import answer_word, surface
from explorer.views.why.settings import ANSWER, CELL, FIRST, KIND, MODEL, NOISE, SUBJECT
from explorer.views.why.state_map import moved, picture, shares_csv

KINDS = {
    "hidden": N_("State after the layer"),
    "attention": N_("Added by attention"),
    "mlp": N_("Added by the MLP"),
}
LISTED = 3  # next words on either side
KEY = "why/map"

VIEW_TEXT = kit.view_text("why", "where")


def ask(settings: kit.Settings) -> None:
    """Draw the boxes of the prompts."""
    if settings[NOISE]:
        prompts.ask_for_noise(settings)
    else:
        prompts.ask(settings)


def controls(page: kit.OpenPage[None]) -> None:
    """Which states are put in, the measure, and noise in place of a second prompt."""
    settings = page.settings
    if not settings[NOISE]:
        fixes.offer(page)
    with st.container(key="why-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.segments(settings, KIND, _("Which states are put in"), translate(KINDS), width="content")
        kit.switch(
            settings,
            NOISE,
            _("Noise as second prompt"),
            help=_(
                "Causal tracing (Meng et al. 2022): the vectors of a word of the first prompt are "
                "disturbed, and each undisturbed state is put back, one layer at a time (the paper: ten, for "
                "attention and the MLP); the mean of {seeds} seeds.",
                seeds=prompts.SEEDS,
            ),
        )
        if not settings[NOISE]:
            prompts.measure(settings)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The map of layers and tokens with its curve, and the next words before and with the chosen state."""
    settings, model = page.settings, page.model
    contrasts = contrasts_of(settings, model)
    prompts.notes(contrasts[0])
    _stage(settings, model, contrasts)
    patched, __ = states(model, contrasts, settings[KIND])
    return [
        kit.Picture("picture", f"where-the-answer-is-{settings[MODEL]}"),
        kit.Export(N_("Shares"), "patched-states.csv", lambda: shares_csv(patched)),
    ]


def contrasts_of(settings: kit.Settings, model: "LanguageModel") -> "list[Contrast]":
    """The prompts that the map compares: one pair, or the first one with noise of several seeds."""
    if settings[NOISE]:
        first, subject, answer = (settings[one].strip() for one in (FIRST, SUBJECT, ANSWER))
        return prompts.disturbed(model, first, subject, answer)
    return [prompts.contrast_of(model, settings)]


@st.fragment
def _stage(settings: kit.Settings, model: "LanguageModel", contrasts: "list[Contrast]") -> None:
    """Draw the map and the answers. While layers are estimated, only this part of the page is drawn again."""
    left, right = st.columns([66, 34], gap="large")
    with turns.render_slot():
        patched, run = states(model, contrasts, settings[KIND])

        def pick() -> None:
            layers, length = patched.share.shape
            spot = kit.component_value(KEY, "pick", {"layer": range(layers), "column": range(length)})
            if spot is not None:
                chosen = [spot["layer"], spot["column"]]
                settings.set(CELL.to(None if chosen == settings[CELL] else chosen))

        data = picture(patched, run, cell_of(settings, patched.contrast, patched.share.shape[0]))
        with left:
            kit.component("why/patch_map")(
                key=KEY, data=data, on_more_change=continued(run, KEY), on_pick_change=pick
            )
        with right, st.container(gap="xxsmall"):
            _answers(settings, model, patched)
        if run is None or run.finished:
            kit.data_table.follow(settings, (data["run"], settings[KIND]))


def cell_of(settings: kit.Settings, contrast: "Contrast", layers: int) -> tuple[int, int] | None:
    """The chosen state, if this model and these prompts have it."""
    return kit.read_head(settings[CELL], layers, len(contrast.second))


def _answers(settings: kit.Settings, model: "LanguageModel", patched: "PatchedStates") -> None:
    """The next words after the second prompt, and with the chosen state, or after the first prompt."""
    pair = patched.contrast
    cell = cell_of(settings, pair, model.config.layers)
    before = pair.logits[1].softmax(-1)
    if cell is None:
        after, heading = pair.logits[0].softmax(-1), _("After the first prompt")
        says = moved(patched, model.causal)
    else:
        after = analysis.patching.patch_state(model, pair, *cell, settings[KIND]).softmax(-1)
        heading, says = _("With that state put in"), _in_words(pair, cell, before, after)
    st.html(f'<p class="rb-how">{says}</p>')
    lists = ("before", _("The second prompt"), before), ("after", heading, after)
    for key, name, probabilities in lists:
        st.html(f'<p class="rb-point">{name}</p>')
        kit.bars(rows(model, pair, probabilities), f"why/{key}", name, visible=LISTED)


def _in_words(pair: "Contrast", cell: tuple[int, int], before: "Tensor", after: "Tensor") -> str:
    layer, token = cell
    return _(
        "With the state of layer {layer} at {place} from the first prompt, {word} has a probability of "
        "{after}. Without it: {before}.",
        layer=layer + 1,
        place=kit.quoted(_("“{word}”", word=surface(pair.first, token))),
        word=kit.quoted(_("“{word}”", word=answer_word(pair, 0))),
        after=kit.short(float(after[pair.answer])),
        before=kit.short(float(before[pair.answer])),
    )


def rows(model: "LanguageModel", pair: "Contrast", probabilities: "Tensor") -> list[dict[str, Any]]:
    """The likeliest next words, and both answers if they are not among them."""
    blocked = kit.blocklist.over(str(model.checkpoint), pair.first.text, pair.second.text)
    best = probabilities.topk(LISTED).indices.tolist()
    missing = [id for id in (pair.answer, pair.instead) if id not in best]
    ranks = {id: int((probabilities > probabilities[id]).sum()) + 1 for id in (*best, *missing)}
    return [
        {
            "token": kit.visible(analysis.patching.word_of(model, id, pair.second.text)),
            "probability": float(probabilities[id]),
            "rank": ranks[id],
            "state": "highlight" if id == pair.answer else "",
            "pinned": id in missing,
            "covered": kit.blocklist.covers(blocked, pair.second.text, model.tokenizer.readable(id)),
        }
        for id in (*best, *missing)
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same map from Python."""
    settings = page.settings
    if settings[NOISE]:
        return kit.Example(
            examples.trace_causes,
            model=kit.Load(settings[MODEL]),
            text=settings[FIRST].strip(),
            subject=settings[SUBJECT].strip(),
            answer=settings[ANSWER].strip(),
            kind=settings[KIND],
            seeds=prompts.SEEDS,
        )
    return kit.Example(
        examples.shares_of_states,
        model=kit.Load(settings[MODEL]),
        **prompts.texts(settings),
        measure=prompts.measure_of(settings),
        kind=settings[KIND],
    )


def reading(page: kit.OpenPage[None]) -> kit.Reading:
    """How to read it, with a second prompt or with noise."""
    return (
        VIEW_TEXT.readings["noise"].filled(draws=prompts.SEEDS) if page.settings[NOISE] else VIEW_TEXT.reading
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(KIND, NOISE, SUBJECT, CELL),
    boxes=ask,
    controls=controls,
    picture=draw,
    example=example,
    needs=("FILL", "GENERATE"),
    model=kit.WRITER,
    stage=kit.Stage(covered=(".cell, .curves, .rb-how",), panel=".st-key-why-prompts"),
)
