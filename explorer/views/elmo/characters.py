"""Characters: how ELMo makes a vector of a word's letters, and so of words that nobody has written yet."""

from html import escape
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.elmo.presets import CHARACTERS as PRESETS
from explorer.views.elmo.settings import MODEL, WORD
from explorer.views.frame import blocklist, caching, memory
from explorer.views.frame.example import Example, Load
from explorer.views.frame.first import First
from explorer.views.frame.saving import Export, Picture, table
from explorer.views.frame.view import Page, Reading, Saves, View
from explorer.views.widgets.bars import bars
from explorer.views.widgets.quoted import quoted
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.analysis.characters import SpelledWord as Spelled
    from explorer.analysis.vectors import Neighbour, Vectors
    from explorer.models import LanguageModel


WHOLE = "word2vec"  # a vector for each word of a list, and none for any other
TOP = 7
PIECES = 3  # pieces of the word shown for each width


def controls(page: Page[None]) -> None:
    """The word."""
    text_box(page.settings, WORD, "A word, real or made up", "Type a word")


def draw(page: Page[None]) -> Saves:
    """The word's way to its vector; beside it the nearest words, by its letters and by word2vec."""
    from explorer.analysis import characters

    word = page.settings[WORD].strip()
    found = characters.read(page.model, word)
    whole = memory.get(WHOLE)
    left, right = st.columns([8, 5], gap="large")
    with left:
        component("elmo/characters")(key="sides/characters", data=shown(found))
        if found.cut:
            st.html(f'<p class="rb-quiet">The first {len(found.characters) - 2} bytes are read.</p>')
    blocked = blocklist.over(page.settings[MODEL], word)
    lists = {"by its letters": _by_letters(page.model, found, whole), "word2vec": []}
    with right, st.container(gap="xxsmall"):
        _heading(f"Nearest to <b>{quoted(found.word)}</b> by its letters")
        _bars(lists["by its letters"], blocked, "letters")
        _heading(f"Nearest by {WHOLE}, which reads whole words")
        try:
            lists["word2vec"] = _by_use(found.word, whole)
            _bars(lists["word2vec"], blocked, "use")
        except TextError as error:
            st.html(f'<p class="rb-how" style="margin:0">No vector. {escape(error.message)}</p>')
    return [
        Picture("picture", f"characters-{found.word}"),
        Export("Filters", f"filters-{found.word}.csv", lambda: filters_csv(found)),
        Export("Nearest words", f"nearest-{found.word}.csv", lambda: _neighbours_csv(lists, blocked)),
        Export("Vector", f"vector-{found.word}.csv", lambda: _vector_csv(found)),
    ]


def reading(page: Page[None]) -> Reading:
    """How to read the picture."""
    return Reading(
        "A filter looks for one pattern of neighbouring characters, ‹ and › being the word’s beginning and "
        "end, and keeps its best match. The more "
        "filters found theirs at a letter, the stronger its colour; at the right the pieces with the "
        "strongest matches. The highway carries each number on, replaces it, or mixes both; then comes one "
        "matrix.",
        "This vector, layer 0, is the same in every sentence: it knows the spelling, not the sense.",
    )


def example(page: Page[None]) -> Example:
    """The same way from Python."""
    return Example(from_letters, model=Load(page.settings[MODEL]), word=page.settings[WORD].strip(), top=TOP)


def from_letters(model: "LanguageModel", word: str, top: int) -> dict[str, object]:
    """How much the highway carries on, a word's vector from its letters, and the words nearest to it."""
    from explorer.analysis import characters, vectors

    found = characters.read(model, word)
    known = characters.vocabulary(model, characters.own_words(model))
    near = vectors.nearest(known, found.vector, top, [word] if word in known.words else [])
    return {
        "carried": [float(highway.mean()) for highway in found.carried],
        "nearest": [(one.word, one.cosine) for one in near],
        "vector": found.vector.tolist(),
    }


def shown(found: "Spelled") -> dict[str, Any]:
    """A word's way as plain data: characters, widths with their pieces, highways, vector."""
    count = len(found.characters)
    return {
        "word": found.word,
        "characters": found.characters,
        "widths": [
            {
                "width": filters.width,
                "count": len(filters.values),
                "covers": _covers(filters.starts.tolist(), filters.width, count),
                "pieces": pieces(found, which)[:PIECES],
            }
            for which, filters in enumerate(found.filters)
        ],
        "highways": [
            {
                "share": round(float(carried.mean()), 4),
                "carried": [round(one, 3) for one in carried.sort(descending=True).values.tolist()],
            }
            for carried in found.carried
        ],
        "vector": [round(one, 4) for one in found.vector.tolist()],
    }


def pieces(found: "Spelled", which: int) -> list[dict[str, Any]]:
    """The pieces of a word where filters of one width found their best match, the strongest first."""
    filters = found.filters[which]
    at: dict[int, list[float]] = {}
    for start, value in zip(filters.starts.tolist(), filters.values.tolist(), strict=True):
        if start < len(found.characters) and value > 0:
            at.setdefault(start, []).append(value)
    made = [
        {
            "start": start,
            "characters": found.characters[start : start + filters.width],
            "strongest": round(max(values), 3),
            "filters": len(values),
        }
        for start, values in at.items()
    ]
    return sorted(made, key=lambda one: -one["strongest"])


def filters_csv(found: "Spelled") -> str:
    """Each filter with its width, the piece of its best match, and what goes on to the highway."""
    rows = []
    for filters in found.filters:
        for number, (start, value) in enumerate(zip(filters.starts.tolist(), filters.values.tolist()), 1):
            piece = "".join(found.characters[start : start + filters.width]) or "padding"
            rows.append([filters.width, number, start, piece, value])
    return table(["width", "filter", "place", "characters", "strength"], rows)


def _covers(starts: list[int], width: int, count: int) -> list[float]:
    """For each character the share of the filters whose best match covers it."""
    covered = [0] * count
    for start in starts:
        for at in range(start, min(start + width, count)):
            covered[at] += 1
    return [round(one / len(starts), 4) for one in covered]


@caching.resource(max_entries=3)
def _vocabulary(model: "LanguageModel", whole: "LanguageModel") -> "Vectors":
    """The vectors of a model's own words by their letters; word2vec's words where it lists none."""
    from explorer.analysis import characters

    return characters.vocabulary(model, characters.own_words(model) or list(_words_of(whole).words))


@caching.resource(max_entries=1)
def _words_of(whole: "LanguageModel") -> "Vectors":
    from explorer.analysis import vectors

    return vectors.of(whole)


def _by_letters(model: "LanguageModel", found: "Spelled", whole: "LanguageModel") -> "list[Neighbour]":
    from explorer.analysis import vectors

    known = _vocabulary(model, whole)
    return vectors.nearest(known, found.vector, TOP, [found.word] if found.word in known.places else [])


def _by_use(word: str, whole: "LanguageModel") -> "list[Neighbour]":
    """word2vec's nearest words. Raises TextError where it has no vector for the word."""
    from explorer.analysis import vectors

    return vectors.nearest(_words_of(whole), word, TOP)


def _heading(html: str) -> None:
    st.html(f'<p class="rb-quiet" style="margin:8px 0 0;font-size:18px">{html}</p>')


def _bars(found: "list[Neighbour]", blocked: blocklist.Blocklist, key: str) -> None:
    rows = [
        {"token": n.word, "cosine": n.cosine, "covered": blocklist.covers(blocked, "", n.word)} for n in found
    ]
    bars(rows, f"sides/characters/{key}", "The nearest words, with their cosines", visible=TOP)


def _neighbours_csv(lists: "dict[str, list[Neighbour]]", blocked: blocklist.Blocklist) -> str:
    rows = [
        [by, n.rank, blocklist.DOTS if blocklist.covers(blocked, "", n.word) else n.word, n.cosine]
        for by, found in lists.items()
        for n in found
    ]
    return table(["by", "rank", "word", "cosine"], rows)


def _vector_csv(found: "Spelled") -> str:
    return table(["dimension", "value"], [[i, one] for i, one in enumerate(found.vector.tolist(), 1)])


VIEW = View(
    label="Characters",
    first=First(
        "ELMo has never met this word, and yet makes a vector for it from its letters.",
        "Make up a word of your own, such as blorping.",
    ),
    settings=(WORD,),
    presets=PRESETS,
    controls=controls,
    draw=draw,
    reading=reading,
    example=example,
)
