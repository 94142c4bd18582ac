"""What is known of our own sentences, and the layer at which each fact can first be read."""

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
    """One true thing of a word, and whether each layer's probe says it.

    `label` is the tag, the relation or the type of name; an arc has none. `head` is the other end of an
    arc or relation, else -1.

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
        """The lowest layer whose probe says it, 0 being the embedding; None where no layer's does."""
        return self.right.index(True) if any(self.right) else None


@cache
def own_sentences() -> tuple[Sentence, ...]:
    """Sentences of our own with their trees and names, written and marked for this project.

    >>> len(own_sentences())
    12
    """
    return tuple(read_treebank(assets.text(assets.PROBES / "sentences.conllu").splitlines()))


def known(text: str) -> Sentence | None:
    """The sentence of ours that has this text.

    >>> known("No sentence of ours.") is None
    True
    """
    return next((one for one in own_sentences() if one.text == text.strip()), None)


def facts(model: Model, states: WordStates, sentence: Sentence) -> list[Fact]:
    """All facts of a sentence whose tree is known, word by word, but for punctuation.

    >>> import explorer
    >>> from explorer.analysis.probing import states_of
    >>> bert, sentence = explorer.load("bert"), own_sentences()[0]
    >>> {fact.kind for fact in facts(bert, states_of(bert, sentence), sentence)} >= {"tag", "arc", "relation"}
    True

    Raises ExplorerError for a sentence of which nothing is known.
    """
    if not sentence.heads:
        raise ExplorerError("The right answers for this sentence are not known.", "Choose one of our own.")
    words = [i for i, word in enumerate(sentence.words) if not is_mark(word)]
    tags = labels_by_layer(model, states, "tag")
    names = labels_by_layer(model, states, "entity")
    relations = labels_by_layer(model, states, "relation", sentence.heads)
    trees = [set(tree) for tree in trees_by_layer(model, states, sentence)]
    layers = range(len(trees))
    found = []
    for word in words:
        head, tag, name = sentence.heads[word], sentence.tags[word], sentence.entities[word]
        found.append(Fact("tag", word, -1, tag, tuple(tags.best(layer, word)[0] == tag for layer in layers)))
        if head >= 0:
            arc = (min(word, head), max(word, head))
            found.append(Fact("arc", word, head, "", tuple(arc in tree for tree in trees)))
            relation, place = sentence.relations[word], relations.words.index(word)
            right = tuple(relations.best(layer, place)[0] == relation for layer in layers)
            found.append(Fact("relation", word, head, relation, right))
        if name != OUTSIDE:
            right = tuple(names.best(layer, word)[0] == name for layer in layers)
            found.append(Fact("entity", word, -1, name, right))
    return found
