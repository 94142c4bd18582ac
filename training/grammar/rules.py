"""The phrases of our grammar: nouns with their modifiers, verbs with their auxiliaries."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from random import Random

from explorer import assets
from explorer.assets import RELATIONS


@dataclass(eq=False)
class Node:
    """A word with its dependents to the left and to the right, each with its relation."""

    word: str
    before: list[tuple[str, "Node"]] = field(default_factory=list)
    after: list[tuple[str, "Node"]] = field(default_factory=list)
    plural: bool = False

    def order(self) -> Iterator["Node"]:
        """The words of the tree from left to right."""
        for _, node in self.before:
            yield from node.order()
        yield self
        for _, node in self.after:
            yield from node.order()


@cache
def lexicon() -> dict[str, list[str]]:
    """The words of each class."""
    lines = assets.text(RELATIONS / "lexicon.txt").splitlines()
    entries = [line.partition(":") for line in lines if line and not line.startswith("#")]
    return {name: words.split() for name, _, words in entries}


class Grammar:
    """The rules, and the random generator that chooses among them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random.random() < probability

    def pick(self, *classes: str) -> str:
        """A random word of these classes; from `random.random` alone, which is the same in every Python."""
        words = [word for name in classes for word in lexicon()[name]]
        return words[int(self.random.random() * len(words))]

    def noun(self, kind: str, rich: bool = True, subject: bool = False) -> Node:
        """A noun phrase: the old sailor, two heavy boxes, Anna's lamp; a subject may have a place phrase."""
        if kind == "person" and self.chance(0.15):
            return Node(self.pick("name"))
        many = kind != "place" and self.chance(0.3)
        node = Node(self.pick(kind), plural=many)
        node.word = plural(node.word) if many else node.word
        if rich and kind != "person" and self.chance(0.3):
            node.before.append(("nmod:poss", self.owner()))
        elif self.chance(0.15):
            node.before.append(("nmod:poss", Node(self.pick("owner"))))
        elif many and self.chance(0.4):
            node.before.append(("nummod", Node(self.pick("number"))))
        else:
            number = "place" if kind == "place" else "many" if many else "one"
            node.before.append(("det", Node(self.pick(f"determiner {number}"))))
        if self.chance(0.5):
            node.before.append(("amod", Node(self.pick(f"adjective {kind}"))))
        if subject and rich and self.chance(0.3):
            node.after.append(("nmod", self.under(self.pick("where"), self.noun("place", rich=False))))
        return node

    def owner(self) -> Node:
        """A possessor: Anna's, the old sailor's."""
        owner = self.noun("person", rich=False)
        while owner.plural:
            owner = self.noun("person", rich=False)
        owner.after.append(("case", Node("'s")))
        return owner

    def part(self) -> Node:
        """A part of something: the lid of the box, the roof of the old school."""
        part, whole = ("part", "thing") if self.chance(0.6) else ("region", "place")
        of = self.under("of", self.noun(whole, rich=False))
        return Node(self.pick(part), [("det", Node("the"))], [("nmod", of)])

    def under(self, preposition: str, noun: Node) -> Node:
        """A noun with a preposition before it."""
        noun.before.insert(0, ("case", Node(preposition)))
        return noun

    def place(self) -> tuple[str, Node]:
        """A place phrase, with its relation to the verb."""
        return "obl", self.under(self.pick("where"), self.noun("place", rich=False))

    def verb(self, forms: str, many: bool, adverb: float = 0.2, plain: bool = False) -> Node:
        """A finite verb with its auxiliaries: sold, has sold, will never sell, were selling; plain: sold."""
        base, past, participle, ing = forms.partition("_")[0].split("/")
        way = 0 if plain else self.random.random()
        if way < 0.4:
            word, helper = past, None
        elif way < 0.6:
            word, helper = base, self.pick("modal")
        elif way < 0.8:
            word, helper = participle, "have" if many else "has"
        else:
            word, helper = ing, "were" if many else "was"
        node = Node(word)
        if helper:
            node.before.append(("aux", Node(helper)))
            if helper != "can" and self.chance(0.15):  # it is spelled “cannot”
                node.before.append(("advmod", Node("not")))
                return node
        if self.chance(adverb):
            node.before.append(("advmod", Node(self.pick("adverb"))))
        return node

    def objects(self) -> tuple[str, Node]:
        """A verb's forms and an object that goes with it."""
        kind = ("thing", "food", "animal", "person", "place")[int(self.random.random() * 5)]
        if kind == "thing" and self.chance(0.3):
            return "paint/painted/painted/painting", self.part()
        return self.pick(f"verb {kind}"), self.noun(kind)

    def clause(self, subject: Node | None = None) -> Node:
        """A subject, a verb and an object: the young nurse has sold her lamp."""
        subject = subject or self.noun("person", subject=True)
        forms, thing = self.objects()
        verb = self.verb(forms, subject.plural)
        verb.before.insert(0, ("nsubj", subject))
        verb.after.append(("obj", thing))
        return verb

    def closed(self, root: Node, mark: str = ".") -> Node:
        """The sentence with its final punctuation mark."""
        root.after.append(("punct", Node(mark)))
        return root


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("box"), plural("loaf"), plural("donkey"), plural("potato")
    ('boxes', 'loaves', 'donkeys', 'potatoes')
    """
    if noun == "loaf":
        return "loaves"
    return noun + ("es" if noun.endswith(("x", "ch", "sh", "s", "to")) else "s")
