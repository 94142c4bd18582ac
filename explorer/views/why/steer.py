"""Steer: the same beginning continued at five strengths of a direction that two lists of sentences make."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from explorer import assets
from explorer.catalogue.ability import Ability
from explorer.errors import TextError
from explorer.locale import N_, _, format_with, in_this_language, localised
from explorer.room.questions import Question
from explorer.server.growing import current
from explorer.server.stream import Stream
from explorer.text.letters import is_letters
from explorer.views import kit
from explorer.views.frame.polls import panel
from explorer.views.types import Direction, Generation, LanguageModel
from explorer.views.why import examples, steer_curves, steer_gap
from explorer.views.why.settings import AWAY, BEGINNING, DEPTH, DIAL, LESS, MODEL, MORE, SEED, TOWARD
from explorer.views.why.which_rows import signed
from explorer.views.widgets.growing_rows import GrowingRows, as_html, draw_rows
from explorer.views.widgets.visually_hidden import live_region

SAMPLING: dict[str, Any] = {"temperature": 0.7, "top_p": 0.9, "max_new_tokens": 30}  # of each text
EVERY = 3  # tokens between two updates
DIALS = (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
MOST_SENTENCES = 40  # of a list
LIKELIER = (2, 4, 6)  # bits: from 4, 16 and 64 times as probable on, a word is coloured
MOST_BITS, MOST_PLACE = 5.0, 1.5  # that the bars reach
SIDES = ((AWAY, LESS, N_("Less like these")), (TOWARD, MORE, N_("More like these")))
CSS = Path(__file__).with_suffix(".css")
RUN = kit.Session[GrowingRows | None]("why/steer-run", None)
CURVES = kit.Session("why/steer-curves-open", False)  # whether they are open
STREAM = kit.Session[Stream | None]("why/steer-stream", None)

_written: "kit.Kept[list[Steered]]" = kit.Kept(48)
_guessed: "kit.Kept[list[list[steer_gap.Guess]]]" = kit.Kept(48)


class Steered(NamedTuple):
    """A text at a strength: its tokens' texts, and of each by how many bits it has become likelier.

    `bits` is its mean surprisal per token for the model as it is. `place`, known at its end, is where it lies
    between the lists.
    """

    strength: float
    pieces: list[str]
    likelier: list[float]
    bits: float
    place: float | None
    prompt_ids: list[int]
    ids: list[int]


def ask(settings: kit.Settings) -> None:
    """Draw the boxes of both lists."""
    st.html(f"<style>{assets.text(CSS)}</style>")
    with st.container(key="why-steer-lists"):
        for column, (setting, name, label) in zip(st.columns(2, gap="medium"), SIDES, strict=True):
            with column, st.container(gap="xxsmall"):
                called = _("{list} are called", list=_(label))
                kit.text_box(settings, name, called, _("What these have in common"))
                kit.text_box(settings, setting, _(label), _("One sentence a line"), lines=4)
        if any(panel.sentences()):
            label = _("Take the class’s sentences")
            st.button(label, key="steer/class", on_click=take_sentences, args=[settings])


def take_sentences(settings: kit.Settings) -> None:
    """Put what the class has written in the lists; one for which there is nothing stays (for a callback)."""
    for (setting, *__), lines in zip(SIDES, panel.sentences(), strict=True):
        while len("\n".join(lines)) > setting.most:
            lines.pop()
        if lines:
            settings.set(setting.to("\n".join(lines)))


def names(settings: kit.Settings) -> tuple[str, str]:
    """What the lists are called."""
    return settings[LESS].strip() or _("less"), settings[MORE].strip() or _("more")


def polls(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """A sentence of everybody's own for either list."""
    less, more = names(page.settings)
    text = _("A sentence of your own: {less} or {more}?", less=less, more=more)
    return [kit.Poll(Question("side", text, choices=(less, more)))]


def controls(page: kit.OpenPage[None]) -> None:
    """The beginning, the dial, and behind a button the layer and the seed."""
    settings = page.settings
    writes = Ability.GENERATE in page.model.abilities
    gap = _(steer_gap.NOTICE, model=kit.memory.short_label(settings[MODEL]))
    with st.container(key="why-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.text_box(
            settings,
            BEGINNING,
            _("The beginning"),
            _("Type the beginning of a text"),
            notice=kit.unseen_end(page.model, settings[BEGINNING]) if writes else gap,
        )
        kit.stepped_slider(
            settings,
            DIAL,
            _("Strength"),
            {dial: _("strength {number}", number=localised(f"{dial:g}")) for dial in DIALS},
            label_visibility="collapsed",
            width=230,
        )
        more = st.popover(_("More"), key=CURVES, on_change="rerun")
        with more, st.container(key="why-steer-more"):
            layers = page.model.config.layers
            if settings[DEPTH] > layers:  # that of a larger model
                settings.show_instead(DEPTH.to(max(layers // 3, 1)))
            settings.send_again(DEPTH, SEED)
            layer, seed = st.columns([2, 1], gap="large")
            with layer:
                kit.slider(settings, DEPTH, _("After layer"), 1, layers)
            with seed:
                kit.seed_box(settings, SEED)
            if more.open:
                _draw_curves(page)


def _draw_curves(page: kit.OpenPage[None]) -> None:
    """Draw what strengths gain and cost, once the five texts are written."""
    settings, model = page.settings, page.model
    if five := _written.look_up(_request(settings)):
        plain, dial = five[len(five) // 2], settings[DIAL]
        directions = directions_of(model, *lists(settings))
        steer = directions[settings[DEPTH]], directions[-1]
        effects = steer_curves.effects_of(model, plain.prompt_ids, plain.ids, steer, dial)
        kit.chart(
            steer_curves.figure(effects, dial, names(settings), kit.palette()), "why/steer-curves", least=480
        )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """Draw the five texts, which grow together, with cost and gain of each; or guesses for a gap."""
    settings, model = page.settings, page.model
    directions = directions_of(model, *lists(settings))
    steer = directions[settings[DEPTH]]
    request = _request(settings)
    if Ability.GENERATE not in model.abilities:
        return _draw_guesses(page, steer, request)
    five = _written.look_up(request)
    if five is None:
        run = current(RUN, request, lambda: writing(request, settings, model, steer, directions[-1]))
        if not draw_rows(run, "why.steer", STREAM):
            return _saves(lambda: run.read(lambda: [*run.written]))
        _written.put(request, five := run.written)
        RUN.set(None)
        if CURVES.get():  # they stand outside of what is drawn again when the texts are written
            st.rerun()
    st.html(as_html(row(five, settings)))
    live_region(_("Five texts have been written."))
    return _saves(lambda: five)


def _request(settings: kit.Settings) -> tuple[Any, ...]:
    return tuple(settings.value(one) for one in (MODEL, *VIEW.settings))


def _draw_guesses(page: kit.OpenPage[None], direction: "Direction", request: Any) -> kit.Saves:
    """Draw the guesses for a gap at each strength."""
    settings = page.settings
    text, dials = steer_gap.with_gap(settings[BEGINNING]), strengths(settings[DIAL])
    five = _guessed.get(request, lambda: steer_gap.guesses(page.model, text, direction, dials))
    most, blocked = max(best[0].probability for best in five), kit.blocklist.over(settings[MODEL], text)
    columns = []
    for dial, best in zip(dials, five, strict=True):
        side, heading = _heading(dial, settings)
        inner = steer_gap.column(best, most, LIKELIER if side else (), blocked, text)
        columns.append(["section", {"class": side}, heading, inner])
    st.html(as_html(["div", {"class": "rb-steer"}, *columns]))
    rows = [[dial, *guess] for dial, best in zip(dials, five, strict=True) for guess in best]
    head = ["strength", "word", "probability", "bits likelier"]
    return [
        kit.Picture("picture", "steered"),
        kit.Export(N_("The guesses"), "steered.csv", lambda: kit.table(head, rows)),
    ]


def _saves(five: Callable[[], list[Steered]]) -> kit.Saves:
    def csv() -> str:
        rows = [[one.strength, "".join(one.pieces), one.bits, one.place] for one in five()]
        return kit.table(["strength", "text", "bits per token, unsteered", "place between the lists"], rows)

    return [kit.Picture("picture", "steered"), kit.Export(N_("The five texts"), "steered.csv", csv)]


def lists(settings: kit.Settings) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sentences of both lists. Raises TextError for an empty one."""
    both = [
        tuple(line.strip() for line in settings[one].splitlines() if line.strip())[:MOST_SENTENCES]
        for one in (TOWARD, AWAY)
    ]
    if not all(both):
        raise TextError(_("A list is empty."), _("Write a sentence in each list."))
    return both[0], both[1]


@kit.kept(64)
def directions_of(
    model: "LanguageModel", toward: tuple[str, ...], away: tuple[str, ...]
) -> "list[Direction]":
    """The directions of two lists, one for each layer, computed once for all visitors."""
    from explorer.analysis import steering

    return steering.directions(model, toward, away)


def strengths(dial: float) -> list[float]:
    """Five strengths up to that of the dial, to either side."""
    return [-dial, -dial / 2, 0.0, dial / 2, dial]


def writing(
    request: Any, settings: kit.Settings, model: "LanguageModel", direction: "Direction", last: "Direction"
) -> GrowingRows:
    """The five texts, as far as they go; `last` is the direction after the last layer."""
    from explorer.analysis.generation.steps import Sampling, generate

    prompt, five = settings[BEGINNING].rstrip(), list[Steered]()
    sampling = Sampling(**SAMPLING, seed=settings[SEED])
    steers = [(strength, [(direction, strength)]) for strength in strengths(settings[DIAL])]
    texts = [
        (strength, generate(model, prompt, sampling, 1, steer), generate(model, prompt, sampling, 1))
        for strength, steer in steers
    ]

    def steps() -> Iterator[None]:
        with ThreadPoolExecutor(len(texts)) as pool:  # the engine reads what they ask for together
            while any(each[1].ending is None for each in texts):
                running = [pool.submit(in_this_language(advance), *each, last) for each in texts]
                five[:] = [each.result() for each in running]
                yield

    rows = in_this_language(lambda: [row(five, settings)])
    return GrowingRows(request, five, steps(), rows)


def advance(strength: float, text: "Generation", plain: "Generation", last: "Direction") -> Steered:
    """A text some tokens further; `plain` reads them without steering."""
    from explorer.analysis.steering import place_of_text

    for __ in range(EVERY):
        next(text, None)
    plain.take(text.ids[len(plain.ids) :])
    place = None
    if text.ending is not None:
        place = place_of_text(text.model, text.prompt_ids, text.ids, last)
    pairs = zip(plain.steps, text.steps, strict=True)
    bits = sum(step.bits for step in plain.steps) / len(plain.steps)
    pieces, likelier = [step.text for step in text.steps], [a.bits - b.bits for a, b in pairs]
    return Steered(strength, pieces, likelier, bits, place, text.prompt_ids, text.ids)


def row(five: list[Steered], settings: kit.Settings) -> list[Any]:
    """The five texts side by side."""
    return ["div", {"class": "rb-steer"}, *(_column(one, settings) for one in five)]


def _heading(strength: float, settings: kit.Settings) -> tuple[str, list[Any]]:
    """The side of a strength, "" for none, and the heading of its column."""
    less, more = names(settings)
    side, name = {-1: ("away", less), 0: ("", _("as it is")), 1: ("toward", more)}[
        (strength > 0) - (strength < 0)
    ]
    number = format_with(strength, "+g") if side else "0"
    return side, ["b", {}, number, ["small", {"dir": "auto"}, name]]


def _column(text: Steered, settings: kit.Settings) -> list[Any]:
    prompt = settings[BEGINNING].rstrip()
    side, heading = _heading(text.strength, settings)
    shown = kit.blocklist.written(kit.blocklist.over(settings[MODEL], prompt), text.pieces, prompt)
    pieces: list[Any] = []
    for piece, bits in zip(shown, text.likelier, strict=True):
        much = sum(bits >= least for least in LIKELIER) if side else 0
        word = piece.replace("\n", " ↵ ")
        told = {"class": f"m{much}", "title": _(steer_gap.LIKELIER, times=f"{2**bits:.0f}")}
        bare = word.lstrip()
        space = word[: len(word) - len(bare)]
        pieces += [space, ["mark", told, bare]] if much and is_letters(bare) else [word]
    said = ["p", {"dir": "auto", "translate": "no"}, ["i", {}, *prompt.split()[-1:]], *pieces]
    place = text.place or 0.0
    side_of_bar, from_middle = ("left", "right") if place < 0 else ("right", "left")
    width = min(abs(place) / MOST_PLACE, 1.0) / 2
    bar = {"class": side_of_bar, "style": f"width:{width:.0%};{from_middle}:50%"}
    cost = {"style": f"width:{min(text.bits / MOST_BITS, 1.0):.0%}"}
    figures = [
        "dl",
        {},
        ["dt", {}, _("likeness")],
        ["dd", {"class": "place", "title": signed(place)}, ["u", bar]],
        ["dt", {}, _("surprise")],
        ["dd", {"title": _("{bits} bits per token", bits=localised(f"{text.bits:.2f}"))}, ["u", cost]],
    ]
    return ["section", {"class": side}, heading, said, figures]


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The five texts, or the guesses, from Python."""
    settings = page.settings
    toward, away = map(list, lists(settings))
    values: dict[str, Any] = {
        "toward": toward,
        "away": away,
        "layer": settings[DEPTH],
        "strengths": strengths(settings[DIAL]),
    }
    model = kit.Load(settings[MODEL])
    if Ability.GENERATE not in page.model.abilities:
        text = steer_gap.with_gap(settings[BEGINNING])
        return kit.Example(examples.steered_guesses, model=model, text=text, **values, top=steer_gap.GUESSES)
    return kit.Example(
        examples.steered_texts,
        model=model,
        beginning=settings[BEGINNING].rstrip(),
        **values,
        seed=settings[SEED],
        **SAMPLING,
    )


VIEW = kit.View(
    text=kit.view_text("why", "steer"),
    settings=(BEGINNING, TOWARD, AWAY, MORE, LESS, DIAL, DEPTH, SEED),
    boxes=ask,
    controls=controls,
    picture=draw,
    example=example,
    needs=("GENERATE", "FILL"),
    model=kit.WRITER,
    stage=kit.Stage(
        panel=".st-key-why-steer-lists",
        controls=(DIAL,),
        boxes=(BEGINNING,),
        start=take_sentences,
        polls=polls,
    ),
)
