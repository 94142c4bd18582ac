"""The Transformer page: each view opens what it needs and no more."""

from types import SimpleNamespace

import pytest

from explorer.views.frame.hints import Hints
from explorer.views.frame.view import View
from explorer.views.frame.view_text import Reading, ViewText
from explorer.views.transformer import page
from tests.views.opening import opened, said


def view(needs: tuple[str, ...], model: str) -> View:
    """A view of one line, which says what it needs."""
    return View(
        text=ViewText(label="Toy", first=Hints("", ""), reading=Reading("")).of_page(
            reading=lambda page: Reading(f"It found {page.chosen and page.chosen.checkpoint}.")
        ),
        needs=needs,
        model=model,
        example=lambda page: SimpleNamespace(printed=lambda: "", link=""),
        picture=lambda page: [],
    )


@pytest.mark.parametrize(
    ("needs", "model", "chosen", "found"),
    [
        ((), "", "gpt", "None"),
        (("FILL",), "bert", "gpt", "bert"),
        (("GENERATE",), "gpt", "gpt", "gpt"),
        (("FILL", "GENERATE"), "bert", "gpt", "gpt"),
    ],
)
def test_a_view_gets_a_model_that_can_do_what_it_needs(monkeypatch, needs, model, chosen, found):
    monkeypatch.setattr(page, "VIEWS", {"toy": view(needs, model)})
    at = opened("transformer", view="toy", model=chosen)
    assert f"It found {found}." in said(at)
    assert "".join(at.query_params["model"]) == chosen, "what was chosen stays chosen"
    assert any(box.label == "Model" for box in at.selectbox) == bool(needs)
