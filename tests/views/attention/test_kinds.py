"""Names for heads, in a word and in a sentence."""

import pytest

from explorer.analysis.heads import Kind
from explorer.views.attention.kinds import descriptions, sentence
from explorer.views.widgets.head_kinds import kind_name


@pytest.mark.parametrize(
    ("kind", "word", "description"),
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
def test_a_kind_in_a_word_and_in_a_sentence(kind, word, description):
    assert (kind_name(kind), sentence(kind)) == (word, description)


def test_every_head_has_a_sentence_and_says_where_it_was_measured(tiny_bert):
    by_head = descriptions("folder:/somewhere", tiny_bert.trace("we saw the river"))
    assert len(by_head) == 15
    assert all(description.endswith("(on this text)") for _, description in by_head.values())
    bundled = descriptions("bert", None)
    assert len(bundled) == 72 and all(
        description.endswith("(on our 200 sentences)") for _, description in bundled.values()
    )
    assert {word for word, _ in bundled.values()} >= {"", "previous", "next", "special", "broad"}
