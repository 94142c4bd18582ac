"""Search: the passages nearest to a question, and why; beside them what a search for words finds."""

import streamlit as st

from explorer import analysis
from explorer.server import memory
from explorer.server.kept import kept
from explorer.text.letters import has_unspaced
from explorer.views.frame.chart import chart
from explorer.views.frame.example import Example, Load
from explorer.views.frame.lecture.stage import Stage
from explorer.views.frame.page import palette
from explorer.views.frame.presenter import for_class
from explorer.views.frame.saving.saving import Export, Picture, table
from explorer.views.frame.view import OpenPage, Saves, View
from explorer.views.frame.view_text import view_text
from explorer.views.search import examples, kinds
from explorer.views.search.measured_chart import ranks_figure, ranks_table
from explorer.views.search.pair_data import pair_data, ranking_data
from explorer.views.search.question import (
    CUT,
    OVERLAP,
    PASSAGE,
    PICTURES,
    QUESTION,
    SETTINGS,
    WINDOW,
    passage_controls,
    passages_of,
    question_box,
)
from explorer.views.search.settings import MODEL
from explorer.views.settings.setting import Setting
from explorer.views.settings.settings import Settings
from explorer.views.types import Pairs, Ranking
from explorer.views.widgets.controls import segments
from explorer.views.widgets.notes import heading, instruction, note
from explorer.views.widgets.registry import component, component_value
from explorer.views.widgets.unread_characters import unread

SHOWN = Setting("shown", "question")
BY_MEANING, BY_WORDS = 4, 3  # passages listed

VIEW_TEXT = view_text("search", "find")


def controls(page: OpenPage[None]) -> None:
    """One question or all, the vectors, and the text with its passages."""
    settings = page.settings
    with st.container(key="search-controls", horizontal=True, vertical_alignment="center", gap="small"):
        segments(settings, SHOWN, "Picture", PICTURES)
        if settings[SHOWN] == "question":
            kinds.control(settings)
            passage_controls(settings)


def draw(page: OpenPage[None]) -> Saves:
    """The two rankings and the pairs of the chosen passage; or how often each search is right."""
    settings = page.settings
    if settings[SHOWN] == "twenty":
        chart(ranks_figure(palette()), "search/ranks")
        return [Picture("picture", "twenty-questions"), Export("Ranks", "ranks.csv", ranks_table)]
    question_box(settings, QUESTION)
    passages = passages_of(settings)
    if not passages:
        instruction(VIEW_TEXT.phrases["no_text"])
        return []
    ranking = analysis.sentences.search(settings[QUESTION], kinds.read(page, passages), BY_MEANING)
    words = _by_words(settings[QUESTION], passages)
    chosen = min(settings[PASSAGE], len(ranking.matches) - 1)
    settings.label(PASSAGE, "Passage", lambda place: str(place + 1))
    left, right = st.columns([42, 58], gap="large")
    with left.container(key="search-found", gap="xxsmall"):
        heading(f"By meaning (cosine), passages: {len(passages):,}")
        _ranked(settings, ranking, chosen, "search/by-meaning")
        heading("By words" if for_class() else "By words (BM25)")
        if has_unspaced(settings[QUESTION]):
            note(VIEW_TEXT.phrases["pairs"])
        _ranked(settings, words, -1, "search/by-words")
    with right.container(gap="xxsmall"):
        pairs = _explained(page, ranking, chosen)
    if MODEL.default != "minilm":
        from explorer.checkpoints.packaged import INSTALL

        note(VIEW_TEXT.phrases["missing"].format(command=INSTALL))
    return [
        Picture("picture", "search"),
        Export("Passages", "passages.csv", lambda: ranking_table(ranking, words)),
        *([Export("Pairs", "pairs.csv", lambda: pairs_table(pairs))] if pairs else []),
    ]


@kept(32)
def _by_words(question: str, passages: list[str]) -> "Ranking":
    return analysis.sentences.bm25(question, passages, BY_WORDS)


def _ranked(settings: Settings, ranking: "Ranking", chosen: int, key: str) -> None:
    """A list of passages, best first; in that by meaning a click explains one."""
    if not ranking.matches:
        note(VIEW_TEXT.phrases["no_word"])
        return

    def pick() -> None:
        if (place := component_value(key, "pick", range(len(ranking.matches)))) is not None:
            settings.set(PASSAGE.to(place))

    component("search/passages")(key=key, data=ranking_data(ranking, chosen), on_pick_change=pick)


def _explained(page: OpenPage[None], ranking: "Ranking", chosen: int) -> "Pairs | None":
    """Why the chosen passage is there, for vectors that are sums over tokens."""
    from explorer.analysis import sentences

    if not (name := kinds.model_name(page.settings)):
        note(VIEW_TEXT.phrases["counts"])
        return None
    pairs = sentences.explain(memory.get(name), page.settings[QUESTION], ranking.matches[chosen].text)
    heading(f"Why {ranking.matches[chosen].score:.2f}: what each pair of tokens adds")
    component("search/pairs")(key="search/pairs", data=pair_data(pairs))
    if remarks := " ".join(filter(None, (unread(each.encoding) for each in (pairs.question, pairs.passage)))):
        note(remarks)
    return pairs


def ranking_table(ranking: "Ranking", words: "Ranking") -> str:
    """The passages of both searches as a table."""
    rows = [
        [search, place, match.score, match.number + 1, match.text]
        for search, each in (("meaning", ranking), ("words", words))
        for place, match in enumerate(each.matches, 1)
    ]
    return table(["search", "place", "score", "passage", "text"], rows)


def pairs_table(pairs: "Pairs") -> str:
    """What each pair of tokens adds to the cosine: a row for each token of the question."""
    rows, columns = (shares.encoding.tokens for shares in (pairs.question, pairs.passage))
    return table(
        ["token", *columns], [[token, *row] for token, row in zip(rows, pairs.products.tolist(), strict=True)]
    )


def example(page: OpenPage[None]) -> Example:
    """The same passages from Python."""
    settings, name = page.settings, kinds.model_name(page.settings)
    windows = settings[CUT] == "windows"
    return Example(
        examples.nearest_passages,
        model=Load(name) if name else None,
        question=settings[QUESTION],
        words=settings[WINDOW] if windows else 0,
        overlap=settings[OVERLAP] if windows else 0,
    )


VIEW = View(
    text=VIEW_TEXT,
    settings=(*SETTINGS, SHOWN),
    controls=controls,
    draw=draw,
    example=example,
    reading=lambda page: VIEW_TEXT.readings[page.settings[SHOWN]],
    stage=Stage(
        covered=(".st-key-search-found", ".st-key-search-pairs, .plot-container"),
        boxes=(QUESTION,),
        text=QUESTION,
    ),
)
