"""Real or replaced?, with a tiny random pair: what is drawn is what the analysis found."""

import dataclasses
from dataclasses import replace

import pytest

import explorer
from explorer.analysis.prediction import replacing
from explorer.server import memory
from explorer.trace import Ability, Checkpoint
from explorer.views.look import blocklist
from explorer.views.masked import page, replaced
from explorer.views.masked.own_words import valid_replacements
from explorer.views.masked.settings import READ
from tests import encoders
from tests.views.opening import opened, printed_result, said, sent, told

TEXT = "the old bank by the river is deep and the water was light"


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return encoders.write_pair(tmp_path_factory.mktemp("pair"))


@pytest.fixture
def run(pair, monkeypatch):
    """The page with this view among its own; the pair is in memory, as after a choice by hand."""
    monkeypatch.setitem(page.VIEWS, "replaced", replaced.VIEW)
    for name in pair:
        memory.fetch(name)

    def opening(**link):
        return opened("masked", view="replaced", **({"model": pair[1], "read": TEXT} | link))

    return opening


def expected(pair, seed):
    generator, discriminator = map(memory.fetch, pair)
    encoding = discriminator.encode(TEXT)
    replacements = replacing.fill(generator, encoding, replacing.hidden_places(encoding, seed), seed)
    return encoding, replacements, replacing.judge(discriminator, encoding, replacements)


def test_before_the_reveal_nothing_is_told(run, pair):
    encoding, _, judged = expected(pair, 2)
    (data,) = sent(run(who="generator"), "real_or_replaced")
    model, words = memory.fetch(pair[1]), data["words"]
    assert [w["at"] for w in words] == (~encoding.special).nonzero()[:, 0].tolist()
    assert [w["text"] for w in words] == [model.tokenizer.readable(int(judged.ids[w["at"]])) for w in words]
    assert data["active"] and data["rows"] == []
    for word in words:
        assert not (word["replaced"] or word["was"] or word["tip"] or word["bars"])


def test_the_reveal_shows_the_analysis_own_verdicts_and_losses(run, pair):
    encoding, replacements, judged = expected(pair, 5)
    at = run(who="generator", seed=5, shown=True, guessed=[replacements[0].position, 1, 999, "x"])
    (data,) = sent(at, "real_or_replaced")
    assert not data["active"] and len(data["rows"]) == 3
    check_bars(data, replacements, judged)
    for word in data["words"]:
        assert word["suspected"] == (word["at"] in (replacements[0].position, 1))
    may = int((~encoding.special).sum())
    lines = told(at)
    assert f"a loss at {len(replacements)} of {may} tokens" in lines and f"a loss at all {may}" in lines
    count = int(judged.replaced[[replacements[0].position, 1]].sum())
    assert f"You found {count} of {int(judged.replaced.sum())}" in lines
    assert "The discriminator found" in lines and "not adversarial training" in lines


def check_bars(data, replacements, judged):
    """Every token has its verdict and its two losses, and says what it was."""
    places = {one.position: one for one in replacements}
    for word in data["words"]:
        position = word["at"]
        assert word["replaced"] == bool(judged.replaced[position])
        assert word["was"] == (judged.encoding.tokens[position] if word["replaced"] else "")
        verdict, masked, every = word["bars"]
        assert verdict["share"] == pytest.approx(float(judged.probabilities[position]))
        assert float(every["number"]) == pytest.approx(float(judged.losses[position]), abs=0.006)
        assert (masked is not None) == (position in places)
        if masked:
            assert float(masked["number"]) == pytest.approx(places[position].loss, abs=0.06)


def test_buttons_draw_again_and_reveal(run):
    at = run(who="generator", seed=5, shown=True, guessed=[1])
    before = [w["text"] for w in sent(at, "real_or_replaced")[0]["words"]]
    at.button(key="masked/draw").click().run()
    assert at.session_state["masked.seed"] == 6
    assert not at.session_state["masked.shown"] and at.session_state["masked.guessed"] == []
    assert [w["text"] for w in sent(at, "real_or_replaced")[0]["words"]] != before
    at.button(key="masked/reveal").click().run()
    assert sent(at, "real_or_replaced")[0]["rows"]


def chances_replaced(pair) -> dict[str, float]:
    """What the analysis says of each token of the text with the two words put in by hand."""
    model = memory.fetch(pair[1])
    read = model.encode("the old qxz by the money is deep and the water was light")
    judged = replacing.judge(model, read, [])
    return dict(zip(judged.encoding.tokens, judged.probabilities.tolist()))


def test_a_visitors_words_are_judged_in_their_place(run, pair):
    at = run(shown=True, own=[[2, "qxz"], [5, "money"], [99, "x"], "nonsense"], place=5, typed="money")
    (data,) = sent(at, "real_or_replaced")
    words = data["words"]
    assert [w["text"] for w in words][:6] == ["the", "old", "qxz", "by", "the", "money"]
    assert [w["was"] for w in words][:6] == ["", "", "bank", "", "", "river"]
    assert [w["at"] for w in words if w["replaced"]] == [2, 5] and words[5]["selected"]
    pieces = chances_replaced(pair)
    assert words[2]["bars"][0]["share"] == pytest.approx(max(pieces[t] for t in ("q", "##x", "##z")))
    assert words[5]["bars"][0]["share"] == pytest.approx(pieces["money"])
    assert "of 2 replaced words" in told(at)
    at.text_input(key="masked.typed").set_value("walk").run()
    assert at.session_state["masked.own"] == [[2, "qxz"], [5, "walk"]]
    assert at.session_state["masked.shown"], "a word of one's own is judged at once"
    at.text_input(key="masked.typed").set_value("").run()
    assert at.session_state["masked.own"] == [[2, "qxz"]]
    at.button(key="masked/put-back").click().run()
    assert at.session_state["masked.own"] == [] and at.session_state["masked.place"] == -1


def test_the_class_plays_before_the_verdicts_on_words_put_in_by_hand_are_shown(run, pair):
    at = run(own=[[2, "qxz"], [5, "money"]], guessed=[2, 4, "x", 99])
    (data,) = sent(at, "real_or_replaced")
    assert data["active"] and data["rows"] == [] and [w["text"] for w in data["words"]][2] == "qxz"
    for word in data["words"]:
        assert not (word["replaced"] or word["was"] or word["tip"] or word["bars"])
    assert [w["at"] for w in data["words"] if w["suspected"]] == [2, 4]
    at.button(key="masked/reveal").click().run()
    (data,) = sent(at, "real_or_replaced")
    assert data["words"][5]["bars"][0]["share"] == pytest.approx(chances_replaced(pair)["money"])
    assert [w["at"] for w in data["words"] if w["replaced"]] == [2, 5]
    assert "You found 1 of 2, and wrongly suspected 1. The discriminator notices" in told(at)


def test_the_opening_round_begins_with_a_word_of_ours_until_all_are_put_back(run):
    at = run(read=READ.default)
    assert "would" in [word["text"] for word in sent(at, "real_or_replaced")[0]["words"]]
    assert sent(at, "text_box") == [], "the sentence would give the word away"
    at.button(key="masked/reveal").click().run()
    assert sent(at, "text_box")[0]["text"] == READ.default
    at.button(key="masked/put-back").click().run()
    words = [word["text"] for word in sent(at, "real_or_replaced")[0]["words"]]
    assert "gate" in words and "would" not in words and not [b for b in at.button if b.key == "masked/reveal"]


def test_a_sentence_without_a_word_by_hand_has_its_verdicts_at_once(run):
    at = run()
    (data,) = sent(at, "real_or_replaced")
    assert data["active"] and data["rows"] and "Press a word and type another one" in told(at)


def test_what_a_link_may_bring():
    assert valid_replacements([[True, "x"], [0, 3], [1, " a "], None, [2, ""], [-1, "b"]], 3) == {1: "a"}


def test_a_drawn_word_that_is_not_shown_is_dots(run, pair, monkeypatch):
    _, replacements, judged = expected(pair, 5)
    model = memory.fetch(pair[1])
    at = next(one.position for one in replacements if judged.replaced[one.position])
    word = model.tokenizer.readable(int(judged.ids[at]))
    monkeypatch.setattr(blocklist, "covers_piece", lambda blocked, tokens, position, token: token == word)
    (data,) = sent(run(who="generator", seed=5, shown=True), "real_or_replaced")
    (data_of_word,) = (one for one in data["words"] if one["at"] == at)
    assert data_of_word["text"] == blocklist.DOTS and f"{word} " not in data_of_word["tip"]


def test_the_code_gives_the_same_numbers(run, pair):
    _, _, judged = expected(pair, 5)
    rows = printed_result(run(who="generator", seed=5, shown=True))
    assert [row[2] for row in rows] == pytest.approx(judged.probabilities.tolist())
    own = printed_result(run(own=[[2, "river"]]))
    assert [token for token, _ in own][1:4] == ["the", "old", "river"]


def test_a_model_without_a_generator_says_so(run, tmp_path):
    encoders.write("electra", tmp_path)
    memory.fetch(f"folder:{tmp_path}")
    assert "No generator is known" in told(run(who="generator", model=f"folder:{tmp_path}"))
    assert "Type a sentence" in said(run(read=" "))


def test_a_view_takes_its_own_model_where_the_chosen_one_cannot_do_it(run, pair, monkeypatch):
    bundled = explorer.available()
    judge = replace(Checkpoint.parse(pair[1]), abilities=Ability.DETECT | Ability.CONTEXT)
    monkeypatch.setattr(explorer, "available", lambda: [*bundled, judge])
    at = opened("masked", view="predict", model=pair[1])
    assert at.session_state["masked.model"] == "bert" and sent(at, "bars")
    view = dataclasses.replace(replaced.VIEW, model=pair[1])
    monkeypatch.setitem(page.VIEWS, "replaced", view)
    at = opened("masked", view="replaced", read=TEXT, model="bert")
    assert at.session_state["masked.model"] == pair[1] and sent(at, "real_or_replaced")
