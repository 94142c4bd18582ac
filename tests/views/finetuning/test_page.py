"""The page Fine-tuning: each case learns from examples and answers, and says what is wrong with bad ones."""

import pytest

from explorer.views.finetuning import choices
from explorer.views.finetuning.settings import TEXTS
from tests.views.opening import opened, printed_result, sent, told

OWN = {view: TEXTS[f"{view}_own"] for view in ("sentence", "words", "pairs", "answers")}
SAYS = {"sentence": "verdict", "words": "tagged", "pairs": "verdict", "answers": "answer"}


def own(view: str, lines: str = "", **link):
    """A view with a visitor's own examples."""
    return opened(
        "finetuning", **{"view": view, f"{view}_set": "own", f"{view}_own": lines or OWN[view], **link}
    )


@pytest.mark.slow
@pytest.mark.parametrize("view", list(SAYS))
def test_ten_typed_examples_make_a_head_that_answers_as_the_code_says(view, train):
    at = own(view)
    assert not sent(at, SAYS[view]), "nobody answers before there is a head"
    train(at)
    (said,) = sent(at, SAYS[view])
    (trainer,) = sent(at, "train_row")
    assert trainer["button"] == "Train again" and not trainer["going"]
    assert trainer["curves"][0]["points"][-1][1] < trainer["curves"][0]["points"][0][1]
    assert sent(at, "dots")[0]["dots"]
    results = printed_result(at)
    result = results[0]
    if view in ("sentence", "pairs"):
        for text, answer in zip(said["texts"], results, strict=True):
            expected = answer.probabilities
            if len(results) > 1:  # several sentences have their most probable class each
                expected = {answer.label: expected[answer.label]}
            shares = {row["name"]: row["share"] for row in text["rows"]}
            assert shares == pytest.approx(expected, abs=1e-4)
    elif view == "words":
        assert tuple(word["text"] for group in said["groups"] for word in group["words"]) == result.words
        assert [group["tag"] for group in said["groups"] if group["tag"]] == [
            entity.label for entity in result.entities
        ]
    else:
        best = said["answers"][0]
        assert best["share"] == pytest.approx(result.probability, abs=1e-4)
        tokens = said["tokens"][best["from"] : best["to"] + 1]
        assert "".join(" " * token["space"] + token["text"] for token in tokens).strip() == result.answer


def test_another_page_and_back_finds_the_head_again(train):
    at = train(own("sentence"))
    before = sent(at, "verdict")
    at.session_state["finetuning.view"] = "words"
    at.run()
    assert not sent(at, "verdict")
    at.session_state["finetuning.view"] = "sentence"
    at.run()
    assert sent(at, "verdict") == before


def test_a_head_travels_in_the_link(train):
    at = train(own("sentence"))
    before = sent(at, "verdict")[0]["texts"][0]["rows"]
    at.button(key="finetuning/link/sentence").click().run()
    link = at.query_params["head"]
    assert len(link) <= 4_000
    rows = sent(opened("finetuning", head=link), "verdict")[0]["texts"][0]["rows"]
    for one, other in zip(before, rows, strict=True):
        assert one["name"] == other["name"] and one["share"] == pytest.approx(other["share"], abs=0.01)


@pytest.mark.parametrize(
    ("view", "lines", "says"),
    [
        ("sentence", "Good. | yes\nFine. | yes\nNice. | yes\nLovely. | yes", "at least two classes"),
        ("answers", "A passage. | What? | elsewhere", "Line 1: The answer “elsewhere” is not in the passage"),
    ],
)
def test_bad_examples_are_said_and_the_page_goes_on(view, lines, says):
    at = own(view, lines)
    assert any(says in line.value for line in at.text), [line.value for line in at.text]


def test_the_page_says_which_own_examples_were_left_out_as_long_as_they_are_used():
    at = own("sentence")
    at.session_state[choices.NOTES] = {"sentence": (TEXTS["sentence_own"], "10 examples fit")}
    assert "10 examples fit" in told(at.run())
    at.session_state["finetuning.sentence_set"] = "films"
    assert "10 examples fit" not in told(at.run())


def test_a_map_tells_that_frozen_layers_do_not_move_it(train):
    at = own("words")
    (before,) = sent(at, "dots")
    (after,) = sent(train(at), "dots")
    places = [[(dot["x"], dot["y"]) for dot in dots["dots"]] for dots in (before, after)]
    assert places[0] == places[1] and "dots stay" in after["note"]


def test_dots_of_two_classes_part_from_the_middle_as_the_head_grows_sure(train):
    at = own("sentence", present="1")
    (untrained,) = sent(at, "verdict")
    assert all(row["share"] == 0.5 for text in untrained["texts"] for row in text["rows"])
    (before,) = sent(at, "dots")
    assert {dot["x"] for dot in before["dots"]} == {0}
    (after,) = sent(train(at), "dots")
    right = [(dot["x"] > 0) == (dot["mark"] == 1) for dot in after["dots"]]
    assert [dot["wrong"] for dot in after["dots"]] == [not one for one in right]
    assert sum(right) > len(right) / 2
    (score,) = sent(at, "train_row")[0]["curves"]
    assert score["points"][0] == [0, 0.5]


@pytest.mark.parametrize(
    ("kind", "rows", "marks"),
    [("classification", 1, 2), ("entailment", 1, 3), ("similarity", 2, 3), ("multiple choice", 2, 3)],
)
def test_gpt_reads_each_kind_of_task_as_texts(kind, rows, marks):
    at = opened("finetuning", view="other", gpt_kind=kind)
    (drawn,) = sent(at, "sequences")
    assert [[(part["text"], part["mark"]) for part in row] for row in drawn["rows"]] == [
        [tuple(part) for part in row] for row in printed_result(at)
    ]
    assert len(drawn["rows"]) == rows
    for row in drawn["rows"]:
        assert sum(part["mark"] for part in row) == marks and row[-1]["text"] == "extract"


def test_a_text_that_gpt_lacks_is_asked_for():
    at = opened("finetuning", view="other", gpt_kind="entailment", gpt_two=" ")
    assert any("text is empty" in line.value for line in at.text)


@pytest.mark.parametrize("view", ["pairs", "answers"])
def test_a_model_that_reads_one_text_says_so_where_a_task_has_two(view):
    assert "GPT reads one text at a time" in told(opened("finetuning", view=view, model="gpt"))


@pytest.mark.weights
def test_the_page_opens_with_a_head_that_tells_spam_and_train_makes_the_same(train):
    at = opened("finetuning")
    (before,) = sent(at, "verdict")
    assert [text["rows"][0]["name"] for text in before["texts"]] == ["spam", "not spam"]
    (after,) = sent(train(at), "verdict")
    shares = [[text["rows"][0]["share"] for text in verdict["texts"]] for verdict in (before, after)]
    assert shares[0] == pytest.approx(shares[1], abs=0.01)
    (row,) = sent(at, "train_row")
    _, score = row["curves"][1]["points"][-1]
    assert told(at).count(f"held-out examples: {score:.0%}") == 2, "in the description and in what changed"


@pytest.mark.weights
def test_a_head_trained_in_advance_answers_where_the_own_one_is_worse(train):
    at = train(opened("finetuning", view="words"))
    assert "the head trained in advance is better than your own" in told(at)
    (words,) = sent(at, "tagged")
    at.toggle(key="finetuning/ask-own/words").set_value(True).run()
    assert "your own head" in told(at) and sent(at, "tagged") != [words]


def test_classes_are_words():
    (verdict,) = sent(opened("finetuning", view="pairs"), "verdict")
    assert [row["name"] for row in verdict["texts"][0]["rows"]] == ["follows", "does not follow"]
    (dots,) = sent(opened("finetuning", view="words"), "dots")
    names = [name for _, name in dots["legend"]]
    assert "music item" in names and not any("_" in name for name in names)
    assert {dot["mark"] for dot in dots["dots"]} - {-1} == {i for i, _ in dots["legend"]}, "each is named"
