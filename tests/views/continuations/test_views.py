"""Continuations without a browser: the views Colour a text, Five ways and Guess, and what the page saves."""

import csv
import io
import json

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.prediction import shannon, surprisal
from explorer.views.continuations import colour, files, shades
from explorer.views.continuations import game as guess
from explorer.views.continuations.presets import DEFAULTS, GUESS, WAYS
from explorer.views.continuations.run import RUN, begin
from explorer.views.frame import blocklist
from explorer.views.frame.theme import LIGHT, contrast
from tests.views import opening


def open_(view: str, **settings) -> AppTest:
    """The page in one of its views."""
    return opening.opened("continuations", view=view, **settings)


def sent(at: AppTest, component: str) -> dict:
    return opening.sent(at, component)[0]


def html(at: AppTest) -> str:
    return " ".join(element.proto.body for element in at.get("html"))


def button(at: AppTest, label: str):
    return next(b for b in at.button if b.label == label)


def rows(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


class TestColour:
    """A text, its colours and its numbers."""

    def test_it_shows_the_whole_text_with_the_models_numbers(self):
        data = sent(open_("colour"), "coloured")
        reading = surprisal.read(explorer.load("gpt"), DEFAULTS["passage"])
        assert "".join(piece[0] for piece in data["pieces"]) == DEFAULTS["passage"]
        assert dict(data["numbers"])["perplexity"] == f"{reading.perplexity:,.1f}"
        assert dict(data["numbers"])["bits per byte"] == f"{reading.per_byte:.2f}"
        assert [word for word, *_ in data["top"][:2]] == ["fridge", "elephant"]
        place = data["top"][0][2]
        assert "fridge".startswith(data["pieces"][place][0].strip())

    @pytest.mark.parametrize("second", ["bert", "elmo"])
    def test_a_second_models_line_stands_beside_it(self, second):
        data = sent(open_("colour", second=second), "coloured")
        first, other = data["lines"]
        assert len(first["values"]) == len(other["values"]) == len(data["words"])
        assert sum(value is not None for value in other["values"]) > 15 and first["values"] != other["values"]

    @pytest.mark.parametrize("way", colour.WAYS)
    def test_every_shade_can_be_read_and_rises(self, way):
        grounds = shades.shades(way, LIGHT)
        assert len(grounds) == shades.SHADES + 1
        assert all(contrast(ground, ink) >= 4.5 for ground, ink in grounds)
        likely, rare = surprisal.Piece(0, 1, 0.1, 1, 1), surprisal.Piece(0, 1, 15.0, 500, 1)
        pair = shades.shade(likely, way), shades.shade(rare, way)
        assert (pair[0] < pair[1]) == (way == "surprisal")

    @pytest.mark.parametrize("text", ["🦊 and 東京", "سلام عليكم", "</script><b>", "a", "\n\n x"])
    def test_any_text_is_coloured(self, text):
        data = sent(open_("colour", passage=text), "coloured")
        assert "".join(piece[0] for piece in data["pieces"]) == text

    def test_an_empty_text_says_what_to_do(self):
        assert "Type or paste a text" in html(open_("colour", passage=" "))

    def test_ten_thousand_words_are_read_in_windows_and_what_is_cut_is_said(self, gpt_folder, monkeypatch):
        monkeypatch.setattr(colour, "MOST_TOKENS", 15_000)
        text = "the bank by the river " * 2_000
        name = f"folder:{gpt_folder}"
        at = open_("colour", model=name)
        at.session_state["continuations.passage"] = text
        at.run()
        assert not at.exception
        data = sent(at, "colour")
        read = dict(data["numbers"])["tokens"]
        assert "windows" in data["says"] and len(data["words"]) <= 10_000
        assert ("were cut" in data["says"]) == (read == "15,000")
        assert data["smoothed"] > 1

    def test_what_was_written_is_covered_where_a_class_should_not_see_it(self, monkeypatch):
        text = generate(explorer.load("gpt"), DEFAULTS["text"], Sampling(temperature=0, max_new_tokens=6))
        list(text)
        word = text.continuation.split()[0].strip(".,").casefold()
        monkeypatch.setattr(blocklist, "listed", lambda: frozenset([word]))
        at = open_("colour", source="written", temperature="0", length="6")
        data = sent(at, "colour")
        shown = "".join(piece[0] for piece in data["pieces"])
        assert shown.startswith(DEFAULTS["text"]) and blocklist.DOTS in shown
        assert word not in json.dumps(data).casefold()
        assert at.session_state[RUN].generation.continuation == text.continuation
        typed = sent(open_("colour", passage=f"She was {word} there."), "coloured")
        assert blocklist.DOTS not in json.dumps(typed, ensure_ascii=False), "the person wrote it"

    def test_a_long_texts_line_is_a_running_mean(self):
        assert shades.smooth([1.0, None, 3.0]) == [1.0, None, 3.0]
        long = shades.smooth([2.0] * 100 + [None])
        assert long[:100] == [2.0] * 100 and long[100] is None
        assert [shades.span(words) for words in (90, 91, 10_000)] == [1, 9, 101]
        assert shades.mean([1.0, None, 4.0]) == "2.5 bits a word" and shades.mean([None]) == "no word scored"


class TestWays:
    """Five decoders on one prompt."""

    def test_each_way_writes_its_own_text(self):
        at = open_("ways", length="8")
        greedy = generate(explorer.load("gpt"), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=8))
        list(greedy)
        _, made = at.session_state["continuations/ways"]
        assert len(made) == 5 and all(len(way.ids) == 8 for way in made)
        assert made[0].ids == greedy.ids and made[1].log_probability >= made[0].log_probability
        assert all(name in html(at) for name in ("Greedy", "Beam", "Top-k", "Nucleus", "Contrastive"))
        assert at.run() and at.session_state["continuations/ways"][1] is made, "nothing is written again"

    def test_a_listed_word_is_dots_in_every_row(self, monkeypatch):
        greedy = generate(explorer.load("gpt"), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=4))
        word = "".join(step.text for step in greedy).split()[0].strip(".,").casefold()
        monkeypatch.setattr(blocklist, "listed", lambda: frozenset([word]))
        at = open_("ways", length="4")
        rows = [body for body in (e.proto.body for e in at.get("html")) if 'class="rb-way"' in body]
        assert any(blocklist.DOTS in row for row in rows) and not any(f" {word} " in row for row in rows)
        assert word in at.session_state["continuations/ways"][1][0].text.casefold()

    def test_a_prompt_with_a_script_in_it_is_text(self):
        assert "<script>" not in html(open_("ways", length="2", text="<script>alert(1)</script>"))

    def test_a_preset_opens_its_prompt(self):
        at = open_("ways", length="1")
        button(at, WAYS[2].label).click().run()
        assert not at.exception
        assert all(made.ids for made in at.session_state["continuations/ways"][1])


class TestGuess:
    """Shannon's game."""

    def test_a_guess_is_looked_up_and_the_right_one_opens_the_word(self):
        at = open_("guess")
        spot = shannon.spots(DEFAULTS["tale"])[guess.GIVEN]
        assert "<mark>" not in html(at) and f"hungry {spot.word}" not in html(at)
        at.text_input[0].set_value("and").run()
        assert not at.exception and "<mark>" not in html(at)
        row = sent(at, "bars")["rows"][0]
        own = shannon.next_word(explorer.load("gpt"), DEFAULTS["tale"], spot, "and")
        assert row["token"] == "and" and row["probability"] == pytest.approx(own.probability, rel=1e-4)
        at.text_input[0].set_value(spot.word.upper()).run()
        assert f"<mark>{spot.word}</mark>" in html(at) and "at the second guess" in html(at)
        assert at.text_input[0].disabled and "1 of 1" in html(at)
        button(at, "Next word").click().run()
        assert at.text_input[0].label == f"Guess 1 of {guess.GUESSES}" and not at.text_input[0].disabled

    def test_after_the_last_guess_the_word_is_shown_and_so_it_is_when_given_up(self):
        at = open_("guess")
        for _ in range(guess.GUESSES):
            at.text_input[0].set_value("zebra").run()
        assert "You did not find it" in html(at)
        button(at, "Next word").click().run()
        button(at, "Show it").click().run()
        assert "You did not find it" in html(at) and "0 of 2" in html(at)
        assert json.loads(at.query_params["rounds"]) == [[4, None], [5, None]]

    def test_the_hidden_word_is_guessed_with_both_sides_in_view(self):
        at = open_("guess")
        button(at, GUESS[1].label).click().run()
        assert not at.exception
        spots = shannon.spots(DEFAULTS["tale"])
        first = spots[guess.turns(spots, "masked")[0]]
        assert DEFAULTS["tale"][first.end + 1 : first.end + 20] in html(at)
        at.text_input[0].set_value(first.word).run()
        assert "You found it at once; BERT would" in html(at)

    def test_the_score_counts_both_sides_by_hand(self):
        spots, name = shannon.spots(DEFAULTS["tale"]), "gpt"
        played = list(zip(range(4, 10), (1, 1, 2, 2, None, 1)))
        table = guess.score(played, name, "next", DEFAULTS["tale"], spots)
        you, model = table.split("<tr>")[2:]
        assert "3 of 6" in you and "5 of 6" in you
        assert f"{shannon.bits([1, 1, 2, 2, None, 1], 8192):.1f}</td>" in you
        sides = [guess.expected(name, "next", DEFAULTS["tale"], n) for n, _ in played]
        theirs = [guess.found_at(spots[n], [c.token for c in s[0]]) for (n, _), s in zip(played, sides)]
        assert f"{theirs.count(1)} of 6" in model and f"{shannon.bits(theirs, 8192):.1f}</td>" in model
        assert "after 5 words" in guess.score(played[:1], name, "next", DEFAULTS["tale"], spots)

    @pytest.mark.parametrize(
        "tale", ["", "One", "🦊🦊", "سلام عليكم يا صديقي كيف حالك اليوم", "word " * 10_000]
    )
    def test_any_passage_can_be_played_or_says_that_it_cannot(self, tale):
        at = open_("guess")
        at.session_state["continuations.tale"] = tale
        at.run()
        assert not at.exception
        assert ("too few words" in html(at)) == (len(shannon.spots(tale)) == 0)
        assert ("were cut" in html(at) or "more were cut" in html(at)) == (len(tale) > 1000)

    @pytest.mark.parametrize("rounds", ["[[4,9],[99,1],[-1,1],7,[5]]", "[]"])
    def test_a_link_with_nonsense_in_it_is_played_on(self, rounds):
        at = open_("guess", rounds=rounds, spot="77", tried='[1, "x"]')
        assert "The score comes with the first word" in html(at)


class TestFiles:
    """What the page saves."""

    @pytest.fixture
    def run(self, tiny_gpt):
        run = begin((), tiny_gpt, "the bank", Sampling(max_new_tokens=5))
        while run.going:
            run.grow()
        return run

    def test_the_tokens_and_the_step_in_view(self, run):
        made = rows(files.steps_csv(run))
        assert [row["token"] for row in made] == [step.token for step in run.generation.steps]
        run.shown, run.wanted = 2, Sampling(top_k=3)
        road = rows(files.road_csv(run))
        assert len(road) == run.generation.model.tokenizer.size
        assert sum(float(row["chance"]) for row in road) == pytest.approx(1, abs=1e-4)
        assert [row["in top-k"] for row in road[:4]] == ["1", "1", "1", "0"]

    def test_the_tree(self, run):
        other = next(c.id for c in run.generation.steps[1].candidates if c.id != run.generation.steps[1].id)
        run.pick(1, other)
        run.name(1, "an other")
        made = json.loads(files.tree_json(run))
        assert made["prompt"] == "the bank" and [road["after"] for road in made["roads"]] == [0, 1]
        assert made["roads"][1]["name"] == "an other" and made["roads"][1]["tokens"][0]["id"] == other
        assert len(made["roads"][0]["tokens"]) == 5

    def test_the_words_of_a_text(self, tiny_gpt):
        reading = surprisal.read(tiny_gpt, "we saw the bank")
        made = rows(files.words_csv(reading, ["a", "b"], [[1.5, None, 2.0, 3.0]]))
        assert [row["word"] for row in made] == ["we", "saw", "the", "bank"]
        assert [row["bits, b"] for row in made] == ["1.5", "", "2", "3"]
        tokens = rows(files.tokens_csv(reading))
        assert sum(float(row["bits"]) for row in tokens) == pytest.approx(float(reading.bits.sum()), rel=1e-5)

    @pytest.mark.parametrize("view", ["write", "colour", "ways", "guess"])
    def test_every_view_offers_its_files(self, view):
        at = open_(view, length="2", rounds="[[4,1]]")
        assert at.get("download_button")
