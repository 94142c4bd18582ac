"""Where the data that ships lies: the one place that knows the folder `assets`."""

from pathlib import Path

ROOT = Path(__file__).parents[1]  # of the project
ASSETS = ROOT / "assets"

CHECKPOINTS = ASSETS / "checkpoints"  # a folder for each bundled model
SENSES = ASSETS / "senses"  # our own sentences for ambiguous words
RELATIONS = ASSETS / "relations"  # our own sentences with their grammar marked
HEADS = ASSETS / "heads"  # what each head of the bundled models was measured to do
TEXTS = ASSETS / "texts"  # texts to train on live, the stored example, the block list
