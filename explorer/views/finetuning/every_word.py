"""Every word, a class: slots of a command, or names, drawn under the words that they cover."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.errors import TextError
from explorer.views.finetuning import presets
from explorer.views.finetuning.bench import Bench
from explorer.views.finetuning.case import Case
from explorer.views.finetuning.settings import LINE, WORDS_OWN, WORDS_SET
from explorer.views.frame.hints import Hints
from explorer.views.frame.settings import Settings
from explorer.views.frame.view import Page
from explorer.views.widgets.bars import short
from explorer.views.widgets.marks import mark
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.finetuning.heads import TrainedHead
    from explorer.finetuning.predictions import Prediction, TagPrediction
    from explorer.finetuning.reading import Input


class EveryWord(Case):
    """A tag for every word."""

    kind, name = "tags", "words"
    label = "Every word"
    first = Hints(
        "Every word gets a class of its own; words that belong together share one line.",
        "Put another singer into the sentence, or one that you make up.",
    )
    typed, chosen_set, own_lines = (LINE,), WORDS_SET, WORDS_OWN
    presets = presets.TAGS
    dots = "words"
    map_px, wide = 150, True

    def ask(self, settings: Settings) -> None:
        """One box."""
        text_box(settings, LINE, "Your sentence", "Type a sentence")

    def inputs(self, settings: Settings) -> "list[Input]":
        """The sentence. Raises TextError for an empty one."""
        if not settings[LINE].strip():
            raise TextError("There is no sentence yet.", "Type one above.")
        return [settings[LINE].strip()]

    def say(self, page: Page[Bench], head: "TrainedHead", said: "Sequence[Prediction]") -> None:
        """The words, and the tags under them."""
        from explorer.finetuning.predictions import TagPrediction

        (one,) = said
        assert isinstance(one, TagPrediction)
        known = list(dict.fromkeys([*page.data.classes, *names(head.task.labels)]))
        component("finetuning/tagged")(key="finetuning/tagged", data=tagged(one, known))

    def rows(self, said: "Sequence[Prediction]") -> tuple[Sequence[str], list[Sequence[Any]]]:
        """Word, tag, probability."""
        from explorer.finetuning.predictions import TagPrediction

        tagged_ = [one for one in said if isinstance(one, TagPrediction)]
        rows: list[Sequence[Any]] = [
            row for one in tagged_ for row in zip(one.words, one.tags, one.probabilities)
        ]
        return ["word", "tag", "probability"], rows

    def sentence(self) -> str:
        """How to read the tags."""
        return (
            "A line covers the words of one name or slot. The head reads the first piece of each word; the "
            "loss counts these alone; hover shows how sure it is."
        )


def names(labels: Sequence[str]) -> list[str]:
    """The names behind BIO tags, in the order of their colours.

    >>> names(["B-city", "I-city", "O", "B-date"])
    ['city', 'date']
    """
    return list(dict.fromkeys(label[2:] for label in labels if label != "O"))


def tagged(said: "TagPrediction", known: Sequence[str]) -> dict[str, Any]:
    """What the component draws: words that have one tag together stand in one group."""
    starts = {entity.start: entity for entity in said.entities}
    groups: list[dict[str, Any]] = []
    at = 0
    while at < len(said.words):
        entity = starts.get(at)
        end = entity.end if entity else at + 1
        groups.append(
            {
                "words": [_word(said, i) for i in range(at, end)],
                "tag": entity.label if entity else "",
                "mark": mark(known.index(entity.label)) if entity and entity.label in known else None,
            }
        )
        at = end
    return {"label": "The words with their tags", "groups": groups}


def _word(said: "TagPrediction", i: int) -> dict[str, str]:
    tag = said.tags[i]
    return {
        "text": said.words[i],
        "tip": f"{'no tag' if tag == 'O' else tag}: {short(said.probabilities[i])}",
    }


EVERY_WORD = EveryWord()
VIEW = EVERY_WORD.view()
