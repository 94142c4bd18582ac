"""Names for heads, in a word and in a sentence."""

import pytest

from explorer.analysis.heads import Kind
from explorer.views.attention.kinds import brief, known, sentence


@pytest.mark.parametrize(
    ("kind", "word", "said"),
    [
        (Kind("previous", 0.934), "previous", "0.93 to the token before"),
        (Kind("broad", 0.9), "broad", "attends broadly, 90% of the greatest entropy there can be"),
        (
            Kind("obj", 0.87, "to_head", 0.441),
            "object →",
            "from object to the word it depends on, 87% right, 44 points over the best fixed offset",
        ),
        (
            Kind("aux", 0.93, "to_dependent", 0.39),
            "→ aux verb",
            "from a word to its auxiliary verb, 93% right, 39 points over the best fixed offset",
        ),
        (
            Kind("induction", 0.5),
            "induction",
            "on repeated random tokens, 0.50 to what followed the first time",
        ),
    ],
)
def test_a_kind_in_a_word_and_in_a_sentence(kind, word, said):
    assert (brief(kind), sentence(kind)) == (word, said)


def test_every_head_has_a_sentence_and_says_where_it_was_measured(tiny_bert):
    found = known("folder:/somewhere", tiny_bert.trace("we saw the river"))
    assert len(found) == 15
    assert all(said.endswith("(on this text)") for _, said in found.values())
    bundled = known("bert", None)
    assert len(bundled) == 72 and all(said.endswith("(on our 200 sentences)") for _, said in bundled.values())
    assert {word for word, _ in bundled.values()} >= {"", "previous", "next", "special", "broad"}
