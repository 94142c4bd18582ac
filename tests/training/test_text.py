"""Text to documents to token ids, and back."""

import pytest

from explorer.errors import NotFoundError
from tests.training.conftest import documents
from training.recipes.gpt import mean_word_length, plain_documents, whole
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


def test_gpt_shards_decode_to_the_text(gpt, corpus):
    expected = "".join(whole(document)[0] for document in corpus.blocks[0])
    ids = Shards(corpus, gpt.backend, whole)[0].ids
    assert gpt.backend.decode(ids.tolist(), skip_special_tokens=False) == expected
    assert gpt.backend.token_to_id("<|endoftext|>") == 0


def test_plain_prose_weighs_more():
    plain, dry = (
        ["We sat by the sea and ate."],
        ["Administrative reorganisation characterised municipalities."],
    )
    assert mean_word_length(plain) < 4.75 < mean_word_length(dry)
    kept = plain_documents(0, [plain, dry] * 400)
    assert kept.count(plain) == 400
    assert 60 < kept.count(dry) < 140
