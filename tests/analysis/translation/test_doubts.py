"""Signs that a translation is not to be trusted, on sentences of both kinds."""

import json

import pytest
import torch

from explorer.analysis.translation import Limits, Translation, doubts, limits
from explorer.trace import Checkpoint, Encoding

KNOWN = Limits(frozenset("the bank is by river don't we saw light".split()), -0.8)


def translated(text: str, score: float = -0.2, tokens: int = 5) -> Translation:
    """A translation of a text of so many tokens."""
    ids = torch.zeros(tokens + 1, dtype=torch.long)
    flags = torch.zeros(tokens + 1, dtype=torch.bool)
    source = Encoding(text, ["x"] * (tokens + 1), ids, [(0, 0)] * (tokens + 1), flags, ids)
    return Translation("", source, (), [], score, score, [])


@pytest.mark.parametrize("text", ["The bank is by the river.", "We DON’T, we don't!", "Light?", "!"])
def test_what_was_learnt_raises_no_doubt(text):
    assert doubts(translated(text), KNOWN) == []


def test_a_long_sentence(tiny_marian):
    assert [d.kind for d in doubts(translated("the", tokens=20), KNOWN)] == []
    (found,) = doubts(translated("the", tokens=21), KNOWN)
    assert (found.kind, found.tokens) == ("long", 21)


def test_rare_words_are_named_once_and_in_order():
    (found,) = doubts(translated("The zither by the Oud is the zither."), KNOWN)
    assert (found.kind, found.words) == ("rare", ("zither", "oud"))


def test_a_low_score():
    (found,) = doubts(translated("the bank", score=-0.81), KNOWN)
    assert (found.kind, found.score, found.usual) == ("low", -0.81, -0.8)


def test_of_a_translator_from_elsewhere_only_the_length_is_known():
    found = doubts(translated("Zither!", score=-9, tokens=30), Limits())
    assert [d.kind for d in found] == ["long"]


def test_limits_are_read_from_beside_the_weights(tiny_marian, tmp_path):
    assert limits(tiny_marian) == Limits()
    (tmp_path / "known_words.txt").write_text("bank\nthe\n", encoding="utf-8")
    figures = [{"key": "bleu", "value": 30.0}, {"key": "score_p5", "value": -1.5}]
    record = json.dumps({"scores": {"figures": figures}})
    (tmp_path / "training.json").write_text(record, encoding="utf-8")
    other = type(tiny_marian)(
        Checkpoint("folder", str(tmp_path)),
        tiny_marian.config,
        tiny_marian.network,
        tiny_marian.tokenizer,
        tiny_marian.abilities,
    )
    assert limits(other) == Limits(frozenset({"bank", "the"}), -1.5)
    hub = type(tiny_marian)(
        Checkpoint("hub", "org/name"), other.config, other.network, other.tokenizer, other.abilities
    )
    assert limits(hub) == Limits()
