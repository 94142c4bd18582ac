"""For every test of a page: models that a link names are loaded, as if the visitor had asked for them."""

from tests.views.conftest import (
    chosen_by_hand,
    models_read_once,
    packages_searched_once,
    random_words_read_once,
)

__all__ = ["chosen_by_hand", "models_read_once", "packages_searched_once", "random_words_read_once"]
