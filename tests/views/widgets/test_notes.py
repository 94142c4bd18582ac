"""An empty picture says what to do, in presenter mode too."""

import re

from explorer import assets
from explorer.views.widgets.registry import VIEWS

HIDDEN = re.compile(r"\.(rb-[\w-]+)(?=[^{}]*\{ display: none; \})")


def test_what_an_empty_picture_says_is_not_among_what_presenter_mode_hides():
    rules = re.sub(
        r"(?<=:has|:not)\((?:[^()]|\([^()]*\))*\)", "", assets.text(VIEWS / "frame" / "presenter.css")
    )
    rules = re.sub(r"\[data-rb-tight[^}]*\}", "", rules)  # where a picture is there, and is too high
    hidden = HIDDEN.findall(rules)
    assert "rb-caption" in hidden, "the line under a page's title"
    files = [file for file in VIEWS.rglob("*.py") if file.parent.name != "frame"]
    assert files
    assert [f.name for f in files if any(f'class="{name}"' in assets.text(f) for name in hidden)] == []
