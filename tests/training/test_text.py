"""Text to documents to token ids, and back."""

import pytest

from explorer.errors import NotFoundError
from tests.training.conftest import documents
from training.text import Corpus, Shards, sentences


@pytest.mark.parametrize("block_bytes", [50, 333, 2000, 1_000_000])
def test_blocks_hold_every_document_once_and_in_order(text, block_bytes):
    blocks = Corpus((text, text), block_bytes).blocks
    assert [document for block in blocks for document in block] == documents() * 2
    size = text.stat().st_size
    assert len(blocks) == 2 * -(-size // block_bytes)


def test_a_document_belongs_to_the_block_in_which_it_begins(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("ab\ncd\n\n\nef\n\n \ngh", encoding="utf-8")  # they begin at 0, 8 and 14
    assert Corpus((path,), 9).blocks == [[["ab", "cd"], ["ef"]], [["gh"]]]
    assert Corpus((path,), 8).blocks == [[["ab", "cd"]], [["ef"], ["gh"]]]


def test_no_text_is_said(tmp_path):
    with pytest.raises(NotFoundError, match="nowhere"):
        Corpus.open(tmp_path / "nowhere.txt")


def test_articles_are_cut_into_sentences():
    assert sentences(["他問：「誰？」沒有人。真的嗎？！是", "第二段"]) == [
        "他問：「誰？」",
        "沒有人。",
        "真的嗎？！",
        "是",
        "第二段",
    ]


def test_pieces_are_sentences(bert, corpus):
    backend = bert.tokenizer.backend
    shard = Shards(corpus, backend)[1]
    said = [s for document in corpus.blocks[1] for s in sentences(document)]
    assert len(shard.pieces) == len(said) + 1
    for i in (0, 5, len(said) - 1):
        ids = shard.ids[shard.pieces[i] : shard.pieces[i + 1]]
        assert backend.decode(ids.tolist()).rstrip(" .") == said[i].lower().rstrip(" .")
