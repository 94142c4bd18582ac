"""Sentences of the same pattern as the presets', written down before any of them was tried."""

import json
from functools import cache
from pathlib import Path

import explorer

HOLDS = 7  # of ten: the preset's own sentence and nine siblings
SENTENCES = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))


@cache
def model(name: str):
    """A bundled model, read once for all siblings."""
    return explorer.load(name)
