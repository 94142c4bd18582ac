"""Words in another order: without positions BERT gives each the same vector, with them it does not."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import explorer
from explorer.analysis.positions import shuffling
from explorer.errors import AbilityError, TextError
from explorer.models.rotary import Rotary
from explorer.models.transformer import Design
from tests.models import designs

TEXT = "we sat on the unbelievable bank and the boat was clean"
PAIR = "Anna does like films that do not have a plot."


@pytest.mark.weights
@given(order=st.permutations(range(11)))
def test_without_positions_bert_sees_a_bag_of_words(bert, order):
    encoding = bert.encode(TEXT)
    assert shuffling.moved(bert, encoding, order, positions=False).most < 1e-4  # weights far from usual ones


@pytest.mark.weights
@pytest.mark.parametrize("seed", range(5))
def test_the_bundled_bert_moves_by_less_than_a_hundred_thousandth_without_positions(seed):
    bert = explorer.load("bert")
    encoding = bert.encode(PAIR)
    order = shuffling.shuffled(11, seed)
    without = shuffling.moved(bert, encoding, order, positions=False)
    assert without.most < 1e-5
    assert shuffling.moved(bert, encoding, order).most > 0.1


def test_without_positions_gpt_tells_the_order_all_the_same(gpt):
    encoding = gpt.encode(" the bank the walk bank")
    order = [4, 3, 2, 1, 0]
    found = shuffling.moved(gpt, encoding, order, positions=False)
    assert float(found.cosines[-1].min()) > 1e-4 and found.most > 0.1


def test_turned_back_a_model_that_looks_both_ways_sees_a_bag_of_words(tmp_path, monkeypatch):
    both = Design(causal=False, rms=True, rotary=Rotary(designs.D_HEAD), gated=True)
    monkeypatch.setitem(designs.DESIGNS, "both ways", both)
    model = designs.build("both ways", tmp_path)
    encoding = model.encode(" the bank the walk bank")
    without = shuffling.moved(model, encoding, [4, 3, 2, 1, 0], positions=False)
    assert without.most < 1e-3 < shuffling.moved(model, encoding, [4, 3, 2, 1, 0]).most


def test_gpt_reads_nothing_that_comes_later(gpt):
    """Words before the first change keep their vectors, with positions and without."""
    encoding = gpt.encode(" the bank the walk bank")
    for positions in (True, False):
        found = shuffling.moved(gpt, encoding, [0, 1, 4, 3, 2], positions)
        assert float(found.cosines[:, :2].max()) < 1e-6 < float(found.cosines[-1, 2])


@pytest.mark.parametrize("which", ["bert", "gpt"])
def test_the_edit_is_a_network_whose_table_is_zero(which, request):
    model = request.getfixturevalue(which)
    found = model.trace("we sat in the bank", edit=shuffling.without_positions(model)).hidden_states
    table = model.network.positions.weight
    kept = table.data.clone()
    try:
        table.data.zero_()
        wanted = model.trace("we sat in the bank").hidden_states
    finally:
        table.data.copy_(kept)
    torch.testing.assert_close(found, wanted, atol=1e-4, rtol=1e-4)


def test_cosines_one_by_one(bert):
    encoding = bert.encode(TEXT)
    order = shuffling.shuffled(11, 3)
    found = shuffling.moved(bert, encoding, order)
    other = shuffling.reordered(encoding, order)
    first, second = (t.hidden_states for t in bert.trace_encodings([encoding, other]))
    for i, word in enumerate(found.words):
        spelled = [encoding.tokens[p] for p in word.positions]
        there = [i] if word.special else [other.spans.index(encoding.spans[p]) for p in word.positions]
        there = [len(encoding) - 1] if word.text == "[SEP]" else there
        assert [other.tokens[p] for p in there] == spelled
        for layer in range(4):
            wanted = torch.cosine_similarity(
                first[layer, word.positions].mean(0), second[layer, there].mean(0), dim=0
            )
            assert float(found.cosines[layer, i]) == pytest.approx(1 - float(wanted), abs=1e-5)


def test_the_order_of_other_words():
    one, other = (shuffling.split(t) for t in (PAIR, "Anna does NOT like films that do have a plot."))
    order = shuffling.order_of(one, other)
    assert [one[i].lower() for i in order] == [word.lower() for word in other]
    assert order[2] == 6


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("a b", "only in the first: c"),
        ("a b c d", "only in the second: d"),
        ("a b b", "first: c; only in the"),
    ],
)
def test_other_words_are_no_order(other, said):
    with pytest.raises(TextError, match=said):
        shuffling.order_of("a b c".split(), other.split())


@pytest.mark.parametrize("order", [[0], [0, 0], [0, 2], []])
def test_what_is_no_order_is_refused(bert, order):
    with pytest.raises(TextError, match="not an order of 2 words"):
        shuffling.reordered(bert.encode("the bank"), order)


@pytest.mark.parametrize(
    "text", ["don't walk, un-clean!", "a [MASK] by it", "东京 🙂🙂 x", "  the\n\tbank ", "", "☃" * 9]
)
@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_every_token_belongs_to_one_word(name, text):
    encoding = explorer.load(name).encode(text, limit=14)
    every = shuffling.grouped(encoding)
    assert sorted(p for word in every for p in word.positions) == list(range(len(encoding)))
    assert [word.text for word in every if not word.special] == shuffling.split(text)
    for word in every:
        for position in [] if word.special else word.positions:
            assert (
                encoding.surface(position).strip() in word.text
                or encoding.tokens[position] == "[UNK]"
                or name == "gpt"
            )


def test_a_shuffle_is_another_order_and_the_same_for_a_seed():
    for seed in range(30):
        order = shuffling.shuffled(2, seed)
        assert order == [1, 0] and shuffling.shuffled(9, seed) == shuffling.shuffled(9, seed)
    assert shuffling.shuffled(1, 0) == [0] and shuffling.shuffled(0, 0) == []


def test_a_model_without_positions_is_refused(static):
    with pytest.raises(AbilityError):
        shuffling.without_positions(static)
