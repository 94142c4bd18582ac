"""Layer by layer: the word that the state at every token would say after every layer."""

from typing import Any

import streamlit as st

from explorer.locale import N_, _, format_number
from explorer.views import kit
from explorer.views.types import LanguageModel, TextLens
from explorer.views.why import beside, examples, lens_map, prompts
from explorer.views.why.lens_map import COLOURS, columns_of, layer_name, shown_word
from explorer.views.why.lens_run import RUN, LensRun, current, read
from explorer.views.why.patch_run import continued
from explorer.views.why.prompts import MOST_TOKENS, surface
from explorer.views.why.settings import BESIDE, FIRST, FOLLOWED, LENS_COLOUR, MODEL, PUT, SECOND, STATE

KEY = beside.KEY
JOINED = "##"


def controls(page: kit.OpenPage[None]) -> None:
    """What cells are coloured by, and the word to follow."""
    settings = page.settings
    with st.container(key="why-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.segments(
            settings,
            LENS_COLOUR,
            _("Colour by"),
            {name: _(texts[0]) for name, texts in COLOURS.items()},
            width="content",
        )
        kit.switch(settings, BESIDE, _("Two texts"), help=_("Put a state of one text into another."))
        with st.container(width="stretch"):
            kit.text_box(settings, FOLLOWED, _("A word to follow"), _("Follow a word through all layers"))


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The words of all states, and the list of one of them."""
    settings, model = page.settings, page.model
    encoding = read(model, text) if (text := settings[FIRST].strip()) else None
    if encoding is None or encoding.frame.all():
        kit.instruction()
        return []
    if encoding.truncated:
        st.text(
            _(
                "The picture has {most} tokens at most: {count} of the text are not read.",
                most=MOST_TOKENS,
                count=format_number(encoding.truncated),
            )
        )
    id = followed_id(model, settings[FOLLOWED])
    if id is None and settings[FOLLOWED].strip():
        st.text(_("{model} cannot spell this word.", model=kit.memory.short_label(str(model.checkpoint))))
    followed = "" if id is None else settings[FOLLOWED].strip()
    lens, run = current(model, encoding, id)
    second = read(model, text) if settings[BESIDE] and (text := settings[SECOND].strip()) else None
    if second is not None and not second.frame.all():
        run = beside.draw(settings, model, lens, run, second, (id, followed), _blocked(settings))
    else:
        left, right = st.columns([70, 30], gap="medium")
        with left:
            state = _map(settings, model, lens, run, followed)
        with right, st.container(gap="xxsmall"):
            _list(settings, model, lens, state)
    if run is None:
        RUN.take()
    return [
        kit.Picture("picture", f"layer-by-layer-{settings[MODEL]}"),
        kit.Export(N_("Words"), "layer-by-layer.csv", lambda: words_csv(model, lens, _blocked(settings))),
    ]


def followed_id(model: "LanguageModel", word: str) -> int | None:
    """The token by which a word is followed: its first one, after “##” without a space before it."""
    from explorer.analysis.prediction import logit_lens

    if model.causal and word.startswith(JOINED):
        return next(iter(model.tokenizer.pieces(word.removeprefix(JOINED))), None)
    token = logit_lens.tracked_word(model, word)
    return None if token is None else token.id


def spelled(model: "LanguageModel", id: int) -> str:
    """A token as `followed_id` reads it; empty for one that cannot be typed."""
    word = kit.visible(model.tokenizer.readable(id))
    return next((one for one in (word, JOINED + word) if followed_id(model, one) == id), "")


def _map(
    settings: kit.Settings, model: "LanguageModel", lens: "TextLens", run: LensRun | None, followed: str
) -> tuple[int, int]:
    """Draw the map, which asks for the layers that are missing; returns the state whose list is shown."""
    layers, columns = model.config.layers, columns_of(lens)
    state = kit.read_head(settings[STATE], layers + 1, len(lens.encoding))
    if state is None or state[0] < lens.first or state[1] not in columns:
        state = layers, lens_map.answer_place(model, lens.encoding)

    def pick() -> None:
        spot = kit.component_value(KEY, "pick", {"layer": range(layers + 1), "column": columns})
        if spot is not None:
            settings.set(STATE.to([spot["layer"], spot["column"]]))

    drawn = {*lens_map.layers_in_view(layers), state[0]} if kit.for_class() else ()
    data = lens_map.picture(model, lens, _blocked(settings), settings[LENS_COLOUR], followed, state, drawn)
    asked = {} if run is None else run.asked
    kit.component(KEY)(key=KEY, data=data | asked, on_more_change=continued(run, KEY), on_pick_change=pick)
    return state


def _list(settings: kit.Settings, model: "LanguageModel", lens: "TextLens", state: tuple[int, int]) -> None:
    """The words of one state; a press follows one. Under them, from which layer on the answer stays."""
    layer, at = state
    rows = rows_of(model, lens, state, _blocked(settings))

    def follow(number: int) -> None:
        word = spelled(model, int(lens.ids[layer - lens.first, at, number]))
        settings.set(FOLLOWED.to("" if word == settings[FOLLOWED] else word))

    place = kit.quoted(_("“{word}”", word=surface(lens.encoding, at)))
    heading = _("{layer}, at {token}", layer=layer_name(layer), token=place)
    st.html(f'<p class="rb-point">{heading[0].upper()}{heading[1:]}</p>')
    kit.bars(rows, "why/lens-words", _("The words of the chosen state"), follow)
    if not kit.for_class() and not lens.first:
        st.html(f'<p class="rb-how">{settled_in_words(model, lens, at, _blocked(settings))}</p>')


def rows_of(
    model: "LanguageModel", lens: "TextLens", state: tuple[int, int], blocked: kit.blocklist.Blocklist
) -> list[dict[str, Any]]:
    """The most probable words of a state."""
    row, at = state[0] - lens.first, state[1]
    pairs = zip(lens.ids[row, at].tolist(), lens.probabilities[row, at].tolist(), strict=True)
    words = [(shown_word(model, lens, at, id, blocked), id, probability) for id, probability in pairs]
    return [
        {
            "token": word,
            "probability": probability,
            "covered": word == kit.blocklist.DOTS,
            "state": "highlight" if id == lens.targets[at] else "",
        }
        for word, id, probability in words
    ]


def settled_in_words(
    model: "LanguageModel", lens: "TextLens", at: int, blocked: kit.blocklist.Blocklist
) -> str:
    """From which layer a position's last word is the first one, as HTML."""
    last = shown_word(model, lens, at, int(lens.ids[-1, at, 0]), blocked)
    word, layer = kit.quoted(_("“{word}”", word=last)), lens.settled()[at]
    if layer == model.config.layers:
        return _("{word} is first for good only after the last layer.", word=word)
    if not layer:
        return _("{word} is first from the embedding on.", word=word)
    return _("{word} is first from layer {layer} on.", word=word, layer=layer)


def words_csv(model: "LanguageModel", lens: "TextLens", blocked: kit.blocklist.Blocklist) -> str:
    """The words of all states, as a table."""
    rows = [
        [layer, at + 1, surface(lens.encoding, at), number, word["token"], word["probability"]]
        for layer in range(lens.first, lens.first + len(lens.ids))
        for at in columns_of(lens)
        for number, word in enumerate(rows_of(model, lens, (layer, at), blocked), 1)
    ]
    return kit.table(["layer", "position", "token", "rank", "word", "probability"], rows)


def _blocked(settings: kit.Settings) -> kit.blocklist.Blocklist:
    second = settings[SECOND] if settings[BESIDE] else ""
    return kit.blocklist.over(settings[MODEL], settings[FIRST], settings[FOLLOWED], second)


VIEW = kit.View(
    text=kit.view_text("why", "lens"),
    settings=(LENS_COLOUR, FOLLOWED, STATE, BESIDE, PUT),
    boxes=lambda settings: prompts.ask_for_text(settings, settings[BESIDE]),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        examples.words_by_layer,
        model=kit.Load(page.settings[MODEL]),
        text=page.settings[FIRST].strip(),
        limit=MOST_TOKENS,
    ),
    needs=("FILL", "GENERATE"),
    model=kit.WRITER,
    stage=kit.Stage(text=FIRST, panel=".st-key-why-prompts", controls=(LENS_COLOUR,)),
)
