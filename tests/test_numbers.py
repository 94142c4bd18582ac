"""docs/numbers.md names functions that exist, views that exist, and no view is missing."""

import importlib
import re

from explorer.assets import CHECKOUT
from tests.views.frame.test_hints import PAGES

TEXT = (CHECKOUT / "docs" / "numbers.md").read_text(encoding="utf-8")
ENTRIES = re.split(r"^### ", TEXT.partition("\n## Papers\n")[0], flags=re.M)[1:]
TITLES = {
    page.name: (CHECKOUT / "pages" / f"{page.name}.py").read_text(encoding="utf-8").split("\n")[0].strip('"')
    for page in PAGES
}
VIEWS = {(TITLES[page.name], view.text.label) for page in PAGES for view in page.views.values()}


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:count]))
        except ModuleNotFoundError:
            continue
        for part in parts[count:]:
            fields = getattr(thing, "__dataclass_fields__", {})
            thing = fields[part] if part in fields else getattr(thing, part, None)
        return thing is not None
    return False


def shown(entry: str) -> set[tuple[str, str]]:
    """The views that an entry names: “Shown in **Page** (View, View).”"""
    line = " ".join(entry.partition("\nShown in ")[2].split()).partition(").")[0] + ")"
    groups = re.findall(r"\*\*(.+?)\*\* \((.+?)\)", line)
    return {(page, view.strip()) for page, views in groups for view in views.split(", ")}


def test_each_function_exists():
    names = set(re.findall(r"`((?:explorer|measuring)\.[\w.]+)`", TEXT))
    assert len(names) > 60
    assert sorted(name for name in names if not exists(name)) == []
    assert not exists("explorer.analysis.bleu.blue") and not exists("explored.bleu")


def test_each_entry_says_where_it_is_shown_and_who_computes_it():
    for entry in ENTRIES:
        title = entry.partition("\n")[0]
        assert shown(entry), title
        assert shown(entry) <= VIEWS, (title, shown(entry) - VIEWS)
        assert re.search(r"(Computed\s+by\s+`|Read\s+from\s)", entry), title


def test_no_view_is_left_out():
    assert VIEWS - set().union(*map(shown, ENTRIES)) == set()


def test_each_paper_has_its_title_below_and_none_is_idle():
    entries, _, papers = TEXT.partition("\n## Papers\n")
    listed = {line[2:].partition(":")[0] for line in papers.splitlines() if line.startswith("- ")}
    text = " ".join(entries.split())
    assert [name for name in sorted(listed) if name not in text] == []
    years = re.findall(r"[\w’-]+(?: et al\.)? (?:1[89]|20)\d\d\b(?!-)", text)
    assert {year for year in years if not any(name.endswith(year) for name in listed)} == set()


def test_anchors_are_unique():
    titles = [line.lstrip("# ") for line in TEXT.splitlines() if line.startswith("#")]
    assert len(titles) == len(set(titles))
