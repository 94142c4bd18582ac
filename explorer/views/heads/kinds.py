"""Kinds of head: how much every head does one thing, on our sentences or on the visitor's."""

from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Export, Picture, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.heads import head_map
from explorer.views.heads import report as heads_report
from explorer.views.heads import scores as heads_scores
from explorer.views.heads import sentence as heads_sentence
from explorer.views.heads.head_map import Head, name
from explorer.views.heads.presets import KINDS as PRESETS
from explorer.views.heads.scores import LIVE, REPEATED, SOURCES, WAYS, Measured

if TYPE_CHECKING:
    from explorer.analysis.heads import Report
    from explorer.analysis.heads.relations import Parse
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "below", "code", "draw", "how"]

LISTED = 5
NAMES = """
A name beside a head is one that it has earned on the sentences marked by hand; a relation must hold on the
grammar’s as well, so that no head is named after a habit of our grammar. Many heads earn none.

| name | when |
|---|---|
| previous, next, same | more than half of its attention goes there (Clark et al. 2019) |
| special | more than 0.6 of it goes to special tokens (Clark et al. 2019) |
| broad | its rows are as even as 3.8 nats of 128 tokens: 78 % of the most there can be (after the same) |
| from det, to obj ... | half of 20 questions or more right, and 10 points over the best fixed offset |
| induction, duplicate | more than 0.4 of it, on repeated random tokens (Olsson et al. 2022) |

Relations are those of Universal Dependencies 2 (de Marneffe et al. 2021), on 500 sentences of our own: trees
are known for these, not for a sentence that you type.
"""


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The controls, a sentence with one head's arcs, the map of all heads and the best ones in order."""
    report = heads_report.known(str(model.checkpoint))
    _controls(settings, report)
    source, what, way = settings["of"], settings["what"], settings["way"]
    if source != LIVE and report is None:
        heads_report.offer(model)
        return
    grammar = heads_scores.is_relation(what)
    if grammar:
        measured = heads_scores.on_sentences(report, source, what, way)
        parse = _our_sentence(settings, model, source)
    else:
        heads_sentence.box(settings)
        found = heads_sentence.trace(settings, model)
        if source == LIVE:
            measured = heads_scores.on_text(found, what)
        elif source == REPEATED:
            measured = heads_scores.on_repeated(report, what)
        else:
            measured = heads_scores.on_sentences(report, source, what, way)
    head = head_map.held(settings["head"], *measured.grid.shape) or head_map.best(measured.grid)
    _export(settings, measured)
    with st.container(key="heads-picture", gap="xsmall"):
        if grammar:
            heads_sentence.ours(model, parse, head, what, way)
        else:
            heads_sentence.yours(found, head, what)
        _map(settings, report, measured, head, parse.text if grammar else settings["text"])


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    if heads_scores.is_relation(settings["what"]):
        return (
            "From each such word, the head’s answer is the word it looks at most, special tokens and the "
            "word itself left out; a cell says how often that is right.",
            "Best head and best offset are chosen on the very sentences they are shown on; the figure for "
            "the head that was chosen on the grammar’s is not.",
        )
    live = "One sentence is an anecdote: compare our 500. " if settings["of"] == LIVE else ""
    rest = (
        "On our sentences GPT reads &lt;|endoftext|&gt; first, where heads rest; your text it reads bare. "
        if settings["model"] == "gpt" else ""
    )  # fmt: skip
    return (
        "A cell is a head, deeper for more: the mean share of its attention that goes there, from ordinary "
        "tokens.",
        f"{live}{rest}Attention is not explanation, and a head named here is one of this checkpoint.",
    )


def below(settings: Settings) -> None:
    """Where the names of heads come from, folded away."""
    from explorer.analysis.heads.relations import CLARK

    with st.expander("Where the names come from"):
        st.markdown(NAMES)
        if theirs := CLARK.get(settings["what"]):
            other = ", read from the noun: our *To it*" if settings["what"] == "case" else ""
            st.markdown(f"`{settings['what']}` is what Clark et al. (2019) call `{theirs}`{other}.")


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same numbers from Python."""
    what, source = settings["what"], settings["of"]
    needs = {
        LIVE: "from explorer.analysis import heads",
        REPEATED: "from explorer.analysis.heads import induction",
    }.get(source, "from explorer.analysis import heads\nfrom explorer.analysis.heads import relations")
    begin = f"""import explorer
{needs}

model = explorer.load({settings["model"]!r})
"""
    if source == LIVE:
        traced = f"{begin}trace = model.trace({settings['text']!r}, limit={LIVE_TOKENS})\n"
        return f"{traced}print(heads.behaviours(trace)[{what!r}])"
    if source == REPEATED:
        score = {"induction": "scores"}.get(what, what)
        return f"{begin}print(induction.induction(model).{score})"
    measured = f"{begin}scores = heads.measure(model, relations.library({source!r}))\n"
    if heads_scores.is_relation(what):
        return (
            f"{measured}found = scores.relations[{what!r}][{settings['way']!r}]\n"
            "print(found.best, found.accuracy[found.best], found.baseline)"
        )
    return f"{measured}print(scores.behaviours[{what!r}], scores.flat[{what!r}])"


def _controls(settings: Settings, report: "Report | None") -> None:
    """Which sentences, what is asked, and for grammar which way."""
    sources = heads_scores.sources(report)
    if settings["of"] not in sources:
        settings.set(of=sources[0])
    choices = heads_scores.choices(report, settings["of"])
    if settings["what"] not in choices:
        settings.set(what=next(iter(choices)))
    grammar = heads_scores.is_relation(settings["what"])
    ways = list(report.halves[settings["of"]].relations[settings["what"]]) if grammar and report else []
    if grammar and settings["way"] not in ways:
        settings.set(way=ways[0])
    with st.container(key="heads-controls", horizontal=True, vertical_alignment="center", gap="small"):
        st.segmented_control(
            "Measured on", sources, key=settings.key("of"), format_func=SOURCES.get, required=True,
            label_visibility="collapsed", width="content", on_change=lambda: settings.set(head=None),
            help="Sentences that we wrote and marked by hand, sentences that a grammar made, or your own",
        )  # fmt: skip
        st.selectbox(
            "What a head does", list(choices), key=settings.key("what"), format_func=choices.get, width=296,
            label_visibility="collapsed", on_change=lambda: settings.set(head=None, sentence=0),
        )  # fmt: skip
        if grammar:
            st.segmented_control(
                "Direction", ways, key=settings.key("way"), format_func=WAYS.get, required=True,
                label_visibility="collapsed", width="content",
                on_change=lambda: settings.set(head=None, sentence=0),
                help="From it: from such a word to the one it hangs on. To it: back from that one to it.",
            )  # fmt: skip


def _our_sentence(settings: Settings, model: "LanguageModel", half: str) -> "Parse":
    from explorer.trace import Ability

    causal = Ability.GENERATE in model.abilities
    parses = heads_sentence.having(half, settings["what"], settings["way"], causal)
    return heads_sentence.stepper(settings, parses)


def _map(settings: Settings, report: "Report | None", measured: Measured, head: Head, text: str) -> None:
    """The map, and beside it the best heads with their baseline and what must be said of it."""
    grid, tokens = measured.grid, measured.unit == "tokens"
    kinds = heads_report.kinds(report)
    top = max(float(grid.nan_to_num(0).max()), 1.0) if tokens else head_map.ramp_end(grid)
    base = measured.baseline
    known = not bool(grid.isnan().all())
    high = f"{top:.1f}" if tokens else f"{100 * top:.0f}"
    left, right = st.columns([58, 42], gap="medium")
    with left:
        head_map.head_map(
            "heads/map",
            "All heads, layers down, heads across; choose one to see it on the sentence",
            grid,
            head_map.share_cells(
                grid, top, lambda h: heads_scores.tip(h, measured, kinds.get(h, [])), percent=not tokens
            ),
            lambda layer, h: settings.set(head=[layer, h]),
            head_map.legend(
                "0", high, "tokens" if tokens else measured.unit, [] if base is None else [base / top]
            ),
            {"best": [head_map.best(grid)] if known else [], "chosen": [head]},
        )
    with right, st.container(gap="xxsmall"):
        order = grid.nan_to_num(-1).flatten().argsort(descending=True, stable=True).tolist()
        heads = [divmod(i, grid.shape[1]) for i in order][:LISTED]
        if not known:
            heads = []
        elif head not in heads:
            heads[-1] = head
        head_map.ranking(
            "heads/ranking",
            "The best heads",
            [
                {
                    "name": name(h), "note": heads_scores.kind_words(kinds.get(h, []), 2),
                    "value": float(grid[h]), "number": _number(float(grid[h]), tokens),
                    "tip": heads_scores.tip(h, measured, kinds.get(h, [])), "chosen": h == head,
                }
                for h in heads
            ],
            lambda index: settings.set(head=list(heads[index])),
            measured.heading.capitalize(),
            base,
            top if tokens else 1.0,
        )  # fmt: skip
        st.html(f'<p class="rb-point">{escape(" ".join(measured.says))}</p>')
        heads_sentence.to_attention(settings, head, text)


def _number(value: float, tokens: bool) -> str:
    return f"{value:.1f}" if tokens else head_map.percent(value)


def _export(settings: Settings, measured: Measured) -> None:
    what = settings["what"] + (f"-{settings['way']}" if heads_scores.is_relation(settings["what"]) else "")
    rows = [
        [layer, head, None if value != value else value]
        for layer, row in enumerate(measured.grid.tolist())
        for head, value in enumerate(row)
    ]
    file = f"heads-{settings['model']}-{settings['of']}-{what}"
    offer(
        settings,
        Picture("heads-picture", file),
        Export("Every head’s score", f"{file}.csv", lambda: table(["layer", "head", what], rows)),
    )
