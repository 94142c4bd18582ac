"""The examples of a page in the languages that its model reads; the page moves on to one of them.

A model of English opens a page as it is. Where a visitor takes a model that reads Chinese alone while an
example in English is still untouched, the page shows the first Chinese one instead, and back.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from explorer.views.frame.page import Preset
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

POINTING = ("words", "locked", "pinned")  # settings that point into a text, and go with it


def readable(presets: Sequence[Preset], model: "LanguageModel | None") -> list[Preset]:
    """The presets in a language of the model; those in English on a page without one."""
    languages = {"en"} if model is None else model.languages
    return [preset for preset in presets if preset.language in languages]


def move_on(settings: Settings, presets: Sequence[Preset], model: "LanguageModel | None") -> bool:
    """Go from an untouched text that the model cannot read to one that it can; whether it went.

    Texts are what the Chinese examples have in Chinese; how they are looked at stays as it is.
    """
    chinese = [preset for preset in presets if preset.language == "zh"]
    if model is None or not chinese:
        return False
    texts = {name for preset in chinese for name, value in preset.values.items() if _is_chinese(value)}
    shown = readable(presets, model)
    unread = [preset for preset in presets if preset not in shown]
    untouched = any(_has_texts(settings, texts, preset) for preset in unread)
    if not (texts and shown and untouched):
        return False
    opened = settings.defaults | ({} if shown[0].language == "en" else shown[0].values)
    settings.set(**{name: value for name, value in opened.items() if name in texts or name in POINTING})
    return True


def _has_texts(settings: Settings, texts: Collection[str], preset: Preset) -> bool:
    values = settings.defaults | preset.values
    return all(settings[name] == values[name] for name in texts)


def _is_chinese(value: object) -> bool:
    from explorer.tokenizers.languages import is_ideograph  # with torch, which must not keep a page waiting

    return isinstance(value, str) and any(map(is_ideograph, value))
