"""Positions, shuffled words and masks on the page: what is drawn is what the analyses find."""

import base64
import json
import struct
from functools import partial

import pytest

import explorer
from explorer.analysis import prediction
from explorer.analysis.positions import learnt, shuffling, sinusoids
from explorer.analysis.visibility import masks
from explorer.views.frame.presets import presets_in_row
from explorer.views.look import theme
from explorer.views.transformer import masks as masks_view
from explorer.views.transformer import shuffle as shuffle_view
from explorer.views.transformer.settings import BITES
from tests.views import opening
from tests.views.opening import defaults, preset, problems, said, sent

run = partial(opening.opened, "transformer")
shuffled = partial(run, view="positions", positions_part="shuffle")
SHUFFLED = {"view": "positions", "positions_part": "shuffle"}
CASES = [one.values for view in ("positions", "masks") for one in presets_in_row("transformer", view)]


def traces(at, number: int = 0) -> list[dict]:
    """What one chart of the page draws."""
    return json.loads(at.get("plotly_chart")[number].proto.spec)["data"]


def near(numbers) -> list:
    """The numbers of a map, which travel in single precision."""
    return [pytest.approx(row, abs=1e-6) for row in numbers.tolist()]


def numbers_of(drawn: dict) -> list:
    """The numbers of a map as the page sent them: packed."""
    packed = drawn["z"]
    rows, columns = (int(size) for size in packed["shape"].split(","))
    read = struct.unpack(f"<{rows * columns}f", base64.b64decode(packed["bdata"]))
    return [list(read[row * columns : (row + 1) * columns]) for row in range(rows)]


@pytest.mark.slow
@pytest.mark.parametrize("values", CASES, ids=lambda case: str(case)[:40])
def test_a_preset_opens_and_its_code_runs(values):
    at = run(**values)
    assert not problems(at) and len(at.get("plotly_chart")) == 1
    assert opening.printed_result(at)
    assert len(at.get("download_button")) >= 2, "numbers and a session"


@pytest.mark.parametrize("part", ["table", "shift", "products"])
def test_positions_draw_the_tables(part):
    at = run(view="positions", positions_part=part, positions_length=48, positions_width=32, positions_at=7)
    computed, drawn = sinusoids.table(48, 32), traces(at)
    if part == "table":
        assert numbers_of(drawn[0]) == near(computed)
        sines, cosines = drawn[1:3]
        assert sines["y"] == computed[7, 0::2].tolist() and cosines["y"] == computed[7, 1::2].tolist()
        assert opening.printed_result(at) == pytest.approx(computed[7].tolist(), abs=1e-12)
    elif part == "shift":
        found = sinusoids.shift(computed, 3, 7)
        assert numbers_of(drawn[0]) == near(found.matrix)
        assert opening.printed_result(at) == float(found.errors.max()) < 1e-12
        assert "between positions 7 and 10, applied to all 45" in said(at)
    else:
        tables = [computed, *(learnt.learnt(explorer.load(name), 48) for name in ("bert", "gpt"))]
        maps = [numbers_of(one) for one in drawn if one["type"] == "heatmap"]
        assert maps == [near(learnt.products(one, unit=True)) for one in tables]


def test_the_kinds_of_positions_are_named_on_every_comparison():
    at = run(view="positions", positions_part="products")
    layout = json.loads(at.get("plotly_chart")[0].proto.spec)["layout"]
    titles = " ".join(note["text"] for note in layout["annotations"])
    assert all(kind in titles for kind in ("computed", "BERT, learnt", "GPT, learnt"))
    assert "Marian" in said(run(view="positions"))


@pytest.mark.weights
def test_the_points_of_the_positions_presets_hold():
    cosines = learnt.by_distance(learnt.products(sinusoids.table(128, 64), unit=True))
    assert float((cosines.largest - cosines.smallest).max()) < 1e-12
    steps = cosines.mean.diff()
    assert (steps[:5] < 0).all() and int((steps > 0).sum()) > 20, "it falls at first, then ripples"
    for name in ("bert", "gpt"):
        found = learnt.by_distance(learnt.products(learnt.learnt(explorer.load(name), 128), unit=True))
        assert float((found.largest - found.smallest)[1:100].min()) > 0.1


def test_an_empty_order_is_a_shuffle_and_stays_out_of_the_link():
    at = shuffled(shuffle_seed=4)
    words = shuffling.split(BITES[0])
    wanted = " ".join(words[i] for i in shuffling.shuffled(len(words), 4))
    boxes = {box["label"]: box["text"] for box in sent(at, "text_box")}
    assert boxes["The same words in another order"] == wanted
    assert "shuffle_other" not in at.query_params
    next(b for b in at.button if b.label == "Shuffle").click().run()
    assert not at.exception and at.query_params["shuffle_seed"] == "5"
    boxes = {box["label"]: box["text"] for box in sent(at, "text_box")}
    assert boxes["The same words in another order"] not in ("", wanted)


def test_shuffled_words_open_with_the_dog_and_the_man():
    at = shuffled()
    assert tuple(box["text"] for box in sent(at, "text_box")) == BITES
    assert set(at.query_params) == {"view", "positions_part"}
    assert "BERT without positions: no difference. GPT without positions: differences of up to" in said(at)


def test_the_dots_of_shuffled_words_are_their_distances():
    opposite = preset("transformer", "The opposite opinion").values
    one, other = opposite["shuffle_text"], opposite["shuffle_other"]
    at = shuffled(shuffle_text=one, shuffle_other=other)
    dots = [trace["x"] for trace in traces(at) if trace["mode"] == "markers"]
    order = shuffling.order_of(shuffling.split(one), shuffling.split(other))
    wanted = []
    for name in ("bert", "gpt"):
        model = explorer.load(name)
        for positions in (True, False):
            found = shuffling.moved(model, model.encode(one), order, positions)
            wanted.append(pytest.approx(found.cosines[-1].tolist(), abs=1e-5))
    assert dots == wanted
    assert "BERT without positions: no difference." in said(at)


@pytest.mark.parametrize(
    ("view", "link", "line"),
    [
        ("positions", SHUFFLED | {"shuffle_text": ""}, "nothing to put in another order"),
        ("positions", SHUFFLED | {"shuffle_text": "one"}, "nothing to put in another order"),
        (
            "positions",
            SHUFFLED | {"shuffle_text": "a b", "shuffle_other": "a c"},
            "only in the first: b; only in the second: c",
        ),
        (
            "masks",
            {"masks_part": "masks", "masks_text": "no blank", "masks_pair": ""},
            "There is no [MASK] in the text.",
        ),
        (
            "masks",
            {"masks_part": "masks", "masks_text": "", "masks_pair": ""},
            "There is no [MASK] in the text.",
        ),
        ("masks", {"masks_text": "a " * 500, "masks_pair": "[MASK]"}, ""),
        (
            "masks",
            {"masks_text": "a " * 500 + "[MASK]", "masks_pair": ""},
            "within the 20 tokens that are read",
        ),
    ],
)
def test_what_cannot_be_looked_at_is_said_in_a_line(view, link, line):
    at = run(**{"view": view} | link)
    assert line in problems(at)
    assert bool(problems(at)) == (not at.get("plotly_chart")) == bool(line)


@pytest.mark.parametrize(
    "text",
    ["the boat " * 250, "🙂 🙂 😀", "x" * 5000 + " y", "<b>bold</b> </script>"],
    ids=["long", "emoji", "one long word", "tags"],
)
def test_any_text_is_drawn_as_text(text):
    at = shuffled(shuffle_text=text)
    assert not problems(at) and len(at.get("plotly_chart")) == 1
    assert ("were cut" in said(at)) == text.startswith("the boat")
    spec = at.get("plotly_chart")[0].proto.spec
    written = json.dumps(
        [axis.get("ticktext") for axis in json.loads(spec)["layout"].values() if axis_like(axis)]
    )
    assert "<" not in written.replace("<b>", "").replace("</b>", ""), "but for the chosen word, in bold"
    assert ("&lt;" in written) == text.startswith("<") and len(spec) < 300_000


def axis_like(part) -> bool:
    return isinstance(part, dict) and "ticktext" in part


def test_masks_draw_each_pattern_and_leave_out_what_is_hidden():
    at, model = run(view="masks", masks_layer=4), explorer.load("bert")
    found = masks.compare(model, defaults("transformer")["masks_text"], defaults("transformer")["masks_pair"])
    for drawn, one in zip(traces(at), found, strict=True):
        wanted = one.pattern[4].tolist()
        for q, row in enumerate(drawn["z"]):
            for k, weight in enumerate(row):
                assert weight == (pytest.approx(wanted[q][k], abs=1e-6) if one.allowed[q, k] else None)
    for mount, one in zip(sent(at, "bars"), found, strict=True):
        best = prediction.ranked(model, one.probabilities, masks_view.GUESSES)
        assert [row["token"] for row in mount["rows"]] == [c.token for c in best]
    assert "trained under the first mask alone" in said(at)
    assert [box["text"] for box in sent(at, "text_box")][1:] == [defaults("transformer")["masks_pair"]]


def test_readers_draw_every_line_once_and_need_no_second_text():
    at = run(view="masks", masks_place=3)
    shown = traces(at)
    count = sum(line is None for trace in shown if trace["mode"] == "lines" for line in trace["x"])
    words = shuffling.split(defaults("transformer")["masks_text"])
    n = len(words)
    bert, gpt, elmo = 2 * n * n + n, n * (n + 1) + n, 2 * (2 * n + 2 * (n - 1) + n)
    assert count == bert + gpt + elmo
    colours = {trace["line"]["color"] for trace in shown if trace["mode"] == "lines"}
    assert {theme.LIGHT.difference[0], theme.LIGHT.difference[2]} < colours, "one for each of ELMo's readers"
    assert opening.printed_result(at) == {"BERT": words, "GPT": words[:3], "ELMo": words}
    assert len(sent(at, "text_box")) == 1


@pytest.mark.parametrize(
    "link",
    [{"masks_text": "She drank a cup of [MASK]."}, {"masks_pair": "It is [MASK]."}, {"masks_layer": 4}],
)
def test_a_link_about_blanks_opens_the_maps(link):
    assert "Left to right" in run(view="masks", **link).get("plotly_chart")[0].proto.spec


def test_in_presenter_mode_the_guesses_stand_in_a_line():
    at = run(view="masks", masks_part="masks", present="1")
    assert not sent(at, "bars") and " · " in said(at)


def test_the_words_that_fit_have_a_row_each():
    assert shuffle_view._read("a b. c " * 9)[1] == 36 - shuffle_view.WORDS
