"""Characters: how ELMo makes the vector of a word from its letters, even of a word that it has never met."""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from explorer import analysis
from explorer.errors import TextError
from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.elmo.settings import MODEL, WORD
from explorer.views.types import LanguageModel, Neighbour, RelatedWord, SpelledWord, Vectors

WHOLE_WORDS = "word2vec"  # has a vector for each word of its list, and for no other
TOP = 5
PIECES = 3  # pieces of the word shown for each width


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """How the word becomes a vector; beside it the nearest words in ELMo, fastText and word2vec."""
    word = page.settings[WORD].strip()
    spelling = analysis.characters.read(page.model, word)
    word2vec = kit.memory.get(WHOLE_WORDS)
    left, right = st.columns([7, 5], gap="large")
    with left:
        kit.component("elmo/characters")(key="sides/characters", data=picture_data(spelling))
        if spelling.cut:
            line = _("The first {count} bytes are read.", count=len(spelling.characters) - 2)
            st.html(f'<p class="rb-quiet">{line}</p>')
    blocked = kit.blocklist.over(page.settings[MODEL], word)
    lists: dict[str, Sequence[Neighbour | RelatedWord]] = {
        "ELMo": _by_letters(page.model, spelling, word2vec),
        "fastText": _by_ngrams(spelling.word, word2vec),
        "word2vec": [],
    }
    with right, st.container(gap="xxsmall"):
        word = f"<b>{kit.quoted(spelling.word)}</b>"
        _heading(_("Nearest to {word} in ELMo, by its letters", word=word))
        _bars(lists["ELMo"], blocked, "letters")
        _heading(_("Nearest by fastText’s n-grams"))
        _bars(lists["fastText"], blocked, "ngrams")
        _heading(_("Nearest in {model}, which reads whole words", model=WHOLE_WORDS))
        try:
            lists["word2vec"] = analysis.vectors.nearest(_words_of(word2vec), spelling.word, TOP)
            _bars(lists["word2vec"], blocked, "use")
        except TextError as error:
            kit.note(_("No vector. {reason}", reason=error.message))
    return [
        kit.Picture("picture", f"characters-{spelling.word}"),
        kit.Export(N_("Filters"), f"filters-{spelling.word}.csv", lambda: filters_csv(spelling)),
        kit.Export(
            N_("Nearest words"), f"nearest-{spelling.word}.csv", lambda: _neighbours_csv(lists, blocked)
        ),
        kit.Export(N_("Vector"), f"vector-{spelling.word}.csv", lambda: _vector_csv(spelling)),
    ]


def from_letters(model: "LanguageModel", word: str, top: int) -> dict[str, object]:
    """How much the highway carries on, a word's vector from its letters, and the words nearest to it."""
    from explorer.analysis import characters, vectors

    spelling = characters.read(model, word)
    vocabulary = characters.vocabulary(model, characters.own_words(model))
    near = vectors.nearest(vocabulary, spelling.vector, top, [word] if word in vocabulary.words else [])
    return {
        "carried": [float(highway.mean()) for highway in spelling.carried],
        "nearest": [(neighbour.word, neighbour.cosine) for neighbour in near],
        "vector": spelling.vector.tolist(),
    }


def picture_data(spelling: "SpelledWord") -> dict[str, Any]:
    """What the component draws of a word: characters, widths with their pieces, highways, vector."""
    count = len(spelling.characters)
    return {
        "word": spelling.word,
        "characters": spelling.characters,
        "widths": [
            {
                "width": filters.width,
                "count": len(filters.values),
                "covers": _covers(filters.starts.tolist(), filters.width, count),
                "pieces": pieces(spelling, which)[:PIECES],
            }
            for which, filters in enumerate(spelling.filters)
        ],
        "highways": [
            {
                "share": round(float(carried.mean()), 4),
                "carried": [round(share, 3) for share in carried.sort(descending=True).values.tolist()],
            }
            for carried in spelling.carried
        ],
        "vector": [round(value, 4) for value in spelling.vector.tolist()],
    }


def pieces(spelling: "SpelledWord", which: int) -> list[dict[str, Any]]:
    """The pieces of a word where filters of one width found their best match, the strongest first."""
    filters = spelling.filters[which]
    at: dict[int, list[float]] = {}
    for start, value in zip(filters.starts.tolist(), filters.values.tolist(), strict=True):
        if start < len(spelling.characters) and value > 0:
            at.setdefault(start, []).append(value)
    rows = [
        {
            "start": start,
            "characters": spelling.characters[start : start + filters.width],
            "strongest": round(max(values), 3),
            "filters": len(values),
        }
        for start, values in at.items()
    ]
    return sorted(rows, key=lambda row: -row["strongest"])


def filters_csv(spelling: "SpelledWord") -> str:
    """Each filter with its width, the piece of its best match, and what goes on to the highway."""
    rows = []
    for filters in spelling.filters:
        for number, (start, value) in enumerate(zip(filters.starts.tolist(), filters.values.tolist()), 1):
            piece = "".join(spelling.characters[start : start + filters.width]) or "padding"
            rows.append([filters.width, number, start, piece, value])
    return kit.table(["width", "filter", "place", "characters", "strength"], rows)


def _covers(starts: list[int], width: int, length: int) -> list[float]:
    """For each character the share of the filters whose best match covers it."""
    covered = [0] * length
    for start in starts:
        for at in range(start, min(start + width, length)):
            covered[at] += 1
    return [round(filters / len(starts), 4) for filters in covered]


@kit.kept(3)
def _vocabulary(model: "LanguageModel", word2vec: "LanguageModel") -> "Vectors":
    """The vectors, by their letters, of the words that a model lists, or of word2vec's if it lists none."""
    from explorer.analysis import characters

    return characters.vocabulary(model, characters.own_words(model) or list(_words_of(word2vec).words))


@kit.kept(1)
def _words_of(word2vec: "LanguageModel") -> "Vectors":
    return analysis.vectors.of(word2vec)


def _by_letters(
    model: "LanguageModel", spelling: "SpelledWord", word2vec: "LanguageModel"
) -> "list[Neighbour]":
    vocabulary = _vocabulary(model, word2vec)
    itself = [spelling.word] if spelling.word in vocabulary.places else []
    return analysis.vectors.nearest(vocabulary, spelling.vector, TOP, itself)


@kit.kept(256)
def _by_ngrams(word: str, word2vec: "LanguageModel") -> "list[RelatedWord]":
    """The words that share most of fastText's n-grams."""
    from explorer.analysis.vectors import pieces

    return pieces.relatives(word, _words_of(word2vec).words, TOP)


def _heading(html: str) -> None:
    st.html(f'<p class="rb-quiet" style="margin:8px 0 0;font-size:18px">{html}</p>')


def _bars(
    neighbours: "Sequence[Neighbour | RelatedWord]", blocked: kit.blocklist.Blocklist, key: str
) -> None:
    rows = [
        {"token": near.word, "cosine": near.cosine, "covered": kit.blocklist.covers(blocked, "", near.word)}
        for near in neighbours
    ]
    kit.bars(rows, f"sides/characters/{key}", _("The nearest words, with their cosines"), visible=TOP)


def _neighbours_csv(
    lists: "Mapping[str, Sequence[Neighbour | RelatedWord]]", blocked: kit.blocklist.Blocklist
) -> str:
    dots, covers = kit.blocklist.DOTS, kit.blocklist.covers
    rows = [
        [by, rank, dots if covers(blocked, "", near.word) else near.word, near.cosine]
        for by, neighbours in lists.items()
        for rank, near in enumerate(neighbours, 1)
    ]
    return kit.table(["by", "rank", "word", "cosine"], rows)


def _vector_csv(spelling: "SpelledWord") -> str:
    return kit.table(
        ["dimension", "value"], [[i, value] for i, value in enumerate(spelling.vector.tolist(), 1)]
    )


VIEW = kit.View(
    text=kit.view_text("sides", "characters"),
    settings=(WORD,),
    controls=lambda page: kit.text_box(page.settings, WORD, _("A word, real or made up"), _("Type a word")),
    picture=draw,
    example=lambda page: kit.Example(
        from_letters, model=kit.Load(page.settings[MODEL]), word=page.settings[WORD].strip(), top=TOP
    ),
    stage=kit.Stage(desk=".row small, .pieces, .row:has(.highway)"),
)
