"""What other systems would stumble over, as far as it can be seen on this one."""

import ast
import io
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from explorer.assets import CHECKOUT
from explorer.system import console
from tests.sources import parse

FOLDERS = ("explorer", "pages", "assets", "docs", "deploy", "tests", "measuring", ".streamlit")
# A clone in C:\Users\somebody\Documents\riverbank-main still has half of Windows's 260 characters to go.
LONGEST = 130
RESERVED = re.compile(r"(?i)(?:^|/)(?:con|prn|aux|nul|com\d|lpt\d)(?:[./]|$)")
UNIX_ONLY = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "uvloop"}
WITHOUT_TEXT = {"text", "universal_newlines"}


def files() -> list[str]:
    """The files that a clone has, as far as they lie in folders."""
    paths = [path for folder in FOLDERS for path in (CHECKOUT / folder).rglob("*")]
    return [path.relative_to(CHECKOUT).as_posix() for path in paths if "__pycache__" not in path.parts]


def trees() -> list[tuple[Path, ast.Module]]:
    """The modules of the app, parsed."""
    paths = [*(CHECKOUT / "explorer").rglob("*.py"), *(CHECKOUT / "pages").glob("*.py"), CHECKOUT / "app.py"]
    return [(path, parse(path)) for path in paths]


def test_no_file_has_a_name_that_windows_refuses():
    names = files()
    assert [name for name in names if RESERVED.search(name)] == []
    assert [name for name in names if set(name) & set('<>:"|?*\\') or name.endswith((".", " "))] == []
    assert max(map(len, names)) < LONGEST
    assert [name for name in names if not name.isascii()] == []  # systems spell é in one or two letters
    folded = Counter(name.casefold() for name in names)
    assert [name for name, count in folded.items() if count > 1] == []  # one file on Windows and macOS


def test_a_clone_has_the_same_bytes_whatever_git_is_told(tmp_path):
    """Else the checksums of the bundled models fail on Windows, where Git writes other line ends."""
    git = ["git", "-C", str(tmp_path), "-c", "core.autocrlf=true", "-c", "core.safecrlf=false"]
    try:
        subprocess.run([*git, "init", "-q"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("git is not installed")
    (tmp_path / ".gitattributes").write_bytes((CHECKOUT / ".gitattributes").read_bytes())
    file = tmp_path / "config.json"
    file.write_bytes(b'{\n"layers": 6\n}\n')
    subprocess.run([*git, "add", "."], check=True)
    file.unlink()
    subprocess.run([*git, "checkout", "-q", "--", "config.json"], check=True)
    assert file.read_bytes() == b'{\n"layers": 6\n}\n'


def test_what_only_unix_has_is_imported_where_its_absence_is_handled():
    for path, tree in trees():
        handled = {
            id(node) for part in ast.walk(tree) if isinstance(part, ast.Try) for node in ast.walk(part)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in handled:
                names = (
                    [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
                )
                assert not UNIX_ONLY & {name.partition(".")[0] for name in names}, path


def test_the_text_of_another_process_is_read_in_a_named_encoding():
    """`text=True` alone takes that of the system. Files are the matter of ruff's PLW1514."""
    for path, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                keywords = {keyword.arg for keyword in node.keywords}
                assert "encoding" in keywords or not WITHOUT_TEXT & keywords or _is_ours(node), path


def _is_ours(call: ast.Call) -> bool:
    """Whether a call with `text=` is no call of a process: only those of `subprocess` are."""
    return not (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "subprocess")


def test_a_word_that_the_console_cannot_hold_ends_no_command():
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252", newline="\n")
    console.report("“銀行”: 7 occurrences → all", stream)
    assert stream.buffer.getvalue().decode("cp1252") == "“\\u9280\\u884c”: 7 occurrences \\u2192 all\n"
