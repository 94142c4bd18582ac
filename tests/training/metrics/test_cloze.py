"""Cloze lines: read as written, counted as the fill-mask list has them."""

import pytest
import torch

from explorer.analysis.prediction.fill import fill_mask
from explorer.errors import AbilityError, TextError
from training.metrics.cloze import LINES, Line, cloze, frequent_words, read_lines, unigram
from training.text.corpus import Corpus

TEXT = """# dev
we sat on the [MASK].\tbank RIVER

# test
the [MASK] was old\tlight
"""


def line(text, *words):
    return Line(text, frozenset(words))


def test_lines_belong_to_splits():
    assert read_lines(TEXT) == {
        "dev": [line("we sat on the [MASK].", "bank", "river")],
        "test": [line("the [MASK] was old", "light")],
    }


def test_the_lines_we_ship():
    splits = read_lines(LINES.read_text(encoding="utf-8"))
    assert list(splits) == ["dev", "test"]
    lines = [line for split in splits.values() for line in split]
    assert len(lines) >= 100 and len({line.text for line in lines}) == len(lines)
    for each in lines:
        assert each.text.count("[MASK]") == 1 and each.accepted


def test_shares_are_those_of_the_fill_mask_list(tiny_bert):
    texts = ["we sat on the [MASK].", "the [MASK] was old", "[MASK] water"]
    best = [[token for token, _ in fill_mask(tiny_bert, text, 12)[0]] for text in texts]
    lines = [
        line(texts[0], best[0][0], best[0][11]),  # first, and twelfth
        line(texts[1], best[1][9]),  # tenth: the last that counts
        line(texts[2], best[2][10]),  # eleventh
    ]
    found = cloze(tiny_bert, lines)
    assert (found.top1, found.top10) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (found.lines, found.out_of_reach) == (3, 0)


def test_a_word_that_is_no_token_counts_as_wrong(tiny_bert):
    far = "the " * 70 + "[MASK]"
    found = cloze(tiny_bert, [line("the [MASK] was old", "hippopotamus"), line(far, "bank")])
    assert (found.top10, found.lines, found.out_of_reach) == (0, 2, 2)


def test_ties_count_as_wrong(tiny_bert, monkeypatch):
    d_vocab = tiny_bert.config.d_vocab
    lines = [line("the [MASK] was old", "bank")]
    for shared, expected in ((10, 1.0), (11, 0.0)):
        scores = torch.zeros(d_vocab)
        scores[:shared] = 1.0
        scores = scores.roll(tiny_bert.tokenizer.id("bank"))
        monkeypatch.setattr(tiny_bert.network, "unembed", lambda states, s=scores: s.expand(len(states), -1))
        found = cloze(tiny_bert, lines)
        assert (found.top1, found.top10) == (0.0, expected)


def test_what_cannot_be_scored(tiny_bert, tiny_gpt):
    with pytest.raises(AbilityError):
        cloze(tiny_gpt, [line("the [MASK]", "bank")])
    for bad in (line("no gap", "bank"), line("[MASK] [MASK]", "bank"), line("the [MASK]")):
        with pytest.raises(TextError):
            cloze(tiny_bert, [bad])


def test_always_the_same_ten_words(tmp_path):
    path = tmp_path / "en.txt"
    path.write_text("The bank, the river.\n\nThe light and THE bank\n", encoding="utf-8")
    words = frequent_words(Corpus((path,)), 3)
    assert words[:2] == ["the", "bank"] and len(words) == 3
    lines = [line("[MASK] a", "the", "no"), line("[MASK] b", "bank"), line("[MASK] c", "deep")]
    found = unigram(words, lines)
    assert (found.top1, found.top10) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
