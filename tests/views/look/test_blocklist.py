"""The block list at display: whole words, words of several pieces, the person's own words, other models."""

import codecs
import re
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.views.continuations import pipeline, steps
from explorer.views.look import blocklist, theme
from explorer.views.look.blocklist import (
    DOTS,
    LIST,
    LIST_CHINESE,
    covers,
    listed,
    listed_chinese,
    over,
    written,
)
from explorer.views.widgets import bars, registry

SWORN = codecs.decode("fuvg", "rot13")  # a listed word that nothing but vulgarity means
MILD_OR_INNOCENT = (
    "night snigger niggle spicy scunthorpe classic assassin cocktail cockatoo pussycat peacock "
    "raccoon title tit retardant japan nippon negotiate swallow prick god jesus jew muslim woman"
).split()
# Judged one by one, and shown: animals, names, tools, mild oaths, and what people call themselves.
JUDGED = codecs.decode(
    "pbpx qvpx nff nefr qnza uryy ohttre onfgneq dhrre yrfovna tnl ubzb qlxr puvax fcvpx arteb tlcfl", "rot13"
).split()


@pytest.fixture
def lists_night(monkeypatch):
    """For these tests the list is one harmless word, so that they can be read."""
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset({"night"}))


def test_the_list_is_short_in_order_and_hidden_from_a_glance():
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert 60 <= len(lines) == len(set(lines)) <= 150 and lines == sorted(lines)
    assert all(re.fullmatch("[a-z]+", line) for line in lines), "one word a line, in small letters"
    assert SWORN in listed() and SWORN not in lines
    assert max(map(len, listed())) < blocklist.REACH


HIDDEN = "\u5993"  # alone or in a longer word, nobody says it in class
HIDDEN_PAIR = "\u8ce4\u8ca8"


def test_the_chinese_list_is_in_order_and_hidden_from_a_glance():
    lines = [line for line in LIST_CHINESE.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert 40 <= len(lines) == len(set(lines)) and lines == sorted(lines)
    assert all(re.fullmatch("[0-9a-f]{4}( [0-9a-f]{4})*", line) for line in lines)
    assert {HIDDEN, HIDDEN_PAIR} <= listed_chinese()


@pytest.mark.parametrize(
    ("before", "token", "after", "hidden"),
    [
        ("他在", HIDDEN, "院看病。", True),
        ("他在", "医", "院看病。", False),
        ("她是", HIDDEN_PAIR[0], HIDDEN_PAIR[1], True),
        ("她是", HIDDEN_PAIR[0], "的", False),
        ("她是", HIDDEN_PAIR[1], "", False),
        (f"那個{HIDDEN}在", "醫", "院", False),  # a covered word elsewhere is not its own
    ],
)
def test_a_chinese_word_is_covered_inside_a_longer_one(before, token, after, hidden):
    assert covers(over("bert-zh"), before, token, after) is hidden
    assert not covers(over("hub:org/name"), before, token, after)


def test_what_was_typed_in_chinese_is_shown():
    assert not covers(over("bert-zh", f"{HIDDEN}女"), "他在", HIDDEN, "院看病。")
    assert covers(over("bert-zh", HIDDEN_PAIR[0]), "", HIDDEN_PAIR[0], HIDDEN_PAIR[1])


def test_the_characters_of_a_chinese_word_are_tokens_of_their_own():
    blocked = over("bert-zh")
    assert blocklist.covers_piece(blocked, ["她", "是", "[MASK]", HIDDEN_PAIR[1]], 2, HIDDEN_PAIR[0])
    assert not blocklist.covers_piece(blocked, ["她", "是", "[MASK]", "人"], 2, "好")
    assert written(blocked, ["她", "是", *HIDDEN_PAIR]) == ["她", "是", DOTS, DOTS]


@pytest.mark.parametrize("word", MILD_OR_INNOCENT + JUDGED)
def test_innocent_mild_and_longer_words_stay(word):
    assert word not in listed()


def test_a_word_is_found_whole_in_any_case_with_its_plural_and_beside_marks():
    blocked = over("bert")
    for word in (SWORN, SWORN.upper(), SWORN.capitalize() + "s"):
        assert blocked.spans(f"¿Oh, “{word}”-3!") == [(6, 6 + len(word))]
    assert blocked.spans(f"x{SWORN} {SWORN}é {SWORN}x") == []
    assert blocked.spans("") == []


@pytest.mark.parametrize(
    ("before", "token", "after", "hidden"),
    [
        ("A dark and stormy ", "night", ".", True),
        ("A dark and stormy ", "Nights", ".", False),
        ("A ni", "##ght", " came", True),
        ("A ni ", "##ght", " came", True),  # a WordPiece joins what stands before its blank
        ("A ", "##night", "", False),
        ("ni", "ght", "", True),
        ("one ", "ni", "ght", True),
        ("one ", "ni", " ght", False),
        ("one night ", "day", " night", False),  # the covered words beside it are not its own
        ("k", "night", "", False),
        ("", "night", "ingale", False),
        ("", " night", "", True),
        ("", "##", "", False),
        ("x" * 50 + " ", "night", " " + "x" * 50, True),
        ("x" * 50, "night", "", False),
    ],
)
def test_a_candidate_is_judged_by_the_word_it_makes(lists_night, before, token, after, hidden):
    assert covers(over("bert"), before, token, after) is hidden


def test_a_growing_word_is_covered_when_it_is_there_and_uncovered_when_it_grows_on(lists_night):
    blocked, pieces = over("gpt"), [" The", " n", "ig", "ht", "ing", "ale"]
    texts = ["".join(written(blocked, pieces[:n])) for n in range(1, 7)]
    assert texts == [
        " The", " The n", " The nig", f" The {DOTS}{DOTS}{DOTS}", " The nighting", " The nightingale",
    ]  # fmt: skip
    assert written(blocked, [" n", "ight", ",", " Night", "\n"]) == [f" {DOTS}", DOTS, ",", f" {DOTS}", "\n"]


def test_a_word_begun_in_the_prompt_is_covered_in_the_continuation_alone(lists_night):
    assert written(over("gpt", "To the ni"), ["ght", " fell"], "To the ni") == [DOTS, " fell"]
    assert written(over("gpt", "To k"), ["night", "s"], "To k") == ["night", "s"]


def test_what_the_person_typed_is_shown(lists_night):
    blocked = over("bert", "Good NIGHT, all")
    assert not covers(blocked, "Good ", "night") and written(blocked, [" night"]) == [" night"]
    assert covers(over("bert", "Good nights, all"), "Good ", "night"), "another word than the one typed"


@pytest.mark.parametrize("name", ["hub:org/name", "hub:org/name@v1", "folder:/a/path"])
def test_other_models_are_left_alone(lists_night, name):
    blocked = over(name)
    assert not covers(blocked, "", "night") and written(blocked, ["night"]) == ["night"]


@given(st.lists(st.sampled_from(["night", "ni", "ght", " ", "k", ".", "é", "\n", "🙂", ""]), max_size=9))
def test_only_letters_of_covered_words_change(pieces):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocklist, "listed", lambda: frozenset({"night"}))
        texts = written(over("gpt"), pieces)
    text = "".join(pieces)
    assert len(texts) == len(pieces)
    assert re.sub(f"(?:{DOTS})+", "night", "".join(texts)) == text
    assert not re.search(r"(?<![^\W\d_])night(?![^\W\d_])", "".join(texts))


def test_a_covered_row_keeps_its_numbers_and_takes_no_click():
    row = bars._row({"token": "night", "probability": 0.25, "covered": True, "tip": "as it is"}, 3)
    assert (row["token"], row["rank"], row["number"], row["probability"]) == (DOTS, "3", "25%", 0.25)
    assert row["covered"] and row["tip"] == f"probability 0.25, as it is, {blocklist.WHY}"
    assert not bars._row({"token": "night", "probability": 0.25}, 3)["covered"]


def test_a_click_on_dots_does_nothing(monkeypatch):
    props, calls = {}, []
    monkeypatch.setattr(bars, "component", lambda name: props.update)
    monkeypatch.setattr(registry.st, "session_state", {"k": SimpleNamespace(click=0)})
    rows = [{"token": "night", "probability": 0.5, "covered": True}, {"token": "day", "probability": 0.5}]
    bars.bars(rows, "k", "Guesses", calls.append)
    for clicked in (0, 1, 2):  # the last one from a list that was longer
        registry.st.session_state["k"].click = clicked
        props["on_click_change"]()
    assert calls == [1]


def test_chips_and_road_of_a_covered_step(lists_night, tiny_gpt):
    from explorer.analysis.generation.steps import Choice, Sampling, Step, generate

    tokens = {9: "ght", 8: "ce"}

    def step(token: str, id: int) -> Step:
        rivals = [Choice(9, "ght", 0.6, 1, 0.6), Choice(8, "ce", 0.2, 2, 0.2)]
        return Step(id, token, 0.2, 2, rivals, 0.2, token)

    def dots(at: int) -> set[int]:
        return pipeline.covered(going, at, tokens | {7: " ni"}, steps.as_written(going, blocked), blocked)

    going = generate(tiny_gpt, "one", Sampling())
    going.steps = [step(" ni", 7), step("ce", 8)]
    blocked = over("gpt", "one")
    assert dots(1) == {9}, "a rival that was not taken"

    going.steps = [step(" ni", 7), step("ght", 9)]
    assert [dots(at) for at in (0, 1)] == [{7}, {9}]
    chips = steps.chips(going, theme.LIGHT, blocked)
    assert [chip["text"] for chip in chips] == [f" {DOTS}", DOTS]
    assert all(chip["tip"] == f"{blocklist.WHY}, probability 20%, rank 2" for chip in chips)


def test_a_piece_is_covered_where_it_joins_its_word(lists_night):
    blocked = over("bert", "")
    tokens = ["the", "ni", "##x", "came"]
    assert blocklist.covers_piece(blocked, tokens, 2, "##ght") and not blocklist.covers_piece(
        blocked, tokens, 2, "ght"
    )
    assert blocklist.covers_piece(blocked, ["a", "b", "came"], 1, "night"), (
        "a word stands apart from those around it"
    )
    assert blocklist.covers_piece(blocked, ["x", "##ght"], 0, "ni")
    assert not blocklist.covers_piece(blocked, ["x", "##s"], 0, "day")
    assert blocklist.joins("##s") and not blocklist.joins("##") and not blocklist.joins("s")
