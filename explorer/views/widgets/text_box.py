"""A text box that commits as one types."""

from collections.abc import Callable, Mapping
from typing import Any

from explorer.views.frame.settings import Settings
from explorer.views.frame.values import longest
from explorer.views.widgets.registry import component, sent


def text_box(
    settings: Settings,
    name: str,
    label: str,
    placeholder: str = "",
    lines: int = 1,
    on_change: Callable[[], None] | None = None,
    places: Mapping[str, Any] | None = None,
    blanks: bool = False,
    notice: str = "",
) -> str:
    """A text that commits on Enter or a short pause; with several `lines`, Enter makes a new one.

    The text is the setting `name`; `on_change` runs after it has changed. A text that is longer than
    the setting takes loses its end, and the box says so. `places` are the settings that point into the
    text, each with what it is where it points nowhere: another text forgets them. With `blanks`, other
    ways to write [MASK] become [MASK]. A `notice` stands below the box.
    """
    key = f"{settings.page}.{name}.box"
    settings.typed[name] = label

    def commit() -> None:
        if (text := sent(key, "text")) is None:
            return
        if blanks:
            from explorer.analysis.prediction import masking

            text = masking.standard(text)
        settings.set(**(places or {}))
        settings.take(**{name: text})
        if on_change is not None:
            on_change()

    most = longest(settings.declared[name])
    component("widgets/text_box")(
        key=key,
        data={
            "text": settings[name],
            "label": label,
            "placeholder": placeholder,
            "lines": lines,
            "notice": f"The first {most:,} characters are kept; the rest was left out."
            if settings.cut(name)
            else notice,
        },
        default={"text": settings[name]},
        on_text_change=commit,
    )
    return settings[name]
