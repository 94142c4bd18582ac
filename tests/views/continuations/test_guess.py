"""Shannon's game."""

import json

import pytest

import explorer
from explorer.analysis.prediction import shannon
from explorer.views.continuations import game, page
from explorer.views.frame.presets import presets_in_row
from tests.views.continuations.opening import button, component_data, open_
from tests.views.opening import defaults, said

DEFAULTS = defaults(page.PAGE)


def test_a_guess_is_looked_up_and_the_right_one_opens_the_word():
    at = open_("guess")
    spot = shannon.spots(DEFAULTS["tale"])[game.FIRST["next"]]
    assert "<mark>" not in said(at) and f"hungry {spot.word}" not in said(at)
    at.text_input[0].set_value("and").run()
    assert not at.exception and "<mark>" not in said(at)
    row = component_data(at, "bars")["rows"][0]
    own = shannon.next_word(explorer.load(DEFAULTS["model"]), DEFAULTS["tale"], spot, "and")
    assert row["token"] == "and" and row["probability"] == pytest.approx(own.probability, rel=1e-4)
    at.text_input[0].set_value(spot.word.upper()).run()
    assert f"<mark>{spot.word}</mark>" in said(at) and "You got it on the second guess." in said(at)
    assert at.text_input[0].disabled and "1 of 1" in said(at)
    button(at, "Next word").click().run()
    assert at.text_input[0].label == f"Guess 1 of {game.GUESSES}" and not at.text_input[0].disabled


def test_after_the_last_guess_the_word_is_shown_and_so_it_is_when_given_up():
    at = open_("guess")
    for _ in range(game.GUESSES):
        at.text_input[0].set_value("zebra").run()
    assert "You did not get it." in said(at)
    button(at, "Next word").click().run()
    button(at, "Show it").click().run()
    assert "You did not get it." in said(at) and "0 of 2" in said(at)
    assert json.loads(at.query_params["rounds"]) == [[4, None], [5, None]]


def test_the_hidden_word_is_guessed_with_both_sides_in_view():
    at = open_("guess")
    button(at, presets_in_row("continuations", "guess")[1].label).click().run()
    assert not at.exception
    spots = shannon.spots(DEFAULTS["tale"])
    first = spots[game.guessed_words(spots, "masked")[0]]
    assert DEFAULTS["tale"][first.end + 1 : first.end + 20] in said(at)
    at.text_input[0].set_value(first.word).run()
    assert "You got it on the first guess. BERT would" in said(at)


def test_the_score_counts_both_sides_by_hand():
    spots, gpt = shannon.spots(DEFAULTS["tale"]), explorer.load("gpt")
    played = list(zip(range(4, 10), (1, 1, 2, 2, None, 1)))
    table = game.score(played, gpt, "next", DEFAULTS["tale"], spots)
    you, model = table.split("<tr>")[2:]
    assert "3 of 6" in you and "5 of 6" in you
    assert f"{shannon.bits([1, 1, 2, 2, None, 1], 8192):.1f}</td>" in you
    sides = [game.expected(gpt, "next", DEFAULTS["tale"], n) for n, _ in played]
    theirs = [game.found_at(spots[n], [c.token for c in s[0]]) for (n, _), s in zip(played, sides)]
    assert f"{theirs.count(1)} of 6" in model and f"{shannon.bits(theirs, 8192):.1f}</td>" in model
    assert "after 5 words" in game.score(played[:1], gpt, "next", DEFAULTS["tale"], spots)


@pytest.mark.parametrize("revealed", [False, True])
def test_a_passage_is_text_on_both_sides_of_its_word(revealed):
    text = "It was <b>there</b> that we all sat down to <i>eat</i> bread."
    spots = shannon.spots(text)
    spot = next(spot for spot in spots if spot.word == "sat")
    body = game.passage(text, spot, "masked", revealed)
    assert "&lt;b&gt;there&lt;/b&gt;" in body and "&lt;i&gt;eat&lt;/i&gt;" in body
    assert ("<mark>sat</mark>" in body) == revealed == ("sat" in body)


@pytest.mark.parametrize("tale", ["", "One", "🦊🦊", "سلام عليكم يا صديقي كيف حالك اليوم", "word " * 10_000])
def test_any_passage_can_be_played_or_says_that_it_cannot(tale):
    at = open_("guess")
    at.session_state["continuations.tale"] = tale
    at.run()
    assert not at.exception
    assert ("too few words" in said(at)) == (len(shannon.spots(tale)) == 0)
    assert ("were cut" in said(at) or "more were cut" in said(at)) == (len(tale) > 1000)


@pytest.mark.parametrize("rounds", ["[[4,9],[99,1],[-1,1],7,[5]]", "[]"])
def test_a_link_with_nonsense_in_it_is_played_on(rounds):
    at = open_("guess", rounds=rounds, spot="77", tried='[1, "x"]')
    assert "The score appears after the first word" in said(at)
