"""The page about the models: facts, pictures of a record, the card, and what is said where there is none."""

import json
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from explorer.assets import RECORD
from explorer.errors import ExplorerError
from explorer.views.about import choice, families, page, record, written
from explorer.views.frame.sizes import sizes
from explorer.views.frame.view import OpenPage
from tests import records
from tests.views import opening
from tests.views.opening import said

NONE_KEPT = "No record of its training was kept"


run = partial(opening.opened, "models")


def views(at: AppTest) -> list[str]:
    """The pictures that can be chosen."""
    return list(at.button_group[0].options) if at.button_group else []


def test_without_a_record_the_page_says_so_and_shows_the_card(checkpoints):
    at = run(model="bert")
    assert NONE_KEPT in said(at)
    assert any("What it is bad at" in block.value for block in at.markdown)
    assert (
        "22.9 M" in said(at)
        and "30,522" in said(at)
        and "6 × 384" in said(at)
        and "tokens read" not in said(at)
    )


def test_with_a_record_there_is_a_picture_for_each_kind_of_figure(records_kept):
    at = run(model="bert")
    assert views(at) == ["What it expected", "Card"]
    assert NONE_KEPT not in said(at) and "2.61 M" in said(at) and "1 h 27 min" in said(at)
    at = run()
    assert at.session_state["models.view"] == "written", "what GPT wrote is the opening"
    assert views(at) == ["What it wrote", "What it expected", "Card"]
    (measures,) = (box.options for box in run(view="card").selectbox if box.label == "Measure")
    assert measures == ["Loss", "Right answers", "Bits per byte", "odd one", "From the first GPT to GPT-3"]


@pytest.mark.slow
@pytest.mark.parametrize("points", [1, 3, 8, 12])
@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_every_picture_runs_for_any_number_of_points(checkpoints, name, points):
    records.write(checkpoints / name, getattr(records, name)(points))
    for view in page.views_of(choice.Training(name, "", record.read(name))):
        at = run(model=name, view=view)
        assert at.session_state["models.view"] == view, "the link’s picture is shown"


def test_a_link_holds_the_whole_view(records_kept):
    at = run(model="bert", sentence="1", view="predicted", point="3", word="__proto__")
    assert at.session_state["models.sentence"] == 1 and at.session_state["models.point"] == 3
    asked = {"model": "bert", "sentence": "1", "view": "predicted", "point": "3", "word": "__proto__"}
    assert at.query_params == asked


@pytest.mark.parametrize(
    "link",
    [
        {"sentence": "99", "point": "99", "view": "nothing", "word": "no such word"},
        {"sentence": "-3", "point": "-7", "view": "written"},
        {"sentence": "true", "point": "[1]", "view": "z~!!"},
    ],
)
def test_a_link_that_this_record_cannot_have_opens_the_nearest(records_kept, link):
    at = run(model="bert", **link)
    assert at.session_state["models.view"] == "predicted"
    assert at.session_state["models.sentence"] in (0, 1) and at.session_state["models.point"] == choice.END


def test_another_model_keeps_the_picture_where_it_has_one(records_kept):
    at = run(model="gpt", view="written")
    at.selectbox[0].set_value("bert").run()
    assert not at.exception and at.session_state["models.view"] == "predicted"
    at.segmented_control(key="models.view").set_value("card").run()
    at.selectbox[0].set_value("gpt").run()
    assert not at.exception and at.session_state["models.view"] == "card"


def test_a_discriminators_record_is_read_as_suspicion(checkpoints):
    data = records.bert()
    for point in data["points"]:
        point["figures"] = {"replaced_f1": 0.5, "replaced_nats": 0.3}
    records.write(checkpoints / "bert", data | {"numbers": "replaced"})
    at = run(model="bert")
    assert views(at) == ["What it suspected", "Card"]
    assert "most probably replaced" in said(at)


def test_a_record_of_figures_alone_has_its_curves(checkpoints):
    data = records.bert(3)
    for point in data["points"]:
        del point["predictions"]
    records.write(checkpoints / "bert", data)
    assert views(run(model="bert"))[0] == "Card"


def test_a_record_of_nothing_is_as_none(checkpoints):
    bare = {"sentences": [], "points": [{"tokens": 0, "steps": 0, "seconds": 0.0, "figures": {}}]}
    records.write(checkpoints / "bert", bare)
    assert NONE_KEPT in said(run(model="bert"))


def test_a_damaged_record_is_said_and_the_card_stays(checkpoints):
    (checkpoints / "bert" / RECORD).write_text("{", encoding="utf-8")
    at = run(model="bert")
    assert any("cannot be read" in text.value for text in at.text)
    assert any("What it is bad at" in block.value for block in at.markdown)


def test_what_does_not_ship_is_a_message_that_names_what_does(records_kept):
    at = run(model="hub:org/name")
    assert any("hub:org/name" in text.value for text in at.text)
    assert any("bert, bert-mini, gpt" in text.value for text in at.text)


def test_what_a_translator_wrote_is_read_as_translations():
    gpt, translator = (
        written.VIEW.text.explanation(OpenPage(None, written.VIEW, SimpleNamespace(name=name), row=None))
        for name in ("gpt", "translator")
    )
    assert "same seed" in gpt.sentence and "translation at one step" in translator.sentence
    assert "seed" not in " ".join(translator)


def test_published_models_are_marks_at_their_score_and_ours_without_one_and_the_sources_are_named():
    at = run(view="card", measure="scale")
    spec = at.get("plotly_chart")[0].proto.spec
    traces = {trace["name"]: trace for trace in json.loads(spec)["data"]}
    for family in families.published():
        marks = dict(zip(traces[family.name]["x"], traces[family.name]["y"], strict=True))
        for one in family.members:
            y = marks[one.parameters]
            assert y == pytest.approx(one.lambada / 100) if one.lambada else y < 0
        for source in (family.text_from, family.sizes_from, family.scores_from):
            assert source.split(",")[0].split(":")[0] in {*families.papers(), "none"}
            assert source in said(at)
    assert traces["here"]["x"] == [sizes(record.folder(name)).parameters for name in ("gpt", "smollm2")]
    assert set(traces["compared"]["x"]) == {1_542_000_000, 175_000_000_000} and "about 100 times" in spec
    assert all(score < 0 for score in traces["here"]["y"])
    models = sum(len(family.members) for family in families.published()) + len(families.here())
    assert len(families.scale_csv().splitlines()) == 1 + models
    (mine,) = (one for one in families.here() if one.name == "GPT")
    assert mine.tokens == record.read("gpt").last.tokens


def test_a_damaged_file_of_sizes_is_said(tmp_path):
    path = tmp_path / "scale.json"
    path.write_text('{"families": [{"name": "GPT"}]}')
    with pytest.raises(ExplorerError, match="damaged"):
        families.published(path)
