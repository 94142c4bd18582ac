"""What the views say: the name of each, the two lines under its opening picture, and how to read it.

The texts are data: `assets/views/PAGE.toml`, a table for each view, which CONTRIBUTING.md explains.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from explorer import assets
from explorer.assets import read_once
from explorer.locale import translate
from explorer.views.frame.default_models import WRITER
from explorer.views.frame.hints import Hints
from explorer.views.widgets.formula import Formula


class Reading(NamedTuple):
    """How to read a picture, in a sentence, and what it does not say."""

    sentence: str
    caveat: str = ""

    def filled(self, **values: object) -> "Reading":
        """The same with these values in place of their names in braces."""
        return Reading(self.sentence.format(**values), self.caveat.format(**values))


@dataclass(frozen=True, kw_only=True)
class ViewText:
    """The texts of a view.

    `label` is its name in the row of views; `first` says what to see in the picture that it opens with, and
    what to try next. `reading` says how to read the picture; where that depends on the settings, others are
    in `readings`, by name (“class”: as on stage), and `phrases` are parts of them. `audience` says in a line
    for whom a view is that is behind “More”; the others are in sight. `formulas` are shown under the picture.

    The rest is computed from the open page. `explanation` takes the place of `reading`. `change` says, as
    HTML, what has become of what `first` says (“was 0.46, now 0.09”), once something has been changed. If it
    is empty, nothing is said. `is_opening` is for what no setting holds, such as a training run: once it is
    False, `change` takes the place of `first`, as after a changed setting. It is asked after the picture.

    It is read in English, once, and each text is given in the language of whoever sees it.
    """

    label: str
    first: Hints
    reading: Reading
    readings: Mapping[str, Reading] = field(default_factory=dict)
    phrases: Mapping[str, str] = field(default_factory=dict)
    audience: str = ""
    formulas: Sequence[Formula] = ()
    explanation: Callable[[Any], Reading] | None = None
    change: Callable[[Any], str] = lambda page: ""
    is_opening: Callable[[Any], bool] = lambda page: True

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        return value if name.startswith("__") or callable(value) else translate(value)

    def of_page(self, reading: Callable[[Any], Reading] | None = None, **computed: Any) -> "ViewText":
        """The same with what is computed from the open page: its reading, `change` and `is_opening`."""
        other = copy(self)  # with the English texts, whoever sees the first page
        vars(other).update(computed, explanation=reading)
        return other


def view_text(page: str, view: str) -> ViewText:
    """The texts of a view, by its page's name and its own. Raises ExplorerError if the file is damaged."""
    path = assets.VIEWS / f"{page}.toml"
    try:
        table = _table(path)[view]
        return _view_text(**table | table.get(WRITER, {}))
    except (KeyError, TypeError) as error:
        raise assets.damaged(path) from error


def _view_text(
    *,
    label: str,
    see: str,
    then: str,
    reading: str = "",
    caveat: str = "",
    readings: Mapping[str, Mapping[str, str]] | None = None,
    phrases: Mapping[str, str] | None = None,
    audience: str = "",
    formulas: Sequence[str] = (),
    gpt: object = None,
) -> ViewText:
    """One table of a file; `gpt` is what it says otherwise where SmolLM2 is not installed."""
    return ViewText(
        label=label,
        first=Hints(see, then),
        reading=Reading(reading, caveat),
        readings={
            name: Reading(one.get("reading", reading), one.get("caveat", caveat))
            for name, one in (readings or {}).items()
        },
        phrases=phrases or {},
        audience=audience,
        formulas=[Formula(**_table(assets.FORMULAS)[name]) for name in formulas],
    )


@read_once
def _table(path: Path) -> dict[str, Any]:
    return assets.table(path)
