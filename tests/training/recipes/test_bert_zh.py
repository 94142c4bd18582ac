"""`bert-zh` in training: one character a token, everyday sentences alone."""

from tests.training.conftest import EVERYDAY
from training.rows import UNKNOWN


def test_every_character_is_a_token(chinese):
    tokens = chinese.backend.encode("在银行賣燈", add_special_tokens=False).tokens
    assert tokens == list("在银行賣燈")
    assert all(chinese.backend.token_to_id(sign) is not None for sign in "az09#~")


def test_every_shard_reads_its_share_of_the_everyday_sentences_each_in_a_row_by_itself(chinese):
    assert chinese.shards() > 1
    alone = [chinese.backend.encode(sentence).ids for sentence in EVERYDAY]
    for shard in range(chinese.shards()):
        rows = chinese.rows(shard, 24, 0)
        read = {
            tuple(ids[:end].tolist()): int(follows)
            for ids, end, follows in zip(rows.ids, rows.columns[1], rows.columns[2], strict=True)
        }
        found = [number for number, ids in enumerate(alone) if tuple(ids) in read]
        assert found == list(range(shard, len(EVERYDAY), chinese.shards()))
        assert all(read[tuple(alone[number])] == UNKNOWN for number in found)
        assert set(rows.columns[2].tolist()) == {UNKNOWN, 0, 1}
