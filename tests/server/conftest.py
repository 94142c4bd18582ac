"""Pages are opened here as in the tests of views."""

from tests.views.conftest import chosen_by_hand, models_read_once, nothing_kept, packages_searched_once

__all__ = ["chosen_by_hand", "models_read_once", "nothing_kept", "packages_searched_once"]
