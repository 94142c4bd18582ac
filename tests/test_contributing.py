"""CONTRIBUTING keeps its word: its toy page opens as written, and a page that is deleted leaves no hole."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, flags=re.S)
SHARED = {"frame", "widgets"}
VIEWS = ROOT / "explorer" / "views"
ROOMS = sorted(p.name for p in VIEWS.iterdir() if (p / "page.py").exists() and p.name not in SHARED)

OPEN = """
import sys
from pathlib import Path
from streamlit.testing.v1 import AppTest
for name in sys.argv[1:]:
    at = AppTest.from_file(f"pages/{name}.py", default_timeout=120).run()
    assert not at.exception, (name, at.exception)
    print(name, [h.value for h in at.title], len(at.get("dataframe")))
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The project's code, with its checkpoints linked."""
    for name in ("explorer", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    shutil.copy(ROOT / "app.py", tmp_path)
    return tmp_path


def opened(folder: Path, *pages: str) -> str:
    """What opening these pages of a copy prints; fails where one raises."""
    environment = os.environ | {"PYTHONPATH": str(folder), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OPEN, *pages], cwd=folder, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_toy_page_opens(copy):
    view, page, script = BLOCKS
    room = copy / "explorer" / "views" / "letters"
    room.mkdir()
    (room / "__init__.py").write_text('"""Letters."""\n')
    (room / "count.py").write_text(view)
    (room / "page.py").write_text(page)
    (copy / "pages" / "letters.py").write_text(script)
    assert opened(copy, "letters") == "letters ['Letters'] 1\n"


def test_the_toy_view_stands_beside_others(copy):
    (copy / "explorer" / "views" / "elmo" / "count.py").write_text(BLOCKS[0])
    page = copy / "explorer" / "views" / "elmo" / "page.py"
    written = page.read_text(encoding="utf-8")
    assert '{"sides": sides}' in written
    written = written.replace('{"sides": sides}', '{"count": count, "sides": sides}')
    page.write_text(f"from explorer.views.elmo import count\n{written}")
    assert "sides" in opened(copy, "sides")


@pytest.mark.parametrize("room", ROOMS)
def test_no_page_needs_another_ones_room(room):
    others = "|".join(name for name in ROOMS if name != room)
    for path in (VIEWS / room).rglob("*.py"):
        found = re.findall(rf"explorer\.views\.(?:{others})\b", path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)} imports {set(found)}"
    for path in (VIEWS / room).rglob("*.js"):
        assert not re.search(rf'"\.\./(?:{others})/', path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("room", sorted(SHARED))
def test_what_is_shared_knows_no_page(room):
    for path in (VIEWS / room).rglob("*.py"):
        found = re.findall(rf"explorer\.views\.(?:{'|'.join(ROOMS)})\b", path.read_text(encoding="utf-8"))
        assert not found, f"{path.relative_to(ROOT)} imports {set(found)}"
