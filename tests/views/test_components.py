"""Components' scripts: what they share is there, once."""

import re
from collections import Counter

import pytest

from explorer.views.components import ASSETS, USES, source

MAINS = sorted(p.stem for p in ASSETS.glob("*.js") if "export default" in p.read_text(encoding="utf-8"))
SHARED = {p.name for p in (ASSETS / "shared").iterdir()}


@pytest.mark.parametrize("name", MAINS)
@pytest.mark.parametrize("kind", ["js", "css"])
def test_a_script_finds_what_it_uses_and_uses_what_it_names(name, kind):
    path = ASSETS / f"{name}.{kind}"
    if kind == "css" and not path.exists():
        pytest.skip(f"{name} has no style of its own")
    own = [p.name for p in ASSETS.glob(f"{name}_*.js") if p.stem not in MAINS] if kind == "js" else []
    made = source(*own, path.name)
    functions = Counter(re.findall(r"^(?:function|const|let) (\w+)", made, re.MULTILINE))
    assert [f for f, count in functions.items() if count > 1] == []
    for shared in (s for names in USES.findall(made) for s in names.split(", ")):
        offered = (ASSETS / "shared" / f"{shared}.{kind}").read_text(encoding="utf-8")
        names = re.findall(r"^(?:function|const) (\w+)", offered, re.MULTILINE) or ["input", "slider"]
        rest = made.replace(offered, "")
        assert any(re.search(rf"\b{n}\b", rest) for n in names), f"{shared} is not used"


def test_what_is_shared_is_used():
    texts = [p.read_text(encoding="utf-8") for p in ASSETS.glob("*.*")]
    used = {name for text in texts for names in USES.findall(text) for name in names.split(", ")}
    assert {name.partition(".")[0] for name in SHARED} == used
