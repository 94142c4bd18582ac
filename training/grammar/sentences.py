"""A small grammar of English that generates sentences with their dependency trees.

Each word is attached to its head while the sentence is generated, so every relation is known and none had
to be annotated. A noun after a verb never has a place phrase of its own ("she saw the man in the garden"
would be ambiguous), only an owner or `of`: a place phrase there belongs to the verb.
"""

from explorer.analysis.heads.relations import Parse, join
from explorer.text.letters import is_letters
from training.grammar.rules import Grammar, Node, plural

SIZES = range(6, 17)  # words, without punctuation
REPEATABLE = frozenset(["the", "a", "an", "of", "'s", "and", "his", "her", "was", "were"])


def sentences(count: int, seed: int = 0) -> list[Parse]:
    """Different sentences with their trees, each kind in turn; a seed always gives the same ones."""
    parses: dict[str, Parse] = {}
    grammar = Grammar(seed)
    while len(parses) < count:
        kind = KINDS[len(parses) % len(KINDS)]
        parse = linearize(kind(grammar))
        size = sum(is_letters(word) or word == "'s" for word in parse.words)
        if size in SIZES and has_no_repeats(parse):
            parses[parse.text] = parse
    return list(parses.values())


def has_no_repeats(parse: Parse) -> bool:
    """Whether no word occurs twice, except function words such as the, a, of and 's."""
    return all(parse.words.count(word) == 1 or word in REPEATABLE for word in parse.words)


def linearize(root: Node) -> Parse:
    """A tree as a sentence: its words in order, the first with a capital letter."""
    nodes = list(root.order())
    place = {id(node): i for i, node in enumerate(nodes)}
    relations, heads = ["root"] * len(nodes), [-1] * len(nodes)
    for node in nodes:
        for relation, child in (*node.before, *node.after):
            relations[place[id(child)]], heads[place[id(child)]] = relation, place[id(node)]
    words = [node.word for node in nodes]
    for i, following in enumerate(words[1:]):
        if words[i] == "a" and (following[0] in "aeiou" or following == "honest") and following != "useful":
            words[i] = "an"
    words[0] = words[0][0].upper() + words[0][1:]
    return Parse(join(words), tuple(words), tuple(relations), tuple(heads))


def transitive(g: Grammar) -> Node:
    """The young nurse sold two lamps near the station."""
    verb = g.clause()
    if g.chance(0.5):
        verb.after.append(g.place())
    return g.closed(verb)


def intransitive(g: Grammar) -> Node:
    """Six hungry dogs were waiting outside the kitchen."""
    subject = g.noun("person" if g.chance(0.5) else "animal", subject=True)
    verb = g.verb(g.pick("verb none"), subject.plural, adverb=0.4)
    verb.before.insert(0, ("nsubj", subject))
    verb.after.append(g.place())
    return g.closed(verb)


def giving(g: Grammar) -> Node:
    """The baker gave the children a cake."""
    subject = g.noun("person")
    verb = g.verb(g.pick("verb gift"), subject.plural)
    verb.before.insert(0, ("nsubj", subject))
    verb.after += [("iobj", g.noun("person", rich=False)), ("obj", g.noun("thing"))]
    return g.closed(verb)


def particle(g: Grammar) -> Node:
    """Our teacher picked up the heavy basket."""
    forms, subject = g.pick("verb particle"), g.noun("person", subject=True)
    verb = g.verb(forms, subject.plural)
    verb.before.insert(0, ("nsubj", subject))
    verb.after += [("compound:prt", Node(forms.partition("_")[2])), ("obj", g.noun("thing"))]
    return g.closed(verb)


def copular(g: Grammar) -> Node:
    """The mirror behind the door is very old."""
    kind = ("person", "animal", "thing", "food")[int(g.random.random() * 4)]
    subject = g.noun(kind, subject=True)
    be = (("was", "is"), ("were", "are"))[subject.plural][g.chance(0.5)]
    root = Node(g.pick(f"predicate {kind}"), [("nsubj", subject), ("cop", Node(be))])
    if g.chance(0.6):
        root.before.append(("advmod", Node(g.pick("degree"))))
    if g.chance(0.3):
        root.after += [("conj", Node(g.pick(f"predicate {kind}"), [("cc", Node("and"))]))]
    return g.closed(root)


def passive(g: Grammar) -> Node:
    """The kettle has been repaired by a young plumber."""
    kind = "thing" if g.chance(0.6) else "food"
    subject = g.noun(kind, subject=True)
    node = Node(g.pick(f"verb {kind}").split("/")[2], [("nsubj:pass", subject)])
    way = int(g.random.random() * 3)
    if way == 0:
        node.before.append(("aux:pass", Node("were" if subject.plural else "was")))
    elif way == 1:
        perfect = "have" if subject.plural else "has"
        node.before += [("aux", Node(perfect)), ("aux:pass", Node("been"))]
    else:
        node.before += [("aux", Node(g.pick("modal"))), ("aux:pass", Node("be"))]
    node.after.append(("obl", g.under("by", g.noun("person"))))
    return g.closed(node)


def asking(g: Grammar) -> Node:
    """Did the farmer feed these goats? Will her sister wash the dog?"""
    subject, (forms, thing) = g.noun("person"), g.objects()
    helper = "did" if g.chance(0.5) else g.pick("modal")
    root = Node(forms.split("/")[0], [("aux", Node(helper)), ("nsubj", subject)], [("obj", thing)])
    if g.chance(0.4):
        root.after.append(g.place())
    return g.closed(root, "?")


def asking_what(g: Grammar) -> Node:
    """What did the sailor hide in the barn? Which lamps will Clara sell?"""
    subject, forms = g.noun("person"), g.pick("verb thing")
    question_word = Node("what")
    if g.chance(0.5):
        noun = g.pick("thing")
        question_word = Node(plural(noun) if g.chance(0.5) else noun, [("det", Node("which"))])
    helper = Node("did" if g.chance(0.6) else g.pick("modal"))
    before = [("obj", question_word), ("aux", helper), ("nsubj", subject)]
    return g.closed(Node(forms.split("/")[0], before, [g.place()]), "?")


def relative_subject(g: Grammar) -> Node:
    """The pilot who visited the market lost her camera."""
    subject = g.noun("person", rich=False)
    while not subject.before:
        subject = g.noun("person", rich=False)
    forms, thing = g.objects()
    inner = g.verb(forms, subject.plural, adverb=0, plain=True)
    inner.before.insert(0, ("nsubj", Node("who")))
    inner.after.append(("obj", thing))
    subject.after.append(("acl:relcl", inner))
    return g.closed(g.clause(subject))


def relative_object(g: Grammar) -> Node:
    """The letter that the judge found was very old."""
    subject, owner = g.noun("thing", rich=False), g.noun("person", rich=False)
    inner = g.verb(g.pick("verb thing"), owner.plural, plain=True)
    inner.before[:0] = [("obj", Node("that")), ("nsubj", owner)]
    subject.after.append(("acl:relcl", inner))
    be = ("was", "were")[subject.plural]
    degree = ("advmod", Node(g.pick("degree")))
    return g.closed(Node(g.pick("predicate thing"), [("nsubj", subject), ("cop", Node(be)), degree]))


def joined(g: Grammar) -> Node:
    """Emma washed the basket and the kettle. The driver thanked Maria and sold an old clock."""
    subject, forms = g.noun("person", rich=False), g.pick("verb thing")
    first = g.noun("thing", rich=False)
    if g.chance(0.5):
        verb = g.verb(forms, subject.plural)
        second = g.noun("thing", rich=False)
        second.before.insert(0, ("cc", Node("and")))
        first.after.append(("conj", second))
    else:
        verb = g.verb(forms, subject.plural, plain=True)
        forms, thing = g.objects()
        verb.after.append(("conj", Node(forms.split("/")[1], [("cc", Node("and"))], [("obj", thing)])))
    verb.before.insert(0, ("nsubj", subject))
    verb.after.insert(0, ("obj", first))
    return g.closed(verb)


def because(g: Grammar) -> Node:
    """The nurse laughed because the parrot stole her sandwich."""
    subject, other = g.noun("person", rich=False), g.noun("animal", rich=False)
    verb = Node(g.pick("verb none").split("/")[1], [("nsubj", subject)])
    reason = Node(
        g.pick("verb grab").split("/")[1], [("nsubj", other)], [("obj", g.noun("food", rich=False))]
    )
    opener = ("mark", "because") if g.chance(0.6) else ("advmod", "when")
    reason.before.insert(0, (opener[0], Node(opener[1])))
    verb.after.append(("advcl", reason))
    return g.closed(verb)


KINDS = (
    transitive,
    intransitive,
    giving,
    particle,
    copular,
    passive,
    asking,
    asking_what,
    relative_subject,
    relative_object,
    joined,
    because,
)
