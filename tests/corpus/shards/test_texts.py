"""Files in parts: nothing between them is lost or cut, whatever ends a line."""

import pytest

from explorer.corpus.shards import texts
from explorer.errors import NotFoundError, TextError

PROSE = "The gauge fell. Nobody saw it. " * 3
WRAPPED = "\n\n".join(
    "\n".join(
        ["the river rose in the night and nobody who lived", "near it was told before it was morning."] * 3
    )
    for _ in range(12)
)
FILES = {
    "lines.txt": "\n".join(f"Line {i} is here. And more of {i}." for i in range(80)),
    "windows.txt": "\r\n".join(f"Line {i} is here." for i in range(80)),
    "long.txt": PROSE * 30,
    "wrapped.txt": WRAPPED,
    "tagged.txt": "\n".join(f"We sat on bank {i}. #river" for i in range(60)),
    "records.jsonl": "\n".join(f'{{"text": "Bank {i} is shut. It is late."}}' for i in range(60)),
    "table.csv": "text,sense\n" + "\n".join(f'"Bank {i},\nshut",money' for i in range(60)),
}


def split(path, size, encoding=None):
    file = texts.inspect_file(path, path.name, encoding)
    return file, list(texts.split_file(path, 0, file, size))


def read(path, file, parts):
    return [sentence for part in parts for sentence in texts.sentences(path, file, part)]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("size", [50, 333])
def test_parts_hold_the_sentences_of_the_whole(tmp_path, name, size):
    path = tmp_path / name
    path.write_bytes(FILES[name].encode())
    file, parts = split(path, size)
    assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert (parts[0].start, parts[-1].end) == (0, path.stat().st_size)
    assert (len(parts) > 1) == (name not in ("table.csv", "long.txt")), "a cell, or one long line, is not cut"
    _, whole = split(path, 1 << 30)
    found = read(path, file, parts)
    assert found == read(path, file, whole) and len(found) >= 12
    assert texts.TextFile.from_json(file.to_json()).contents.kind == file.contents.kind
    assert read(path, texts.TextFile.from_json(file.to_json()), parts) == found


@pytest.mark.parametrize(("encoding", "parts"), [("utf-16", 1), ("gb18030", 3), ("utf-8-sig", 4)])
def test_letters_are_not_cut(tmp_path, encoding, parts):
    path = tmp_path / "chinese.txt"
    path.write_bytes("\n".join(["他在河岸上坐着。", "银行今天不开门。"] * 20).encode(encoding))
    file, found = split(path, 300, None if encoding.startswith("utf") else encoding)
    assert len(found) == parts
    assert [sentence.text for sentence in read(path, file, found)] == [
        "他在河岸上坐着。",
        "银行今天不开门。",
    ] * 20


def test_larger_than_a_visitor_may_send(tmp_path, monkeypatch):
    path = tmp_path / "large.txt"
    path.write_text(PROSE)
    monkeypatch.setattr("explorer.corpus.inspection.MOST_MB", 0)
    assert texts.inspect_file(path, "large.txt").size == len(PROSE)


def test_a_folder_without_texts(tmp_path):
    with pytest.raises(TextError, match="has no file that Riverbank reads"):
        texts.find_files(tmp_path)
    with pytest.raises(NotFoundError, match="no file or folder"):
        texts.find_files(tmp_path / "nowhere")


def test_what_is_no_text_is_named(tmp_path):
    path = tmp_path / "picture.txt"
    path.write_bytes(b"\x00\x01" * 100)
    with pytest.raises(TextError, match=r"picture\.txt is a binary file"):
        texts.inspect_file(path, "picture.txt")


def test_columns_by_name(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("title,body,kind\n" + "A bank of it,We sat on the bank all day,river\n" * 9)
    file = texts.inspect_file(path, "t.csv", columns=["title", "kind"])
    first = read(path, file, texts.split_file(path, 0, file, 99))[0]
    assert (first.text, first.sense) == ("A bank of it", "river")
    with pytest.raises(TextError, match="no column “review”"):
        texts.inspect_file(path, "t.csv", columns=["review"])
