"""The checkpoints with their cards, and what their training began with."""

import re

from explorer import assets
from explorer.catalogue.manifest import manifests
from explorer.locale import _
from explorer.views.about import record
from explorer.views.frame.sizes import CONFIG, SIZES

CARD = "card.md"


def names() -> list[str]:
    """The checkpoints on this page: those that ship, and those that come as a package."""
    return _names(CONFIG, SIZES)


def shipped() -> list[str]:
    """The checkpoints that ship with Riverbank and have their files, in the lecture's order."""
    return _names(CONFIG)


def _names(*files: str) -> list[str]:
    present = {path.parent.name for file in files for path in record.folder().glob(f"*/{file}")}
    return [*(name for name in manifests() if name in present), *sorted(present - set(manifests()))]


def card(name: str) -> str:
    """The card of a checkpoint as Markdown; empty if it has none."""
    path = record.folder(name) / CARD
    return assets.text(path) if path.exists() else ""


def origin(card: str) -> tuple[str, str]:
    """What the training began with according to a card, as a heading and a line; empty if it is silent."""
    if match := re.search(r"started\s+from\s+(?:`(.+?)`|\[(.+?)\]\([^)]*\)\s*(\([^)]*\))?)", card):
        return _("trained further"), _("from {model}", model=" ".join(filter(None, match.groups())))
    if re.search(r"trained\s+from\s+scratch", card):
        return _("trained from scratch"), _("started from random weights")
    return "", ""
