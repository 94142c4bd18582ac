"""Words of the sense library in two frozen halves."""

import pytest

from explorer.analysis.senses import chinese_words
from explorer.analysis.senses.occurrences import library_words
from explorer.assets import SENSES_ZH
from training import splits


@pytest.fixture
def folder(tmp_path):
    for word in ("bank", "apple", "crane", "spring", "bat"):
        (tmp_path / f"{word}.txt").write_text(f"one {word} #a\n", encoding="utf-8")
    return tmp_path


def test_words_go_to_the_splits_in_turn(folder, tmp_path):
    frozen = tmp_path / "frozen"
    frozen.write_text(splits.lines(folder), encoding="utf-8")
    found = splits.read(frozen, folder)
    assert found.words == {"dev": ["apple", "bat", "spring"], "test": ["bank", "crane"]}
    assert found.changed == []
    word, split, sha = splits.lines(folder).splitlines()[0].split()
    assert (word, split, len(sha)) == ("apple", "dev", 64)


def test_what_changed_since_is_told(folder, tmp_path):
    frozen = tmp_path / "frozen"
    frozen.write_text(splits.lines(folder), encoding="utf-8")
    (folder / "bat.txt").write_text("another bat #a\n", encoding="utf-8")
    (folder / "crane.txt").unlink()
    (folder / "aaa.txt").write_text("one aaa #a\n", encoding="utf-8")
    found = splits.read(frozen, folder)
    assert found.changed == ["aaa", "bat", "crane"]
    assert found.words == {"dev": ["apple", "bat", "spring"], "test": ["bank"]}  # nobody changes sides


def test_without_a_file_nothing_is_frozen(folder, tmp_path):
    found = splits.read(tmp_path / "none", folder)
    assert found.words["dev"] == ["apple", "bat", "spring"]
    assert len(found.changed) == 5


def test_the_library_is_as_it_was_frozen():
    found = splits.read()
    assert found.changed == [], "run python -m training.splits, and name the edit in the cards"
    assert sorted(found.words["dev"] + found.words["test"]) == library_words()


def test_the_chinese_library_is_as_it_was_frozen():
    found = splits.read(splits.FILE_ZH, SENSES_ZH)
    assert found.changed == [], "run python -m training.splits, and name the edit in the cards"
    assert sorted(found.words["dev"] + found.words["test"]) == [one.name for one in chinese_words.words()]
