"""A model on another machine, as the pages tell of it."""

from collections import OrderedDict

import pytest

import explorer
from explorer.model_server.served import ServedModel
from explorer.server import memory, turns
from explorer.views.frame import cost, page, picker
from tests.model_server.conftest import running
from tests.views.opening import opened, sent, told

WORDS = {"answer": "light", "instead": "water"}


@pytest.fixture(scope="module")
def served(tiny_bert, bert_folder, tiny_gpt, gpt_folder):
    """Two models of a server, by their kind."""
    with running(ServedModel("bert", tiny_bert, bert_folder), ServedModel("gpt", tiny_gpt, gpt_folder)) as at:
        yield {name: explorer.load(f"serve:{at}/{name}") for name in ("bert", "gpt")}


@pytest.mark.parametrize(
    ("page", "kind", "link", "component"),
    [
        ("why", "bert", {"view": "lens"}, "lens"),
        ("attention", "gpt", {"view": "layers"}, "rollout"),
        ("continuations", "gpt", {"view": "colour"}, "colour"),
        ("why", "gpt", {"first": "the bank by river", "second": "the river by bank"} | WORDS, "patch_map"),
        ("why", "bert", {"view": "which", "first": "the old [MASK] by the river"}, "token_strip"),
    ],
)
def test_pages_open_with_a_served_model(served, monkeypatch, page, kind, link, component):
    model = served[kind]
    name = str(model.checkpoint)
    monkeypatch.setitem(memory._models, name, model)
    at = opened(page, model=name, **link)
    assert sent(at, component)


@pytest.mark.parametrize(("view", "kind"), [("steps", "bert"), ("segments", "gpt")])
def test_views_that_need_the_weights_say_so(served, monkeypatch, view, kind):
    model = served[kind]
    monkeypatch.setitem(memory._models, str(model.checkpoint), model)
    assert "runs on another machine" in told(opened("transformer", model=str(model.checkpoint), view=view))


def test_a_link_with_an_address_is_asked_about_first():
    message = picker.NotChosenError("serve:http://gpu.lab:8000/bert")
    assert "a model at http://gpu.lab:8000/bert" in message.message and "sent there" in message.hint


def test_the_card_of_a_served_model_is_shown_as_text(tiny_bert, bert_folder, monkeypatch, tmp_path):
    served = ServedModel("bert", tiny_bert, bert_folder)
    served.card = "# Theirs\n\n![spy](http://192.0.2.1/seen.png)\n~~~~~~~~\n<script>"
    with running(served) as at:
        name = f"serve:{at}/bert"
        monkeypatch.setitem(memory._models, name, explorer.load(name))
        message = page.card(name)
        assert "another machine" in message and "parameters in 3 layers are on another machine" in message
        assert f"{page.FENCE}text\n{served.card.replace(page.FENCE, '')}\n{page.FENCE}" in message
        assert "on another machine. A sentence" in cost.measure(explorer.load(name))


def test_others_draw_while_a_server_computes(served, monkeypatch):
    monkeypatch.setattr(memory, "_models", OrderedDict())
    model = memory.fetch(str(served["bert"].checkpoint))
    client = model.network.client
    chunks, held = client._chunks, []
    monkeypatch.setattr(client, "_chunks", lambda *sent: held.append(turns._thread.turn) or chunks(*sent))
    with turns.render_slot():
        model.trace("the bank")
        assert held == [False] and turns._thread.turn
