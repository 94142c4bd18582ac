"""Layer by layer: a logit lens on the blank, beside one on a reader's next token at the same place."""

import streamlit as st

from explorer import analysis
from explorer.text.letters import is_letters
from explorer.views import kit
from explorer.views.masked import blanks
from explorer.views.masked.layer_panels import TICKS, WORDS, as_table, height, notes, panel
from explorer.views.masked.sentence import PageText, invite, listed, strip, text_line, tokens_of, what_was_cut
from explorer.views.masked.settings import LAYER, READER, TEXT, WATCHED
from explorer.views.types import Lens, Model

FOLLOWED = 4  # words at most
LAST = -1  # the setting `layer`: the model's last one
READERS = {name: kit.memory.short_label(name) for name in dict.fromkeys(["gpt", kit.WRITER])}


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw the sentence, and the box for the words to follow."""
    strip(page)
    if page.data.sentence.numbers:
        with st.container(key="masked-followed", horizontal=True, vertical_alignment="center", gap="medium"):
            with st.container(width="stretch"):
                kit.text_box(
                    page.settings,
                    WATCHED,
                    "Words to follow through the layers",
                    f"Follow up to {FOLLOWED} words: hospital, school",
                )
            page.settings.restrict(READER, READERS)
            if len(READERS) > 1:
                kit.segments(page.settings, READER, "A reader from the left", READERS)


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw both models' layers, and the charts of the words that are followed."""
    settings, model, sentence = page.settings, page.model, page.data.sentence
    what_was_cut(sentence)
    if not sentence.numbers:
        invite(sentence)
        return []
    name, reader = str(model.checkpoint), kit.memory.get(settings[READER])
    before, after = blanks.around(sentence.read, sentence.blank)
    prompt = before.rstrip()
    words = followed(page)
    visitor_words = (sentence.text, *sentence.hidden, *words)
    panels = [
        panel(
            model,
            at_mask(model, sentence.read, sentence.blank),
            words,
            kit.blocklist.over(name, *visitor_words),
            before,
            after,
            f"{kit.memory.short_label(name)}, which reads both sides of the blank",
        ),
        panel(
            reader,
            at_end(reader, prompt),
            words,
            kit.blocklist.over(settings[READER], *visitor_words),
            prompt,
            "",
            f"{READERS[settings[READER]]}, which reads the words before it and says what comes next",
        ),
    ]
    readers = [(model, before), (reader, prompt)]
    if kit.for_class():  # it is asked about the blank
        panels, readers = panels[:1], readers[:1]
    last = max(len(panel_data["layers"]) for panel_data in panels) - 1
    layer = settings[LAYER] if 0 <= settings[LAYER] <= last else last
    settings.label(LAYER, "Layer", {LAST: "the last"}.get)

    def moved() -> None:
        at = kit.component_value("masked/lens", "layer", int)
        if at is not None:
            settings.set(LAYER.to(LAST if at >= last else at))

    kit.component("masked/lens")(
        key="masked/lens",
        data={
            "text": f"{sentence.blank} {sentence.read}",
            "tight": kit.presenting(),
            "layer": layer,
            "layers": last,
            "panels": panels,
            "ticks": [{"height": height(10.0**-n), "text": text} for n, text in TICKS.items()],
        },
        on_layer_change=moved,
    )
    kit.note(" ".join(notes(readers, words)))
    return [
        kit.Picture("picture", "layer-by-layer"),
        kit.Export("Layers", "layer-by-layer.csv", lambda: as_table(panels)),
    ]


def example(page: kit.OpenPage[PageText]) -> kit.Example:
    """The same numbers from Python."""
    sentence = page.data.sentence
    if not sentence.numbers:
        return tokens_of(page)
    return kit.Example(
        words_by_layer,
        model=kit.Load(str(page.model.checkpoint)),
        text=sentence.read,
        blank=sentence.blank,
        reader=kit.Load(page.settings[READER]),
        prompt=blanks.around(sentence.read, sentence.blank)[0].rstrip(),
        top=WORDS,
    )


def words_by_layer(
    model: "Model", text: str, blank: int, reader: "Model", prompt: str, top: int
) -> list[list[list[tuple[str, float]]]]:
    """The most probable words after each layer: for a blank of a text, and for a reader's next token."""
    from explorer.analysis import prediction
    from explorer.analysis.prediction import logit_lens

    lenses = [(model, logit_lens.at_mask(model, text, blank)), (reader, logit_lens.at_end(reader, prompt))]
    return [
        [[(c.token, c.probability) for c in prediction.ranked(each, row, top)] for row in lens.probabilities]
        for each, lens in lenses
    ]


@kit.kept(16)
def at_mask(model: "Model", text: str, which: int) -> "Lens":
    """The logit lens on a blank, cached for all visitors."""
    from explorer.analysis.prediction import logit_lens

    return logit_lens.at_mask(model, text, which)


@kit.kept(16)
def at_end(model: "Model", text: str) -> "Lens":
    """The logit lens on the next token, cached for all visitors."""
    from explorer.analysis.prediction import logit_lens

    return logit_lens.at_end(model, text)


def followed(page: kit.OpenPage[PageText]) -> list[str]:
    """The words to follow: those of the box, or else the hidden word and the most probable ones."""
    settings, model, sentence = page.settings, page.model, page.data.sentence
    if words := listed(settings[WATCHED], FOLLOWED):
        return words
    last = at_mask(model, sentence.read, sentence.blank).probabilities[-1]
    before, after = blanks.around(sentence.read, sentence.blank)
    blocked = kit.blocklist.over(str(model.checkpoint), sentence.text, *sentence.hidden)
    best = [
        c.token
        for c in analysis.prediction.ranked(model, last, 12, before)
        if is_letters(c.token) and not kit.blocklist.covers(blocked, before, c.token, after)
    ]
    hidden = sentence.hidden[sentence.blank].lower()
    return list(dict.fromkeys([*([hidden] if hidden else []), *best]))[:3]


VIEW = kit.View(
    text=kit.view_text("masked", "layers"),
    settings=(WATCHED, LAYER, READER),
    needs=("FILL",),
    boxes=text_line,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(text=TEXT),
)
