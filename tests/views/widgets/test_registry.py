"""Components' scripts: what they share is there, once."""

import re
from collections import Counter

import pytest

from explorer.views.widgets.registry import SHARED, USES, VIEWS, source

SCRIPTS = sorted(p for p in VIEWS.rglob("*.js") if "export default" in p.read_text(encoding="utf-8"))
MAINS = sorted(str(p.relative_to(VIEWS).with_suffix("")) for p in SCRIPTS if "bertviz" not in p.name)
USED_BY_MANY = {"dom.js", "drawn.js", "names.js", "svg.js", "scrubber.css", "slider.css"}


@pytest.mark.parametrize("name", MAINS)
@pytest.mark.parametrize("kind", ["js", "css"])
def test_a_script_finds_what_it_uses_and_uses_what_it_names(name, kind):
    path = VIEWS / f"{name}.{kind}"
    if kind == "css" and not path.exists():
        pytest.skip(f"{name} has no style of its own")
    parts = sorted(VIEWS.glob(f"{name}_*.js")) if kind == "js" else []
    own = [str(p.relative_to(VIEWS)) for p in parts if str(p.relative_to(VIEWS).with_suffix("")) not in MAINS]
    made = source(*own, f"{name}.{kind}")
    functions = Counter(re.findall(r"^(?:function|const|let) (\w+)", made, re.MULTILINE))
    assert [f for f, count in functions.items() if count > 1] == []
    for shared in (s for names in USES.findall(made) for s in names.split(", ")):
        offered = (SHARED / f"{shared}.{kind}").read_text(encoding="utf-8")
        names = re.findall(r"^(?:function|const) (\w+)", offered, re.MULTILINE) or ["input", "slider"]
        rest = made.replace(offered, "")
        assert any(re.search(rf"\b{n}\b", rest) for n in names), f"{shared} is not used"


def test_what_is_shared_is_used():
    texts = [p.read_text(encoding="utf-8") for kind in ("js", "css") for p in VIEWS.rglob(f"*.{kind}")]
    used = {name for text in texts for names in USES.findall(text) for name in names.split(", ")}
    assert {name.partition(".")[0] for name in USED_BY_MANY} == used
    assert all((SHARED / name).exists() for name in USED_BY_MANY)
