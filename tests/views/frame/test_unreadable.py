"""Every page says the same of a text that its model cannot read, and nothing of one that it can."""

import pytest

from tests.views.opening import opened

CHINESE = "河边的银行今天没有开门，我们只好回家。"
PAGES = [
    ("home", "text", f"{CHINESE}[MASK]", {}),
    ("masked", "text", f"{CHINESE}[MASK]", {}),
    ("attention", "text", CHINESE, {}),
    ("heads", "text", CHINESE, {"what": "arcs"}),
    ("continuations", "text", CHINESE, {"length": 1}),
    ("sides", "text", f"{CHINESE} 我 们 回 家", {}),
]


@pytest.mark.parametrize(("page", "name", "text", "link"), PAGES, ids=[p for p, *_ in PAGES])
def test_a_text_in_another_script_is_said_to_be_unread_and_a_plain_one_is_not(page, name, text, link):
    at = opened(page, **link, **{name: text})
    assert any("cannot read this text" in box.value or "looks Chinese" in box.value for box in at.warning)
    assert not opened(page, **link).warning


def test_a_model_that_reads_the_language_is_offered_and_pressing_its_button_opens_it():
    at = opened("masked", text=f"{CHINESE[:-1]}[MASK]。")
    assert any(box.value.endswith("BERT for Chinese reads it.") for box in at.warning)
    at.button(key="unread/reader").click().run()
    assert not at.exception and not at.warning and at.query_params["model"] == "bert-zh"


def test_another_language_in_the_same_letters_is_said_and_a_byte_level_model_knows_every_byte():
    (warning,) = opened("attention", text="Le pêcheur attend sur la rive du fleuve.").warning
    assert "BERT reads English, and this looks French" in warning.value and "e5" in warning.value
    (warning,) = opened("sides", text="Le pêcheur attend sur la rive du fleuve.").warning
    assert warning.value.endswith("means little."), "nothing else reads from both sides apart"
    arabic = "الصياد ينتظر على ضفة النهر منذ الصباح."
    (warning,) = opened("attention", text=arabic).warning
    assert "BERT cannot read this text" in warning.value and "single letters" in warning.value
    (warning,) = opened("continuations", text=arabic, length=1).warning
    assert "reads English, and this looks Arabic" in warning.value
