"""The examples of a page in the languages that its model reads.

If a visitor chooses a model that reads Chinese only, and the text on the page is still one of the English
examples, the page shows its first Chinese example instead; and the other way round.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from explorer.catalogue.manifest import EVERY, manifests
from explorer.views.frame.presets import Preset
from explorer.views.settings.settings import Settings

if TYPE_CHECKING:
    from explorer.models import LanguageModel

# Settings that belong to a text, or point into it, and change with it.
POINTING = (
    *("pair", "words", "locked", "pinned", "pinned_blank", "followed", "token", "arcs", "blank", "word"),
    *("cells", "across", "inside_to", "compare_cell"),
)
WHERE = {"layer", "head"}  # change with it if a Chinese example names them


def readable(presets: Sequence[Preset], model: "LanguageModel | None") -> list[Preset]:
    """The presets in a language of the model; those in English on a page without one."""
    languages: set[str] = {"en"} if model is None else {*model.languages, *_every(model)}
    return [preset for preset in presets if preset.language in languages]


def offered(presets: Sequence[Preset], model: "LanguageModel | None") -> list[Preset]:
    """Those that are `readable`, or those in every language where the model reads it and there are any."""
    in_every = [preset for preset in presets if model is not None and preset.language in _every(model)]
    return in_every or readable(presets, model)


def _every(model: "LanguageModel") -> set[str]:
    manifest = manifests().get(model.checkpoint.name)
    return {EVERY} & set(manifest.languages if manifest else ())


def switch_language(
    settings: Settings,
    presets: Sequence[Preset],
    model: "LanguageModel | None",
    elsewhere: Sequence[Preset] = (),
) -> bool:
    """Replace an untouched text that the model cannot read by one that it can; returns whether it did.

    The texts are the settings that a Chinese example has in Chinese; other settings stay. A view without
    Chinese examples uses the first one of the page's other views (`elsewhere`).
    """
    chinese = [preset for preset in presets if preset.language == "zh"]
    if not chinese:
        # Only the first: the texts of the others may belong to another view.
        chinese = [preset for preset in elsewhere if preset.language == "zh"][:1]
        presets = [*presets, *chinese]
    if model is None or not chinese:
        return False
    texts = {name for preset in chinese for name, value in preset.values.items() if _is_chinese(value)}
    readable_presets = readable(presets, model)
    unreadable = [preset.values for preset in presets if preset not in readable_presets]
    if "en" not in model.languages:
        unreadable.append({})  # a page opens in English
    untouched = any(_has_texts(settings, texts, values) for values in unreadable)
    if not (texts and readable_presets and untouched):
        return False
    example = settings.defaults | ({} if readable_presets[0].language == "en" else readable_presets[0].values)
    changing = {*texts, *POINTING, *(WHERE & set(chinese[0].values))}
    settings.update({name: value for name, value in example.items() if name in changing})
    return True


def _has_texts(settings: Settings, texts: Collection[str], values: dict[str, Any]) -> bool:
    return all(settings.chosen(name) == (settings.defaults | values)[name] for name in texts)


def _is_chinese(value: object) -> bool:
    from explorer.tokenizers.languages import is_ideograph  # with torch, which must not keep a page waiting

    return isinstance(value, str) and any(map(is_ideograph, value))
