"""The kind of view of the Transformer page, whose views draw different data.

One draws a layer of any Transformer, one uses no model at all, one a model that no other view takes. So the
row of views comes first, and the chosen view says what is drawn above its picture, and computes what it
draws.

The page's own settings, `text`, `pair` and `model`, are shared by the views that use them; any other
setting belongs to one view, and is best named after it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from explorer.views.frame.settings import Settings
from explorer.views.frame.view import View

if TYPE_CHECKING:
    from explorer.models import LanguageModel

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Computed(Generic[Result]):
    """What a view draws, computed when first asked for, so that errors appear in the picture’s place."""

    compute: Callable[[], Result]

    @cached_property
    def result(self) -> Result:
        """The result, computed once a rerun."""
        return self.compute()


def no_texts(settings: Settings, model: "LanguageModel | None") -> None:
    """For a view in which nothing is typed, or that draws its boxes among its controls."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TransformerView(View[Computed[Any]]):
    """A view of this page.

    `texts` draws the text boxes, once the model is known, and returns the row that the controls join, or
    None. `compute` returns what the view's other functions get from `page.data.result`.
    """

    texts: "Callable[[Settings, LanguageModel | None], Any]" = no_texts
    compute: "Callable[[Settings, LanguageModel | None], Any]"
