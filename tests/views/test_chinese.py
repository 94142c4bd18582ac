"""Pages with a model that reads Chinese, one character a token: what they open with, show and offer."""

from types import SimpleNamespace

import pytest

from explorer.models import LanguageModel
from explorer.text.byte_letters import BROKEN
from explorer.tokenizers.languages import is_ideograph
from explorer.views.frame import example_language
from explorer.views.frame.presets import presets, presets_in_row
from explorer.views.look import theme
from tests.views.opening import ROOT, defaults, opened, preset, read_data, said, sent, told

DEFAULTS = defaults("masked")
PARTS = "今天我们"  # to GPT, which goes on with a part of a character

ENGLISH = {preset.label for preset in presets_in_row("masked", "predict") if preset.language == "en"}
CHINESE = [preset.label for preset in presets_in_row("masked", "predict") if preset.language == "zh"]
ANY_MODEL = preset(
    "masked", "Two halves of a word"
)  # promises nothing of the bundled model, and so names none


@pytest.fixture
def model(tiny_chinese) -> str:
    """The name of a tiny model that reads Chinese."""
    return str(tiny_chinese.checkpoint)


def first_chinese(view: str) -> dict:
    """The settings of a view's first example in Chinese."""
    return next(preset.values for preset in presets_in_row("masked", view) if preset.language == "zh")


def labels(at) -> list[str]:
    return [button.label for button in at.button]


def test_an_untouched_page_moves_on_to_an_example_that_the_model_reads_and_back(model):
    at = opened("masked", model=model)
    assert at.session_state["masked.text"] == first_chinese("predict")["text"]
    assert at.session_state["masked.model"] == model
    assert set(CHINESE) <= set(labels(at)) and not ENGLISH & set(labels(at))
    at.selectbox(key="masked.model").set_value("bert-mini").run()
    assert at.session_state["masked.text"] == DEFAULTS["text"]
    assert set(labels(at)) >= ENGLISH and not set(CHINESE) & set(labels(at))


def test_a_moved_page_is_looked_at_as_before(model):
    at = opened("masked", model=model, view="training", task="next")
    assert at.session_state["masked.view"] == "next" and at.session_state["masked.model"] == model
    assert at.session_state["masked.first"] == first_chinese("next")["first"]


@pytest.mark.parametrize(
    ("page", "view", "setting"), [("masked", "layers", "text"), ("attention", "layers", "text")]
)
def test_a_view_without_an_example_of_its_own_takes_that_of_another_on_its_page(page, view, setting, model):
    at = opened(page, model=model, view=view)
    assert any(map(is_ideograph, at.session_state[f"{page}.{setting}"])) and not at.exception
    del at.query_params["model"]
    at.selectbox(key=f"{page}.model").set_value("bert-mini").run()
    assert not any(map(is_ideograph, at.session_state[f"{page}.{setting}"]))


@pytest.mark.parametrize(
    ("page", "view", "settings"),
    [
        ("attention", "compare", ("text", "compare_text")),
        ("senses", "map", ("word", "text")),
        ("heads", "kinds", ("text",)),
        ("heads", "off", ("text",)),
        ("transformer", "steps", ("text",)),
    ],
)
def test_all_texts_of_a_view_move_on(page, view, settings, model):
    at = opened(page, model=model, view=view)
    assert all(any(map(is_ideograph, at.session_state[f"{page}.{name}"])) for name in settings)
    assert not at.exception and not at.error


def test_texts_of_another_view_keep_none_from_moving_on(model):
    at = opened("masked", model=model, view="training")
    assert any(map(is_ideograph, at.session_state["masked.sentence"]))
    at.query_params["view"] = "layers"
    at.run()
    assert any(map(is_ideograph, at.session_state["masked.text"]))


def test_of_heads_in_chinese_nothing_is_asked_that_our_english_sentences_measure(model):
    at = opened("heads", model=model)
    assert at.session_state["heads.of"] == "live" and len(sent(at, "layer_map")) == 1


def test_what_a_visitor_typed_stays(model):
    at = opened("masked", model=model, text="天[MASK]")
    assert at.session_state["masked.text"] == "天[MASK]"


def test_a_model_of_both_languages_opens_as_it_is_and_offers_all(model, monkeypatch):
    monkeypatch.setattr(LanguageModel, "languages", frozenset({"en", "zh"}))
    at = opened("masked", model=model)
    assert at.session_state["masked.text"] == DEFAULTS["text"]
    assert ENGLISH | set(CHINESE) <= set(labels(at))


def test_a_chinese_example_keeps_the_model(model):
    at = opened("masked", model=model)
    next(button for button in at.button if button.label == ANY_MODEL.label).click().run()
    assert at.session_state["masked.model"] == model and not at.exception
    assert len(sent(at, "bars")) == 2 and "Blank 2" in said(at)


def test_every_character_is_a_token_of_its_own(model):
    at = opened("masked", model=model, text="她在[MASK]店工作。")
    (strip,) = sent(at, "token_strip")
    assert [token["text"] for token in strip["tokens"]] == ["她", "在", "[MASK]", "店", "工", "作", "。"]
    assert all(token["glued"] for token in strip["tokens"][1:])


@pytest.mark.parametrize("view", ["next", "predict", "sets", "write"])
def test_every_chinese_example_opens(model, view):
    for one in presets_in_row("masked", view):
        if one.language == "zh":
            at = opened("masked", **(one.values | {"model": model}))
            assert not at.exception and not at.warning, one.label


@pytest.mark.parametrize(
    "preset", [one for one in presets("senses") if one.language == "zh"], ids=lambda one: one.label
)
def test_a_word_of_several_characters_has_one_dot_in_either_script(model, preset):
    at = opened("senses", **preset.values, model=model, layer=1)
    (map,) = sent(at, "sense_map")
    lines = preset.values["text"].splitlines()
    assert len(map["dots"]) == len(lines) + ("new" in preset.values) > 5
    assert "not have the word" not in told(at)


def test_the_senses_page_offers_chinese_words_and_opens_with_one(model):
    at = opened("senses", model=model)
    assert at.session_state["senses.word"] == "蘋果/苹果"
    words = {option.partition(":")[0] for option in at.selectbox(key="senses/example").options}
    assert {"蘋果/苹果", "打", "開關/开关"} <= words and "bank" not in words


def test_english_models_are_offered_no_chinese():
    at = opened("senses", model="bert-mini")
    assert not any(option.startswith("打") for option in at.selectbox(key="senses/example").options)
    assert not {"Apple in Chinese", "Nero"} & set(labels(at))


def test_a_model_that_reads_every_language_is_offered_its_own_examples_and_keeps_them():
    rows = presets_in_row("senses", "map")
    e5, bert = (
        SimpleNamespace(checkpoint=SimpleNamespace(name=name), languages=frozenset(languages))
        for name, languages in (("e5", {"en", "zh"}), ("bert", {"en"}))
    )
    own = example_language.offered(rows, e5)
    assert len(own) == 8 and all(one.values["model"] == "e5" for one in own)
    assert example_language.offered(rows, bert) == [one for one in rows if one.language == "en"]
    assert set(map(id, own)) <= set(map(id, example_language.readable(rows, e5))), "or the text is replaced"


@pytest.mark.parametrize(
    ("page", "settings"),
    [
        *(("why", {"view": one, "first": PARTS, "second": "昨天我们"}) for one in ("where", "which", "lens")),
        *(("continuations", {"view": view, "text": PARTS, "length": 6}) for view in ("write", "cache")),
        ("continuations", {"view": "look-back", "look_text": PARTS}),
        ("heads", {"view": "off", "text": PARTS}),
    ],
)
def test_parts_of_a_character_have_names_of_their_own(page, settings):
    at = opened(page, model="gpt", **settings)
    shown = [read_data(one) for one in at.get("bidi_component")]
    assert shown and BROKEN not in str([{**one, "run": ""} for one in shown]) + said(at)


def test_streamlit_has_the_faces_of_the_theme():
    import tomllib

    told = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
    assert (told["font"], told["codeFont"]) == (theme.SANS, theme.MONO)
    assert "Noto Sans CJK TC" in theme.css_variables(theme.LIGHT)
