"""The word senses page: it runs, says what is wrong, and its parts do what they say."""

import contextlib
import io
from pathlib import Path

import pytest
import torch
from streamlit.testing.v1 import AppTest

import explorer
from explorer.errors import TextError
from explorer.views import look as looks
from explorer.views import senses
from explorer.views.look import bent, look
from explorer.views.presets.senses import DEFAULTS, library, sentences

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tiny(bert_folder) -> str:
    """A checkpoint that loads at once."""
    return f"folder:{bert_folder}"


def run(**settings) -> AppTest:
    at = AppTest.from_file(str(ROOT / "pages" / "senses.py"))
    for name, value in settings.items():
        at.query_params[name] = str(value)
    at.run(timeout=60)
    assert not at.exception
    return at


def told(at: AppTest) -> str:
    """All that the page says in plain text and in its own lines."""
    return " ".join([line.value for line in at.text] + [part.proto.body for part in at.get("html")])


def test_the_page_runs_under_app_and_alone():
    at = AppTest.from_file(str(ROOT / "app.py")).run(timeout=60)
    at.switch_page("pages/senses.py").run(timeout=60)
    assert not at.exception
    assert at.title[0].value == "Word senses"
    at = run()
    assert at.title[0].value == "Word senses"
    assert at.select_slider[0].value == DEFAULTS["layer"]
    assert " of 12</b> right" in told(at)


def test_another_layer_and_projection(tiny):
    at = run(model=tiny, layer=1)
    at.select_slider[0].set_value(0).run(timeout=60)
    assert not at.exception
    at.segmented_control[0].set_value("tsne").run(timeout=60)
    assert not at.exception
    assert "t-SNE keeps neighbours" in told(at)


def test_settings_that_the_model_cannot_have_are_brought_back(tiny):
    at = run(model=tiny, layer=11, projection="nonsense")
    assert at.select_slider[0].value == 3
    assert at.segmented_control[0].value == "pca"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"word": "ferry"}, "None of the sentences has the word “ferry”"),
        ({"word": "ferry"}, "bank, "),
        ({"word": "Spring"}, "“spring” is under Examples"),
        ({"word": " "}, "There is no word"),
        ({"text": " "}, "There are no sentences yet"),
        ({"text": "no such thing"}, "such"),
    ],
)
def test_a_word_that_is_nowhere_says_what_to_do(tiny, settings, says):
    at = run(model=tiny, **settings)
    assert says in told(at)
    assert len(at.button) > 3, "the presets are still there"


@pytest.mark.parametrize(
    "text",
    [
        "bank",
        "The bank.\nThe bank.",
        "A bank </script><b>x</b> 🛶. #river\n東京 bank. #money",
        "bank #x\nbank #y",
    ],
)
def test_any_sentences_make_a_picture(tiny, text):
    for projection in ("pca", "tsne"):
        at = run(model=tiny, text=text, projection=projection)
        assert "nearest centroid" in told(at) or "Tag sentences" in told(at)


def test_too_few_points_for_a_method_are_said(tiny):
    assert "t-SNE needs 4 points" in told(run(model=tiny, text="The bank.\nOld bank.", projection="tsne"))


def test_umap_is_not_waited_for(tiny, monkeypatch):
    monkeypatch.setattr("explorer.analysis.projection.umap_ready", lambda: False)
    assert "this is PCA" in told(run(model=tiny, projection="umap"))


def test_a_model_that_reads_leftwards_says_so(gpt_folder, tiny):
    assert "only the words before it" in told(run(model=f"folder:{gpt_folder}"))
    assert "only the words before it" not in told(run(model=tiny))


def test_what_is_left_out_is_said(tiny):
    assert "2 sentences do not have the word" in told(run(model=tiny, text="A bank.\nA river.\nA walk."))
    assert "1 sentence does not" in told(run(model=tiny, text="A bank.\nA river."))
    many = look(tiny, "\n".join(f"bank {i}" for i in range(250)), "bank")
    assert len(many.found) == looks.MOST_SENTENCES and "first 200 of 250" in many.notes[0]
    long = look("bert", "The bank " + "and the river " * 200, "bank")
    assert "476 tokens were cut" in long.notes[0] and len(long.found) == 1


def test_a_locked_occurrence_is_found_again_by_its_sentence(tiny):
    seen = look(tiny, "The bank.\nOld bank by the bank.", "bank")
    name = seen.name(2)
    assert name == "16:Old bank by the bank."
    edited = look(tiny, "Water.\nA new bank.\nOld bank by the bank.", "bank")
    assert edited.text(edited.index(name)) == "Old bank by the bank." and edited.index(name) == 2
    assert look(tiny, "The bank.", "bank").index(name) is None


def test_one_sentence_at_a_time_gives_what_all_at_once_give(tiny):
    from explorer.analysis import senses as analysis

    text = "The bank.\nWe saw water.\nA bank on the bank of the river."
    together = analysis.occurrences(explorer.load(tiny), text.splitlines(), "bank")
    seen = look(tiny, text, "bank").found
    torch.testing.assert_close(seen.vectors, together.vectors, atol=1e-5, rtol=1e-5)
    for name in ("sentence_index", "span", "tokens", "missing"):
        assert getattr(seen, name) == getattr(together, name)


def test_maps_keep_distances_and_share_one_frame(tiny):
    seen = look(tiny, DEFAULTS["text"], "bank")
    for layer, plane in enumerate(seen.maps):
        unit = torch.nn.functional.normalize(seen.found.vectors[:, layer], dim=-1)
        expected = torch.linalg.svdvals(unit - unit.mean(0))[:2]
        torch.testing.assert_close(
            torch.linalg.svdvals(plane.coordinates), expected, atol=1e-4, rtol=1e-3
        )  # only turned
        assert (plane.coordinates.abs() <= torch.tensor(seen.reach) + 1e-5).all()
    curved = bent(tiny, DEFAULTS["text"], "bank", 2, "tsne").coordinates.abs().amax(0)
    assert (curved <= torch.tensor(seen.reach) + 1e-5).all()
    assert bent(tiny, DEFAULTS["text"], "bank", 2, "tsne") is bent(tiny, DEFAULTS["text"], "bank", 2, "tsne")


def test_a_sentence_without_words_raises(tiny):
    with pytest.raises(TextError):
        look(tiny, "", "bank")


@pytest.mark.parametrize("projection", ["pca", "tsne"])
def test_the_code_that_is_shown_runs(tiny, projection):
    values = DEFAULTS | {"model": tiny, "layer": 2, "projection": projection, "word": 'bank "quoted'}
    values["text"] = 'A bank "quoted\' </script>\\n. #a\nThe bank "quoted twice. #b\nbank "quoted #b'
    code = senses.code(values)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "shown", "exec"), {})
    seen = look(tiny, values["text"], values["word"])
    assert str(len(seen.found)) == "3" and f"{float(seen.separation.accuracy[2]):.4f}" in out.getvalue()


def test_our_own_words_have_sentences_of_two_senses():
    assert "bank" in library()
    for word in library():
        assert len({line.rpartition("#")[2] for line in sentences(word).splitlines() if "#" in line}) >= 2
