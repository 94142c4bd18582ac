"""What a view of this page says of itself: which model it needs, what is typed, what is worked out for it.

The views of this page look at different things: one at a layer of any Transformer, one at no model at
all, one at a model that no other view takes. So the row of views stands first, and the chosen view says
what is drawn above its picture. A view is a file in this folder, named in `VIEWS` of `page.py`.

The page's own settings, `text`, `pair` and `model`, are shared by the views that use them; any other
setting belongs to one view, and is best named after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from explorer.views.frame.settings import Settings
from explorer.views.frame.view import View

if TYPE_CHECKING:
    from explorer.models import LanguageModel

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Worked(Generic[Found]):
    """What a view looks at, worked out when it first asks: what goes wrong is said in the picture's place."""

    work: Callable[[], Found]

    @cached_property
    def found(self) -> Found:
        """The result, once a rerun."""
        return self.work()


class Part(View[Any], Protocol):
    """A view of this page. Its `draw` and the others find in `page.data` a `Worked`."""

    @property
    def NEEDS(self) -> Sequence[str]:
        """Names of abilities, any one of which its model has; none where no model is chosen for it."""

    @property
    def MODEL(self) -> str:
        """The bundled model that it shows where the chosen one has none of these abilities."""

    def ask(self, settings: Settings, model: "LanguageModel | None") -> Any:
        """The text boxes, once the model is known; returns the row that the controls join, or None."""

    def work(self, settings: Settings, model: "LanguageModel | None") -> Any:
        """What the view looks at; called once a rerun, when the view asks for `page.data.found`."""


def ask_nothing(settings: Settings, model: "LanguageModel | None") -> None:
    """For a view in which nothing is typed, or that draws its boxes among its controls."""
