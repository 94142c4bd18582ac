"""What the presets of “What heads do” promise."""

from explorer.analysis import heads
from explorer.analysis.attention.weights import between_words
from explorer.analysis.heads import ablation
from explorer.views.heads import guess, own_arcs
from tests.shared_models import model
from tests.views.opening import defaults

DEFAULTS = defaults("heads")
A_NAME = "The captain was called {}. Nobody on the ship liked {}"


def ranking(text: str, arcs: list[list[int]]):
    _, pattern = between_words(model("bert").trace(text))
    return heads.find(pattern, own_arcs.read_arcs(arcs, pattern.shape[-1])).ranking()


def plain_words(text: str) -> list[str]:
    return [word.text.lower() for word in between_words(model("bert").trace(text))[0] if not word.special]


def finds_the_same_word(template: str, a: str, b: str, _: str) -> bool:
    """Two heads look for the same word, and draw both arcs better than all others."""
    text = template.format(a=a, b=b, x=b, y=a)
    places = [[i for i, word in enumerate(plain_words(text)) if word == noun] for noun in (a, b)]
    best = ranking(text, [[last, first] for first, last in places])[:2]
    return [(one.layer, one.head, one.first) for one in best] == [(2, 9, 1), (1, 1, 1)]


def has_the_head_of_objects_first(text: str, arcs: list[list[int]]) -> bool:
    """From both objects to their verbs: the head that is best at objects comes first."""
    best = ranking(text, arcs)[0]
    return (best.layer, best.head) == relation("bert", "obj").best


def is_distance_alone(text: str) -> bool:
    """From each word to the one before: over its mean at that distance no head has anything left."""
    best = ranking(text, [[2, 1], [5, 4], [7, 6], [9, 8]])[0]
    return (best.layer, best.head) == (0, 2) and best.attention > 0.95 and abs(best.margin) < 0.1


def switched(text: str, blank: int, off: list[list[int]], name: str = "bert"):
    network = model(name)
    _, blank = guess.find_blank(network, text, blank)
    question = ablation.ask(network, blank.text, blank.which)
    parts = ablation.switch_off([tuple(one) for one in off], DEFAULTS["how"])
    return network, ablation.answer(network, question), ablation.answer(network, question, parts)


def tells_her_from_his(text: str, off: list[list[int]]) -> bool:
    """Without the head “her” loses more than half of its probability, and “his” gains."""
    network, before, after = switched(text, plain_words(text).index("her"), off)
    her, his = (network.tokenizer.id(word) for word in ("her", "his"))
    return float(after[her]) < float(before[her]) / 2 and float(after[his]) > float(before[his])


def stays_the_same(text: str, off: list[list[int]]) -> bool:
    blank = len(plain_words(text)) - 1 - plain_words(text)[::-1].index("of")
    network, before, after = switched(text, blank, off)
    of = network.tokenizer.id("of")
    return int(before.argmax()) == int(after.argmax()) == of and ablation.moved(before, after) < 0.02


def begun(name: str) -> str:
    """A name's beginning: its first two tokens, or one of two. Other cuts give other tokens, and no copy."""
    tokenizer = model("gpt").tokenizer
    ids = tokenizer.encode(" " + name).ids
    return "".join(tokenizer.readable(id) for id in ids[: min(2, len(ids) - 1)]).strip()


def is_copied(name: str, off: list[list[int]]) -> bool:
    """GPT goes on with the name as it was spelt; with the head off it is less sure, by a tenth at least."""
    start = begun(name)
    network, before, after = switched(A_NAME.format(name, start), -1, off, "gpt")
    best = int(before.argmax())
    rest = name.removeprefix(start)
    return rest.startswith(network.tokenizer.readable(best)) and float(after[best]) < 0.9 * float(
        before[best]
    )


def relation(name: str, what: str):
    return heads.stored(name).halves[DEFAULTS["of"]].relations[what][DEFAULTS["way"]]


def finds_most_and_the_offset_less_than_half(name: str, what: str) -> bool:
    one = relation(name, what)
    return float(one.accuracy[one.best]) > 0.7 and one.baseline.accuracy < 0.5 and one.baseline.offset == -3


def is_no_better_than_an_offset(name: str, what: str) -> bool:
    one = relation(name, what)
    best = float(one.accuracy[one.best])
    return best > 0.9 and one.baseline.offset == 1 and best - one.baseline.accuracy < 0.05


def is_an_induction_head(name: str) -> bool:
    repeated = heads.stored(name).repeated
    return repeated.score > max(0.5, repeated.flat["scores"] + 0.4)
