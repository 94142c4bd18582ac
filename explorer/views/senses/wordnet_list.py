"""WordNet's senses of the chosen word, beside the map: what a dictionary knows, and what it misses."""

from collections.abc import Collection
from html import escape

import streamlit as st

from explorer.errors import TextError
from explorer.locale import N_, _, ngettext
from explorer.views import kit
from explorer.views.senses import example_sentences
from explorer.views.senses.settings import WORDNET
from explorer.views.senses.word_occurrences import WordOccurrences
from explorer.views.types import Meaning

LANGUAGE = "en"
NAME = N_("WordNet’s senses")


def wordnet_list(word: str) -> None:
    """Draw the senses as a list that scrolls, and a line on what WordNet lacks."""
    from explorer.analysis.senses import wordnet

    try:
        meanings = wordnet.meanings(word)
    except TextError as error:
        st.html(f'<p class="rb-point">{escape(error.message)} {escape(error.hint)}</p>')
        return
    presented = " presented" if kit.presenting() else ""
    if not presented:
        st.html(f'<p class="rb-point">{escape(summary(word, len(meanings), wordnet.missing(word)))}</p>')
    st.html(
        f'<div class="rb-wordnet{presented}" tabindex="0" role="group" aria-label="{_(NAME)}">'
        f"{''.join(map(_row, meanings))}</div>"
    )


def shown_alone(settings: kit.Settings, languages: Collection[str]) -> bool:
    """Whether the list stands in place of the map: in presenter mode, for a model that reads its language."""
    return kit.presenting() and settings[WORDNET] and LANGUAGE in languages


def missed_sentences(occurrences: "WordOccurrences") -> None:
    """Draw the sentences whose sense WordNet does not list."""
    from explorer.analysis.senses import wordnet

    missed = wordnet.missing(occurrences.word)
    texts = [occurrences.text(i) for i, sense in enumerate(occurrences.senses) if sense in missed]
    rows = "".join(f"<p>{kit.quoted(text)}</p>" for text in texts)
    if rows:
        st.html(f'<div class="rb-missed"><b>{_("In none of these senses:")}</b>{rows}</div>')


def summary(word: str, count: int, missing: list[str]) -> str:
    """How many senses WordNet and our sentences have, and which of ours it lacks."""
    from explorer.analysis.senses import library_words

    ours = example_sentences.senses_of(own) if (own := word.strip().lower()) in library_words() else []
    parts = [ngettext("{count} sense in WordNet.", "{count} senses in WordNet.", count)]
    if ours:
        parts.append(_("Our sentences have {count}.", count=len(ours)))
    if missing:
        senses = _(" and ").join(f"#{sense}" for sense in missing)
        parts.append(_("It lacks {senses}.", senses=senses))
    else:
        parts.append(_("A list cannot say which one a sentence means, and this one dates from 2006."))
    return " ".join(parts)


def export(word: str) -> list[kit.Export]:
    """The list as a file; nothing for a word outside the extract."""
    from explorer.analysis.senses import wordnet

    try:
        meanings = wordnet.meanings(word)
    except TextError:
        return []
    heads = ["word", "part of speech", "number", "synonyms", "definition"]
    rows = [
        [meaning.lemma, meaning.part, meaning.number, "; ".join(meaning.synonyms), meaning.definition]
        for meaning in meanings
    ]
    return [kit.Export(NAME, f"wordnet-{word.strip()}.csv", lambda: kit.table(heads, rows))]


def _row(meaning: "Meaning") -> str:
    synonyms = f" <i>{kit.quoted(', '.join(meaning.synonyms))}</i>" if meaning.synonyms else ""
    name = f"{meaning.lemma}, {meaning.part} {meaning.number}"
    return f'<p class="rb-sense"><b>{kit.quoted(name)}</b> {escape(meaning.definition)}{synonyms}</p>'
