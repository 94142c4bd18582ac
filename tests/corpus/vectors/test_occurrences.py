"""Text files of any kind and size: every occurrence of the words, with its sense."""

import pyarrow.parquet as pq
import pytest

from explorer.corpus.vectors import occurrences
from explorer.errors import NotFoundError, TextError


@pytest.fixture
def found(tmp_path):
    """found(texts, words) -> the rows that are written, file after file."""
    folder = tmp_path / "found"

    def rows(texts, words=("bank",), **options):
        folder.mkdir()
        occurrences.write(folder, texts, words, **options)
        return [row for path in sorted(folder.iterdir()) for row in pq.read_table(path).to_pylist()]

    return rows


def test_all_files_of_a_folder_with_their_senses(found, texts, monkeypatch):
    monkeypatch.setattr(occurrences, "ROWS", 7)
    rows = found(texts, ["bank", "river"], forms=True)
    assert len(rows) == 125 + 50 and {row["sense"] for row in rows} == {None, "s0", "s1"}
    for row in rows:
        form = row["text"][row["start"] : row["end"]].lower()
        assert form.startswith(("bank", "river")[row["word"]])


def test_larger_than_a_visitor_may_send(found, tmp_path, monkeypatch):
    path = tmp_path / "large.txt"
    path.write_text("The bank fell.")
    monkeypatch.setattr("explorer.corpus.inspection.MOST_MB", 0)
    assert len(found(path)) == 1


def test_a_folder_without_texts(tmp_path):
    with pytest.raises(TextError, match="has no file that Riverbank reads"):
        occurrences.find_files(tmp_path)
    with pytest.raises(NotFoundError, match="no file or folder"):
        occurrences.find_files(tmp_path / "nowhere")


def test_what_is_no_text_is_named(found, tmp_path):
    path = tmp_path / "picture.txt"
    path.write_bytes(b"\x00\x01" * 100)
    with pytest.raises(TextError, match=r"picture\.txt is a binary file"):
        found(path)


def test_another_encoding_is_asked_for(found, tmp_path):
    path = tmp_path / "chinese.txt"
    path.write_bytes("\n".join(["他在河岸上坐着。", "银行今天不开门。"] * 20).encode("gb18030"))
    assert {row["text"] for row in found(path, ["银行"], encoding="gb18030")} == {"银行今天不开门。"}


def test_columns_by_name(found, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("title,body,kind\n" + "A bank of it,We sat on the bank all day,river\n" * 9)
    (row, *others) = found(path, columns=["title", "kind"])
    assert (row["text"], row["sense"], len(others)) == ("A bank of it", "river", 8)
    with pytest.raises(TextError, match="no column “review”"):
        occurrences.write(tmp_path, path, ["bank"], columns=["review"])
