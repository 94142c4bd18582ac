"""The paths in the folder `assets`, and reading its files."""

import functools
import json
import tomllib
from pathlib import Path
from typing import Any

from explorer.errors import ExplorerError

CHECKOUT, INSTALLED = Path(__file__).parents[1], Path(__file__).parent / "app"
ROOT = INSTALLED if INSTALLED.exists() else CHECKOUT  # the folder of app.py, pages and assets
ASSETS = ROOT / "assets"

CHECKPOINTS = ASSETS / "checkpoints"  # a folder for each bundled model
CHINESE = "bert-zh"  # the bundled model for Chinese
SENSES = ASSETS / "senses"  # our own sentences for ambiguous words
SENSES_ZH = SENSES / "zh"  # the same for Chinese
SEARCH = (
    ASSETS / "search"
)  # our own text on a made-up town, questions about it, and how often they are answered
TRANSFER = ASSETS / "transfer"  # our own sentences: English to train a classifier on, Chinese to test it
RELATIONS = ASSETS / "relations"  # our own sentences with their grammar marked
HEADS = ASSETS / "heads"  # the measured behaviour of each head of the bundled models
PROBES = ASSETS / "probes"  # probes for tags, relations, names and trees in each layer, and their scores
LABELS = RELATIONS / "labels.toml"  # grammatical labels in plain words
WAITING = ASSETS / "waiting.json"  # the time that an LSTM and attention take for texts of several lengths
RECORD = "training.json"  # in a checkpoint's folder: the record of its training
PRESETS = ASSETS / "presets"  # what each page can show in class, a file a page
SAFE = ASSETS / "safe.toml"  # sentences that a teacher may take from the room with good odds
VIEWS = ASSETS / "views"  # what each view says, a file a page
FORMULAS = ASSETS / "formulas.toml"  # the formulas under the pictures, as in the papers
PALETTES = ASSETS / "palettes.toml"  # the colours, light and dark
MOVED = ASSETS / "moved.toml"  # where old links lead
LECTURES = ASSETS / "lectures"  # lectures that are ready: lists of links
LOCALE = ASSETS / "locale"  # the interface in other languages, a folder each
LANGUAGES = ASSETS / "languages.toml"  # common words and letters of languages, by which a text’s is told
GLOSSARY = ASSETS / "glossary.md"  # the terms of the pages, and what they mean
TEXTS = ASSETS / "texts"  # texts to train on live, the stored example, the block list
HEAD_NAMES = TEXTS / "head_names.md"  # the names of heads, and when a head gets one
MEASURES = TEXTS / "measures.toml"  # the names of what was measured in trainings
KINDS = TEXTS / "kinds.txt"  # names of one kind, such as countries
FINETUNING = ASSETS / "finetuning"  # our own examples for each task, trained heads, and their scores
WORDNET = ASSETS / "wordnet"  # WordNet’s senses of the words of our sentences, and of others that courses use


# For a function that reads what ships: its result stays as long as the process, so its arguments are names of
# ours, never what a visitor types or a model brings.
read_once = functools.cache


def text(path: Path) -> str:
    """A file of Riverbank itself, as text. Raises ExplorerError if it is missing or damaged."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise damaged(path) from error


def data(path: Path) -> Any:
    """A JSON file of Riverbank itself. Raises ExplorerError if it is missing or damaged."""
    try:
        return json.loads(text(path))
    except (ValueError, RecursionError) as error:
        raise damaged(path) from error


def table(path: Path) -> dict[str, Any]:
    """A TOML file of Riverbank itself. Raises ExplorerError if it is missing or damaged."""
    try:
        return tomllib.loads(text(path))
    except ValueError as error:
        raise damaged(path) from error


def damaged(path: Path) -> ExplorerError:
    """The error for a file of Riverbank itself that is missing or damaged."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return ExplorerError(
        f"{name} is missing or damaged, a file of Riverbank itself.",
        "Get a fresh copy of Riverbank: other files may be damaged too.",
    )
