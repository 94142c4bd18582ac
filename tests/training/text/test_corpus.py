"""Text to documents to token ids, and back."""

import lzma

import numpy as np
import pytest

from explorer.errors import NotFoundError
from tests.training.conftest import documents
from training.text.corpus import Corpus
from training.text.shards import Shards, mean_word_length, plain_documents, sentences, whole


@pytest.mark.parametrize("block_bytes", [50, 333, 2000, 1_000_000])
def test_blocks_hold_every_document_once_and_in_order(text, block_bytes):
    corpus = Corpus((text, text), block_bytes)
    found = [d for block in range(len(corpus.blocks())) for d in corpus.documents(block)]
    assert found == documents() * 2


def test_a_packed_file_reads_the_same(text, tmp_path):
    packed = tmp_path / "en-1.txt.xz"
    packed.write_bytes(lzma.compress(text.read_bytes()))
    corpus = Corpus.open([packed], tmp_path / "cache")
    assert corpus.documents(0) == documents()


def test_a_folder_gives_english_text_that_is_not_held_out(text, tmp_path):
    for name in ("en-1.txt", "en-valid.txt", "zh.txt", "notes.md"):
        (tmp_path / name).write_bytes(text.read_bytes())
    assert [f.name for f in Corpus.open([tmp_path], tmp_path).files] == ["en-1.txt"]


def test_no_text_is_said(tmp_path):
    with pytest.raises(NotFoundError, match="nowhere"):
        Corpus.open([tmp_path / "nowhere.txt"], tmp_path)


def test_gpt_shards_decode_to_the_text(gpt, corpus):
    first = gpt._shards[0]
    expected = "".join(whole(d)[0] for d in corpus.documents(0))
    assert gpt.backend.decode(first.ids.tolist(), skip_special_tokens=False) == expected
    assert gpt.backend.token_to_id("<|endoftext|>") == 0
    assert np.array_equal(gpt._shards[0].ids, first.ids)  # now from the cache


def test_bert_pieces_are_sentences(bert, corpus):
    shard = bert._shards[1]
    said = [s for d in corpus.documents(1) for s in sentences(d)]
    assert len(shard.pieces) == len(said) + 1
    for i in (0, 5, len(said) - 1):
        ids = shard.ids[shard.pieces[i] : shard.pieces[i + 1]]
        assert bert.backend.decode(ids.tolist()).rstrip(" .") == said[i].lower().rstrip(" .")


def test_plain_prose_weighs_more(corpus, bert, tmp_path):
    plain, dry = (
        ["We sat by the sea and ate."],
        ["Administrative reorganisation characterised municipalities."],
    )
    assert mean_word_length(plain) < 4.75 < mean_word_length(dry)
    kept = plain_documents(0, [plain, dry] * 400)
    assert kept.count(plain) == 400
    assert 60 < kept.count(dry) < 140
    shards = Shards(corpus, bert.backend, sentences, tmp_path / "none", lambda block, documents: [])
    assert len(shards[0].ids) == 0
