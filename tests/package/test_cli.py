"""The command `riverbank`: what it starts, and how it says no."""

import socket
from pathlib import Path

import pytest

from explorer.assets import ROOT
from explorer.commands import cli
from explorer.system.invocation import for_more_visitors


@pytest.fixture
def started(monkeypatch):
    """The commands that were started, without starting them."""
    commands = []
    monkeypatch.setattr(cli, "_run", lambda arguments: commands.append(list(arguments)))
    monkeypatch.setattr("explorer.workers.__main__.main", lambda arguments: commands.append(list(arguments)))
    monkeypatch.setattr("explorer.workers.supervisor.require_free", lambda port, lan: None)
    for name in (cli.LECTURE_VARIABLE, cli.COMMAND):
        monkeypatch.setenv(name, "")
    return commands


def test_it_runs_the_app_of_this_package(started):
    cli.main([])
    assert started == [["run", str(ROOT / "app.py"), "--server.port=8501"]]
    assert (ROOT / "app.py").is_file() and (ROOT / ".streamlit" / "config.toml").is_file()


def test_a_class_goes_through_the_proxy(started):
    cli.main(["--workers", "3", "--share", "--port", "8600"])
    assert started == [["--workers", "3", "--port", "8600", "--lan"]]


def test_more_workers_are_asked_for_by_the_command_that_was_typed(started, monkeypatch):
    assert for_more_visitors().endswith("-m explorer.workers --workers 2 --lan")
    for typed, command in (
        ("bin/riverbank", str(Path("bin/riverbank"))),
        (cli.__file__, f"-m {cli.__name__}"),
    ):
        monkeypatch.setattr(cli.sys, "argv", [typed, "--share"])
        cli.main([])
        assert for_more_visitors().endswith(f"{command} --share --workers 2")


def test_a_port_that_is_taken_is_named_with_another_one(monkeypatch):
    monkeypatch.setenv(cli.COMMAND, "")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=f"Port {port} .*\\n.* --port {port + 1}"):
            cli.main(["--port", str(port)])


def test_a_lecture_that_is_not_there_is_named(started, tmp_path):
    with pytest.raises(SystemExit, match=r"There is no file .*missing\.md"):
        cli.main(["--lecture", str(tmp_path / "missing.md")])
    assert not started


def test_a_lecture_is_named_to_the_server(started, tmp_path):
    lecture = tmp_path / "lecture.md"
    lecture.write_text("[Bank](/senses)")
    cli.main(["--lecture", str(lecture)])
    assert cli.os.environ[cli.LECTURE_VARIABLE] == str(lecture)


def test_a_checkout_has_no_version(capsys, monkeypatch):
    monkeypatch.setattr(cli, "DISTRIBUTION", "riverbank-that-nobody-installs")
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert capsys.readouterr().out == "riverbank (not installed)\n"
