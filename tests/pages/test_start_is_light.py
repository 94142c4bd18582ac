"""A page's first words need nothing heavy: its folder is imported without torch or scikit-learn."""

import subprocess
import sys

from tests.test_contributing import FOLDERS

HEAVY = ("torch", "sklearn", "scipy", "umap", "numba", "tokenizers", "huggingface_hub", "contourpy")
CODE = f"""
import importlib
import sys
import explorer.views.frame.view
for folder in {FOLDERS!r}:
    importlib.import_module(f"explorer.views.{{folder}}.page")
    print(folder, *[name for name in {HEAVY!r} if name in sys.modules])
"""


def test_rooms_are_imported_without_anything_heavy():
    process = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert process.stdout.splitlines() == FOLDERS, "a line names the first page that brings something heavy"
