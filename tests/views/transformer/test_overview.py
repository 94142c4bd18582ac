"""The overview: every part is drawn, and a click opens the view that explains it."""

import pytest

import explorer
from explorer.analysis.transformer import walk, walk_decoder
from explorer.views.frame import navigation
from explorer.views.frame.lecture import lecture
from explorer.views.transformer import overview
from explorer.views.transformer.overview import drawings
from tests.views.opening import defaults, opened, page_settings, printed_result, sending, sent

PARTS = [
    pytest.param(part, id=f"{drawing['name']}-{number}-{part.name}")
    for drawing in drawings()
    for number, part in enumerate(overview.parts_of(drawing))
]


def test_the_page_opens_with_it_and_needs_no_model():
    at = opened("transformer")
    (data,) = sent(at, "overview")
    assert [drawing["title"] for drawing in data["drawings"]] == list(printed_result(at))
    assert not [box for box in at.selectbox if box.label == "Model"]
    assert not at.query_params


@pytest.mark.parametrize("part", PARTS)
def test_a_part_leads_to_a_view_with_these_settings(part):
    link = "&".join(f"{name}={value}" for name, value in part.link.items())
    pages = {page.name: page.title for page in navigation.pages()}
    (item,) = lecture.read(f"[Part](/{part.page}?{link})", pages)
    assert item.page == part.page and not item.problem
    if part.page == "transformer":
        assert part.link["view"] != "overview" and set(part.link) <= set(defaults("transformer"))


@pytest.mark.parametrize("drawing", drawings(), ids=lambda drawing: drawing["name"])
def test_a_step_that_a_part_opens_is_one_of_its_model(drawing):
    links = [part.link for part in overview.parts_of(drawing) if part.link.get("view") == "steps"]
    for link in links:
        model = explorer.load(link["model"])
        side = link.get("side")
        found = walk_decoder(model, "It rains.") if side == "decoder" else walk(model, "It rains.")
        assert link["step"] in [step.name for step in found.steps]


def test_a_click_opens_the_view_here_or_on_another_page(monkeypatch):
    settings = page_settings("transformer", **defaults("transformer"))
    session: dict = {}
    monkeypatch.setattr(overview.st, "session_state", session)
    columns = drawings()
    for (column, number), view in (((1, 4), "translator"), ((4, 3), "masks")):
        monkeypatch.setattr(overview.kit, "component_value", sending({"open": [column, number]}))
        overview._open(settings, columns)
        assert session["transformer.view"] == view
    monkeypatch.setattr(overview.kit, "component_value", sending({"open": [3, 2]}))
    overview._open(settings, columns)
    assert session[overview.GOING] == ("attention", {})


@pytest.mark.parametrize("value", [None, [9, 0], [0, 99], ["a", 1], [0]])
def test_a_click_on_nothing_does_nothing(monkeypatch, value):
    monkeypatch.setattr(overview.kit, "component_value", sending({"open": value}))
    overview._open(page_settings("transformer", **defaults("transformer")), drawings())


def test_the_layers_are_those_of_the_bundled_models():
    layers = {drawing["name"]: drawing["layers"] for drawing in drawings()}
    for name in ("elmo", "bert", "gpt"):
        assert layers[name] == explorer.load(name).config.layers
