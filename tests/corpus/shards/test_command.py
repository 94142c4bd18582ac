"""`python -m explorer.corpus embed`: what it says, and how it ends."""

import importlib.util

import pytest

from explorer.corpus.__main__ import main


def arguments(wanted, folder, *more):
    begun = ["embed", wanted.texts, "--model", wanted.model, "--out", str(folder), "--part-mb", "0.001"]
    return [*begun, "--words", "bank", *more]


def test_without_ray_it_says_what_to_install(wanted, tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        SystemExit, match=r"Ray is not installed\.\nInstall it: pip install -r requirements-scale\.txt"
    ):
        main(arguments(wanted, tmp_path / "v"))


def test_it_says_how_far_it_is_and_goes_on(wanted, tmp_path, capsys):
    main(arguments(wanted, tmp_path / "v", "--plain"))
    said = capsys.readouterr().out
    assert "6 of 6 parts, 100 occurrences now" in said and "bank: 100 occurrences\nComplete: " in said
    main(arguments(wanted, tmp_path / "v", "--plain"))
    said = capsys.readouterr().out
    assert "6 of 6 parts are there already" in said and "bank: 100 occurrences" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--processes", "0"], "processes is 0"),
        (["--part-mb", "0"], "part_mb is 0"),
        (["--encoding", "cp1252", "--words", "steam"], "“steam” does not occur in .*\nChoose another word"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_what_to_do(wanted, tmp_path, more, said):
    with pytest.raises(SystemExit, match=said):
        main(arguments(wanted, tmp_path / "v", "--plain", *more))
