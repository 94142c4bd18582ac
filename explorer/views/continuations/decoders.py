"""Five decoders: five continuations of one prompt, and how much each of them repeats itself."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import log
from typing import Any

import streamlit as st

from explorer.analysis.generation.repetition import distinct, repeated, repetition_rate
from explorer.views import kit
from explorer.views.continuations.examples import five_decoders
from explorer.views.continuations.settings import (
    ALPHA,
    BEAM_WIDTH,
    DECODER_TOP_K,
    DECODER_TOP_P,
    LENGTH,
    MODEL,
    SEED,
    TEXT,
)
from explorer.views.continuations.write import RESETS
from explorer.views.types import LanguageModel
from explorer.views.widgets.visually_hidden import live_region

OUTPUTS = kit.Session[tuple[Any, list[Any]]]("continuations/ways", (None, []))
WIDTHS, TOP_K, LONGEST = (2, 4, 8), (5, 10, 40, 100), 80
EVERY = 3  # tokens between two updates of the page
ENDED = "■ its next token was the end of the text"


@dataclass(frozen=True, eq=False)
class Output:
    """What one decoder has written so far: its tokens, their text, and their log probability in nats.

    `repeats` are the places in the text, [start, end], that repeat three tokens or more; `ended` says
    whether the last token ends the text.
    """

    ids: list[int]
    text: str
    log_probability: float
    repeats: Sequence[tuple[int, int]] = ()
    ended: bool = False


@dataclass(frozen=True)
class Decoder:
    """A decoder's name, and its settings in words."""

    name: str
    detail: str


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the text box, and one row with the decoders' settings."""
    settings = page.settings
    notice = kit.unseen_end(page.model, settings[TEXT])
    kit.text_box(settings, TEXT, "Prompt", "Type the beginning of a text", resets=RESETS, notice=notice)
    with st.container(key="ways-controls", horizontal=True, vertical_alignment="bottom", gap="medium"):
        kit.seed_box(settings, SEED, width=150)
        kit.slider(settings, LENGTH, "Length", 1, LONGEST, width=260)
        with st.popover("Settings"):
            _more_settings(settings)


def _more_settings(settings: kit.Settings) -> None:
    settings.send_again(BEAM_WIDTH, DECODER_TOP_K, DECODER_TOP_P, ALPHA)
    kit.stepped_slider(
        settings, BEAM_WIDTH, "Beam width", WIDTHS, help="How many hypotheses beam search keeps at once."
    )
    kit.stepped_slider(
        settings, DECODER_TOP_K, "Top-k", TOP_K, help="Top-k sampling draws from the k most probable tokens."
    )
    kit.slider(
        settings,
        DECODER_TOP_P,
        "Top-p",
        0.05,
        1.0,
        step=0.05,
        help="Nucleus sampling draws from the fewest tokens whose probabilities add up to p.",
    )
    kit.slider(
        settings,
        ALPHA,
        "Contrastive α",
        0.0,
        1.0,
        step=0.1,
        help="How strongly a token is penalised for being like those before it (Su et al. 2022). "
        "0 is greedy search.",
    )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw a row for each decoder, which fills while it writes."""
    settings = page.settings
    request = tuple(settings.value(name) for name in (MODEL, TEXT, *VIEW.settings, SEED, LENGTH))
    blocked, five = kit.blocklist.over(settings[MODEL], settings[TEXT]), decoders(settings)
    with st.container(gap="xxsmall"):
        st.html(_heads())
        slots = [st.empty() for _ in five]
        last_request, outputs = OUTPUTS.get()
        if last_request != request:
            outputs = _write(settings, page.model, slots, blocked)
            OUTPUTS.set((request, outputs))
        for decoder, slot, output in zip(five, slots, outputs):
            slot.html(_row(decoder, output, settings[TEXT], blocked))
    live_region(f"{len(outputs)} texts have been written.")
    return [
        kit.Picture("picture", "five-decoders"),
        kit.Export("The five texts", "five-decoders.csv", lambda: texts_csv(five, outputs)),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The five texts from Python."""
    settings = page.settings
    return kit.Example(
        five_decoders,
        model=kit.Load(settings[MODEL]),
        prompt=settings[TEXT],
        beam_width=settings[BEAM_WIDTH],
        top_k=settings[DECODER_TOP_K],
        top_p=settings[DECODER_TOP_P],
        alpha=settings[ALPHA],
        seed=settings[SEED],
        length=settings[LENGTH],
    )


def decoders(settings: kit.Settings) -> list[Decoder]:
    """The five decoders, in the order of the page."""
    return [
        Decoder("Greedy", "always the best"),
        Decoder("Beam", f"{settings[BEAM_WIDTH]} hypotheses"),
        Decoder("Top-k", f"draws from {settings[DECODER_TOP_K]}"),
        Decoder("Nucleus", f"draws from the top {settings[DECODER_TOP_P]:.0%}"),
        Decoder("Contrastive", "avoids what is alike" if kit.for_class() else f"α {settings[ALPHA]:g}, k 4"),
    ]


def searches(settings: kit.Settings, model: "LanguageModel") -> list[Any]:
    """The five searches in the same order, before their first token."""
    from explorer.analysis.generation.beam import Beam, beam_search
    from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
    from explorer.analysis.generation.steps import Sampling, generate

    text, seed, length = settings[TEXT], settings[SEED], settings[LENGTH]
    top_k = Sampling(top_k=settings[DECODER_TOP_K], seed=seed, max_new_tokens=length)
    nucleus = Sampling(top_p=settings[DECODER_TOP_P], seed=seed, max_new_tokens=length)
    return [
        generate(model, text, Sampling(greedy=True, max_new_tokens=length), candidates=1),
        beam_search(model, text, Beam(width=settings[BEAM_WIDTH], max_new_tokens=length)),
        generate(model, text, top_k, candidates=1),
        generate(model, text, nucleus, candidates=1),
        contrastive_search(model, text, Contrastive(alpha=settings[ALPHA], max_new_tokens=length)),
    ]


def output_of(search: Any) -> Output:
    """What a search has written so far; for beam search, its best hypothesis."""
    ids, text, tokenizer = list(search.ids), search.continuation, search.model.tokenizer
    if hasattr(search, "best"):
        score = search.best.log_probability if search.best else 0.0
    else:
        score = sum(log(max(step.probability, 1e-45)) for step in search.steps)
    ended = bool(ids) and ids[-1] in tokenizer.ends
    return Output(ids, text, score, _repeats(ids, tokenizer), ended)


def _repeats(ids: list[int], tokenizer: Any) -> list[tuple[int, int]]:
    """The places in the text of tokens that repeat earlier ones, neighbours together."""
    ends = [len(tokenizer.decode(ids[: count + 1])) for count in range(len(ids))]
    places: list[tuple[int, int]] = []
    for at in sorted(repeated(ids)):
        start = ends[at - 1] if at else 0
        if places and places[-1][1] == start:
            places[-1] = places[-1][0], ends[at]
        else:
            places.append((start, ends[at]))
    return places


def figures(output: Output) -> list[str]:
    """Bits per token, and the shares of repeated tokens, distinct tokens and distinct pairs."""
    if not output.ids:
        return ["", "", "", ""]
    bits = -output.log_probability / log(2) / len(output.ids)
    fractions = (repetition_rate(output.ids), distinct(output.ids, 1), distinct(output.ids, 2))
    return [f"{bits:.1f}", *(f"{fraction:.0%}" for fraction in fractions)]


def texts_csv(five: list[Decoder], outputs: list[Output]) -> str:
    """The five texts and their figures as a table to save."""
    heads = ["decoder", "settings", "text", "bits per token", "repeated", "distinct tokens", "distinct pairs"]
    return kit.table(heads, [[d.name, d.detail, o.text, *figures(o)] for d, o in zip(five, outputs)])


def _write(
    settings: kit.Settings, model: "LanguageModel", slots: list[Any], blocked: kit.blocklist.Blocklist
) -> list[Output]:
    """Run all five, a token of each in turn, and fill the rows; all stop if the visitor leaves."""
    running = searches(settings, model)
    try:
        for step in _steps(running):
            if step % EVERY == 0:
                for decoder, slot, search in zip(decoders(settings), slots, running):
                    slot.html(_row(decoder, output_of(search), settings[TEXT], blocked))
        return [output_of(search) for search in running]
    finally:
        for search in running:
            search.close()


def _steps(running: list[Any]) -> Iterator[int]:
    """Advance all searches by a token at a time until the last one ends; yields the number of tokens."""
    step, left = 0, list(running)
    while left:
        left = [search for search in left if next(search, None) is not None]
        step += 1
        yield step


def _heads() -> str:
    heads = '<span class="rb-bits">bits per token</span><span>repeated</span>'
    return f'<div class="rb-way heads"><span></span><span></span><div class="figures">{heads}</div></div>'


def _row(decoder: Decoder, output: Output, prompt: str, blocked: kit.blocklist.Blocklist) -> str:
    bits, repeats, *distinct_shares = figures(output)
    tokens, pairs = distinct_shares
    more = f"distinct tokens {tokens}, distinct pairs {pairs}" if output.ids else ""
    return (
        f'<div class="rb-way"><div><b>{decoder.name}</b><small>{decoder.detail}</small></div>'
        f'<div class="said" dir="auto" translate="no">{_marked(output, prompt, blocked)}</div>'
        f'<div class="figures" title="{more}"><span class="rb-bits">{bits}</span>'
        f"<span>{repeats}</span></div></div>"
    )


def _marked(output: Output, prompt: str, blocked: kit.blocklist.Blocklist) -> str:
    """The text as HTML, with what it repeats underlined, and its end if it has one."""
    text = "".join(kit.blocklist.written(blocked, [output.text], prompt))
    places = output.repeats if text == output.text else ()  # dots have other lengths than words
    parts, at = [], 0
    for start, end in places:
        parts += [_lines(text[at:start]), f"<u>{_lines(text[start:end])}</u>"]
        at = end
    parts.append(_lines(text[at:]))
    ending = f" <small>{ENDED}</small>" if output.ended else ""
    return "".join(parts).strip(" ") + ending


def _lines(text: str) -> str:
    return escape(text).replace("\n", "↵ ")


VIEW = kit.View(
    text=kit.view_text("continuations", "ways"),
    settings=(BEAM_WIDTH, DECODER_TOP_K, DECODER_TOP_P, ALPHA),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(desk=".rb-bits"),
)
