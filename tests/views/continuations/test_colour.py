"""A text, its colours and its numbers."""

import json
from math import log

import pytest

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.analysis.prediction import log_likelihood, surprisal
from explorer.tokenizers.prompt import encode_prompt
from explorer.views.continuations import colour, page, shades
from explorer.views.continuations.session import RUN
from explorer.views.frame.view_text import view_text
from explorer.views.look import blocklist
from explorer.views.look.theme import LIGHT, contrast
from tests.views.continuations.opening import component_data, open_
from tests.views.opening import defaults, said

DEFAULTS = defaults(page.PAGE)


def test_it_shows_the_whole_text_with_the_models_numbers():
    data = component_data(open_("colour"), "colour")
    reading = surprisal.read(explorer.load(DEFAULTS["model"]), DEFAULTS["passage"])
    assert "".join(piece[0] for piece in data["pieces"]) == DEFAULTS["passage"]
    assert dict(data["numbers"])["perplexity"] == f"{reading.perplexity:,.1f}"
    assert dict(data["numbers"])["bits per byte"] == f"{reading.per_byte:.2f}"
    assert "elephant" in [word for word, *_ in data["top"][:2]]
    word, *_, place = data["top"][0][:3]
    assert word.startswith(data["pieces"][place][0].strip())


@pytest.mark.parametrize("second", ["bert", "elmo"])
def test_a_second_models_line_stands_beside_it(second):
    data = component_data(open_("colour", second=second), "colour")
    first, other = data["lines"]
    assert len(first["values"]) == len(other["values"]) == len(data["words"])
    assert sum(value is not None for value in other["values"]) > 15 and first["values"] != other["values"]


def test_a_model_that_fills_blanks_colours_each_word_by_all_others():
    text = "The keys are on the table."
    at = open_("colour", model="bert", passage=text, second="gpt", source="written")
    data = component_data(at, "colour")
    nats = -log_likelihood(explorer.load("bert"), text)
    assert dict(data["numbers"])["bits in all"] == f"{nats / log(2):.1f}"
    assert "".join(piece[0] for piece in data["pieces"]) == text
    assert [line["name"] for line in data["lines"]] == ["BERT from both sides", "GPT from the left"]
    assert "hidden in turn" in said(at)
    assert "continuations.source" not in [control.key for control in at.segmented_control]


def test_a_masked_model_is_left_at_this_view():
    assert open_("write", model="bert").session_state["continuations.model"] == DEFAULTS["model"]


@pytest.mark.parametrize("measure", colour.MEASURES)
def test_every_shade_can_be_read_and_rises(measure):
    grounds = shades.shades(measure, LIGHT)
    assert len(grounds) == shades.SHADES + 1
    assert all(contrast(ground, ink) >= 4.5 for ground, ink in grounds)
    likely, rare = surprisal.Piece(0, 1, 0.1, 1, 1), surprisal.Piece(0, 1, 15.0, 500, 1)
    pair = shades.shade(likely, measure), shades.shade(rare, measure)
    assert (pair[0] < pair[1]) == (measure == "surprisal")


@pytest.mark.parametrize("text", ["🦊 and 東京", "سلام عليكم", "</script><b>", "a", "\n\n x"])
def test_any_text_is_coloured(text):
    data = component_data(open_("colour", passage=text), "colour")
    assert "".join(piece[0] for piece in data["pieces"]) == text


def test_an_empty_text_says_what_to_do():
    assert "Type or paste a text" in said(open_("colour", passage=" "))


@pytest.mark.slow
def test_ten_thousand_words_are_read_in_windows_and_what_is_cut_is_said(gpt_folder, monkeypatch):
    monkeypatch.setattr(colour, "MOST_TOKENS", 15_000)
    text = "the bank by the river " * 2_000
    name = f"folder:{gpt_folder}"
    at = open_("colour", model=name)
    at.session_state["continuations.passage"] = text
    at.run()
    assert not at.exception
    data = component_data(at, "colour")
    read = dict(data["numbers"])["tokens"]
    assert "windows" in data["says"] and len(data["words"]) <= 10_000
    assert ("were cut" in data["says"]) == (read == "15,000")
    assert data["smoothed"] > 1


def test_what_was_written_is_covered_where_a_class_should_not_see_it(monkeypatch):
    text = generate(
        explorer.load(DEFAULTS["model"]), DEFAULTS["text"], Sampling(temperature=0, max_new_tokens=6)
    )
    list(text)
    word = text.continuation.split()[0].strip(".,").casefold()
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset([word]))
    at = open_("colour", source="written", temperature="0", length="6")
    data = component_data(at, "colour")
    coloured_text = "".join(piece[0] for piece in data["pieces"])
    assert coloured_text.startswith(DEFAULTS["text"]) and blocklist.DOTS in coloured_text
    assert word not in json.dumps(data).casefold()
    assert at.session_state[RUN].generation.continuation == text.continuation
    data = component_data(open_("colour", passage=f"She was {word} there."), "colour")
    assert blocklist.DOTS not in json.dumps(data, ensure_ascii=False), "the person wrote it"


def test_a_long_texts_line_is_a_running_mean():
    assert shades.smooth([1.0, None, 3.0]) == [1.0, None, 3.0]
    long = shades.smooth([2.0] * 100 + [None])
    assert long[:100] == [2.0] * 100 and long[100] is None
    assert [shades.span(words) for words in (90, 91, 10_000)] == [1, 9, 101]
    assert shades.mean([1.0, None, 3.0, 1.0], [True, True, True, False]) == "2.5 bits per word"
    assert shades.mean([None], [True]) == "no word scored"


def test_a_text_is_written_to_its_end_though_the_model_is_busy(monkeypatch):
    class Busy:
        looks = 0
        going = property(lambda self: self.looks < 6)

        def grow(self):
            self.looks += 1
            return self.looks % 3 == 0  # others have the model in between

    busy = Busy()
    monkeypatch.setattr(colour.write, "current", lambda settings, model: busy)
    assert colour.finished(None, None).looks == 6


def test_views_that_begin_a_text_with_a_start_token_and_those_that_do_not_say_so():
    gpt, text = explorer.load("gpt"), "Once upon a time there was a little"
    after = encode_prompt(gpt.tokenizer, f"{text} girl").ids[-1]
    ids = encode_prompt(gpt.tokenizer, text).ids
    typed, with_start = (
        float(gpt.unembed(gpt.run(each[None]).last[0, -1]).log_softmax(-1)[after]) / -log(2)
        for each in (ids, gpt.tokenizer.with_start(ids))
    )
    assert float(surprisal.read(gpt, f"{text} girl").bits[-1]) == pytest.approx(with_start, abs=1e-3)
    assert abs(typed - with_start) > 0.1
    views = [("continuations", view) for view in ("write", "ways", "colour", "examples")]
    for name, view in [*views, ("why", "where"), ("why", "lens")]:
        assert "start token" in view_text(name, view).reading.caveat
    for part in ("writers", "guess"):
        assert "start token" in view_text("continuations", "dice").readings[part].caveat
