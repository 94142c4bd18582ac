"""Surprisal of any text: against the text's likelihood, in windows, by word, and by other models."""

from math import log, log2

import pytest
import torch

import explorer
from explorer.analysis.prediction import surprisal
from explorer.analysis.prediction.fill import blanks, fill_mask, log_likelihood, probe
from explorer.errors import AbilityError

TEXT = "the light on the water was old and deep, and we saw money in the bank."


def test_the_bits_of_a_text_are_its_log_likelihood(tiny_gpt):
    reading = surprisal.read(tiny_gpt, TEXT)
    assert float(reading.bits.sum()) == pytest.approx(-log_likelihood(tiny_gpt, TEXT) / log(2), rel=1e-5)
    assert reading.windows == 1 and len(reading.bits) == len(reading.encoding)


def test_perplexity_and_bits_per_byte_by_hand(tiny_gpt):
    reading = surprisal.read(tiny_gpt, "we saw 东京")
    total = -log_likelihood(tiny_gpt, "we saw 东京") / log(2)
    assert reading.per_byte == pytest.approx(total / 13, rel=1e-5), "seven letters and spaces, six bytes"
    assert log2(reading.perplexity) == pytest.approx(total / len(reading.bits), rel=1e-5)


def test_a_rank_of_one_is_the_likeliest_token(tiny_gpt):
    reading = surprisal.read(tiny_gpt, TEXT)
    ids, start = reading.encoding.ids, torch.tensor([tiny_gpt.tokenizer.start])
    with torch.no_grad():
        states = tiny_gpt.network(torch.cat([start, ids[:-1]])[None]).last[0]
        logits = tiny_gpt.unembed(states)
    order = logits.argsort(dim=1, descending=True)
    places = (order == ids[:, None]).nonzero()[:, 1] + 1
    assert torch.equal(places, reading.ranks)


@pytest.mark.parametrize("times", [1, 5, 40])
def test_windows_score_every_token_once_with_half_a_context_at_least(tiny_gpt, times):
    text = " ".join([TEXT] * times)
    reading, context = surprisal.read(tiny_gpt, text), tiny_gpt.config.positions
    ids = reading.encoding.ids
    assert len(reading.bits) == len(ids) and bool((reading.bits > 0).all())
    assert (reading.windows == 1) == (len(ids) <= context)
    for at in {0, min(context, len(ids)) - 1, min(context, len(ids) - 1), len(ids) - 1}:
        # The window of a position ends half a context later at most, and is a context long.
        first = 0
        if at >= context:
            stride = context // 2
            last = context + ((at - context) // stride + 1) * stride
            first = max(min(last, len(ids)) - context, 0)
        start = ids[first - 1 : first] if first else torch.tensor([tiny_gpt.tokenizer.start])
        with torch.no_grad():
            last_state = tiny_gpt.network(torch.cat([start, ids[first:at]])[None]).last[0, -1]
        expected = -float(tiny_gpt.unembed(last_state).log_softmax(-1)[ids[at]]) / log(2)
        assert float(reading.bits[at]) == pytest.approx(expected, rel=1e-4, abs=1e-4)


def test_a_limit_cuts_and_says_so(tiny_gpt):
    reading = surprisal.read(tiny_gpt, TEXT, limit=5)
    assert len(reading.bits) == 5 and reading.encoding.truncated > 0
    assert reading.read == TEXT[: reading.encoding.spans[-1][1]]


@pytest.mark.parametrize("text", ["", " ", "🦊 and 東京", "سلام", "</script>", "\n\n", "a"])
def test_any_text_is_read_and_its_pieces_are_the_text(tiny_gpt, text):
    reading = surprisal.read(tiny_gpt, text)
    pieces = surprisal.pieces(reading)
    assert "".join(text[p.start : p.end] for p in pieces) == text
    assert sum(p.tokens for p in pieces) == len(reading.bits)
    assert sum(p.bits for p in pieces) == pytest.approx(float(reading.bits.sum()), rel=1e-5)
    assert reading.per_byte >= 0


def test_the_bytes_of_a_character_are_one_piece(tiny_gpt):
    reading = surprisal.read(tiny_gpt, "a🦊")
    letter, fox = surprisal.pieces(reading)
    assert (letter.tokens, fox.tokens) == (1, 4)
    assert fox.bits == pytest.approx(float(reading.bits[1:].sum()), rel=1e-5)
    assert fox.rank == int(reading.ranks[1:].max())


def test_a_words_bits_are_those_of_its_tokens_and_the_most_surprising_come_first(tiny_gpt):
    reading = surprisal.read(tiny_gpt, TEXT)
    found = surprisal.of_words(reading)
    assert [TEXT[w.start : w.end] for w in found][:3] == ["the", "light", "on"]
    shown = [reading.encoding.surface(i) for i in range(len(reading.bits))]
    lone = [
        one == " " and not after[:1].isspace() for one, after in zip(shown, [*shown[1:], " "], strict=True)
    ]
    letters = [bool(one.strip()) or space for one, space in zip(shown, lone, strict=True)]
    assert sum(w.bits for w in found) == pytest.approx(float(reading.bits[letters].sum()), rel=1e-5)
    best = surprisal.most_surprising(reading, 4)
    most = {}
    for w in found:
        word = TEXT[w.start : w.end]
        if word.isalnum():
            most[word] = max(most.get(word, 0), w.bits)
    assert [w.bits for w in best] == sorted(most.values(), reverse=True)[:4]


def test_a_model_that_fills_blanks_scores_each_word_by_both_sides(tiny_bert, tiny_gpt):
    scored = surprisal.read(tiny_bert, "we saw the bank")
    assert scored.both_sides and scored.encoding.tokens == ["we", "saw", "the", "bank"]
    guesses = fill_mask(tiny_bert, "we [MASK] the bank", top=97)[0]
    rank, chance = next((rank, p) for rank, (word, p) in enumerate(guesses, 1) if word == "saw")
    assert float(scored.bits[1]) == pytest.approx(-log2(chance), rel=1e-4) and scored.ranks[1] == rank
    words = surprisal.of_words(surprisal.read(tiny_gpt, "we saw the bank"))
    bits = scored.bits.tolist()
    assert surprisal.in_words(words, scored.encoding, bits) == pytest.approx(bits)


def test_a_token_that_begins_with_a_space_counts_for_the_word_after_it(tiny_bert, tiny_gpt):
    scored = surprisal.read(tiny_gpt, "we saw the bank")
    assert scored.encoding.spans[1] == (2, 6)
    for first in (tiny_bert, tiny_gpt):
        words = surprisal.of_words(surprisal.read(first, "we saw the bank"))
        bits = surprisal.in_words(words, scored.encoding, scored.bits.tolist())
        assert sum(bits) == pytest.approx(float(scored.bits.sum()), rel=1e-5)


def test_the_bits_from_both_sides_add_up_to_the_pseudo_log_likelihood(tiny_bert):
    for text in ("we sat on the bank.", "the unbelievable walking boat", "bank", "", "we [SEP] sat 🙂"):
        scored = surprisal.read(tiny_bert, text)
        assert float(scored.bits.sum()) == pytest.approx(-log_likelihood(tiny_bert, text) / log(2), rel=1e-4)
        assert not scored.encoding.special.any()


def test_with_the_rest_of_a_word_masked_it_costs_what_its_look_up_says(tiny_bert):
    text = "we saw the unbelievable bank"
    whole, lone = (surprisal.read(tiny_bert, text, rest_of_word=rest) for rest in (True, False))
    chance = probe(tiny_bert, blanks(tiny_bert, "we saw the [MASK] bank"), "unbelievable").probability
    words, before = surprisal.of_words(whole), surprisal.of_words(lone)
    assert words[3].tokens > 1 and words[3].bits == pytest.approx(-log2(chance), rel=1e-4)
    same = [w.bits == pytest.approx(b.bits, rel=1e-4) for w, b in zip(words, before)]
    assert same == [True] * 3 + [False, True]


def test_in_several_batches_as_in_one(tiny_bert, monkeypatch):
    text = "we saw the old bank by the river"
    together = surprisal.read(tiny_bert, text)
    monkeypatch.setattr(surprisal, "batch_tokens", lambda model: 22)  # two rows
    torch.testing.assert_close(surprisal.read(tiny_bert, text).bits, together.bits)


def test_a_word_that_was_not_scored_has_no_bits(tiny_gpt, tiny_bert):
    words = surprisal.of_words(surprisal.read(tiny_gpt, "we saw the old bank"))
    scored = surprisal.read(tiny_bert, "we saw the old bank", 5)
    values = surprisal.in_words(words, scored.encoding, scored.bits.tolist())
    assert [value is None for value in values] == [False, False, False, True, True]
    assert scored.encoding.truncated == 2


def test_a_model_that_cannot_score_a_text_says_so(tiny_gpt):
    with pytest.raises(AbilityError):
        surprisal.read(explorer.load("elmo"), TEXT)
    with pytest.raises(AbilityError):
        surprisal.read_words(tiny_gpt, TEXT, 10)
