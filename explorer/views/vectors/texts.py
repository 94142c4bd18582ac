"""The words and the text with which the page Word vectors opens."""

from explorer import assets
from explorer.assets import read_once

GROUPS = """\
royalty: king queen prince castle crown
food: bread cheese butter milk soup
animals: dog cat horse cow sheep
weather: rain snow wind storm thunder"""
JOBS_AND_FEELINGS = """\
jobs: doctor nurse soldier teacher lawyer farmer secretary engineer
feelings: love hate joy fear anger hope pain peace"""


@read_once
def our_text() -> str:
    """Our small text to train on; it has four groups of words that never share a context."""
    return assets.text(assets.TEXTS / "kingdom.txt").strip()
