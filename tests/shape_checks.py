"""Shapes and types are checked at run time while tests run; the app itself pays nothing for it.

The annotations (`Float[Tensor, "pos d_model"]`) hold for static tools only by name. Here jaxtyping's
import hook has beartype check each call: sizes of one name must agree within it. It reaches only what
is imported after `install()`, so conftest calls that first of all.
"""

from jaxtyping import install_import_hook

PACKAGES = ("explorer.trace", "explorer.models", "explorer.analysis")
CHECKER = "tests.shape_checks.checked"


def install() -> None:
    """Check every function and dataclass of PACKAGES from its import on."""
    install_import_hook(PACKAGES, CHECKER)


def checked(function):
    """Beartype's decorator; as for mypy, an int will do where a float is annotated."""
    from beartype import BeartypeConf, beartype

    # Sizes come out of a stranger's file: the loader refuses wrong ones itself, after it made a config.
    if function.__qualname__.endswith("Config.__init__"):
        return function
    return beartype(function, conf=BeartypeConf(is_pep484_tower=True))
