"""A blank filled by reading on, against log-likelihoods of whole texts."""

import dataclasses

import pytest
import torch

from explorer.analysis.prediction import branches as module
from explorer.analysis.prediction.branches import Branches, Prefix
from explorer.analysis.prediction.fill import blanks, fill_mask, log_likelihood, next_tokens, probe, top
from explorer.analysis.prediction.reading_on import LeftSide, fill_in, read_on
from explorer.errors import TextError
from tests.models import designs

LEFT, RIGHT = "we walk the ", " in the bank."


def whole_vocabulary(model, left, right):
    """Every word of one token that fits, with P(left word right), from the text as a whole."""
    scores = {}
    for id in range(model.tokenizer.size):
        word = model.tokenizer.readable(id).removeprefix(" ")
        if f" {word}" != model.tokenizer.readable(id) or not word.isalpha():
            continue
        if fill_in(model, left[:-1], f" {word}", right).word == [id]:
            scores[word] = log_likelihood(model, left + word + right)
    return scores


@pytest.mark.parametrize(("left", "right"), [(LEFT, RIGHT), ("we ", "."), ("a ", " the walk, the bank.")])
def test_it_is_the_share_of_the_whole_text_among_all_words(gpt, left, right):
    scores = whole_vocabulary(gpt, left, right)
    assert len(scores) > 5
    expected = torch.tensor(list(scores.values()), dtype=torch.float64).softmax(0)
    reading = read_on(gpt, left, right, tries=1000, finalists=1000)
    actual = dict(zip(reading.words, reading.probabilities().tolist(), strict=True))
    assert actual == pytest.approx(dict(zip(scores, expected.tolist(), strict=True)), rel=1e-3, abs=1e-7)


def test_each_word_on_the_right_multiplies_its_probability(gpt):
    reading = read_on(gpt, LEFT, RIGHT, tries=1000, finalists=1000)
    assert reading.right_words == ["in", "the", "bank", "."]
    for count, right in enumerate(["", " in", " in the", " in the bank", " in the bank."]):
        scores = torch.tensor([log_likelihood(gpt, LEFT + word + right) for word in reading.words])
        torch.testing.assert_close(reading.probabilities(count), scores.softmax(0), rtol=1e-3, atol=1e-6)


def test_words_that_are_not_read_to_the_end_are_counted(gpt):
    whole = read_on(gpt, LEFT, RIGHT, tries=1000, finalists=1000)
    some = read_on(gpt, LEFT, RIGHT, tries=1000, finalists=2)
    after_one = whole.probabilities(1).sort(descending=True).values
    assert some.dropped == pytest.approx(float(after_one[2:].sum()), rel=1e-3)
    assert whole.dropped == 0 and int((some.probabilities() > 0).sum()) == 2
    few = read_on(gpt, LEFT, RIGHT, tries=3, finalists=3)
    mass = whole.log_left.exp().sort(descending=True).values
    assert few.untried == pytest.approx(1 - float(mass[:3].sum()), rel=1e-3)
    assert whole.untried == pytest.approx(1 - float(mass.sum()), abs=1e-5)


def test_the_words_beside_one_change_nothing_but_the_sum(gpt):
    many, few = read_on(gpt, LEFT, RIGHT, 1000, 1000), read_on(gpt, LEFT, RIGHT, 3, 3)
    joint = dict(zip(many.words, many.log_joint.tolist(), strict=True))
    for word, score in zip(few.words, few.log_joint.tolist(), strict=True):
        assert score == pytest.approx(joint[word], abs=1e-4)


def test_a_network_that_keeps_nothing_reads_the_left_side_again(gpt):
    class Without:
        """The same model, with its network elsewhere."""

        def __getattr__(self, name):
            if name == "network":
                raise AttributeError
            return getattr(gpt, name)

    far, near = (read_on(model, LEFT, RIGHT, 6, 3) for model in (Without(), gpt))
    assert far.words == near.words
    torch.testing.assert_close(far.probabilities(), near.probabilities(), rtol=1e-4, atol=1e-6)


def test_a_blank_at_the_end_is_the_next_word(gpt):
    reading = read_on(gpt, "we walk the ", "", tries=1000)
    own = dict(next_tokens(gpt, "<|endoftext|>we walk the", top=1000))
    side = LeftSide(gpt, "we walk the ")
    for word, id in zip(reading.words, reading.ids, strict=True):
        assert f" {word}" in own
        assert float(side.next_token[id]) == pytest.approx(float(reading.log_left[reading.ids.index(id)]))
    assert reading.right_words == [] and reading.dropped == 0


@pytest.mark.parametrize("left", ["", "we (", "we walk. (", "do we? “"])
def test_a_sentence_begins_with_a_capital(gpt, left):
    words = read_on(gpt, left, " bank.", tries=40).words
    begins = left != "we ("
    assert words and all(word[0].isupper() for word in words) == begins


def test_blanks_are_filled_from_left_to_right(gpt):
    text = "we [MASK] in the [MASK]."
    result = blanks(gpt, text)
    first = read_on(gpt, "we ", " in the ")
    best = first.words[int(first.probabilities().argmax())]
    assert result.readings[1].left == f"we {best} in the "
    assert [row.sum().item() for row in result.probabilities] == pytest.approx([1, 1])
    assert result.encoding.tokens[result.positions[0]] == f"Ġ{best}"
    assert [[token for token, _ in row] for row in fill_mask(gpt, text, top=2)] == [
        [c.token for c in top(gpt, result, which, 2)] for which in (0, 1)
    ]


def test_a_word_of_several_tokens_is_tried_among_the_others(gpt):
    result = blanks(gpt, LEFT + "[MASK]" + RIGHT)
    word = probe(gpt, result, "walking")
    assert word.pieces == [" walk", "ing"] and "tried" in word.note
    reading = result.readings[0]
    texts = [LEFT + other + RIGHT for other in [*reading.words[: len(reading.log_rest)], "walking"]]
    scores = torch.tensor([log_likelihood(gpt, text) for text in texts], dtype=torch.float64)
    assert word.probability == pytest.approx(float(scores.softmax(0)[-1]), rel=1e-3)
    assert word.rank == int((scores > scores[-1]).sum()) + 1


def test_a_word_that_was_tried_has_the_same_probability_when_looked_up(gpt):
    result = blanks(gpt, LEFT + "[MASK]" + RIGHT)
    for candidate in top(gpt, result, 0, 5):
        word = probe(gpt, result, candidate.token)
        assert (word.rank, word.note) == (candidate.rank, "")
        assert word.probability == pytest.approx(candidate.probability, rel=1e-3)


def test_forty_blanks(gpt):
    with pytest.raises(TextError, match="does not fit"):
        blanks(gpt, "[MASK] " * 60)
    assert len(blanks(gpt, "we" + " [MASK]" * 12).positions) == 12


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no"), ("we walk", "There is no"), ("we [mask]", "There is no"),
        ("we " * 50 + "[MASK]", "does not fit"), ("we [MASK]" + " we" * 50, "does not fit"),
        ("the [MASK][MASK].", None), ("</script>[MASK]", None),
    ],
)  # fmt: skip
def test_texts_that_cannot_be_filled_say_why(gpt, text, message):
    if message is None:
        assert blanks(gpt, text).probabilities.sum() > 0.9
        return
    with pytest.raises(TextError, match=message):
        blanks(gpt, text)


def test_a_model_without_a_start_token_needs_a_word_before_the_blank(gpt):
    class NoStart:
        def __getattr__(self, name):
            return None if name == "start" else getattr(gpt.tokenizer, name)

        def with_start(self, ids):
            return ids

    model = dataclasses.replace(gpt, tokenizer=NoStart())
    with pytest.raises(TextError, match="no token to begin with"):
        blanks(model, "[MASK] walk")
    assert blanks(model, "we [MASK] the").readings


@pytest.mark.parametrize("name", [name for name, design in designs.DESIGNS.items() if design.causal])
def test_branches_are_scored_as_whole_texts_are(name, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "AT_ONCE", 7)  # the second time a text at a time
    model = designs.build(name, tmp_path)
    left, words = torch.tensor([3, 9, 4]), torch.tensor([5, 8, 2, 7])
    first, rest, some = torch.tensor([6, 1]), torch.tensor([8, 5, 3, 2]), torch.tensor([3, 0, 2])
    branches = Branches(Prefix(model, left), words)
    actual = [branches.score(torch.arange(4), first, keep=True)[some], branches.score(some, rest)]
    whole = torch.stack([torch.cat([left, words[i : i + 1], first, rest]) for i in some])
    scores = model.unembed(model.run(whole[:, :-1]).last).log_softmax(-1)
    expected = scores.gather(-1, whole[:, 1:, None])[:, len(left) :, 0]
    torch.testing.assert_close(torch.cat(actual, 1), expected, rtol=1e-4, atol=1e-5)
