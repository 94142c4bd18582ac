"""The files of presets: what they name exists."""

import pytest

from explorer.assets import PRESETS
from explorer.errors import ExplorerError
from explorer.views.frame import default_models, presets
from explorer.views.frame.navigation import pages
from tests.views.opening import page_defaults, page_of

PAGES = [path.stem for path in sorted(PRESETS.glob("*.toml"))]


@pytest.mark.parametrize("name", PAGES)
def test_a_preset_names_what_the_page_has(name):
    page = page_of(name)
    rows = {*page.views}
    settings = set(page_defaults(name))
    for preset in presets.presets(name):
        assert preset.rows and set(preset.rows) <= rows, preset.label
        assert set(preset.values) <= settings, preset.label
        assert preset.values.get("view", next(iter(page.views))) in preset.rows, preset.label


@pytest.mark.parametrize("writer", ["smollm2", "gpt"])
@pytest.mark.parametrize("name", PAGES)
def test_the_presets_in_a_row_have_names_of_their_own(name, writer, monkeypatch):
    monkeypatch.setattr(default_models, "WRITER", writer)
    for view in page_of(name).views:
        labels = [preset.label for preset in presets.presets_in_row(name, view)]
        assert len(labels) == len(set(labels))


def test_each_file_is_that_of_a_page():
    assert set(PAGES) <= {page.name for page in pages()}


@pytest.mark.parametrize(
    "text", ["[[preset]]\nlabel = 1 2", "[preset]\nlabel = 'a'", "[[preset]]\nlable = 'a'"]
)
def test_a_file_that_is_damaged_is_named(text, tmp_path, monkeypatch):
    monkeypatch.setattr(presets.assets, "PRESETS", tmp_path)
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(ExplorerError, match=r"wrong\.toml"):
        presets.presets("wrong")
