"""What a head says of scores, how good that is, and what cannot be an example."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import ExplorerError, TextError
from explorer.finetuning import Answers, Classes, Features, Labelled, Question, Tagged, Tags
from explorer.finetuning.encoding import encode_example
from explorer.finetuning.loss import loss, targets
from explorer.finetuning.predictions import decode
from explorer.finetuning.scores import answer_scores, entities, entity_scores, plain

TAGS = st.lists(st.sampled_from(["O", "B-a", "I-a", "B-b", "I-b"]), min_size=1, max_size=12)


def test_first_pieces_are_what_tags_are_of(tiny_bert):
    words = ("saw", "zigzag", "bank", "!")  # the second is six pieces
    item = encode_example(tiny_bert, Tags(("B-a", "O")), Tagged(words, ("O", "B-a", "O", "O")), Features())
    tokens = [item.encoding.tokens[i] for i in item.places]
    assert tokens == ["saw", "z", "bank", "!"] and item.targets == (1, 0, 1, 1)
    assert len(item.encoding) > len(words) + 2


def test_words_beyond_the_context_are_counted(tiny_bert):
    item = encode_example(tiny_bert, Tags(("B-a", "O")), Tagged(("bank",) * 70, ("O",) * 70), Features())
    assert item.word_ids == tuple(range(59)) and len(item.places) == 59
    said = decode(Tags(("B-a", "O")), item, torch.tensor([[9.0, 0]] * 59))
    assert said.cut == 11 and said.tags == ("B-a",) * 59 + ("O",) * 11


def test_a_word_without_a_token_keeps_its_place_among_the_others(tiny_bert):
    words = ("bank", "\u200b", "river")
    item = encode_example(tiny_bert, Tags(("B-a", "O")), Tagged(words, ("O", "O", "B-a")), Features())
    assert item.word_ids == (0, 2) and item.targets == (1, 0)
    assert decode(Tags(("B-a", "O")), item, torch.tensor([[0.0, 9], [9, 0]])).tags == ("O", "O", "B-a")


def test_typed_text_is_tagged_by_words(tiny_gpt):
    item = encode_example(tiny_gpt, Tags(("B-a", "O")), "the bank, by night", Features())
    assert item.words == ("the", "bank", ",", "by", "night")
    assert [item.encoding.text[a:b] for a, b in item.spans] == list(item.words)


def passage(tiny_bert, logits, longest=30, threshold=0.0):
    task = Answers(longest, threshold)
    item = encode_example(tiny_bert, task, ("we saw deep water", "the light"), Features())
    assert [item.encoding.tokens[i] for i in item.places] == ["[CLS]", "we", "saw", "deep", "water"]
    return decode(task, item, torch.tensor(logits))


def test_an_answer_never_ends_before_it_starts(tiny_bert):
    said = passage(tiny_bert, [[0.0, 0], [0, 9], [0, 0], [9, 0], [0, 1]])
    assert (said.answer, said.start, said.end) == ("deep water", 7, 17)
    assert all(c.first <= c.last for c in said.candidates)


def test_an_answer_is_no_longer_than_allowed(tiny_bert):
    scores = [[0.0, 0], [9, 0], [0, 0], [0, 5], [0, 9]]
    assert passage(tiny_bert, scores).answer == "we saw deep water"
    assert passage(tiny_bert, scores, longest=3).answer == "we saw deep"


def test_no_answer_where_cls_wins(tiny_bert):
    said = passage(tiny_bert, [[4.0, 4], [3, 0], [0, 0], [0, 3], [0, 0]])
    assert said.answer == "" and said.start is None and said.no_answer == said.probability
    assert said.candidates[1].text == "we saw deep"


def test_an_answer_must_score_above_cls_by_more_than_the_threshold(tiny_bert):
    scores = [[2.0, 1], [3, 0], [0, 0], [0, 3], [0, 0]]  # the best answer is 3 ahead of [CLS]
    assert [passage(tiny_bert, scores, threshold=t).answer for t in (2.9, 3.1)] == ["we saw deep", ""]
    said = passage(tiny_bert, scores, threshold=3.1)
    assert said.no_answer == said.probability == max(c.probability for c in said.candidates)


def test_all_legal_pairs_share_the_probability(tiny_bert):
    said = passage(tiny_bert, [[0.3, 0], [0, 0.4], [1, 0], [0, 2], [0, 1]])
    assert len(said.candidates) == 10 and 0 < sum(c.probability for c in said.candidates) <= 1
    assert said.starts.sum() == pytest.approx(1) and said.starts[1] == 0, "the question is no answer"


def test_the_loss_of_an_answer_is_that_of_its_two_places(tiny_bert):
    examples = [Question("we saw deep water", "the light", "deep water"), Question("the bank", "old")]
    items = [encode_example(tiny_bert, Answers(), e, Features()) for e in examples]
    assert [i.targets for i in items] == [(3, 4), (0, 0)]
    logits = torch.randn(8, 2, generator=torch.Generator().manual_seed(0))
    want = []
    for rows, (start, end) in ((logits[:5], (3, 4)), (logits[5:], (0, 0))):
        want += [-rows[:, 0].log_softmax(0)[start], -rows[:, 1].log_softmax(0)[end]]
    assert loss(Answers(), logits, targets(Answers(), items)) == pytest.approx(float(sum(want)) / 4, abs=1e-5)


@given(TAGS)
def test_entities_lie_apart_and_cover_every_tag(tags):
    found = entities(tags)
    assert sorted(i for e in found for i in range(e.start, e.end)) == [
        i for i, tag in enumerate(tags) if tag != "O"
    ]
    assert entity_scores([tags], [tags])["f1"] == 1


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("B-city I-city I-city O", ["city 0 3"]),
        ("B-city B-city I-city", ["city 0 1", "city 1 3"]),
        ("B-city I-day", ["city 0 1", "day 1 2"]),
        ("I-city O I-city", ["city 0 1", "city 2 3"]),
    ],
)
def test_where_an_entity_begins_and_ends(tags, spans):
    assert [f"{e.label} {e.start} {e.end}" for e in entities(tags.split())] == spans


def test_entity_f1_by_hand():
    right = [["B-city", "I-city", "O", "B-day"]]
    said = [["B-city", "I-city", "B-day", "O"]]
    found = entity_scores(right, said)
    assert (found["f1"], found["precision"], found["recall"], found["accuracy"]) == (0.5, 0.5, 0.5, 0.5)


def test_answers_are_compared_as_squad_does():
    assert plain("The Blue, Danube!") == "blue danube"
    assert answer_scores([["the Danube"], [""]], ["Danube.", "a bank"]) == {"f1": 0.5, "exact": 0.5}
    assert answer_scores([["old blue Danube"]], ["blue Danube"])["f1"] == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Labelled("  ", "a"), "sentence is empty"),
        (lambda: Question("the bank", "what?", "river"), "not in the passage"),
        (lambda: Question("the bank", "what?", "bank", 0), "not in the passage"),
        (lambda: Tagged(("a",), ("city",)), "is no tag"),
        (lambda: Tagged(("a",), ("B-",)), "is no tag"),
    ],
)
def test_what_is_no_example(make, words):
    with pytest.raises(TextError if "no tag" not in words else ExplorerError, match=words) as caught:
        make()
    assert caught.value.hint


def test_tasks_have_two_labels_at_least():
    for labels in ((), ("a",), ("a", "a"), ("a", " "), tuple(map(str, range(201)))):
        with pytest.raises(ExplorerError):
            Classes(labels)
