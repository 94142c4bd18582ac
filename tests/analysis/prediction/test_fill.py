"""Predictions against sums over the logits, written out by hand."""

import math

import pytest
import torch

from explorer.analysis.prediction import fill
from explorer.errors import AbilityError, TextError


def logits(model, ids):
    """All logits of a row of ids, by the plain network."""
    from explorer.trace import Capture

    return model.network(torch.tensor([ids]), capture=Capture.LOGITS).logits[0]


def test_blanks_are_the_softmax_at_every_mask(bert):
    text = "we [MASK] on the [MASK]."
    found = fill.blanks(bert, text)
    assert found.positions == [2, 5]
    expected = bert.trace(text).logits[found.positions].softmax(-1)
    torch.testing.assert_close(found.probabilities, expected)
    torch.testing.assert_close(found.probabilities.sum(-1), torch.ones(2))


def test_blanks_in_a_pair(bert):
    found = fill.blanks(bert, "we sat", "on the [MASK]")
    expected = bert.trace("we sat", "on the [MASK]").logits[found.positions].softmax(-1)
    torch.testing.assert_close(found.probabilities, expected)


def test_top_is_sorted_and_readable(bert):
    found = fill.blanks(bert, "we [MASK] on [MASK]")
    candidates = fill.top(bert, found, 1, 5)
    row = found.probabilities[1]
    assert [c.rank for c in candidates] == [1, 2, 3, 4, 5]
    assert [c.id for c in candidates] == row.sort(descending=True).indices[:5].tolist()
    assert all(bert.tokenizer.id(c.token) == c.id and c.probability == float(row[c.id]) for c in candidates)
    assert len(fill.top(bert, found, 0, 10_000)) == bert.config.d_vocab


def test_fill_mask_gives_a_list_per_mask(bert):
    first, second = fill.fill_mask(bert, "we [MASK] on [MASK]", top=3)
    found = fill.blanks(bert, "we [MASK] on [MASK]")
    assert first == [(c.token, c.probability) for c in fill.top(bert, found, 0, 3)]
    assert second == [(c.token, c.probability) for c in fill.top(bert, found, 1, 3)]


@pytest.mark.parametrize("text", ["", "we sat", "[mask]", "we " * 50 + "[MASK]"])
def test_a_text_without_a_mask_that_is_read_says_so(bert, text):
    with pytest.raises(TextError) as error:
        fill.blanks(bert, text)
    assert error.value.hint


def test_blanks_need_a_head(encoder):
    with pytest.raises(AbilityError):
        fill.blanks(encoder, "we [MASK]")


def test_probe_of_one_piece(bert):
    found = fill.blanks(bert, "we sat on the [MASK]")
    answer = fill.probe(bert, found, "Bank")
    row = found.probabilities[0]
    id = bert.tokenizer.id("bank")
    assert answer.probability == float(row[id])
    assert answer.rank == sorted(row.tolist(), reverse=True).index(float(row[id])) + 1
    assert answer.pieces == ["bank"]
    assert fill.probe(bert, found, "##ing").pieces == ["##ing"]


def test_probe_agrees_with_top(bert):
    found = fill.blanks(bert, "we sat on the [MASK]")
    for candidate in fill.top(bert, found, 0, bert.config.d_vocab):
        answer = fill.probe(bert, found, candidate.token)
        assert (answer.probability, answer.rank) == (candidate.probability, candidate.rank)


def test_probe_of_several_pieces_is_the_chain(bert):
    found = fill.blanks(bert, "the [MASK] [MASK] home")
    answer = fill.probe(bert, found, "unbelievable", which=1)
    id = bert.tokenizer.id
    pieces = [id("un"), id("##believ"), id("##able")]
    product = 1.0
    for i in range(3):
        row = [id("[CLS]"), id("the"), id("[MASK]"), *pieces[:i]]
        row += [id("[MASK]")] * (3 - i) + [id("home"), id("[SEP]")]
        product *= float(logits(bert, row)[3 + i].softmax(-1)[pieces[i]])
    assert answer.probability == pytest.approx(product, rel=1e-5)
    assert answer.rank is None
    assert answer.pieces == ["un", "##believ", "##able"]
    assert math.prod(answer.piece_probabilities) == pytest.approx(answer.probability)
    assert "3 pieces" in answer.note


def test_probe_of_what_cannot_be_spelled(bert):
    answer = fill.probe(bert, fill.blanks(bert, "a [MASK]"), "🙂")
    assert answer.probability is None and answer.rank is None and "[UNK]" in answer.note


def test_probe_of_nothing(bert):
    with pytest.raises(TextError):
        fill.probe(bert, fill.blanks(bert, "a [MASK]"), "  ")


def test_probe_that_no_longer_fits(bert):
    full = fill.blanks(bert, "we " * (bert.config.positions - 3) + "[MASK]")
    with pytest.raises(TextError):
        fill.probe(bert, full, "walking")


def test_next_tokens_are_the_softmax_at_the_end(gpt):
    row = gpt.trace("the walk").logits[-1].softmax(-1)
    best = row.sort(descending=True)
    expected = [gpt.tokenizer.readable(i) for i in best.indices[:4].tolist()]
    found = fill.next_tokens(gpt, "the walk", top=4)
    assert [token for token, _ in found] == expected
    assert [p for _, p in found] == pytest.approx(best.values[:4].tolist())


def test_next_tokens_of_nothing_and_of_too_much(gpt):
    row = logits(gpt, [gpt.tokenizer.start])[-1].softmax(-1)
    assert fill.next_tokens(gpt, "", top=1)[0][1] == pytest.approx(float(row.max()))
    text = "the bank walking " * 30
    ids = gpt.tokenizer.encode(text).ids.tolist()[-gpt.config.positions :]
    assert fill.next_tokens(gpt, text, top=1)[0][1] == pytest.approx(
        float(logits(gpt, ids)[-1].softmax(-1).max())
    )


@pytest.mark.parametrize("text", ["the bank", "a", "walking 🙂!"])
def test_log_likelihood_left_to_right(gpt, text):
    ids = gpt.tokenizer.encode(text).ids.tolist()
    rows = logits(gpt, [gpt.tokenizer.start, *ids[:-1]]).log_softmax(-1)
    expected = sum(float(rows[i, id]) for i, id in enumerate(ids))
    assert fill.log_likelihood(gpt, text) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("text", ["we sat on the bank.", "bank", "walking 🙂"])
def test_log_likelihood_one_masked_at_a_time(bert, text):
    ids = bert.encode(text).ids.tolist()
    expected = 0.0
    for i in range(1, len(ids) - 1):
        masked = [*ids[:i], bert.tokenizer.mask, *ids[i + 1 :]]
        expected += float(logits(bert, masked)[i].log_softmax(-1)[ids[i]])
    assert fill.log_likelihood(bert, text) == pytest.approx(expected, rel=1e-5)


def test_log_likelihood_does_not_depend_on_the_batches(bert, monkeypatch):
    text = "we sat on the bank and walking home"
    whole = fill.log_likelihood(bert, text)
    monkeypatch.setattr("explorer.analysis.prediction.likelihood.BATCH_TOKENS", 1)
    assert fill.log_likelihood(bert, text) == pytest.approx(whole, rel=1e-6)


def test_log_likelihood_at_the_edges(bert, gpt, encoder):
    assert fill.log_likelihood(bert, "") == fill.log_likelihood(gpt, "") == 0.0
    assert fill.log_likelihood(gpt, "a" * gpt.config.positions) < 0
    for model in (bert, gpt):
        with pytest.raises(TextError):
            fill.log_likelihood(model, "a " * 60)
    with pytest.raises(AbilityError):
        fill.log_likelihood(encoder, "we")


def test_next_sentence(bert, gpt):
    last = bert.trace("we sat", "on the bank").hidden_states[-1]
    pooled = torch.tanh(bert.network.pooler(last[0]))
    expected = float(bert.network.nsp_head(pooled).softmax(-1)[0])
    assert fill.next_sentence(bert, "we sat", "on the bank") == pytest.approx(expected, rel=1e-5)
    with pytest.raises(AbilityError):
        fill.next_sentence(gpt, "a", "b")
