"""`bert-zh` in training: one character a token, everyday sentences alone."""

import pytest
import torch
from transformers import AutoModelForPreTraining, BertTokenizer

from explorer.checkpoints.format import read_model
from explorer.trace import Checkpoint
from tests.training.conftest import EVERYDAY
from training.average import export
from training.run.loop import Budget, Run
from training.text.pairs import split_chinese
from training.text.rows import UNKNOWN
from training.text.shards import sentences

TEXTS = (
    "我表哥在银行卖了兩盞燈。",
    "老护士在車站旁[MASK][MASK]那封信！",
    "Apple 第15天，Café Ω 龘 のぞみ。",
    "「走吧」……１２　ｘyz",
)


def test_every_character_is_a_token(chinese):
    tokens = chinese.backend.encode("在银行賣燈", add_special_tokens=False).tokens
    assert tokens == list("在银行賣燈")
    assert all(chinese.backend.token_to_id(sign) is not None for sign in "az09#~")


def test_what_is_exported_gives_the_tokens_and_scores_of_transformers(chinese, tmp_path):
    export(chinese, tmp_path / "out")
    ours = read_model(tmp_path / "out", Checkpoint("folder", "out"))
    theirs = AutoModelForPreTraining.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    tokenizer = BertTokenizer.from_pretrained(tmp_path / "out", tokenize_chinese_chars=True)
    for text in TEXTS:
        encoding = ours.encode(text)
        assert tokenizer(text)["input_ids"] == encoding.ids.tolist()
        assert tokenizer.tokenize(text) == [t for t in encoding.tokens if t not in ("[CLS]", "[SEP]")]
    batch = tokenizer(TEXTS[0], TEXTS[1], return_tensors="pt")
    trace = ours.trace(TEXTS[0], TEXTS[1])
    with torch.no_grad():
        result = theirs(**batch)
        verdict = ours.network.next_sentence(trace.hidden_states[-1][None])
    torch.testing.assert_close(trace.logits, result.prediction_logits[0], atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(verdict, result.seq_relationship_logits, atol=1e-5, rtol=1e-4)


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


def test_articles_are_cut_into_sentences():
    assert sentences(["他問：「誰？」沒有人。真的嗎？！是", "第二段"]) == [
        "他問：「誰？」",
        "沒有人。",
        "真的嗎？！",
        "是",
        "第二段",
    ]


@pytest.mark.long
@pytest.mark.slow
def test_it_learns(chinese, tmp_path):
    run = Run(chinese, Budget(tokens=64 * 300), tmp_path, torch.device("cpu"))
    before = run.task.held_out(None)
    run.train()
    after = run.task.held_out(None)
    assert after["masked_nats"] < before["masked_nats"] and after["masked_top1"] > before["masked_top1"]
    assert 0 <= after["next_sentence"] <= 1


def test_pairs_kept_aside_share_no_sentence_with_the_others(tmp_path):
    lines = [f"Sentence {i}.\t句子{i}。" for i in range(30)] + ["Sentence 3!\t第三句。", "Third.\t第三句"]
    path = tmp_path / "pairs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    some, turned = split_chinese(path, 10), tmp_path / "turned.txt"
    turned.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    again = split_chinese(turned, 10)
    assert len(some.held_out) == 10 and 20 <= len(some.train) <= 22
    train = {side.strip("。.!") for pair in some.train for side in pair}
    assert not train & {side.strip("。.!") for pair in some.held_out for side in pair}
    assert {pair for pair in again.train} == {pair for pair in some.train}, "the order of lines says nothing"
