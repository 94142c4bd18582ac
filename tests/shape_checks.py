"""Shapes and types are checked at run time while tests run; the app itself pays nothing for it.

The annotations (`Float[Tensor, "pos d_model"]`) hold for static tools only by name. Here jaxtyping's
import hook has beartype check each call: sizes of one name must agree within it. It reaches only what
is imported after `install()`, so conftest calls that first of all.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from jaxtyping import config, install_import_hook

PACKAGES = ("explorer.trace", "explorer.models", "explorer.analysis")
CHECKER = "tests.shape_checks.checked"
ROOT = Path(__file__).parents[1]
WANTED = (  # below ROOT; of the tests, those of what no docstring calls
    "explorer",
    "tests/test_shape_checks.py",
    "tests/analysis/attention/test_weights.py",
    "tests/analysis/heads/test_pronouns.py",
    "tests/analysis/projection/test_layers.py",
)


def install() -> None:
    """Check every function and dataclass of PACKAGES from its import on."""
    install_import_hook(PACKAGES, CHECKER)


def wanted(path: Path) -> bool:
    """Whether a test file is one of those that the checks are for."""
    return any(path.is_relative_to(ROOT / place) for place in WANTED)


@contextmanager
def switched(on: bool) -> Iterator[None]:
    """The checks are on, or off, and afterwards as they were."""
    before = config.jaxtyping_disable
    config.update("jaxtyping_disable", not on)
    try:
        yield
    finally:
        config.update("jaxtyping_disable", before)


def checked(function):
    """Beartype's decorator; as for mypy, an int will do where a float is annotated.

    It writes a function's checks when they are first needed: all of them would take some seconds.
    """
    # Sizes come out of a stranger's file: the loader refuses wrong ones itself, after it made a config.
    if function.__qualname__.endswith("Config.__init__"):
        return function

    @functools.cache
    def written():
        from beartype import BeartypeConf, beartype

        return beartype(function, conf=BeartypeConf(is_pep484_tower=True))

    return lambda *arguments, **settings: written()(*arguments, **settings)
