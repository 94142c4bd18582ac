"""The notice that a page's model does not read what was typed, and which model does.

It is judged by the model's tokenizer, to which pieces may be unknown, and by the language of the text and
those in a bundled model's manifest. Parts of a character are not unknown: a byte-level model knows them.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from explorer.catalogue.ability import Ability, all_of
from explorer.catalogue.language import language_of, name_of
from explorer.catalogue.manifest import Manifest, manifests
from explorer.locale import _, close_up, format_number
from explorer.server import memory
from explorer.server.kept import kept
from explorer.text.letters import has_unspaced, is_letters

if TYPE_CHECKING:
    from explorer.trace import Encoding

FEWEST = 3  # pieces: for fewer, the view itself says which word is unknown
SHARE = 0.5  # of the pieces that must be unknown
LETTERS = 3  # pieces of a word, one letter each, which has fallen into letters


_language_of = kept(256)(language_of)


class Notice(NamedTuple):
    """What a model does not read, and the name of one that does; both may be empty."""

    text: str = ""
    reader: str = ""


def notice(name: str, texts: Sequence[str], needs: Sequence[str] = ()) -> Notice:
    """A notice about texts that a model does not read; an empty one if it reads them.

    A piece is unknown if the tokenizer replaces it by its unknown token, or if it is a letter of a word that
    has fallen into letters. The reader that is named has the abilities of one of `needs`.
    """
    counts = [_count_unknown(name, text) for text in texts]
    unknown, count = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    model = manifests().get(name)
    language = _foreign_language(model, texts) if model is not None else ""
    label = memory.short_label(name).removeprefix("hub:")
    if count >= FEWEST and unknown >= SHARE * count:
        text = _(
            "{model} cannot read this text: {unknown} of its {count} pieces are unknown to it, or "
            "single letters. What it says about them means nothing.",
            model=label,
            unknown=format_number(unknown),
            count=format_number(count),
        )
    elif model is not None and language:
        read = model.languages_in_words()
        text = _(
            "{model} reads {read}, and this looks {language}: what it says of it means little.",
            model=label,
            read=read,
            language=name_of(language),
        )
    else:
        return Notice()
    if not language:
        return Notice(text)
    reader = _reader(language, needs)
    if reader is None:
        nobody = _("No model here does this in {language}.", language=name_of(language))
        return Notice(close_up(f"{text} {nobody}"))
    if not reader.is_available():
        absent = _(
            "{model} reads it, and is not installed: choose it in the list of models.", model=reader.label
        )
        return Notice(close_up(f"{text} {absent}"))
    return Notice(close_up(f"{text} {_('{model} reads it.', model=reader.label)}"), reader.name)


def _foreign_language(model: Manifest, texts: Sequence[str]) -> str:
    """The first language of a text, or of all together, that a model does not read; empty without one."""
    if Ability.CONTEXT not in model.abilities:  # its boxes are for single words, and for texts to learn from
        return ""
    if Ability.TRANSLATE in model.abilities:  # the others are translations
        typed = _language_of(texts[0])
        return "" if typed == model.languages[0] else typed
    languages = map(_language_of, [*texts, "\n".join(texts)])
    return next((language for language in languages if language and not model.reads(language)), "")


def _reader(language: str, needs: Sequence[str]) -> Manifest | None:
    """The model that reads a language, and fewest others, among those that are here if one is."""
    readers = [
        model
        for model in manifests().values()
        if model.reads(language)
        and Ability.TRANSLATE not in model.abilities
        and (not needs or any(all_of(each) in model.abilities for each in needs))
    ]
    return min(readers, key=lambda model: (not model.is_available(), model.how_many()), default=None)


@kept(256)
def _count_unknown(name: str, text: str) -> tuple[int, int]:
    """The number of pieces of a text that are unknown to the model, and of all its pieces."""
    model = memory.get(name)
    encoding = model.encode(text, limit=1000)
    ids, special = encoding.ids.tolist(), encoding.special.tolist()
    ordinary = [i for i in range(len(encoding)) if not special[i]]
    unknown = {i for i in ordinary if ids[i] == model.tokenizer.unknown}
    if not getattr(model.tokenizer, "bytewise", False):
        unknown |= _letters(encoding, ordinary)
    return len(unknown), len(ordinary)


def _letters(encoding: "Encoding", positions: list[int]) -> set[int]:
    """The pieces of words that have fallen into letters; a script without spaces has no such words."""
    letters: set[int] = set()
    word: list[int] = []
    for i in [*positions, None]:
        if i is not None and word and encoding.spans[word[-1]][1] == encoding.spans[i][0]:
            word.append(i)
            continue
        surfaces = [encoding.surface(at) for at in word]
        if len(word) >= LETTERS and all(len(one) == 1 and is_letters(one) for one in surfaces):
            letters |= set() if has_unspaced("".join(surfaces)) else set(word)
        word = [] if i is None else [i]
    return letters
