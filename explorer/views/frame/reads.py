"""The examples of a page in the languages that its model reads; the page moves on to one of them.

A model of English opens a page as it is. Where a visitor takes a model that reads Chinese alone while an
example in English is still untouched, the page shows the first Chinese one instead, and back.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.frame.page import Preset
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

# Settings that belong to a text, or point into it, and go with it.
POINTING = (
    *("pair", "words", "locked", "pinned", "pinned_blank", "watched", "token", "arcs", "blank", "word"),
    *("cells", "across", "inside_to", "compare_cell"),
)
WHERE = {"layer", "head"}  # go with it where a Chinese example names them


def readable(presets: Sequence[Preset], model: "LanguageModel | None") -> list[Preset]:
    """The presets in a language of the model; those in English on a page without one."""
    languages = {"en"} if model is None else model.languages
    return [preset for preset in presets if preset.language in languages]


def move_on(
    settings: Settings,
    presets: Sequence[Preset],
    model: "LanguageModel | None",
    elsewhere: Sequence[Preset] = (),
) -> bool:
    """Go from an untouched text that the model cannot read to one that it can; whether it went.

    Texts are what the Chinese examples have in Chinese; how they are looked at stays as it is. Where a view
    has none, the first of the page's other views' (`elsewhere`) stands in.
    """
    chinese = [preset for preset in presets if preset.language == "zh"]
    if not chinese:
        # The first alone: what the others have in Chinese may be the text of another view.
        chinese = [preset for preset in elsewhere if preset.language == "zh"][:1]
        presets = [*presets, *chinese]
    if model is None or not chinese:
        return False
    texts = {name for preset in chinese for name, value in preset.values.items() if _is_chinese(value)}
    shown = readable(presets, model)
    unread = [preset.values for preset in presets if preset not in shown]
    if "en" not in model.languages:
        unread.append({})  # a page opens in English
    untouched = any(_has_texts(settings, texts, values) for values in unread)
    if not (texts and shown and untouched):
        return False
    opened = settings.defaults | ({} if shown[0].language == "en" else shown[0].values)
    moved = {*texts, *POINTING, *(WHERE & set(chinese[0].values))}
    settings.update({name: value for name, value in opened.items() if name in moved})
    return True


def _has_texts(settings: Settings, texts: Collection[str], values: dict[str, Any]) -> bool:
    return all(settings.value(name) == (settings.defaults | values)[name] for name in texts)


def _is_chinese(value: object) -> bool:
    from explorer.tokenizers.languages import is_ideograph  # with torch, which must not keep a page waiting

    return isinstance(value, str) and any(map(is_ideograph, value))
