"""Which languages a vocabulary was made for."""

import pytest

import explorer
from explorer.tokenizers.languages import CHARACTERS, WORDS, languages

HAN = [chr(0x4E00 + i) for i in range(CHARACTERS)]


def test_chinese_english_or_both():
    assert languages(HAN) == {"zh"}
    assert languages([*HAN[1:], "the"]) == {"en"}, "English vocabularies hold some characters too"
    assert languages([*HAN, *WORDS]) == {"zh", "en"}
    assert languages([*HAN, *list(WORDS)[:3]]) == {"zh"}, "a Chinese one quotes a few English words"
    assert languages([*("\u2581" + c for c in HAN), *("\u2581" + w for w in WORDS)]) == {"zh", "en"}
    assert languages(["Ġ" + word for word in WORDS]) == {"en"}


def test_models(tiny_bert, tiny_gpt, tiny_chinese, tiny_bilingual):
    assert tiny_bert.languages == tiny_gpt.languages == {"en"}
    assert tiny_chinese.languages == {"zh"} and tiny_bilingual.languages == {"en", "zh"}


@pytest.mark.weights
def test_bundled_models_are_english():
    for name in ("bert", "bert-mini", "gpt", "elmo", "word2vec", "translator"):
        assert explorer.load(name).languages == {"en"}, name
