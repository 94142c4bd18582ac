"""A text box that commits as one types."""

import re
from collections.abc import Callable, Sequence
from functools import partial

from explorer.catalogue.manifest import manifests
from explorer.locale import ENGLISH, _, format_number, language, translate
from explorer.views.settings.setting import Change, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import component, component_value

MASK, GAP = "[MASK]", "____"  # a blank in a text, and as a box with `gaps` shows it


def text_box(
    settings: Settings,
    name: Setting[str],
    label: str,
    placeholder: str = "",
    lines: int = 1,
    on_change: Callable[[], None] | None = None,
    resets: Sequence[Change] = (),
    blanks: bool = False,
    notice: str = "",
    gaps: bool = False,
    own: str = "",
    on_enter: Callable[[], None] | None = None,
) -> str:
    """A text that commits on Enter or a short pause; with several `lines`, Enter makes a new one.

    The text is the setting `name`; `on_change` runs after it has changed. A text that is longer than
    the setting takes loses its end, and the box says so. `resets` are the settings that point into
    the text, with what a new text sets them to. With `blanks`, other
    ways to write [MASK] become [MASK]; with `gaps` the box shows that as a gap. Below it is a `notice`.
    While the setting is empty, the box has the text `own`, which can be edited; emptied, it is a space.
    With `on_enter`, which runs after Enter, the box has come to replace a text, which is selected in it.
    A `placeholder` that says “Type a sentence” names the language of a model that reads one alone.
    """
    key = f"{settings.page}.{name}.box"
    box_text = settings[name].replace(MASK, GAP) if gaps else settings[name] or own
    settings.text_labels[name] = label

    def commit(event: str = "text") -> None:
        if (text := component_value(key, event, str)) is None:
            return
        if blanks:
            from explorer.analysis.prediction import masking

            text = masking.standard(text)
        if own:
            text = "" if text == own else text or " "
        settings.set(*resets)
        settings.accept({name: text})
        if on_change is not None:
            on_change()

    most = settings.declared[name].most
    component("widgets/text_box")(
        key=key,
        data={
            "text": box_text,
            "sent": component_value(key, "text", str),
            "label": label,
            "placeholder": _in_its_language(placeholder, settings),
            "lines": lines,
            "replaces": on_enter is not None,
            "notice": _("Only the first {count} characters are kept.", count=format_number(most))
            if settings.was_cut(name)
            else notice,
        },
        default={"text": box_text},
        on_text_change=commit,
        on_again_change=partial(commit, "again"),
        on_enter_change=on_enter or (lambda: None),
    )
    return settings[name]


def _in_its_language(placeholder: str, settings: Settings) -> str:
    """What to type, “an English sentence” where the page's model reads one language."""
    model = manifests().get(settings.chosen("model")) if "model" in settings.declared else None
    if model is None or not placeholder.startswith(_("Type")) or (name := model.only_language()) == "":
        return placeholder
    if language() != ENGLISH:
        return _("{placeholder} ({language})", placeholder=placeholder, language=translate(name))
    article = "an" if name[0] in "AEIOU" else "a"
    return re.sub(
        " (a )?(?=sentence|text|prompt|word)",
        lambda match: f" {article if match[1] else ''} {name} ".replace("  ", " "),
        placeholder,
        count=1,
    )
