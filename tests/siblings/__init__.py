"""Sentences of the same pattern as the presets', written down before any of them was tried."""

import json
from pathlib import Path

HOLDS = 7  # of ten: the preset's own sentence and nine siblings
SENTENCES = json.loads((Path(__file__).parent / "sentences.json").read_text(encoding="utf-8"))
