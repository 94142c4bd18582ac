"""A setting changes by a hand, a preset, a link or Reset, and by nothing else: not by looking around."""

import pytest

from tests.views.frame import test_hints
from tests.views.opening import QUICK, defaults, opened

PAGES = {page.name: page for page in test_hints.PAGES}
OWN = {"view", "tree"}  # where one looks; and the tree that Write keeps of what it has written
FAR = {
    # further than any view goes, so that every one must show something nearer
    "attention": {"layer": 11, "head": 11, "across_layer": 11},
    "continuations": {
        **{"length": 400, "temperature": 1.3, "top_k": 10, "top_p": 0.5, "keep": 40, "seed": 7},
        **{"look_layer": 40, "look_head": 40, "look_step": 900},
    },
    "masked": {"k": 20, "blanks": 12, "temperature": 0.5, "seed": 3, "layer": 9},
    "probing": {"tree_layer": 11, "arc_head": 90, "task": "arcs"},
    "senses": {"layer": 11},
    "transformer": {
        **{"layer": 11, "head": 11, "word": 40},
        **{"masks_layer": 11, "masks_place": 90, "positions_at": 250},
    },
    "vectors": {"window": 3, "dimensions": 20},
}


def stored(at, page) -> dict:
    last = at.session_state[f"{page.name}/last"]
    return {name: last[name] for name in defaults(page) if name not in OWN}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if len(page.views) > 1])
def test_looking_at_every_view_changes_no_setting(name):
    page = PAGES[name]
    far = {k: v for k, v in FAR.get(name, {}).items() if k in defaults(page)} | QUICK.get(name, {})
    at = opened(name, **far)
    before = stored(at, page)
    assert {k: before[k] for k in far} == far
    for view in [*page.views, next(iter(page.views))]:  # round, and back to where one began
        at.session_state[f"{name}.view"] = view
        at.run()
        assert not at.exception, view
        at.run()  # what a browser sends back after it has drawn the view
        assert stored(at, page) == before, view


@pytest.mark.parametrize(
    ("page", "box", "link", "place", "nowhere"),
    [
        ("sides", "text", {}, "place", 0),
        ("sides", "text", {"state": ["backward", 2, 7]}, "state", None),
        ("attention", "text", {"view": "compare", "compare_cell": [1, 2]}, "compare_cell", None),
        ("attention", "text", {"token": ["from", 2, "boat"]}, "token", None),
        ("heads", "text", {"what": "arcs"}, "blank", -1),
        ("heads", "text", {"view": "off"}, "arcs", []),
        ("continuations", "text", {"view": "ways", "token": 3}, "token", -1),
        ("continuations", "look_text", {"view": "look-back", "model": "gpt", "look_step": 9}, "look_step", 0),
        ("continuations", "start", {"view": "dice", "words": [["had", 1, 2]]}, "words", []),
        ("masked", "text", {"text": "A [MASK] and a [MASK].", "blank": 1}, "blank", 0),
    ],
)
def test_a_place_in_a_sentence_is_forgotten_with_the_sentence(monkeypatch, page, box, link, place, nowhere):
    at = opened(page, **link)
    assert at.session_state[f"{page}/last"][place] != nowhere
    texts, typed = ["My aunt keeps seven hens in her quiet garden."], []

    def mount(key, on_text_change, **data):
        if key == f"{page}.{box}.box" and texts:
            typed.append(texts.pop())
            on_text_change()

    monkeypatch.setattr("explorer.views.widgets.text_box.component", lambda name: mount)
    monkeypatch.setattr(
        "explorer.views.widgets.text_box.component_value", lambda *_: typed[0] if typed else ""
    )
    at.run()
    assert not at.exception and not texts
    assert at.session_state[f"{page}/last"][place] == nowhere


@pytest.mark.parametrize(("other", "layer", "head"), [("bert-mini", 5, 8), ("gpt", 5, 11)])
def test_another_model_and_back_finds_the_layer_and_the_head_again(other, layer, head):
    at = opened("attention", layer=layer, head=head, model="bert")
    for model in (other, "bert"):
        at.session_state["attention.model"] = model
        at.run()
        assert not at.exception
    assert (at.session_state["attention.layer"], at.session_state["attention.head"]) == (layer, head)
