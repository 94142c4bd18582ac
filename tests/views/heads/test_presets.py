"""What the heads page's presets promise, measured on the weights that ship."""

import pytest

import explorer
from explorer.analysis import heads
from explorer.analysis.attention.weights import between_words
from explorer.analysis.heads import ablation
from explorer.views.heads import guess, own_arcs
from explorer.views.heads.presets import ARCS, KINDS, OFF
from tests.views.opening import defaults

DEFAULTS = defaults("heads")

pytestmark = pytest.mark.weights


def preset(label: str) -> dict:
    return DEFAULTS | next(p.values for p in [*KINDS, *ARCS, *OFF] if p.label == label)


def relation(values: dict):
    return heads.stored(values["model"]).halves[values["of"]].relations[values["what"]][values["way"]]


def matches(values: dict):
    trace = explorer.load(values["model"]).trace(values["text"])
    _, pattern = between_words(trace)
    return heads.find(pattern, own_arcs.read_arcs(values["arcs"], pattern.shape[-1]))


def switched(values: dict):
    model = explorer.load(values["model"])
    _, blank = guess.find_blank(model, values["text"], values["blank"])
    question = ablation.ask(model, blank.text, blank.which)
    off = ablation.switch_off([tuple(one) for one in values["off"]], values["how"])
    return model, blank, ablation.answer(model, question), ablation.answer(model, question, off)


def test_one_head_finds_most_verbs_and_the_offset_less_than_half():
    one = relation(preset("From an object to its verb"))
    assert float(one.accuracy[one.best]) > 0.7 and one.baseline.accuracy < 0.5
    assert one.baseline.offset == -3


def test_an_adjectives_noun_is_the_next_word():
    one = relation(preset("Too easy to count"))
    assert float(one.accuracy[one.best]) > 0.9 and one.baseline.accuracy > 0.9
    assert one.baseline.offset == 1
    assert float(one.accuracy[one.best]) - one.baseline.accuracy < 0.05


def test_gpt_has_an_induction_head():
    repeated = heads.stored(preset("What followed the first time")["model"]).repeated
    assert repeated.score > 0.5 and repeated.score > repeated.flat["scores"] + 0.4


def test_one_head_draws_both_twins():
    best, second, *_ = matches(preset("The same word again")).ranking()
    assert best.attention > 0.8 and best.first == 1 and best.margin > 0.5
    assert 0.5 < second.attention < best.attention - 0.1


def test_the_head_that_is_best_at_objects_comes_first():
    best = matches(preset("Two objects, two verbs")).ranking()[0]
    assert (best.layer, best.head) == relation(preset("From an object to its verb")).best


def test_a_head_that_goes_by_distance_has_nothing_over_it():
    values = preset("Distance alone")
    words = explorer.load("bert").trace(values["text"])
    best = matches(values).ranking()[0]
    assert (best.layer, best.head) == (0, 2) and best.attention > 0.95 and abs(best.margin) < 0.1
    assert all(start - end == 1 for start, end in values["arcs"]) and len(words.tokens) > 10


def test_one_head_tells_her_from_his():
    model, asked, before, after = switched(preset("One head tells her from his"))
    her, his = (model.tokenizer.id(word) for word in ("her", "his"))
    assert asked.word == "her" and int(before.argmax()) == her and int(after.argmax()) == his
    assert float(before[her]) > 0.7 and float(after[her]) < 0.4
    (head,) = preset("One head tells her from his")["off"]
    pattern = model.trace(asked.text).attention.pattern[tuple(head)]
    tokens = model.trace(asked.text).tokens
    assert float(pattern[tokens.index("[MASK]"), tokens.index("she")]) > 0.6, "it reads she for the blank"


def test_twelve_heads_go_and_the_guess_stays():
    values = preset("Twelve heads, no difference")
    model, asked, before, after = switched(values)
    assert len(values["off"]) == model.config.heads
    assert int(before.argmax()) == int(after.argmax()) == asked.token and float(before[asked.token]) > 0.9
    assert ablation.moved(before, after) < 0.02


CIRCUIT = (
    "A name never seen before",
    "Two heads, one circuit",
)  # the head that copies, and the one before it


@pytest.mark.parametrize("label", CIRCUIT)
def test_gpt_copies_a_name_by_two_heads(label):
    model, _, before, after = switched(preset(label))
    best = int(before.argmax())
    assert model.tokenizer.readable(best) == "b" and float(before[best]) > 0.8
    assert float(after[best]) < float(before[best]) / 2
    report = heads.stored("gpt")
    (copies,), (back,) = (preset(name)["off"] for name in CIRCUIT)
    assert float(report.repeated.scores[tuple(copies)]) > 0.6, "several heads have learnt it: this is one"
    assert "previous" in [kind.name for kind in report.kinds()[tuple(back)]]


@pytest.mark.parametrize("one", [*KINDS, *ARCS, *OFF], ids=lambda one: one.label)
def test_a_preset_sets_what_exists(one):
    assert set(one.values) <= set(DEFAULTS)
