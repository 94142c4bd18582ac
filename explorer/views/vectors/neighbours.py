"""Neighbours: the words nearest to a word, as bars; a click goes to one of them."""

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, format_with, localised
from explorer.views import kit
from explorer.views.types import Neighbour
from explorer.views.vectors import examples
from explorer.views.vectors.settings import MODEL, SPELT, TRAIL, VIEW_NAME, WORD
from explorer.views.vectors.word_table import display, measure, random_cosine, ranking_csv, rows, table

TOP = 12
STEPS_KEPT = 6


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The word, its neighbours, and the words that led here."""
    settings = page.settings
    left, right = (st.container(), st.container()) if kit.presenting() else st.columns([4, 7], gap="large")
    with left:
        kit.text_box(
            settings, WORD, _("A word"), _("Type a word"), on_change=lambda: settings.set(TRAIL.to([]))
        )
        place = st.container(gap="xxsmall")
        _trail(settings)
    word, embeddings = settings[WORD].strip(), table(page.model)
    neighbours = analysis.vectors.nearest(embeddings, word, TOP)
    blocked = kit.blocklist.over(settings[MODEL], word)
    first = neighbours[0] if neighbours else None
    place.html(_nearest(embeddings.words[embeddings.id(word)], first, random_cosine(page.model), blocked))

    def clicked(index: int) -> None:
        trail = [*_steps(settings), word][-STEPS_KEPT:]
        settings.set(WORD.to(neighbours[index].word), TRAIL.to(trail))

    with right:
        label = _("Words nearest to {word}; press one to go there", word=word)
        listed = rows(neighbours, blocked)
        kit.bars(listed, "vectors/neighbours", label, clicked, visible=TOP, headings=(measure(),))
    return [
        kit.Picture("picture", f"neighbours-{word}"),
        kit.Export(N_("Nearest words"), f"neighbours-{word}.csv", lambda: ranking_csv(neighbours, blocked)),
    ]


def below(page: kit.OpenPage[None]) -> None:
    """For a word without a vector, the ways to methods that give it one."""
    settings = page.settings
    word = settings[WORD].strip()
    if not word or len(word.split()) > 1 or word in table(page.model):
        return
    two = _("Two methods have a vector for every word, even a new one:")
    st.html(f'<p class="rb-how">{two}</p>')
    with st.container(horizontal=True, gap="medium"):
        st.button(
            _("fastText, by its n-grams"),
            key="vectors/to-fasttext",
            on_click=settings.set,
            args=(VIEW_NAME.to("fasttext"), SPELT.to(word)),
        )
        kit.navigation.link("sides", _("ELMo, by its letters"), view="characters", word=word)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word is nearest."""
    from explorer.analysis import vectors

    word = page.settings[WORD].strip()
    if not word:
        return []

    def nearest() -> str:
        return next((one.word for one in vectors.nearest(table(page.model), word, TOP)), "")

    text = _("Which word is nearest to “{word}”?", word=word)
    return [kit.Poll(kit.Question("word", text), find_truth=nearest)]


def _nearest(word: str, first: "Neighbour | None", random: float, blocked: kit.blocklist.Blocklist) -> str:
    if first is None:
        return f'<p class="rb-how">{_("There is no other word.")}</p>'
    usual = format_with(random, ".2f")
    nearest = _(
        "Nearest to <b>{word}</b>: <b>{nearest}</b>, {measure} {cosine}",
        word=kit.quoted(word),
        nearest=kit.quoted(display(first.word, blocked)),
        measure=measure(),
        cosine=localised(f"{first.cosine:.2f}"),
    )
    return f"""<p class="rb-how">{nearest}</p>
<p class="rb-quiet" style="margin:0">{_("For two random words the average is {cosine}.", cosine=usual)}</p>"""


def _steps(settings: kit.Settings) -> list[str]:
    """The words visited before this one; a link's values are checked."""
    return [word for word in settings[TRAIL] if isinstance(word, str)][-STEPS_KEPT:]


def _trail(settings: kit.Settings) -> None:
    trail = _steps(settings)
    if not trail:
        return
    st.html(f'<p class="rb-quiet" style="margin:8px 0 0">{_("Words before this one")}</p>')
    kit.token_strip(
        [{"text": word, "title": _("press to go back"), "quiet": True} for word in trail],
        "vectors/trail",
        _("The words before this one; press one to go back"),
        lambda index: (
            settings.set(WORD.to(trail[index]), TRAIL.to(trail[:index])) if index < len(trail) else None
        ),
    )


VIEW = kit.View(
    text=kit.view_text("vectors", "neighbours"),
    settings=(WORD, TRAIL),
    picture=draw,
    footer=below,
    example=lambda page: kit.Example(
        examples.nearest_words,
        model=kit.Load(page.settings[MODEL]),
        word=page.settings[WORD].strip(),
        top=TOP,
    ),
    stage=kit.Stage(covered=(".token, .rb-how",), polls=asks),
)
