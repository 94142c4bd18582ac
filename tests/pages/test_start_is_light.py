"""A page's first words need nothing heavy: its room is imported without torch or scikit-learn."""

import subprocess
import sys

import pytest

from tests.test_contributing import ROOMS

HEAVY = ("torch", "sklearn", "scipy", "umap", "numba", "tokenizers", "huggingface_hub", "contourpy")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_imported_without_anything_heavy(room):
    code = (
        f"import sys, explorer.views.{room}.page, explorer.views.frame.view\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
