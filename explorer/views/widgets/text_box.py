"""A text box that commits as one types."""

from collections.abc import Callable, Sequence
from functools import partial

from explorer.views.settings.setting import Change, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.registry import component, component_value


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
) -> str:
    """A text that commits on Enter or a short pause; with several `lines`, Enter makes a new one.

    The text is the setting `name`; `on_change` runs after it has changed. A text that is longer than
    the setting takes loses its end, and the box says so. `resets` are the settings that point into
    the text, with what a new text sets them to. With `blanks`, other
    ways to write [MASK] become [MASK]. A `notice` is shown below the box.
    """
    key = f"{settings.page}.{name}.box"
    settings.text_labels[name] = label

    def commit(event: str = "text") -> None:
        if (text := component_value(key, event, str)) is None:
            return
        if blanks:
            from explorer.analysis.prediction import masking

            text = masking.standard(text)
        settings.set(*resets)
        settings.accept({name: text})
        if on_change is not None:
            on_change()

    most = settings.declared[name].most
    component("widgets/text_box")(
        key=key,
        data={
            "text": settings[name],
            "label": label,
            "placeholder": placeholder,
            "lines": lines,
            "notice": f"Only the first {most:,} characters are kept." if settings.was_cut(name) else notice,
        },
        default={"text": settings[name]},
        on_text_change=commit,
        on_again_change=partial(commit, "again"),
    )
    return settings[name]
