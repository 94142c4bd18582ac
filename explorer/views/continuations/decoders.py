"""Search or draw: three searches for a probable text and one text by lot, what they cost, and their loops."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import log
from typing import Any

import streamlit as st

from explorer.analysis.generation.repetition import distinct, repeated, repetition_rate
from explorer.locale import N_, _, localised, percent
from explorer.server.growing import current
from explorer.server.stream import Stream
from explorer.views import kit
from explorer.views.continuations.examples import searched_and_drawn
from explorer.views.continuations.prompt_box import prompt_box, seed_and_length
from explorer.views.continuations.settings import (
    ALPHA,
    BEAM_WIDTH,
    DECODER_TOP_P,
    LENGTH,
    MODEL,
    SEED,
    TEXT,
)
from explorer.views.continuations.write import RESETS
from explorer.views.frame.polls import asking
from explorer.views.types import LanguageModel
from explorer.views.widgets.growing_rows import GrowingRows, as_html, draw_rows
from explorer.views.widgets.visually_hidden import live_region

OUTPUTS = kit.Session[tuple[Any, list[Any]]]("continuations/ways", (None, []))
RUN = kit.Session[GrowingRows | None]("continuations/ways-run", None)
STREAM = kit.Session[Stream | None]("continuations/ways-stream", None)
WIDTHS, LONGEST = (2, 4, 8), 80
LOOP = 10  # tokens at the end of a text that all repeat earlier ones
EVERY = 3  # tokens between two updates of the page
MORE = N_("as much again:")
ENDED = N_("■ its next token was the end of the text")


@dataclass(frozen=True, eq=False)
class Output:
    """What one decoder has written so far: its tokens, their text, and their log probability in nats.

    `repeats` are the places in the text, [start, end], that repeat three tokens or more; `ended` says
    whether the last token ends the text. `further` is as much again of a text that ends in a loop.
    """

    ids: list[int]
    text: str
    log_probability: float
    repeats: Sequence[tuple[int, int]] = ()
    ended: bool = False
    further: "Output | None" = None


@dataclass(frozen=True)
class Decoder:
    """A decoder's name, how it chooses, and how many texts it reads for each token that it writes.

    The `detail` may have a number. Both are English.
    """

    name: str
    detail: str
    work: int
    number: object = ""


def controls(page: kit.OpenPage[None]) -> None:
    """Draw the text box, and one row with the decoders' settings."""
    prompt_box(page, TEXT, RESETS)
    with seed_and_length(page.settings, "ways-controls", LONGEST), st.popover(_("Settings")):
        _more_settings(page.settings)


def _more_settings(settings: kit.Settings) -> None:
    settings.send_again(BEAM_WIDTH, DECODER_TOP_P, ALPHA)
    kit.stepped_slider(
        settings,
        BEAM_WIDTH,
        _("Beam width"),
        WIDTHS,
        help=_("How many hypotheses beam search keeps at once."),
    )
    kit.slider(
        settings,
        DECODER_TOP_P,
        _("Top-p"),
        0.05,
        1.0,
        step=0.05,
        help=_("The drawn text comes from the fewest tokens whose probabilities add up to p."),
    )
    kit.slider(
        settings,
        ALPHA,
        _("Contrastive α"),
        0.0,
        1.0,
        step=0.1,
        help=_(
            "How strongly a token is penalised for being like those before it (Su et al. 2022). "
            "0 is greedy search."
        ),
    )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw a row for each decoder, which fills while it writes."""
    settings = page.settings
    request = request_of(settings)
    blocked, four = kit.blocklist.over(settings[MODEL], settings[TEXT]), decoders(settings)
    with st.container(gap="xxsmall"):
        if kit.presenting():  # the box with the beginning is not on the stage
            beginning = "".join(kit.blocklist.written(blocked, [kit.text_end(settings[TEXT])]))
            st.html(f'<p class="rb-how" dir="auto" translate="no">{escape(beginning)} …</p>')
        if OUTPUTS.get()[0] != request:
            run = current(RUN, request, lambda: _writing(request, settings, page.model))
            if not draw_rows(run, "continuations.ways", STREAM):
                return _saves(four, lambda: run.read(lambda: list(map(output_of, run.written))))
            greedy, *others = map(output_of, run.written)
            OUTPUTS.set((request, [with_further(greedy, page.model, settings), *others]))
            RUN.set(None)
            if asking.is_waiting():
                st.rerun()
        outputs = OUTPUTS.get()[1]
        for row in _rows(four, outputs, settings[TEXT], blocked):
            st.html(as_html(row))
    live_region(_("{count} texts have been written.", count=len(outputs)))
    return _saves(four, lambda: outputs)


def request_of(settings: kit.Settings) -> tuple[Any, ...]:
    """What the four texts depend on."""
    return tuple(settings.value(name) for name in (MODEL, TEXT, *VIEW.settings, SEED, LENGTH))


def _saves(four: list[Decoder], outputs: Callable[[], list[Output]]) -> kit.Saves:
    return [
        kit.Picture("picture", "search-or-draw"),
        kit.Export(N_("The four texts"), "search-or-draw.csv", lambda: texts_csv(four, outputs())),
    ]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The four texts from Python."""
    settings = page.settings
    return kit.Example(
        searched_and_drawn,
        model=kit.Load(settings[MODEL]),
        prompt=settings[TEXT],
        beam_width=settings[BEAM_WIDTH],
        top_p=settings[DECODER_TOP_P],
        alpha=settings[ALPHA],
        seed=settings[SEED],
        length=settings[LENGTH],
    )


def decoders(settings: kit.Settings) -> list[Decoder]:
    """The three searches and the draw, in the order of the page."""
    contrast = N_("avoids what is alike") if kit.for_class() else N_("unlike before, α {number}")
    width = settings[BEAM_WIDTH]
    return [
        Decoder(N_("Greedy"), N_("the best token"), 1),
        Decoder(N_("Beam"), N_("the best of {number} texts"), width, width),
        Decoder(N_("Contrastive"), contrast, 4, f"{settings[ALPHA]:g}"),
        Decoder(N_("Drawn"), N_("from the top {number}"), 1, f"{settings[DECODER_TOP_P]:.0%}"),
    ]


def searches(settings: kit.Settings, model: "LanguageModel") -> list[Any]:
    """What writes the four texts, in the same order, before its first token."""
    from explorer.analysis.generation.beam import Beam, beam_search
    from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
    from explorer.analysis.generation.steps import Sampling, generate

    text, seed, length = settings[TEXT], settings[SEED], settings[LENGTH]
    nucleus = Sampling(top_p=settings[DECODER_TOP_P], seed=seed, max_new_tokens=length)
    return [
        generate(model, text, Sampling(greedy=True, max_new_tokens=length), candidates=1),
        beam_search(model, text, Beam(width=settings[BEAM_WIDTH], max_new_tokens=length)),
        contrastive_search(model, text, Contrastive(alpha=settings[ALPHA], max_new_tokens=length)),
        generate(model, text, nucleus, candidates=1),
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


def shown(figure: str) -> str:
    """A figure in the language of whoever sees it."""
    return localised(figure) if not figure.endswith("%") else percent(figure[:-1])


def texts_csv(four: list[Decoder], outputs: list[Output]) -> str:
    """The four texts and their figures as a table to save."""
    heads = ["decoder", "settings", "texts read", "text", "bits per token", "repeated", "distinct tokens"]
    rows = [
        [d.name, d.detail.format(number=d.number), str(d.work), o.text, *figures(o)]
        for d, o in zip(four, outputs)
    ]
    return kit.table([*heads, "distinct pairs"], rows)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Whether the loop of greedy search ends, if there is one; while the texts grow, it is asked later."""
    settings = page.settings
    yes, no = _("yes"), _("no")
    question = kit.Question("choice", _("Will the loop end?"), choices=(yes, no))
    request, outputs = OUTPUTS.get()
    if request != request_of(settings):
        return [kit.Poll(question, waits=True)]
    prompt, greedy = settings[TEXT], outputs[0]
    if greedy.further is None:
        return []
    blocked = kit.blocklist.over(settings[MODEL], prompt)
    loop = "".join(kit.blocklist.written(blocked, [greedy.text], prompt))
    question = replace(question, context=f"{kit.text_end(prompt + loop)} …")
    return [kit.Poll(question, truth=no if is_loop(greedy.further.ids) else yes)]


def is_loop(ids: Sequence[int]) -> bool:
    """Whether the last tokens of a text all repeat earlier ones."""
    return len(ids) >= LOOP and {*range(len(ids) - LOOP, len(ids))} <= repeated(ids)


def with_further(greedy: Output, model: "LanguageModel", settings: kit.Settings) -> Output:
    """A greedy text; if it ends in a loop, with as much again, whose ids are those of both."""
    if not is_loop(greedy.ids):
        return greedy
    whole, start = greedy_output(model, settings[TEXT], 2 * settings[LENGTH]), len(greedy.text)
    places = [(max(at - start, 0), end - start) for at, end in whole.repeats if end > start]
    return replace(greedy, further=replace(whole, text=whole.text[start:], repeats=places))


@kit.kept(64, N_("Writing on"))
def greedy_output(model: "LanguageModel", prompt: str, length: int) -> Output:
    """What greedy search writes."""
    from explorer.analysis.generation.steps import Sampling, generate

    generation = generate(model, prompt, Sampling(greedy=True, max_new_tokens=length), candidates=1)
    list(generation)
    return output_of(generation)


def _writing(request: Any, settings: kit.Settings, model: "LanguageModel") -> GrowingRows:
    """The four texts, a row for each."""
    running, four, prompt = searches(settings, model), decoders(settings), settings[TEXT]
    blocked = kit.blocklist.over(settings[MODEL], prompt)

    def rows() -> list[Any]:
        return _rows(four, [output_of(each) for each in running], prompt, blocked)

    return GrowingRows(request, running, _steps(running), rows)


def _steps(running: list[Any]) -> Iterator[None]:
    """Advance all searches by EVERY tokens at a time until the last one ends; all stop with whoever reads."""
    left = list(running)
    try:
        while left:
            for _ in range(EVERY):
                left = [search for search in left if next(search, None) is not None]
            yield
    finally:
        for search in running:
            search.close()


def _rows(
    four: list[Decoder], outputs: list[Output], prompt: str, blocked: kit.blocklist.Blocklist
) -> list[Any]:
    """The searched texts below one head, and the drawn one below another."""
    rows = [_row(decoder, output, prompt, blocked) for decoder, output in zip(four, outputs)]
    figures = [["span", {"class": "rb-bits"}, _("bits per token")], ["span", {}, _("repeated")]]
    searched = _head(_("Searched: a probable text, with every seed the same"), *figures)
    return [searched, *rows[:-1], _head(_("Drawn: with another seed another text")), rows[-1]]


def _head(text: str, *figures: Any) -> list[Any]:
    return ["div", {"class": "rb-way heads"}, ["div", {}, text], ["div", {"class": "figures"}, *figures]]


def _row(decoder: Decoder, output: Output, prompt: str, blocked: kit.blocklist.Blocklist) -> list[Any]:
    bits, repeats, *distinct_shares = map(shown, figures(output))
    tokens, pairs = distinct_shares
    more = _("distinct tokens {tokens}, distinct pairs {pairs}", tokens=tokens, pairs=pairs)
    title = more if output.ids else ""
    work = _("{count} × the work", count=decoder.work) if decoder.work > 1 else ""
    detail = _(decoder.detail, number=shown(str(decoder.number)))
    name = ["div", {}, ["b", {}, _(decoder.name)], ["small", {}, detail], ["small", {}, work]]
    said = _marked(output, prompt, blocked)
    if output.further:
        further = _marked(output.further, prompt + output.text, blocked)
        said.append(["span", {"class": "further"}, ["small", {}, f" {_(MORE)} "], *further])
    text = ["div", {"class": "said", "dir": "auto", "translate": "no"}, *said]
    numbers = [["span", {"class": "rb-bits"}, bits], ["span", {}, repeats]]
    return [
        "div",
        {"class": "rb-way"},
        name,
        text,
        ["div", {"class": "figures", "title": title}, *numbers],
    ]


def _marked(output: Output, prompt: str, blocked: kit.blocklist.Blocklist) -> list[Any]:
    """The text with what it repeats underlined, and its end if it has one."""
    text = "".join(kit.blocklist.written(blocked, [output.text], prompt))
    places = output.repeats if text == output.text else ()  # dots have other lengths than words
    parts, at = list[Any](), 0
    for start, end in places:
        parts += [_lines(text[at:start]), ["u", {}, _lines(text[start:end])]]
        at = end
    parts = [*parts, _lines(text[at:])]
    parts[0] = parts[0].lstrip(" ")
    return [*parts, *([" ", ["small", {}, _(ENDED)]] if output.ended else [])]


def _lines(text: str) -> str:
    return text.replace("\n", "↵ ")


VIEW = kit.View(
    text=kit.view_text("continuations", "ways"),
    settings=(BEAM_WIDTH, DECODER_TOP_P, ALPHA),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(covered=(".further",), desk=".rb-bits", polls=asks),
)
