"""fastText: a word is cut into character n-grams, so that a new word has a vector too."""

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from explorer import assets
from explorer.locale import N_, _, close_up, ngettext
from explorer.views import kit
from explorer.views.types import LanguageModel, RelatedWord
from explorer.views.vectors import examples
from explorer.views.vectors.ratios import CSS
from explorer.views.vectors.settings import MODEL, SPELT
from explorer.views.vectors.word_table import display, measure
from explorer.views.vectors.word_table import table as known_words

TOP = 7


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The n-grams of the word; beside them the words that share most of them."""
    from explorer.analysis.vectors import pieces

    settings = page.settings
    word = settings[SPELT].strip()
    parts = pieces.pieces(word)
    relatives = _relatives(page.model, word)
    blocked = kit.blocklist.over(settings[MODEL], word)
    nearest = next((r.word for r in relatives if not kit.blocklist.covers(blocked, "", r.word)), "")
    has = (
        N_("{model} has a vector for “{word}”.")
        if word in known_words(page.model)
        else N_("{model} has no vector for “{word}”.")
    )
    says = [
        _(has, model=kit.quoted(kit.memory.short_label(settings[MODEL])), word=kit.quoted(word)),
        _(
            "<b>fastText</b> (2017) gives a vector to each n-gram of characters and adds them up, so that "
            "every word has one."
        ),
    ]
    if nearest:
        says.append(_("Filled: those of “{word}”.", word=kit.quoted(nearest)))
    st.html(f"<style>{assets.text(CSS)}</style>")
    st.html(f'<p class="rb-how">{close_up(" ".join(says))}</p>')
    left, right = st.columns([7, 5], gap="large")
    left.html(pieces_html(pieces.by_length(parts), set(pieces.pieces(nearest)) if nearest else ()))
    with right:
        rows = [
            {
                "token": relative.word,
                "cosine": relative.cosine,
                "tip": ngettext("{count} n-gram shared", "{count} n-grams shared", relative.shared),
                "covered": kit.blocklist.covers(blocked, "", relative.word),
            }
            for relative in relatives
        ]
        label = _("Words that share most n-grams with {word}", word=word)
        kit.bars(rows, "vectors/pieces", label, visible=TOP, headings=(measure(),))
    return [
        kit.Picture("picture", f"pieces-{word}"),
        kit.Export(
            N_("N-grams"), f"pieces-{word}.csv", lambda: kit.table(["piece"], [[piece] for piece in parts])
        ),
        kit.Export(N_("Words"), f"words-{word}.csv", lambda: relatives_csv(relatives, blocked)),
    ]


def pieces_html(rows: Mapping[int, Sequence[str]], shared: Collection[str]) -> str:
    """The pieces of a word, a row for each length; those that are `shared` and the whole word stand out."""
    whole = list(rows.values())[-1][-1]

    def look(piece: str) -> str:
        return "piece" + " whole" * (piece == whole) + " shared" * (piece in shared)

    lines = "".join(
        f'<div class="row"><span class="name">{_("{count} characters", count=size)}</span>'
        '<span class="all" dir="auto">'
        + "".join(f'<span class="{look(piece)}">{kit.quoted(piece)}</span>' for piece in pieces_of_size)
        + "</span></div>"
        for size, pieces_of_size in rows.items()
    )
    return f'<div class="rb-pieces">{lines}</div>'


def relatives_csv(relatives: "list[RelatedWord]", blocked: kit.blocklist.Blocklist) -> str:
    """The words that share most n-grams, with the number; blocked words are written as dots."""
    rows = [[display(r.word, blocked), r.shared, r.cosine] for r in relatives]
    return kit.table(["word", "pieces shared", "cosine"], rows)


@kit.kept(256)
def _relatives(model: "LanguageModel", word: str) -> "list[RelatedWord]":
    from explorer.analysis.vectors import pieces

    return pieces.relatives(word, known_words(model).words, TOP)


VIEW = kit.View(
    text=kit.view_text("vectors", "fasttext"),
    settings=(SPELT,),
    controls=lambda page: kit.text_box(page.settings, SPELT, _("A word, real or made up"), _("Type a word")),
    picture=draw,
    footer=lambda page: kit.navigation.link(
        "sides",
        _("The same word in ELMo, letter by letter"),
        view="characters",
        word=page.settings[SPELT].strip(),
    ),
    example=lambda page: kit.Example(
        examples.word_pieces, model=kit.Load(page.settings[MODEL]), word=page.settings[SPELT].strip(), top=TOP
    ),
    stage=kit.Stage(covered=(".piece", ".head, .list")),
)
