"""The annotated facts of our own sentences, and the first layer whose probe predicts each."""

from dataclasses import dataclass
from functools import cache

from explorer import assets
from explorer.analysis.probing.reading import labels_by_layer, trees_by_layer
from explorer.analysis.probing.sentences import OUTSIDE, Sentence, is_mark, read_treebank
from explorer.analysis.probing.states import WordStates
from explorer.errors import ExplorerError
from explorer.models.base import Model

KINDS = ("tag", "arc", "relation", "entity")


@dataclass(frozen=True)
class Fact:
    """An annotated fact about a word, and whether each layer's probe predicts it.

    `label` is the tag, the relation or the entity type; an arc has none. `head` is the head of an arc or a
    relation, else -1.

    >>> Fact("tag", word=0, head=-1, label="NOUN", right=(False, True, True)).first
    1
    """

    kind: str
    word: int
    head: int
    label: str
    right: tuple[bool, ...]

    @property
    def first(self) -> int | None:
        """The lowest layer whose probe predicts it (0: the embedding); None if no layer's does."""
        return self.right.index(True) if any(self.right) else None


@cache
def own_sentences() -> tuple[Sentence, ...]:
    """Our own sentences with their trees and names, annotated for this project.

    >>> len(own_sentences())
    12
    """
    return tuple(read_treebank(assets.text(assets.PROBES / "sentences.conllu").splitlines()))


def find_own_sentence(text: str) -> Sentence | None:
    """Our own sentence with this text; None if there is none.

    >>> find_own_sentence("No sentence of ours.") is None
    True
    """
    return next((sentence for sentence in own_sentences() if sentence.text == text.strip()), None)


def facts(model: Model, states: WordStates, sentence: Sentence) -> list[Fact]:
    """All facts of an annotated sentence, word by word, except punctuation.

    >>> import explorer
    >>> from explorer.analysis.probing import states_of
    >>> bert, sentence = explorer.load("bert"), own_sentences()[0]
    >>> {fact.kind for fact in facts(bert, states_of(bert, sentence), sentence)} >= {"tag", "arc", "relation"}
    True

    Raises ExplorerError for a sentence without annotations.
    """
    if not sentence.heads:
        raise ExplorerError("The right answers for this sentence are not known.", "Choose one of our own.")
    words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
    tags = labels_by_layer(model, states, "tag")
    names = labels_by_layer(model, states, "entity")
    relations = labels_by_layer(model, states, "relation", sentence.heads)
    trees = [set(tree) for tree in trees_by_layer(model, states, sentence)]
    layers = range(len(trees))
    result = []
    for word in words:
        head, tag, name = sentence.heads[word], sentence.tags[word], sentence.entities[word]
        result.append(Fact("tag", word, -1, tag, tuple(tags.best(layer, word)[0] == tag for layer in layers)))
        if head >= 0:
            arc = (min(word, head), max(word, head))
            result.append(Fact("arc", word, head, "", tuple(arc in tree for tree in trees)))
            relation, place = sentence.relations[word], relations.words.index(word)
            right = tuple(relations.best(layer, place)[0] == relation for layer in layers)
            result.append(Fact("relation", word, head, relation, right))
        if name != OUTSIDE:
            right = tuple(names.best(layer, word)[0] == name for layer in layers)
            result.append(Fact("entity", word, -1, name, right))
    return result
