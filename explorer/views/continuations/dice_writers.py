"""The same beginning continued by counting one, two and three words back, and by models, with one measure."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import streamlit as st

from explorer.analysis.generation import ngrams
from explorer.locale import N_, _, format_number, localised
from explorer.server.growing import current
from explorer.server.stream import Stream
from explorer.text.letters import has_letters
from explorer.text.spacing import with_words
from explorer.views import kit
from explorer.views.continuations import dice_table
from explorer.views.continuations.settings import DICE_START, MODEL, NEW_TEXT, SEED, TEMPERATURE
from explorer.views.types import LanguageModel
from explorer.views.widgets.growing_rows import GrowingRows, as_html, draw_rows

WORDS, TOKENS = 24, 30  # that a table and a model write
RUN = kit.Session[GrowingRows | None]("continuations/dice-run", None)
STREAM = kit.Session[Stream | None]("continuations/dice-stream", None)
NAMES = {1: N_("One word back"), 2: N_("Two words back"), 3: N_("Three words back")}


class Writer(NamedTuple):
    """Who writes, what it writes, its bits a word on the new text, and of a table what it has never seen.

    The `detail`, and a table's name, are English.
    """

    name: str
    detail: str
    text: str
    bits: float
    never: float | None = None


def models(page: kit.OpenPage[None]) -> "list[LanguageModel]":
    """Our GPT, and the page's model."""
    names = dict.fromkeys(["gpt", page.settings[MODEL]])
    return [page.model if name == page.settings[MODEL] else kit.picker.load(name) for name in names]


@kit.kept(64, N_("Reading"))
def bits_per_word(model: "LanguageModel", text: str) -> float:
    """The bits of a text over the number of its words with letters, as a table has them."""
    from explorer.analysis.prediction import surprisal

    return float(surprisal.read(model, text).bits.sum()) / sum(map(has_letters, ngrams.split(text)))


def odds(bits: float) -> str:
    """The probability that is worth so many bits, to two digits: “1 in 440”.

    >>> odds(8.78), odds(0.0)
    ('1 in 440', '1 in 1')
    """
    return _("1 in {count}", count=format_number(round(float(f"{2**bits:.2g}"))))


def thrown_text(table: ngrams.Ngrams, start: str, seed: int) -> str:
    """What the table writes after a beginning, by throws."""
    before, start, random = ngrams.split(start), start.rstrip(), Random(seed)
    words = [*before]
    for _word in range(WORDS):
        counts = table.following[table.seen(words)]
        words.append(random.choices(list(counts), list(counts.values()))[0])
    return with_words(start, words[len(before) :])[len(start) :]


def counted_writers(text: str, start: str, new_text: str, seed: int) -> list[Writer]:
    """Counting one, two and three words back."""
    writers = []
    for back, name in NAMES.items():
        table = dice_table.counted(text, back)
        bits, never = table.bits_per_word(new_text), table.never_seen(new_text)
        writers.append(Writer(name, N_("counted"), thrown_text(table, start, seed), bits, never))
    return writers


def draw(page: kit.OpenPage[None], text: str) -> kit.Export:
    """A row for each, of which the models' fill while they write."""
    settings = page.settings
    start, new_text = settings[DICE_START], settings[NEW_TEXT]
    counted = counted_writers(text, start, new_text, settings[SEED])
    readers = models(page)
    bits = [bits_per_word(model, new_text) for model in readers]
    for_class = kit.for_class()  # whoever follows the rows cannot ask
    request = settings[MODEL], start, new_text, settings[SEED], for_class
    with st.container(gap="xxsmall"):
        st.html(_heads())
        st.html("".join(as_html(_row(one, start, for_class)) for one in counted))
        run = current(RUN, request, lambda: _writing(request, readers, bits))
        if draw_rows(run, "continuations.dice", STREAM):
            st.html("".join(map(as_html, run.rows())))
    heads = ["who", "text", "bits a word", "never seen"]
    return kit.Export(
        N_("The texts"),
        "dice.csv",
        lambda: kit.table(
            heads, [[one.name, one.text, one.bits, one.never] for one in [*counted, *run.read(run.written)]]
        ),
    )


def _writing(request: Any, readers: "list[LanguageModel]", bits: list[float]) -> GrowingRows:
    """The models' texts, a row for each."""
    from explorer.analysis.generation.steps import Sampling, generate

    _model, start, _text, seed, for_class = request
    texts = [
        generate(model, start.rstrip(), Sampling(TEMPERATURE.default, seed=seed, max_new_tokens=TOKENS), 1)
        for model in readers
    ]

    def written() -> list[Writer]:
        names = [kit.memory.short_label(str(model.checkpoint)) for model in readers]
        return [
            Writer(name, N_("a Transformer"), text.continuation, cost)
            for name, text, cost in zip(names, texts, bits, strict=True)
        ]

    def steps() -> Iterator[None]:
        for text in texts:
            for _step in text:
                yield

    return GrowingRows(request, written, steps(), lambda: [_row(one, start, for_class) for one in written()])


def _heads() -> str:
    names = (_("gave a word") if kit.for_class() else _("bits a word"), _("never seen"))
    figures = "".join(f"<span>{name}</span>" for name in names)
    return f'<div class="rb-way heads"><span></span><span></span><div class="figures">{figures}</div></div>'


def _row(one: Writer, start: str, for_class: bool) -> list[Any]:
    blocked = kit.blocklist.over("", start)
    (text,) = kit.blocklist.written(blocked, [one.text], start)
    figure = odds(one.bits) if for_class else localised(f"{one.bits:.1f}")
    never = "" if one.never is None else kit.whole_percent(one.never)
    return [
        "div",
        {"class": "rb-way"},
        ["div", {}, ["b", {}, one.name if one.never is None else _(one.name)], ["small", {}, _(one.detail)]],
        ["div", {"class": "said", "dir": "auto", "translate": "no"}, text.replace("\n", "↵ ").lstrip(" ")],
        ["div", {"class": "figures", "title": odds(one.bits)}, ["span", {}, figure], ["span", {}, never]],
    ]
