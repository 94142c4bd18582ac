"""Shannon's game: the words of a passage, where a guess stands, the model's guesses, the score."""

import pytest
import torch

import explorer
from explorer.analysis.prediction import shannon

TEXT = "we saw the old bank, and it was deep."


def test_the_words_of_a_text_are_its_spots():
    found = shannon.spots("“Don't go,” said the old-timer: it's 5 東京.")
    assert [s.word for s in found] == ["Don't", "go", "said", "the", "old-timer", "it's", "5", "東京"]
    assert [s.gap for s in found][:3] == ["", " ", " "]
    assert found[0].is_("don’t ") and not found[0].is_("do")


def test_a_word_in_any_spelling_is_one_spot():
    text = "well\u2011known ri\u00adver col·lecció Hawai‘i ʻokina Ի՞նչ"
    found = shannon.spots(text)
    assert [s.word for s in found] == text.split()
    assert found[0].is_("well-known") and found[3].is_("Hawaiʻi")


def test_a_guess_has_the_probability_of_its_tokens_one_after_the_other(tiny_gpt):
    spot = shannon.spots(TEXT)[4]
    for word in ("bank", "zzq"):
        ids = tiny_gpt.tokenizer.pieces(f" {word}")
        start = torch.tensor([tiny_gpt.tokenizer.start])
        before = torch.cat([start, tiny_gpt.tokenizer.encode("we saw the old").ids])
        chance = 1.0
        for i, id in enumerate(ids):
            with torch.no_grad():
                last = tiny_gpt.network(torch.cat([before, torch.tensor(ids[:i]).long()])[None]).last[0, -1]
            chance *= float(tiny_gpt.unembed(last).softmax(-1)[id])
        found = shannon.next_word(tiny_gpt, TEXT, spot, word)
        assert found.probability == pytest.approx(chance, rel=1e-4)
        assert (found.rank is None) == (len(ids) > 1)


def test_the_first_word_is_guessed_from_the_start_token(tiny_gpt):
    assert shannon.next_word(tiny_gpt, TEXT, shannon.spots(TEXT)[0], "we").probability > 0


def test_the_models_guesses_are_whole_words_each_once():
    model, text = explorer.load("gpt"), "Once upon a time there was a little girl who lived in the forest."
    found = shannon.next_words(model, text, shannon.spots(text)[3], 5)
    words = [c.token for c in found]
    assert words[0] == "time" and len(set(map(str.casefold, words))) == len(words) == 5
    assert all(shannon.WORD.fullmatch(word) for word in words)
    assert [c.rank for c in found] == [1, 2, 3, 4, 5] and found[0].probability > 0.1
    assert found[0].probability == pytest.approx(
        shannon.next_word(model, text, shannon.spots(text)[3], "time").probability, rel=1e-3
    )
