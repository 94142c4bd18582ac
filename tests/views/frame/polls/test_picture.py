"""The teacher's picture by the kind of the question: what is sent to each component, and what it says."""

import pytest

from explorer.room.questions import Question
from explorer.views.frame.polls import picture
from explorer.views.frame.polls.poll import Poll
from explorer.views.frame.polls.rounds import moved_data
from explorer.views.frame.polls.verdict import verdict
from explorer.views.look import blocklist, theme

WORD = Question("word", "What comes next?", "We sat on the")
CHOICE = Question("choice", "Which?", choices=("A", "B"))
ANSWERS = ["bank", "bank", "Bank", "river"]


def result_of(poll, answers):
    return picture.result_of(poll, answers, 1)


def answers_data(poll, answers):
    return picture.answers_data(poll.question, result_of(poll, answers))


def test_words_have_one_line_each_on_one_scale():
    data = answers_data(Poll(WORD, {"bank": 0.25, "shore": 0.5}, "bank", "GPT"), ANSWERS)
    assert data["layout"] == "beside" and data["sorts"] and data["merges"] and data["scale"] == 1.0
    assert [(row["name"], row["share"], row["model"]) for row in data["rows"]] == [
        ("bank", 0.75, 0.25),
        ("river", 0.25, None),
        ("shore", 0.0, 0.5),
    ]


def test_shares_of_spellings_that_add_up_to_a_little_more_than_one_fill_the_scale():
    assert answers_data(Poll(WORD, {"bank": 0.7, "Bank": 0.3 + 1e-6}, "bank", "GPT"), ANSWERS)["scale"] == 1.0


def test_what_the_model_would_say_is_in_view_beside_many_words_of_the_class():
    answers = [f"word{number}" for number in range(30)]
    data = answers_data(Poll(WORD, {"shore": 0.5}), answers)
    assert len(data["rows"]) == picture.ROWS and data["rows"][-1]["name"] == "shore"


def test_words_without_a_model_are_a_cloud_and_choices_are_bars_in_their_order():
    cloud = answers_data(Poll(Question("free", "What is a bank?")), ANSWERS)
    assert cloud["layout"] == "cloud" and cloud["rows"][0]["count"] == 3 and cloud["scale"] == 1.0
    question = Question("choice", "Who is right?", choices=("Anna", "The one who said so first"))
    bars = answers_data(Poll(question), ["1"])
    assert bars["layout"] == "alone" and bars["long"] and not bars["merges"] and not bars["sorts"]
    assert [row["count"] for row in bars["rows"]] == [0, 1]


@pytest.mark.parametrize("colours", [theme.LIGHT, theme.DARK], ids=lambda palette: palette.name)
def test_the_sentence_is_shaded_by_votes_above_the_models_pattern(colours):
    question = Question("token", "Which word does “it” stand for?", choices=("dog", "saw", "it"))
    poll = Poll(question, {"0": 0.5, "1": 0.125}, "0", "L4H2")
    ours, models = picture.sentences(result_of(poll, ["0", "0", "1"]), colours).values()
    assert [(token["text"], token["note"]) for token in ours] == [("dog ✓", "2"), ("saw", "1"), ("it", "")]
    assert [token["note"] for token in models] == ["50%", "12%", ""]
    assert (
        ours[0]["colour"] == colours.accent.upper() and models[0]["colour"] == colours.probability[1].upper()
    )
    assert ours[-1]["colour"] == models[-1]["colour"] == colours.panel.upper()


def test_numbers_are_dots_and_the_models_a_line():
    poll = Poll(Question("number", "How probable?"), {"0.46": 1.0}, who="BERT")
    data = picture.dots_data(poll.question, result_of(poll, ["0.5", "0.5", "0.9"]))
    assert [(dot["at"], dot["level"]) for dot in data["dots"]] == [(0.5, 0), (0.5, 1), (0.9, 0)]
    assert [(line["at"], line["text"]) for line in data["lines"]] == [
        (0.0, "0%"),
        (0.5, "50%"),
        (1.0, "100%"),
        (0.46, "BERT: 46%"),
    ]


TASTE = Poll(CHOICE, taste=True)
SIDES = Poll(Question("side", "School or holidays?", choices=("school", "sea")))
NUMBER = Question("number", "How many tokens?", low=1, high=50)
DIE = Poll(Question("number", "Which do you throw?", low=1, high=6, whole=True), die="abcdef")


@pytest.mark.parametrize(
    ("poll", "answers", "says"),
    [
        (Poll(WORD, {"bank": 0.25}, who="BERT"), ANSWERS, "Most of you and BERT agree."),
        (
            Poll(WORD, {"sea": 0.25, "bank": 0.1}, who="BERT"),
            ANSWERS,
            "Most of you say “bank”; BERT says “sea”.",
        ),
        (Poll(WORD, {"bank": 0.25}, "bank", "GPT"), ANSWERS, "3 of 4 are right. Most of you and GPT agree."),
        (
            Poll(WORD, {"bank": 0.25}, "sand", "GPT"),
            ["bank"],
            "Nobody is right: it is “sand”. Most of you and GPT say “bank”.",
        ),
        (
            Poll(WORD, {"family": 0.3, "garden": 0.1}, "garden", "GPT"),
            ["a", "b"],
            "Nobody is right: it is “garden”. GPT found “family” likelier.",
        ),
        (Poll(WORD, {"would": 0.9}, "would", "ELECTRA"), ["a", "b", "c"], "Nobody is right: it is “would”."),
        (Poll(WORD, {"bank": 0.2}, who="GPT"), ["a", "b", "bank", "bank", "c"], "Many of you and GPT agree."),
        (Poll(WORD, {"bank": 0.2}, who="GPT"), [*"abcdef", "bank", "bank"], "Some of you and GPT agree."),
        (
            Poll(WORD, {"bank": 0.2}, who="GPT"),
            ["bank", "river"],
            "You are divided between “bank” and “river”; GPT says “bank”.",
        ),
        (Poll(WORD, {"bank": 0.2}, who="GPT"), ["a", "b", "c"], "You are divided; GPT says “bank”."),
        (
            Poll(CHOICE, {"A": 0.505, "B": 0.495}, who="BERT"),
            ["0", "0", "1"],
            "Most of you say “A”; BERT is undecided.",
        ),
        (
            Poll(WORD, {"family": 0.2, "garden": 0.01}, who="GPT", drawn="garden"),
            ["family", "family", "garden"],
            "Most of you and GPT agree. By lot it wrote “garden”.",
        ),
        (Poll(WORD), ANSWERS, ""),
        (Poll(CHOICE, truth="B"), ["1", "0", "1"], "2 of 3 are right."),
        (Poll(CHOICE, truth="B"), ["1", "0", "0"], "1 of 3 is right: “B”."),
        (Poll(CHOICE, truth="B"), ["1", "0"], "1 of 2 is right: “B”."),
        (TASTE, ["1"], "There is no right answer."),
        (Poll(NUMBER, truth="14"), ["9", "12", "20"], "Half of you are at 12 or below; the answer is 14."),
        (
            Poll(NUMBER, {"14": 1.0}, who="GPT"),
            ["9", "12", "20"],
            "Half of you are at 12 or below; GPT says 14.",
        ),
        (DIE, ["2", "3"], "2 + 3 = 5: “e”."),
        (DIE, ["5", "6"], "5 + 6 = 11. 11 − 6 = 5: “e”."),
        (DIE, [*"6665654"], "The sum of 7 numbers is 38. 38 − 6 × 6 = 2: “b”."),
        (Poll(WORD, {"bank": 0.25}), [], ""),
        (SIDES, ["0 A test.", "1 The sea.", "1 the sea"], "Your sentences: 1 for “school”, 1 for “sea”."),
        (
            SIDES,
            ["1 The sea."],
            "Your sentences: 0 for “school”, 1 for “sea”. Where there is none, the list stays as it was.",
        ),
    ],
)
def test_the_verdict_is_plain(poll, answers, says):
    assert verdict(result_of(poll, answers), poll) == says


def rounds_data(poll, rounds):
    after = result_of(poll, [second for _, second in rounds if second])
    before = result_of(poll, [first for first, _ in rounds if first])
    return moved_data(poll.question, before, after, rounds)


def test_a_dot_that_moves_leaves_a_pale_one_and_stands_behind_those_that_stayed():
    rounds = [("0", "1"), ("1", "1"), ("", "1"), ("0", "0"), ("0", "")]
    data = rounds_data(Poll(CHOICE, truth="B"), rounds)
    assert [(row["name"], row["counts"], row["right"]) for row in data["names"]] == [
        ("A", "3 → 1", False),
        ("B", "1 → 3", True),
    ]
    assert [(dot["at"], dot["level"], dot["from"], dot["tip"]) for dot in data["dots"]] == [
        (1, 1, (0, 1), "A → B"),
        (1, 0, (1, 0), "B → B"),
        (1, 2, None, "no answer → B"),
        (0, 0, (0, 0), "A → A"),
    ]
    assert data["pale"] == [(0, 1), (0, 2)], "of the one that moved, and of the one that is gone"


def test_rare_words_of_two_rounds_share_a_row_and_numbers_stay_on_their_scale():
    words = [(f"word{number}", "bank") for number in range(9)]
    data = rounds_data(Poll(WORD), words)
    assert [row["name"] for row in data["names"]][-1] == "other answers"
    assert sum(int(row["counts"].split(" ")[0]) for row in data["names"]) == len(words)
    data = rounds_data(Poll(NUMBER), [("1", "50"), ("50", "50")])
    assert [(dot["at"], dot["level"], dot["from"]) for dot in data["dots"]] == [
        (1.0, 0, (0.0, 0)),
        (1.0, 1, (1.0, 0)),
    ]
    assert not data["names"] and data["pale"] == [(0.0, 0), (1.0, 0)]


@pytest.mark.parametrize(
    ("poll", "first", "answers", "says"),
    [
        (Poll(CHOICE, truth="B"), ["0", "1"], ["1", "1", "0"], "1 of 2 → 2 of 3 say “B”."),
        (
            Poll(WORD, {"bank": 0.9}, who="GPT"),
            ["Bank", "sea"],
            ["bank", "bank"],
            "1 of 2 → 2 of 2 say “bank”. Most of you and GPT agree.",
        ),
        (TASTE, ["0"], ["0"], "1 of 1 → 1 of 1 say “A”."),
        (
            Poll(NUMBER, truth="14"),
            ["9", "12", "20"],
            ["14", "13", "20"],
            "Half of you are at 14 or below, at first 12; the answer is 14.",
        ),
    ],
)
def test_the_verdict_of_a_second_round_says_how_many_moved(poll, first, answers, says):
    assert verdict(result_of(poll, answers), poll, first) == says


def test_phones_are_told_of_taste_once():
    result = result_of(TASTE, ["1"])
    assert result.taste and not result.says


def test_on_stage_are_the_models_first_answer_the_right_one_and_a_row_for_all_that_do_not_fit():
    answers = ["bank"] * 3 + [f"word{number}" for number in range(9)]
    data = picture.stage_data(WORD, result_of(Poll(WORD, {"sea": 0.9, "bay": 0.1}, "shore", "GPT"), answers))
    assert data["layout"] == "stage" and data["who"] == "GPT"
    assert [row["share_text"] for row in data["rows"]][:2] == ["3 of 12", "1 of 12"]
    *given, shore, sea, rest = data["rows"]
    assert len(given) == picture.ON_STAGE and shore["name"] == "shore" and shore["right"], "nobody gave it"
    assert (sea["name"], sea["model"], sea["count"]) == ("sea", 0.9, 0)
    assert (rest["name"], rest["share_text"], rest["model"]) == ("4 other answers", "4 of 12", None)
    assert sum(row["count"] for row in data["rows"]) == 12
    few = picture.stage_data(WORD, result_of(Poll(WORD), [f"word{number}" for number in range(7)]))
    assert len(few["rows"]) == 7 and not few["who"], "a row for the rest would be as high"
    nobody = picture.stage_data(CHOICE, result_of(Poll(CHOICE), []))
    assert [row["share_text"] for row in nobody["rows"]] == ["", ""]
    choices = picture.stage_data(CHOICE, result_of(Poll(CHOICE, truth="A"), ["1"]))
    assert [(row["name"], row["count"], row["right"]) for row in choices["rows"]] == [
        ("A", 0, True),
        ("B", 1, False),
    ]


@pytest.mark.parametrize(
    ("poll", "answers", "line"),
    [
        (Poll(WORD, truth="bank"), ANSWERS, {"name": "bank", "count": 3, "of": 4, "right": True}),
        (Poll(NUMBER), ["9"], {"name": "", "count": 0, "of": 1, "right": False}),
        (Poll(WORD), [], {"name": "", "count": 0, "of": 0, "right": False}),
        (Poll(CHOICE), ["0", "1"], {"name": "", "count": 0, "of": 2, "right": False}),
        (Poll(CHOICE, truth="B"), ["0", "1"], {"name": "B", "count": 1, "of": 2, "right": True}),
    ],
)
def test_a_strip_has_the_first_answer_and_among_equals_the_right_one(poll, answers, line):
    assert picture.strip_data(poll.question, result_of(poll, answers)) == line


def test_a_slur_is_dots_on_the_wall_and_counts():
    slur = min(blocklist.listed())
    data = answers_data(Poll(WORD), [slur, slur, "bank"])
    assert [(row["name"], row["count"]) for row in data["rows"]] == [(blocklist.DOTS, 2), ("bank", 1)]
    assert not any(slur in row["tip"] for row in data["rows"])
    result = result_of(SIDES, [f"0 You {slur}!", "0 We swam."])
    assert [row.name for row in result.of_side(0)] == ["We swam."], "no model is steered with it"
    assert not any(slur in row["tip"] for row in picture.sides_data(SIDES.question, result)["rows"])
    typed = Poll(Question("word", "What comes next?", f"They said {slur} and"))
    assert result_of(typed, [slur]).rows[0].name == slur  # what is in the sentence is shown
