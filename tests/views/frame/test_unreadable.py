"""Every page says the same of a text that its model cannot read, and nothing of one that it can."""

import pytest

from explorer.catalogue.language import language_of
from explorer.views.frame.presets import presets
from explorer.views.frame.unreadable import notice
from tests.views.opening import opened, page_defaults

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


def test_one_text_among_english_ones_is_judged_alone_and_a_translation_beside_its_source_is_not():
    french, english = "Le chat dort sur le canapé.", "The cat sleeps on the sofa, and nobody is at home. " * 3
    assert "looks French" in notice("bert", [english, french]).text
    assert "English to French, and this looks French" in notice("translator", [french, ""]).text
    assert not notice("translator", [english, french]).text


def test_a_model_that_reads_the_language_is_offered_and_pressing_its_button_opens_it():
    at = opened("masked", text=f"{CHINESE[:-1]}[MASK]。")
    assert any(box.value.endswith("BERT for Chinese reads it.") for box in at.warning)
    at.button(key="unread/reader").click().run()
    assert not at.exception and not at.warning and at.query_params["model"] == "bert-zh"


def test_another_language_in_the_same_letters_is_said_and_a_byte_level_model_knows_every_byte():
    (warning,) = opened("attention", text="Le pêcheur attend sur la rive du fleuve.").warning
    assert "BERT reads English, and this looks French" in warning.value and "e5" in warning.value
    (warning,) = opened("sides", text="Le pêcheur attend sur la rive du fleuve.").warning
    assert warning.value.endswith("No model here does this in French."), (
        "no other reads from both sides apart"
    )
    warnings = opened("masked", text="Le pêcheur attend sur la [MASK] du fleuve.", beside=True).warning
    warnings = [*warnings, *opened("home", text="Le pêcheur attend sur la [MASK] du fleuve.").warning]
    assert len(warnings) >= 3 and all("does this in French" in each.value for each in warnings), (
        "e5 fills no gap"
    )
    arabic = "الصياد ينتظر على ضفة النهر منذ الصباح."
    (warning,) = opened("attention", text=arabic).warning
    assert "BERT cannot read this text" in warning.value and "single letters" in warning.value
    (warning,) = opened("continuations", text=arabic, length=1).warning
    assert "reads English, and this looks Arabic" in warning.value


SHORT = """King minus man plus woman
uncle minus man plus woman
Madrid minus Spain plus France
Paris is to France
The capital of France is
We met in May
van man plan
Her son is ill
Come on in
The war is on
Die Hard was on
A den of lions
Mint sauce
The hat is his
Pour me one
No sin is new
Wake me at ten
In the den
All was still
Once upon a time
To be or not to be
Man bites dog
Hello, my name is
She can
What a downpour!
Are you in?
Ines and Petra Calloway
no one came
Do not enter
I can do it
Les Miserables is on
We saw Les Miserables
Los Angeles is hot
Vincent van Gogh is on show
Notre Dame de Paris is open
Simone de Beauvoir wrote it
Try another door"""


@pytest.mark.parametrize("text", SHORT.splitlines())
def test_short_english_is_not_taken_for_another_language(text):
    assert language_of(text) in ("", "en")


@pytest.mark.parametrize(
    "page",
    [
        "home",
        "masked",
        "attention",
        "heads",
        "transformer",
        "why",
        "finetuning",
        "search",
        "probing",
        "sides",
        "senses",
        "continuations",
    ],
)
def test_no_preset_and_no_page_that_is_written_for_english_looks_like_another_language(page):
    english = [each.values for each in presets(page) if each.language == "en"]
    own = [values for values in english if values.get("model") != "e5"]
    texts = [
        text for values in (page_defaults(page), *own) for text in values.values() if isinstance(text, str)
    ]
    assert not {text: language_of(text) for text in texts if language_of(text) not in ("", "en")}
