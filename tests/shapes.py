"""Shapes and types checked as the code runs: jaxtyping's import hook, with beartype behind it.

`check()` must come before the first import of the package; tests/conftest.py calls it. A function that is
called with a tensor of another shape than its signature states then raises jaxtyping.TypeCheckError.
"""

from beartype import BeartypeConf, beartype
from jaxtyping import install_import_hook

CHECKED = (
    "explorer.analysis",
    "explorer.generation",
    "explorer.models",
    "explorer.tokenizers",
    "explorer.trace",
)

typechecked = beartype(conf=BeartypeConf(is_pep484_tower=True))  # an int may stand for a float


def check() -> None:
    """Check every call of the packages in CHECKED from now on."""
    install_import_hook(CHECKED, "tests.shapes.typechecked")
