"""The examples of a page in the languages that its model reads; the page moves on to one of them.

A model of English opens a page as it is. Where a visitor takes a model that reads Chinese alone while an
example in English is still untouched, the page shows the first Chinese one instead, and back.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.views.frame.page import Preset
from explorer.views.frame.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

KEPT = ("model", "view")  # what the visitor has just chosen


def readable(presets: Sequence[Preset], model: "LanguageModel | None") -> list[Preset]:
    """The presets in a language of the model; those in English on a page without one."""
    languages = {"en"} if model is None else model.languages
    return [preset for preset in presets if preset.language in languages]


def move_on(settings: Settings, presets: Sequence[Preset], model: "LanguageModel | None") -> bool:
    """Go from an untouched example that the model cannot read to the first that it can; whether it went."""
    if model is None or all(preset.language == "en" for preset in presets):
        return False
    shown = readable(presets, model)
    unread = [preset for preset in presets if preset.language not in model.languages]
    if not shown or not any(_stands(settings, preset) for preset in unread):
        return False
    opened = settings.defaults | ({} if shown[0].language == "en" else shown[0].values)
    settings.set(**{name: value for name, value in opened.items() if name not in KEPT})
    return True


def _stands(settings: Settings, preset: Preset) -> bool:
    """Whether the page's text is this example's; what else is set is no matter."""
    values = settings.defaults | preset.values
    texts = [name for name, value in values.items() if isinstance(value, str) and name not in KEPT]
    return all(settings[name] == values[name] for name in texts)
