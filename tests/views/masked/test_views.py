"""The masked-words page's views, run without a browser: what each draws is what the analysis found."""

import json
import math
from functools import partial

import pytest
import torch
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis import prediction
from explorer.analysis.prediction import corruption, gibbs, pseudo_likelihood, template_bias
from explorer.views.frame import blocklist
from explorer.views.frame.blocklist import DOTS
from explorer.views.masked import layer_panels, three_orders
from explorer.views.masked import score as masked_score
from explorer.views.masked import sets as masked_sets
from explorer.views.masked.page import VIEWS
from explorer.views.masked.presets import BY_VIEW, DEFAULTS
from tests.views import opening
from tests.views.opening import sent, told

HOSTILE = "</script><b>x</b>"
DRAWN = {
    "predict": "bars",
    "sets": "template_bias",
    "layers": "lens",
    "training": "word_columns",
    "score": "word_columns",
    "write": "gibbs",
}


run = partial(opening.opened, "masked")


@pytest.fixture(scope="module")
def model():
    return explorer.load("bert")


@pytest.fixture
def block(monkeypatch):
    """block("river") makes the list these words alone, so that ordinary sentences can test it."""
    return lambda *words: monkeypatch.setattr(blocklist, "listed", lambda: frozenset(words))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_draws(view):
    at = run(view=view, steps=50, blanks=3)
    assert at.segmented_control[0].value == view and not at.text
    assert len(sent(at, DRAWN[view])) == 1 and "How to read it." in told(at)
    labels = [button.label for button in at.button]
    assert all(preset.label in labels for preset in BY_VIEW[view]) and 2 <= len(BY_VIEW[view]) <= 4


def test_an_unknown_view_is_the_first_one():
    assert (
        run(view="nonsense", start="x", steps=3, share=-1, task="x").segmented_control[0].value == "predict"
    )


def test_presets_open_the_view_they_stand_in():
    at = run(view="score")
    for preset in BY_VIEW["score"]:
        at.button(key=f"masked/preset/{preset.label}").click().run()
        assert not at.exception and at.segmented_control[0].value == "score"
        assert at.session_state["masked.better"] == preset.values.get("better", DEFAULTS["better"])


def test_a_pinned_blank_stands_beside_the_present_one(model):
    boat, car = "They crossed the [MASK] by boat.", "They crossed the [MASK] by car."
    at = run(text=boat)
    at.button(key="masked/pin").click().run()
    assert at.session_state["masked.pinned"] == boat and "Now change the sentence" in told(at)
    at = run(text=car, pinned=boat, probe="zoo")
    pinned, now = sent(at, "bars")
    assert not pinned["active"] and now["active"]
    expected = [prediction.fill_mask(model, text, top=10)[0] for text in (boat, car)]
    for mount, own in zip((pinned, now), expected):
        assert [row["token"] for row in mount["rows"]] == [*(token for token, _ in own), "zoo"]
    blank = prediction.blanks(model, boat)
    for row in now["rows"]:
        there = prediction.probe(model, blank, row["token"]).probability
        assert row["beside"] == pytest.approx(there, rel=1e-4) and "in the other sentence" in row["tip"]
    at.button(key="masked/unpin").click().run()
    assert len(sent(at, "bars")) == 1


def test_a_pinned_text_without_a_blank_says_so():
    at = run(pinned="nothing hidden here")
    assert "There is no [MASK] in the text." in told(at) and len(at.button) > 4


def test_the_chart_of_sets_is_the_analysis_own(model):
    at = run(view="sets", fillers="maid, soldier, 🙂 zoo", one="he, him", other="she")
    (data,) = sent(at, "template_bias")
    found = template_bias.compare_sets(
        model, DEFAULTS["template"], ["maid", "soldier", "🙂 zoo"], ["he", "him"], ["she"]
    )
    expected = sorted(found.biases, key=lambda bias: -bias.bits)
    assert [row["name"] for row in data["rows"]] == [bias.filler for bias in expected]
    assert [row["bits"] for row in data["rows"]] == pytest.approx([bias.bits for bias in expected], abs=1e-4)
    assert data["bare"]["bits"] == pytest.approx(found.prior.bits, abs=1e-4)
    assert data["limit"] >= max(abs(bias.bits) for bias in [*expected, found.prior])
    assert "him 0." in data["rows"][0]["tip"] and "rank" in data["rows"][0]["tip"]


def test_words_of_several_pieces_and_unknown_ones_in_a_set():
    at = run(view="sets", template="a [MASK] bridge", one="unbelievably", other="🙂")
    (data,) = sent(at, "template_bias")
    assert data["bare"] is None and len(data["rows"]) == 1 and data["rows"][0]["ratio"] == "only one"
    assert "filled from left to right" in told(at) and "cannot be spelled" in told(at)
    assert "write [SLOT] where these words should go" in told(at)
    at = run(view="sets", one="🙂", other="🙂 🙂")
    assert {row["bits"] for row in sent(at, "template_bias")[0]["rows"]} == {None}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"template": ""}, "There is no [MASK]"),
        ({"one": " , "}, "One of the two sets is empty"),
        ({"fillers": ""}, "There is no word for [SLOT]"),
    ],
)
def test_what_cannot_be_compared_is_said_and_the_page_goes_on(settings, says):
    at = run(view="sets", **settings)
    assert says in told(at) and len(at.button) > 4


@pytest.mark.parametrize("limit", masked_sets.LIMITS)
def test_the_axis_has_its_ends_and_its_middle(limit):
    marks = masked_sets.ticks(limit)
    bits = [mark["bits"] for mark in marks]
    assert bits == [-b for b in reversed(bits)] == sorted(bits, reverse=True)
    assert 3 <= len(marks) <= 2 * masked_sets.MARKS + 1 and max(bits) <= limit
    assert marks[len(marks) // 2]["text"] == "equal"


def test_the_last_layer_says_what_the_models_say(model):
    text = "She drank a cup of hot [MASK] before work."
    (data,) = sent(run(view="layers", text=text, watched="tea, unbelievably, 🙂", layer=99), "lens")
    bert, gpt = data["panels"]
    assert (data["layer"], data["layers"]) == (6, 6)
    expected = prediction.fill_mask(model, text, top=4)[0]
    assert [word["text"] for word in bert["layers"][-1]["words"]] == [token for token, _ in expected]
    following = prediction.next_tokens(explorer.load("gpt"), "She drank a cup of hot", top=4)
    assert [word["text"] for word in gpt["layers"][-1]["words"]] == [token.strip() for token, _ in following]
    assert [line["name"] for line in bert["lines"]] == ["tea", "unbelievably (un…)"]
    tea = dict(prediction.fill_mask(model, text, top=30522)[0])["tea"]
    assert bert["lines"][0]["points"][-1]["probability"] == pytest.approx(tea, rel=1e-4)
    assert all(len(line["points"]) == 7 for panel in data["panels"] for line in panel["lines"])
    assert gpt["before"] == "She drank a cup of hot " and bert["after"].startswith(" before")


def test_without_words_to_follow_the_hidden_and_the_best_are():
    at = run(view="layers", words=["clinic"])
    (data,) = sent(at, "lens")
    names = [line["name"] for line in data["panels"][0]["lines"]]
    assert names[:2] == ["clinic", "hospital"] and "Logit lens: the output head" in told(at)


def test_a_blank_at_the_very_start_leaves_gpt_nothing_to_read():
    (data,) = sent(run(view="layers", text="[MASK] sat down."), "lens")
    assert data["panels"][1]["before"] == "" and len(data["panels"][1]["layers"]) == 7
    at = run(view="layers", text="No blank at all.")
    assert sent(at, "lens") == [] and "Click a word to mask it" in told(at)


@pytest.mark.parametrize(
    ("probability", "height"), [(1.0, 1.0), (1e-3, 0.5), (1e-6, 0.0), (1e-30, 0.0), (0.0, 0.0), (2.0, 1.0)]
)
def test_heights_go_by_powers_of_ten(probability, height):
    assert layer_panels.height(probability) == pytest.approx(height)


def test_the_corruption_on_the_page_is_the_analysis_own(model):
    at = run(view="training", seed=5, share=50)
    words = sent(at, "word_columns")[0]["lines"][0]["words"]
    encoding = model.encode(DEFAULTS["sentence"])
    corrupted = corruption.corrupt(model, encoding, 5, corruption.Rates(chosen=0.5))
    losses = {one.position: one.loss for one in corruption.losses(model, corrupted)}
    assert len(words) == len(encoding) and len(losses) >= 4
    for position, word in enumerate(words):
        assert word["text"] == model.tokenizer.token(int(corrupted.shown[position]))
        if position in losses:
            treatment = corrupted.treatments[position]
            assert word["tone"] == ("hidden" if treatment == "masked" else treatment)
            assert word["tip"].startswith(f"{treatment}; the original token is ")
            assert float(word["number"]) == pytest.approx(losses[position], abs=0.051)
            assert encoding.tokens[position] in word["tip"] and "first guess" in word["tip"]
        else:
            assert "number" not in word and word["tone"] in ("", "quiet")
    at.button(key="masked/throw").click().run()
    assert at.session_state["masked.seed"] == 6
    assert sent(at, "word_columns")[0]["lines"][0]["words"] != words


@pytest.mark.parametrize(
    "text",
    ["", HOSTILE, "🙂", "مرحبا بالعالم", "the bank " * 5000],
    ids=["none", "html", "emoji", "rtl", "long"],
)
@pytest.mark.parametrize(
    ("view", "name"), [("training", "sentence"), ("score", "better"), ("write", "frame"), ("layers", "text")]
)
def test_any_text_is_taken(view, name, text):
    at = run(view=view, **{name: text}, **({"worse": ""} if view == "score" else {}))
    assert told(at) and HOSTILE not in told(at).replace("&lt;", "")
    if len(text) > 5000:
        assert (
            "were cut" in told(at)
            or "too long" in told(at)
            or "no [MASK]" in told(at)
            or "mask it" in told(at)
        )


def test_next_sentences_have_their_probabilities(model):
    at = run(view="training", task="next", seconds=f"They left at dawn.\n\n{HOSTILE}")
    bars = told(at)
    for second in ("They left at dawn.", HOSTILE):
        expected = prediction.next_sentence(model, DEFAULTS["first"], second)
        assert f"width:{100 * expected:.2f}%" in bars
    assert "&lt;/script&gt;" in bars and HOSTILE not in bars
    assert "Only the first 6 of 8" in told(run(view="training", task="next", seconds="a b.\n" * 8))
    assert "Type a first sentence" in told(run(view="training", task="next", first=" "))


def test_a_model_without_the_next_sentence_head_says_so(tmp_path_factory):
    from tests import tiny

    folder = tmp_path_factory.mktemp("fill-only")
    tiny.write_bert(folder, "BertForMaskedLM")
    at = run(view="training", task="next", model=f"folder:{folder}")
    assert "cannot judge whether one sentence follows another" in told(at) and len(at.button) > 4


def test_the_words_surprisals_are_drawn_and_add_up(model):
    at = run(view="score")
    lines = sent(at, "word_columns")[0]["lines"]
    for line, text in zip(lines, (DEFAULTS["better"], DEFAULTS["worse"])):
        bits = -prediction.log_likelihood(model, text) / math.log(2)
        assert line["title"] == f"{bits:.1f} bits"
        assert sum(float(word["number"]) for word in line["words"]) == pytest.approx(bits, abs=0.6)
    assert [word["text"] for line in lines for word in line["words"] if word["tone"]] == ["are", "is"]
    assert "prefers the <b>first</b> sentence" in told(at)


def score(*words: tuple[str, float]) -> pseudo_likelihood.SentenceScore:
    return pseudo_likelihood.SentenceScore(
        " ".join(w for w, _ in words), tuple(pseudo_likelihood.WordScore(w, 0, (w,), (b,)) for w, b in words)
    )


def test_a_verdict_counts_the_words_that_differ():
    one, other = score(("the", 1), ("keys", 2), ("are", 3)), score(("The", 1), ("keys", 4), ("is", 6))
    parted = masked_score.differing([one, other])
    assert parted == [{2}, {2}]
    said = masked_score.verdict([one, other], parted)
    assert (
        "<b>first</b>" in said
        and "by 5.0 bits: 3.0 of them from <b>are</b> instead of <b>is</b>, 2.0" in said
    )
    worse = score(("the", 1), ("keys", 9), ("<b>", 1))
    said = masked_score.verdict([one, worse], masked_score.differing([one, worse]))
    assert "by 5.0 bits: −2.0 of them" in said and "&lt;b&gt;" in said and "7.0 from the other words" in said
    assert masked_score.verdict([one, one], [set(), set()]) == "Both sentences have the same score."


def finished(at: AppTest) -> three_orders.ThreeOrders:
    written = at.session_state[three_orders.RUN]
    while any(len(one.rows) < one.writing.total for one in written.orders):
        three_orders.extend(written)
    return written


def test_writing_is_the_analysis_own_and_waits_to_be_asked(model):
    settings = {"blanks": 4, "steps": 50, "seed": 7, "start": "noise"}
    at = run(view="write", **settings)
    (data,) = sent(at, "gibbs")
    assert (
        data["made"] == 0 and data["steps"] == 50 and [len(way["steps"]) for way in data["ways"]] == [0, 0, 0]
    )
    written = finished(at)
    at.run()
    (data,) = sent(at, "gibbs")
    text = gibbs.with_blanks(DEFAULTS["frame"], 4)
    options = gibbs.SamplingOptions(1.0, 10, 25, 50, True, 7)
    for order, one, row in zip(gibbs.Order, written.orders, data["ways"]):
        alone = gibbs.write(model, text, order, options)
        steps = list(alone)
        assert torch.equal(one.writing.ids, alone.ids) and row["total"] == len(steps) == len(row["steps"])
        words = list(row["start"])
        for step, drawn in zip(steps, row["steps"]):
            for place, shown in drawn["shown"]:
                words[place] = shown
            assert words[step.place] == step.token and drawn["place"] == step.place
        assert words == [model.tokenizer.token(int(alone.ids[at])) for at in alone.positions]
    assert data["ways"][0]["frame"][-1] == {"text": ".", "glued": True}
    lines = three_orders.texts(written).splitlines()
    assert [line.split(":")[0] for line in lines] == list(gibbs.Order)
    last = model.tokenizer.decode(written.orders[1].writing.ids.tolist())
    assert lines[1].split(": ", 1)[1].lower() == last
    assert len(three_orders.steps(written).splitlines()) == 1 + 50 + 4 + 4
    assert [part["place"] for part in data["ways"][0]["frame"] if "place" in part] == [0, 1, 2, 3]


def test_what_is_too_long_to_be_read_is_said():
    long = "the bank " * 5000
    assert "tokens were cut" in told(run(view="sets", template=f"[MASK] and {long}", fillers="a"))
    assert "was cut by" in told(run(view="training", task="next", first=long))


@pytest.mark.parametrize(("frame", "says"), [("No blank.", "no [MASK] to write into"), ("", "no [MASK]")])
def test_a_frame_without_a_blank_says_so(frame, says):
    at = run(view="write", frame=frame)
    assert says in told(at) and sent(at, "gibbs") == []


def test_listed_words_are_dots_in_every_view(model, block):
    text = DEFAULTS["text"]
    best = [token for token, _ in prediction.fill_mask(model, text, top=3)[0]]
    assert best[0] == "hospital" and best[2].isalpha()
    block(best[0], best[2])
    (data,) = sent(run(view="layers"), "lens")
    drawn = [word for panel in data["panels"] for layer in panel["layers"] for word in layer["words"]]
    assert data["panels"][0]["layers"][-1]["words"][0]["text"] == DOTS
    assert not any(word in cell["text"] + cell["tip"] for cell in drawn for word in (best[0], best[2]))
    at = run(view="write", blanks=3, steps=50, temperature=0)
    tokens = {step.token for one in finished(at).orders for step in one.writing.steps}
    typed = DEFAULTS["frame"].lower().split()
    listed = sorted(token for token in tokens if token.isalpha() and token not in typed)[:2]
    block(*listed)
    at = run(view="write", blanks=3, steps=50, temperature=0)
    finished(at)
    at.run()
    (data,) = sent(at, "gibbs")
    shown = {word for way in data["ways"] for step in way["steps"] for _, word in step["shown"]}
    guessed = {c["text"] for way in data["ways"] for step in way["steps"] for c in step["candidates"]}
    assert DOTS in shown and not set(listed) & (shown | guessed)


def test_a_corrupted_sentence_shows_no_listed_word(model, block):
    at = run(view="training", share=100, seed=3)
    lines = sent(at, "word_columns")[0]["lines"][0]["words"]
    replaced = [word["text"] for word in lines if word["tone"] == "replaced"]
    guesses = [word["tip"].rsplit(": ", 1)[1] for word in lines if "first guess" in word["tip"]]
    typed = DEFAULTS["sentence"].lower()
    words = [word for word in {*replaced, *guesses} if word.isalpha() and word not in typed]
    assert words
    block(*words)
    again = json.dumps(sent(run(view="training", share=100, seed=3), "word_columns"))
    assert not any(f'"{word}"' in again or f'first guess: {word}"' in again for word in words)
    assert json.loads(again)[0]["lines"][0]["title"] == sent(at, "word_columns")[0]["lines"][0]["title"]


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_has_something_to_save(view):
    labels = [button.label for button in run(view=view).get("download_button")]
    assert any(label.endswith("· CSV") for label in labels), labels
