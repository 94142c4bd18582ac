"""The nearest words of a word, as bars; a click walks on to one of them."""

from html import escape

import streamlit as st

from explorer.views.frame import blocklist
from explorer.views.frame.settings import Settings
from explorer.views.vectors.word_table import chance, rows, shown, table
from explorer.views.widgets.bars import bars
from explorer.views.widgets.text_box import text_box
from explorer.views.widgets.token_strip import token_strip

TOP = 12
STEPS_KEPT = 6


def draw(settings: Settings, name: str) -> None:
    """The word, its neighbours, and the way that led here."""
    from explorer.analysis import vectors

    left, right = st.columns([4, 7], gap="large")
    with left:
        text_box(settings, "word", "A word", "Type a word", on_change=lambda: settings.set(trail=[]))
        place = st.container(gap="xxsmall")
        _trail(settings)
    known, word = table(name), settings["word"].strip()
    found = vectors.nearest(known, word, TOP)
    cover = blocklist.over(name, word)
    place.html(_words(known.words[known.id(word)], found[0] if found else None, chance(name), cover))
    with right:

        def clicked(index: int) -> None:
            trail = [*_steps(settings), word][-STEPS_KEPT:]
            settings.set(word=found[index].word, trail=trail)

        bars(
            rows(found, cover), "vectors/neighbours", f"Words nearest to {word}; click one to go there",
            clicked, visible=TOP, headings=("cosine",),
        )  # fmt: skip


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "A bar is the cosine between two words’ vectors: 1 for the same direction, 0 for none in common. "
        "It is measured in the original space. Click a word to go there.",
        "Near means used alike, and opposites often are: hot and cold keep the same company.",
    )


def code(settings: Settings) -> str:
    """The same numbers from Python."""
    return f"""import explorer
from explorer.analysis import vectors

known = vectors.of(explorer.load({settings["model"]!r}))
for n in vectors.nearest(known, {settings["word"]!r}, top={TOP}):
    print(f"{{n.rank:2}} {{n.word:16}} {{n.cosine:.4f}}")"""


def _words(word: str, first, random: float, cover: blocklist.Blocklist) -> str:
    if first is None:
        return '<p class="rb-how">There is no other word.</p>'
    usual = f"{random:.2f}".replace("-", "−")
    nearest = f"<b>{escape(shown(first.word, cover))}</b>, cosine {first.cosine:.2f}"
    return f"""<p class="rb-how">Nearest to <b>{escape(word)}</b>: {nearest}</p>
<p class="rb-quiet" style="margin:0">Two words drawn at random: {usual} on average.</p>"""


def _steps(settings: Settings) -> list[str]:
    """The words that one came by; a link may bring anything."""
    return [word for word in settings["trail"] if isinstance(word, str)][-STEPS_KEPT:]


def _trail(settings: Settings) -> None:
    trail = _steps(settings)
    if not trail:
        return
    st.html('<p class="rb-quiet" style="margin:8px 0 0">You came by</p>')
    token_strip(
        [{"text": word, "title": "click to go back", "quiet": True} for word in trail],
        "vectors/trail",
        "The words you came by; click one to go back",
        lambda index: settings.set(word=trail[index], trail=trail[:index]) if index < len(trail) else None,
    )
