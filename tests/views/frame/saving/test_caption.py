"""What stands under a saved picture uses the words that the visitor has seen on the page.

`tests/pages/test_every_view.py` asks it of every view.
"""

from streamlit.testing.v1 import AppTest

import explorer
from explorer.views.frame.saving.caption import lines
from tests.views.opening import opened, page_settings, read_data

WIDGETS = ("selectbox", "button_group", "toggle", "checkbox", "slider", "select_slider", "number_input")
NO_SETTING = {"sentence", "point"}  # which one is looked at; the picture shows it


def caption(at) -> list[str]:
    mounts = (read_data(mount) for mount in at.get("bidi_component"))
    return next(data["caption"] for data in mounts if data.get("caption"))


def names_every_choice(at: AppTest, page: str) -> None:
    """What stands under a page's saved picture has each widget's label and what is chosen in it."""
    lines = caption(at)[1:]
    lines_by_label = dict(part.split(": ", 1) for line in lines for part in line.split(" · ") if ": " in part)
    for widget in (one for kind in WIDGETS for one in at.get(kind) if str(one.key).startswith(f"{page}.")):
        name = widget.key.partition(".")[2]
        if name in NO_SETTING or name in ("view", "model") or widget.value in ("", None):
            continue
        assert widget.label in lines_by_label, f"key=settings.key({name!r}, {widget.label!r}) would name it"
        value, options = (
            lines_by_label[widget.label],
            [str(option) for option in getattr(widget, "options", [])],
        )
        if options and not options[0].replace(".", "").isdigit():
            assert any(value in option for option in options), (widget.label, value, options)


def test_a_view_tells_only_of_what_it_draws():
    assert not any("royalty" in line for line in caption(opened("vectors", view="analogies")))
    assert any("royalty" in line for line in caption(opened("vectors", view="map")))


def test_the_model_that_is_drawn_is_named():
    assert caption(opened("finetuning", view="layers", model="gpt"))[0].endswith(" · ELMo")
    assert caption(opened("finetuning", model="gpt"))[0].endswith(" · GPT")


def test_a_setting_is_told_in_the_words_that_its_view_gives_it():
    settings = page_settings(
        "masked", layer=-1, temperature=0.5, whole=True, text="A cat.", pinned="", seed=3
    )
    settings.text_labels["text"] = "A sentence"
    settings.key("layer", "Layer", {-1: "the last"}.get)
    settings.key("temperature", "Temperature")
    settings.label("whole", "Hide a whole word")
    settings.label("pinned", "The pinned sentence")
    settings.key("seed")
    assert lines("Masked words", "Layer by layer", settings) == [
        f"Riverbank {explorer.__version__}: Masked words, Layer by layer",
        "A sentence: A cat. · Layer: the last · Temperature: 0.5 · Hide a whole word: yes",
    ]


def test_a_sentence_from_the_right_is_not_mixed_with_the_line_that_tells_it():
    settings = page_settings("masked", text="הלך אל הבנק.")
    settings.text_labels["text"] = "A sentence"
    assert lines("Masked words", "Predict", settings)[1] == "A sentence: \u2068הלך אל הבנק.\u2069"
