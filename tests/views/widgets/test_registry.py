"""A component's script: what it imports stands in it once, and it ends with the line that connects it."""

import re
import shutil
import subprocess
import sys

import pytest
from streamlit.testing.v1 import AppTest

from explorer.errors import ExplorerError
from explorer.views.widgets.registry import EXPORT, IMPORT, VIEWS, module, style

SCRIPTS = sorted(p for p in VIEWS.rglob("*.js") if p.name != "bertviz_neuron.js")  # that one is no module
COMPONENTS = [p for p in SCRIPTS if "\nexport default " in p.read_text(encoding="utf-8")]
CONNECTED = re.compile(r"^export default connect\(draw(?:, \[.*\])?\);$", re.MULTILINE)


def nobody():
    import streamlit as st

    from explorer.views.widgets.registry import component_value

    st.text(f"{component_value('nobody', 'more', int)}")


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")


def run(text: str, after: str) -> str:
    """What a module and a line after it print, by node; without node there is nothing to ask."""
    node = shutil.which("node")
    if not node:
        pytest.skip("no node found")
    script = [node, "--input-type=module", "--eval", f"{text}\n{after}"]
    return subprocess.run(script, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def test_an_import_is_put_in_once_and_before_those_that_need_it(tmp_path):
    write(
        tmp_path,
        base="export const ONE = 1;\n",
        left='import { ONE } from "./base.js";\n\nexport const left = () => ONE + 1;\n',
        right='import { ONE } from "./base.js";\n\nexport const right = () => ONE + 2;\n',
        top='import { left } from "./left.js";\nimport { right } from "./right.js";\n\n'
        "export function draw() {\n  return left() * right();\n}\n\nexport default [draw()];\n",
    )
    text = module("top.js", tmp_path)
    assert text.count("const ONE = 1;") == 1
    assert text.index("ONE = 1") < text.index("left = ") < text.index("draw()")
    assert text.count("\nexport ") == 2 and "import " not in text
    assert run(text, "console.log(draw());") == "6"


def test_names_of_two_files_do_not_clash(tmp_path):
    write(
        tmp_path,
        one="const size = 1;\nexport const one = () => size;\n",
        two="const size = 2;\nexport const two = () => size;\n",
        top='import { one } from "./one.js";\nimport { two } from "./two.js";\n'
        "const size = 3;\nexport const draw = () => [size, one(), two()];\n",
    )
    assert run(module("top.js", tmp_path), "console.log(draw().join());") == "3,1,2"


def test_comments_stay_at_home_and_text_that_looks_like_one_travels(tmp_path):
    """What is sent with every picture is as short as can be."""
    text = "// Why.\n/**\n * @param {any} a\n */\nexport const draw = (a) => `http://${a}`; // px\n"
    write(tmp_path, top=text)
    script = module("top.js", tmp_path)
    assert "Why" not in script and "@param" not in script
    assert run(script, "console.log(draw('here'));") == "http://here"


def test_a_folder_above_and_an_import_over_several_lines(tmp_path):
    (tmp_path / "letters").mkdir()
    write(tmp_path, shared="export const a = 1;\nexport const b = 2;\n")
    write(
        tmp_path / "letters",
        top='import {\n  a,\n  b,\n} from "../shared.js";\nexport const draw = () => a + b;\n',
    )
    assert run(module("letters/top.js", tmp_path), "console.log(draw());") == "3"


def test_a_missing_file_is_named(tmp_path):
    write(tmp_path, one='import { gone } from "./gone.js";\n')
    with pytest.raises(ExplorerError, match=re.escape("gone.js")):
        module("one.js", tmp_path)


def test_every_component_is_joined_without_a_line_left_to_import():
    """A circle would never end, and an import written in another way would stay in the text."""
    for path in COMPONENTS:
        script = module(str(path.relative_to(VIEWS)))
        assert CONNECTED.search(script) and "draw" in EXPORT.findall(script), path
        assert script.count("export default ") == 1 and not re.search(r"^import ", script, re.MULTILINE), path


def test_what_looks_like_an_end_of_a_script_stays_text(tmp_path):
    """A script that stands inside a saved page may not hold it."""
    write(tmp_path, a='export const said = "<\\/script>";\n')
    assert run(module("a.js", tmp_path), "console.log(said);") == "</script>"
    assert all("</script" not in path.read_text(encoding="utf-8").lower() for path in SCRIPTS)


def test_what_is_exported_is_imported_somewhere():
    texts = {path: path.read_text(encoding="utf-8") for path in SCRIPTS}
    cells = {path: path.read_text(encoding="utf-8") for path in (VIEWS.parent / "notebook").glob("*.js")}
    imported = {
        ((path.parent / home).resolve(), name)
        for path, text in (texts | cells).items()
        for names, home in IMPORT.findall(text)
        for name in re.findall(r"\w+", names)
    }
    exported = {(path, name) for path, text in texts.items() for name in filter(None, EXPORT.findall(text))}
    draws = {(path, "draw") for path in COMPONENTS}  # for whoever draws without Streamlit
    assert exported - imported - draws == set()


def test_streamlit_is_known_to_one_script_only():
    knowing = [
        p.name for p in SCRIPTS if re.search(r"{ parentElement|set(State|Trigger)Value", p.read_text())
    ]
    assert knowing == ["connect.js"]


def test_no_script_makes_a_page_of_a_text():
    """Whatever is typed, predicted or read from a file stays text: `lit` and `textContent` alone write it."""
    makers = r"""innerHTML|outerHTML\s*=|insertAdjacentHTML|createContextualFragment|DOMParser
        |document\.write|unsafeHTML|unsafeSVG|\.html\(|\beval\(|new\ Function|"javascript:|\bsrcdoc"""
    making = [p.name for p in SCRIPTS if p.name != "lit.js" and re.search(makers, p.read_text(), re.VERBOSE)]
    assert making == ["saver_pdf.js"]  # a frame for the picture that it prints, as the browser has written it


def test_a_style_sheet_has_what_it_imports_before_it(tmp_path):
    (tmp_path / "a.css").write_text('@import "./b.css";\n.a { top: 0; }\n')
    (tmp_path / "b.css").write_text(".b { top: 0; }\n")
    assert style("a.css", tmp_path) == ".b { top: 0; }\n.a { top: 0; }\n"
    for path in VIEWS.rglob("*.css"):
        assert "@import" not in style(str(path.relative_to(VIEWS)))


def test_no_two_components_have_one_name():
    """Streamlit knows a component by the last part of its name: of two alike, the first would be lost."""
    names = [path.stem for path in COMPONENTS]
    assert sorted(names) == sorted(set(names))


def test_an_answer_of_a_component_that_has_gone_is_none():
    """What a component has sent may arrive when it has already left the page."""
    at = AppTest.from_function(nobody, default_timeout=300).run()
    assert not at.exception
    assert at.text[0].value == "None"


def test_a_page_with_components_imports_no_tables():
    code = (
        "import sys; from streamlit.testing.v1 import AppTest;"
        "AppTest.from_file('pages/home.py', default_timeout=300).run();"
        "sys.exit('pandas' in sys.modules or 'pyarrow' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0, "it takes a second"
