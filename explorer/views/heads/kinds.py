"""Kinds of head: how strongly each head shows one behaviour, on our sentences or on the visitor's.

One kind is the visitor's own: arcs drawn from word to word.
"""

from functools import partial
from html import escape

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, localised
from explorer.views import kit
from explorer.views.heads import examples, head_map, own_arcs
from explorer.views.heads import report as heads_report
from explorer.views.heads import scores as heads_scores
from explorer.views.heads import sentence as heads_sentence
from explorer.views.heads.head_map import Head
from explorer.views.heads.scores import DRAWN, LIVE, REPEATED, SOURCES, HeadScores
from explorer.views.heads.settings import ARCS, HEAD, MODEL, OF, SENTENCE, TEXT, WAY, WHAT
from explorer.views.types import Parse, Report, Trace
from explorer.views.widgets.head_kinds import kind_names, relation_name

LISTED = 5

VIEW_TEXT = kit.view_text("heads", "kinds")


def controls(page: "kit.OpenPage[Report | None]") -> None:
    """The behaviour or relation, the sentences that it is measured on, and the sentence that is drawn."""
    settings = page.settings
    _choices(page)
    if _source(settings) != LIVE and page.data is None:
        return
    if not heads_scores.is_relation(settings[WHAT]):
        heads_sentence.box(settings)


def draw(page: "kit.OpenPage[Report | None]") -> kit.Saves:
    """A sentence with one head's arcs, the map of all heads, and the best heads in order."""
    settings, report = page.settings, page.data
    source, what, direction = _source(settings), settings[WHAT], settings[WAY]
    if source != LIVE and report is None:
        heads_report.offer(page.model)
        return []
    if report is not None and heads_scores.is_relation(what):
        parses = _parses(page)
        parse = parses[settings[SENTENCE] % len(parses)]
        scores = heads_scores.on_sentences(report, source, what, direction)
        head = _head(settings, scores)
        draw_arcs = partial(heads_sentence.ours, page.model, parse, head, what, direction)
        text = parse.text
    else:
        trace = heads_sentence.trace(settings, page.model)
        scores = _behaviour_scores(settings, report, trace)
        head = _head(settings, scores)
        if what == DRAWN:
            draw_arcs = partial(own_arcs.sentence, settings, trace, head)
        else:
            draw_arcs = partial(heads_sentence.yours, trace, head, what)
        text = settings[TEXT]
    with st.container(key="heads-picture", gap="xsmall"):
        draw_arcs()
        _map(settings, report, scores, head, text)
    what += f"-{direction}" if heads_scores.is_relation(what) else ""
    file = f"heads-{settings[MODEL]}-{source}-{what}"
    return [
        kit.Picture("heads-picture", file),
        kit.Export(N_("Every head’s score"), f"{file}.csv", lambda: _scores_table(what, scores)),
    ]


def reading(page: "kit.OpenPage[Report | None]") -> kit.Reading:
    """How to read it, and a caveat."""
    settings, phrases = page.settings, VIEW_TEXT.phrases
    if heads_scores.is_relation(settings[WHAT]):
        return VIEW_TEXT.readings["relation"]
    if settings[WHAT] == DRAWN:
        return VIEW_TEXT.readings["arcs"]
    alone = settings[OF] == LIVE and page.data is not None
    return VIEW_TEXT.reading.filled(
        live=phrases["live"] if alone else "", rest=phrases["rest"] if page.model.causal else ""
    )


def example(page: "kit.OpenPage[Report | None]") -> kit.Example:
    """The same numbers from Python."""
    settings = page.settings
    model, source, what = kit.Load(settings[MODEL]), _source(settings), settings[WHAT]
    if what == DRAWN:
        trace = heads_sentence.trace(settings, page.model)
        return kit.Example(
            examples.heads_that_draw,
            model=model,
            text=settings[TEXT],
            arcs=own_arcs.read_arcs(settings[ARCS], len(trace.encoding)),
            top=LISTED,
            limit=kit.LIVE_TOKENS,
        )
    if source == LIVE:
        return kit.Example(
            examples.on_a_text, model=model, text=settings[TEXT], behaviour=what, limit=kit.LIVE_TOKENS
        )
    if source == REPEATED:
        score = heads_scores.REPEATED_SCORES.get(what, what)
        return kit.Example(examples.on_repeated_tokens, model=model, score=score)
    if heads_scores.is_relation(what):
        return kit.Example(
            examples.relation_accuracy, model=model, half=source, relation=what, direction=settings[WAY]
        )
    return kit.Example(examples.on_our_sentences, model=model, half=source, behaviour=what)


def asks(page: "kit.OpenPage[Report | None]") -> list[kit.Poll]:
    """For a relation, how often the best head is right."""
    settings, report = page.settings, page.data
    what, source = settings[WHAT], _source(settings)
    if report is None or source == LIVE or not heads_scores.is_relation(what):
        return []
    scores = heads_scores.on_sentences(report, source, what, settings[WAY])
    pairs = heads_scores.choices(report, source)[what]
    text = _("For which share of such pairs does the best head find the other word?")
    question = kit.Question("number", text, pairs)
    return [kit.Poll(question, truth=f"{float(scores.grid.nan_to_num(0).max()):.4f}")]


def _choices(page: "kit.OpenPage[Report | None]") -> None:
    """Which sentences, which behaviour or relation, and for a relation from which of its two words."""
    settings, report = page.settings, page.data
    sources = heads_scores.sources(report, page.model.languages)
    settings.restrict(OF, sources)
    choices = heads_scores.choices(report, settings[OF])
    settings.restrict(WHAT, choices)
    what = settings[WHAT]
    directions: list[str] = []
    if report is not None and heads_scores.is_relation(what):
        directions = list(report.halves[settings[OF]].relations[what])
        settings.restrict(WAY, directions)
    with st.container(key="heads-controls", horizontal=True, vertical_alignment="center", gap="small"):
        kit.menu(
            settings,
            WHAT,
            _("What a head does"),
            choices,
            width=296,
            label_visibility="collapsed",
            on_change=lambda: settings.set(HEAD.to(None), SENTENCE.to(0)),
        )
        if what == DRAWN:
            st.button(
                _("Clear the arcs"),
                key="heads/clear",
                disabled=not settings[ARCS],
                on_click=lambda: settings.set(ARCS.to([]), HEAD.to(None)),
            )
            return
        st.button(
            _("Find a head"),
            key="heads/find",
            on_click=lambda: settings.set(WHAT.to(DRAWN), HEAD.to(None)),
            help=_("Draw arcs from word to word: which head looks along them?"),
        )
        with st.popover(_("Settings")):
            _settings(settings, sources, directions)
        if settings[OF] != LIVE and report is not None and heads_scores.is_relation(what):
            heads_sentence.stepper(settings, _parses(page))


def _settings(settings: kit.Settings, sources: list[str], directions: list[str]) -> None:
    """Where heads are measured, and for a relation from which of its two words."""
    kit.segments(
        settings,
        OF,
        _("Measured on"),
        {source: _(SOURCES[source]) for source in sources},
        width="content",
        on_change=lambda: settings.set(HEAD.to(None)),
        help=_("200 sentences that we wrote and parsed by hand, 300 that a grammar generated, or your own")
        if len(sources) > 1
        else _("Our parsed sentences are English"),
    )
    if directions:
        what = settings[WHAT]
        kit.segments(
            settings,
            WAY,
            _("Direction"),
            {direction: relation_name(what, direction) for direction in directions},
            width="content",
            on_change=lambda: settings.set(HEAD.to(None), SENTENCE.to(0)),
            help=_(
                "“{from_word}” asks where the head looks from such a word: the right answer is the word that "
                "it depends on. “{to_word}” asks the other way round.",
                from_word=relation_name(what, "to_head"),
                to_word=relation_name(what, "to_dependent"),
            ),
        )


def _parses(page: "kit.OpenPage[Report | None]") -> "tuple[Parse, ...]":
    """Our sentences in which the chosen relation occurs."""
    settings = page.settings
    causal = Ability.GENERATE in page.model.abilities
    return heads_sentence.parses_with(settings[OF], settings[WHAT], settings[WAY], causal)


def _behaviour_scores(settings: kit.Settings, report: "Report | None", trace: "Trace") -> HeadScores:
    """The score of every head for the chosen behaviour, on the chosen sentences."""
    source, what = _source(settings), settings[WHAT]
    if what == DRAWN:
        return own_arcs.scores(settings, trace)
    if source == LIVE or report is None:
        return heads_scores.on_text(trace, what)
    if source == REPEATED:
        return heads_scores.on_repeated(report, what)
    return heads_scores.on_sentences(report, source, what, "")


def _source(settings: kit.Settings) -> str:
    """The sentences that heads are measured on; one's own arcs are on one's own sentence."""
    return LIVE if settings[WHAT] == DRAWN else settings[OF]


def _head(settings: kit.Settings, scores: HeadScores) -> Head:
    """The chosen head, or the best one if none is chosen."""
    return kit.read_head(settings[HEAD], *scores.grid.shape) or head_map.best(scores.grid)


def _map(settings: kit.Settings, report: "Report | None", scores: HeadScores, head: Head, text: str) -> None:
    """Draw the map, and beside it the best heads with the baseline and its explanation."""
    grid, tokens = scores.grid, scores.unit == "tokens"
    kinds = heads_report.kinds(report)
    top = max(float(grid.nan_to_num(0).max()), 1.0) if tokens else head_map.ramp_end(grid)
    base = scores.baseline
    has_values = not bool(grid.isnan().all())
    chosen = [head] if has_values or settings[HEAD] is not None else []
    high = localised(f"{top:.1f}") if tokens else f"{100 * top:.0f}"

    def pick(layer: int, h: int | None) -> None:
        settings.set(HEAD.to([layer, h]))

    def tip(h: Head) -> str:
        return heads_scores.tip(h, scores, kinds.get(h, []))

    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            _("All heads, layers down, heads across; choose one to see it on the sentence"),
            grid,
            head_map.share_cells(grid, top, tip, percent=not tokens),
            pick,
            head_map.legend("0", high, _(scores.unit), [] if base is None else [base / top]),
            {"best": [head_map.best(grid)] if has_values else [], "chosen": chosen},
        )
    with right, st.container(gap="xxsmall"):
        if kit.presenting() and has_values and not tokens:
            st.html(in_words(settings, scores, head))
            return
        order = grid.nan_to_num(-1).flatten().argsort(descending=True, stable=True).tolist()
        heads = [divmod(i, grid.shape[1]) for i in order][:LISTED]
        if not has_values:
            heads = []
        elif head not in heads:
            heads[-1] = head
        head_map.ranking(
            _("The best heads"),
            scores.heading.capitalize(),
            grid,
            heads,
            head,
            lambda h: kind_names(kinds.get(h, []), 2),
            tip,
            pick,
            (lambda value: localised(f"{value:.1f}")) if tokens else kit.whole_percent,
            base,
            top if tokens else 1.0,
        )
        st.html(f'<p class="rb-point">{escape(" ".join(scores.notes))}</p>')
        if chosen:
            heads_sentence.to_attention(settings, head, text)


def in_words(settings: kit.Settings, scores: HeadScores, head: Head) -> str:
    """The score of a head, for a relation beside the best fixed distance's, in large letters, as HTML."""
    share = kit.whole_percent(float(scores.grid[head]))
    who = _("this head") if kit.for_class() else _("head {head}", head=head_map.name(head))
    lines = [escape(scores.heading.capitalize()), f"{who} <b>{share}</b>"]
    if scores.baseline is not None and heads_scores.is_relation(settings[WHAT]):
        lines.append(f"{_('the best fixed rule')} <b>{kit.whole_percent(scores.baseline)}</b>")
    return f'<p style="font-size:28px;line-height:42px;margin:24px 0 0">{"<br>".join(lines)}</p>'


def _scores_table(what: str, scores: HeadScores) -> str:
    rows = [
        [kit.head_name(layer, head), None if value != value else value]
        for layer, row in enumerate(scores.grid.tolist())
        for head, value in enumerate(row)
    ]
    return kit.table(["head", what], rows)


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=reading),
    settings=(OF, WHAT, WAY, SENTENCE, HEAD, ARCS),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(
            ".arc, .arrow, .caption",
            ".st-key-heads-map, .st-key-heads-map ~ *, [data-testid=stColumn] + [data-testid=stColumn] *",
        ),
        desk=".st-key-heads-stepper, .hint",
        polls=asks,
    ),
)
