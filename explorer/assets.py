"""Where the data that ships lies: the one place that knows the folder `assets`."""

import json
from pathlib import Path
from typing import Any

from explorer.errors import ExplorerError

ROOT = Path(__file__).parents[1]  # of the project
ASSETS = ROOT / "assets"

CHECKPOINTS = ASSETS / "checkpoints"  # a folder for each bundled model
CHINESE = "bert-zh"  # the one that reads Chinese
SENSES = ASSETS / "senses"  # our own sentences for ambiguous words
SENSES_ZH = SENSES / "zh"  # the same for Chinese
TRANSFER = ASSETS / "transfer"  # our own sentences: English to train a classifier on, Chinese to test it
RELATIONS = ASSETS / "relations"  # our own sentences with their grammar marked
HEADS = ASSETS / "heads"  # what each head of the bundled models was measured to do
REACH = ASSETS / "reach"  # our own sentences for how far back a model remembers, and what was measured
PROBES = ASSETS / "probes"  # what reads tags, relations, names and trees off a layer, and what was measured
ABLATIONS = ASSETS / "ablations.json"  # what BERT's training is worth with a part left out
RECORD = "training.json"  # in a checkpoint's folder: how its training went
GLOSSARY = ASSETS / "glossary.md"  # the terms of the pages, and what they mean
TEXTS = ASSETS / "texts"  # texts to train on live, the stored example, the block list
FINETUNING = ASSETS / "finetuning"  # our own examples for each task, heads that ship, and what was measured
WORDNET = ASSETS / "wordnet"  # the senses that WordNet gives the words of our sentences


def text(path: Path) -> str:
    """A file of Riverbank itself, as text. Raises ExplorerError where it is missing or damaged."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path) from error


def data(path: Path) -> Any:
    """A JSON file of Riverbank itself. Raises ExplorerError where it is missing or damaged."""
    try:
        return json.loads(text(path))
    except (ValueError, RecursionError) as error:
        raise damaged(path) from error


def damaged(path: Path) -> ExplorerError:
    """What is to be said of a file of Riverbank itself that is missing or damaged."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return ExplorerError(
        f"{name} is missing or damaged, a file of Riverbank itself.",
        "Get a fresh copy of Riverbank: other files may be damaged too.",
    )
