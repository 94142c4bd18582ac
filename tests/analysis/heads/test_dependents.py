"""Right answers counted by hand, beside those of a fixed offset."""

import pytest
import torch

from explorer.analysis.heads.dependents import ALL, Hits, answers, hits, tokens_of
from explorer.analysis.heads.relations import Parse

# old hangs on dog and dog on sat: "old dog sat"
PARSE = Parse("old dog sat", ("old", "dog", "sat"), ("amod", "nsubj", "root"), (1, 2, -1))
RIGHT = [[0.1, 0.6, 0.3], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]  # old to dog, dog to sat, sat to dog
WRONG = [[0.8, 0.05, 0.15], [0.5, 0.1, 0.4], [0.6, 0.3, 0.1]]  # old to sat, dog to old, sat to old


def test_three_by_three():
    found = answers(torch.tensor([[RIGHT, WRONG]]), PARSE).relations()
    assert set(found) == {"amod", "nsubj", ALL}
    amod, subject, every = found["amod"], found["nsubj"], found[ALL]
    assert amod["to_head"].accuracy.tolist() == [[1, 0]] and amod["to_head"].questions == 1
    assert amod["to_dependent"].accuracy.tolist() == [[0, 1]]  # the first head looks from dog to sat
    assert subject["to_head"].accuracy.tolist() == [[1, 0]]
    assert subject["to_dependent"].accuracy.tolist() == [[1, 0]]
    assert every["to_head"].accuracy.tolist() == [[1, 0]] and every["to_head"].questions == 2
    assert every["to_dependent"].accuracy.tolist() == [[0.5, 0.5]]
    assert every["to_head"].best == (0, 0)


def test_the_word_itself_is_no_answer():
    selfish = torch.eye(3)[None, None] * 0.9 + torch.tensor([RIGHT])[None] * 0.1
    assert answers(selfish, PARSE).relations()["amod"]["to_head"].accuracy.tolist() == [[1]]


def test_the_best_fixed_offset():
    # a/det/3 red/amod/3 kite/obj/0-like: two determiners, at distances 2 and 1, and an adjective
    two = Parse(
        "a red kite the dog",
        ("a", "red", "kite", "the", "dog"),
        ("det", "amod", "root", "det", "conj"),
        (2, 2, -1, 4, 2),
    )
    three = Parse("the cat", ("the", "cat"), ("det", "root"), (1, -1))
    even = [torch.full((1, 1, n, n), 1 / n) for n in (5, 2)]
    found = (answers(even[0], two) + answers(even[1], three)).relations()["det"]
    assert (found["to_head"].baseline.offset, found["to_head"].questions) == (1, 3)
    assert found["to_head"].baseline.accuracy == pytest.approx(2 / 3)
    assert found["to_dependent"].baseline.offset == -1


def test_a_word_with_two_dependents_is_asked_once():
    parse = Parse("big red kite", ("big", "red", "kite"), ("amod", "amod", "root"), (2, 2, -1))
    found = answers(torch.tensor([[RIGHT, WRONG]]), parse).relations()["amod"]
    assert found["to_head"].questions == 2 and found["to_dependent"].questions == 1
    assert found["to_dependent"].accuracy.tolist() == [[1, 1]]  # red, and big
    assert found["to_head"].accuracy.tolist() == [[0.5, 0.5]]


def test_a_head_that_sees_the_past_is_asked_about_the_past():
    past = torch.tensor([[1.0, 0, 0], [0.4, 0.6, 0], [0.3, 0.5, 0.2]])[None, None]
    found = answers(past, PARSE, causal=True).relations()
    assert "to_head" not in found["amod"], "the noun is still to come"
    assert found["amod"]["to_dependent"].accuracy.tolist() == [[1]]
    assert found["nsubj"]["to_dependent"].accuracy.tolist() == [[1]]


def test_pieces_are_joined_and_special_tokens_left_out(encode):
    text = encode("[CLS]", "old", "do", "##g", "sat", "[SEP]")
    assert tokens_of(text, PARSE) == [[1], [2, 3], [4]]
    pattern = torch.zeros(6, 6)
    pattern[1] = torch.tensor([0.4, 0.0, 0.13, 0.13, 0.24, 0.1])  # to dog 0.26, to sat 0.24, to [CLS] 0.4
    pattern[2] = torch.tensor([0.0, 0.9, 0.0, 0.0, 0.1, 0.0])
    pattern[3] = torch.tensor([0.0, 0.0, 0.0, 0.0, 1.0, 0.0])  # dog on average: old 0.45, sat 0.55
    pattern[4] = torch.tensor([0.9, 0.1, 0.0, 0.0, 0.0, 0.0])
    found = hits(pattern[None, None], text, PARSE).relations()
    assert found["amod"]["to_head"].accuracy.tolist() == [[1]]
    assert found["nsubj"]["to_head"].accuracy.tolist() == [[1]]
    assert found["nsubj"]["to_dependent"].accuracy.tolist() == [[0]]


def test_a_sentence_that_was_cut_is_passed_over(encode):
    assert hits(torch.full((1, 1, 2, 2), 0.5), encode("old", "dog"), PARSE) is None


def test_bytes_carry_their_space(gpt):
    parse = Parse("the bank's walking", ("the", "bank", "'s", "walking"), ("det",) * 4, (3, 3, 3, -1))
    read = gpt.encode(parse.text)
    assert ["".join(read.surface(p) for p in group).strip() for group in tokens_of(read, parse)] == list(
        parse.words
    )


def test_hits_add_up():
    one = answers(torch.tensor([[RIGHT, WRONG]]), PARSE)
    both = one + one
    assert isinstance(both, Hits) and both.relations()["amod"]["to_head"].questions == 2
    assert both.relations()["amod"]["to_head"].accuracy.tolist() == [[1, 0]]
