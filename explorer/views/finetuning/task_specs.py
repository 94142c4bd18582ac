"""The four kinds of task in BERT's paper, as this page offers them: data only."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.views.finetuning.settings import (
    ANSWERS_OWN,
    ANSWERS_SET,
    PAIRS_OWN,
    PAIRS_SET,
    SENTENCE_OWN,
    SENTENCE_SET,
    WORDS_OWN,
    WORDS_SET,
)
from explorer.views.frame.setting import Setting

if TYPE_CHECKING:
    from explorer.finetuning.tasks import Kind


@dataclass(frozen=True, eq=False)
class TaskSpec:
    """A kind of task. `kind` is its name in `explorer.finetuning`, `name` that of its view in links."""

    kind: "Kind"
    name: str
    label: str
    items: str  # what a dot on the map is, in the plural
    chosen_set: Setting[str]  # the examples: a ready set's name, or `sets.OWN`
    own_lines: Setting[str]  # the visitor's own examples, as lines of text
    map_px: int = 176  # height of the map
    wide: bool = False  # whether the predictions take the whole width of the page


SENTENCES = TaskSpec("classes", "sentence", "One sentence", "sentences", SENTENCE_SET, SENTENCE_OWN)
WORDS = TaskSpec("tags", "words", "Every word", "words", WORDS_SET, WORDS_OWN, 150, wide=True)
PAIRS = TaskSpec("pairs", "pairs", "Two sentences", "pairs", PAIRS_SET, PAIRS_OWN)
ANSWERS = TaskSpec(
    "answers", "answers", "An answer in the text", "questions", ANSWERS_SET, ANSWERS_OWN, 84, wide=True
)
