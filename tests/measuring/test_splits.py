"""Words of the sense library in two frozen halves."""

from itertools import chain

import pytest

from explorer.analysis.senses import chinese_words
from explorer.analysis.senses.occurrences import library_words
from explorer.assets import SENSES, SENSES_ZH
from measuring import splits


def test_words_go_to_the_splits_in_turn(tmp_path):
    for word in ("bank", "apple", "crane", "spring", "bat"):
        (tmp_path / f"{word}.txt").write_text(f"one {word} #a\n", encoding="utf-8")
    frozen = tmp_path / "frozen"
    frozen.write_text(splits.lines(tmp_path), encoding="utf-8")
    assert splits.read(frozen) == {"dev": ["apple", "bat", "spring"], "test": ["bank", "crane"]}
    word, split, sha = splits.lines(tmp_path).splitlines()[0].split()
    assert (word, split, len(sha)) == ("apple", "dev", 64)


@pytest.mark.parametrize(("file", "folder"), [(splits.FILE, SENSES), (splits.FILE_ZH, SENSES_ZH)])
def test_a_library_is_as_it_was_frozen(file, folder):
    frozen = file.read_text(encoding="utf-8")
    assert splits.lines(folder) == frozen, "run python -m measuring.splits, and name the edit in the cards"


def test_every_word_is_in_a_half():
    assert sorted(chain(*splits.read().values())) == library_words()
    chinese = [word.name for word in chinese_words.words()]
    assert sorted(chain(*splits.read(splits.FILE_ZH).values())) == chinese
