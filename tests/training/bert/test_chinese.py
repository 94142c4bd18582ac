"""`bert-zh` in training: one character a token, everyday sentences alone, words masked whole on request."""

import sys
from shutil import copy

import pytest
import torch
from transformers import AutoModelForPreTraining, BertTokenizer

from explorer.checkpoints.format import read_model
from explorer.errors import NotFoundError
from explorer.trace import Checkpoint
from tests.training.conftest import EVERYDAY, chinese_task
from training.bert import segmented, task
from training.bert.everyday import split
from training.export import export
from training.run.loop import Run
from training.run.watched import Budget
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
            for ids, end, follows in zip(rows.ids, rows.end, rows.follows, strict=True)
        }
        found = [number for number, ids in enumerate(alone) if tuple(ids) in read]
        assert found == list(range(shard, len(EVERYDAY), chinese.shards()))
        assert all(read[tuple(alone[number])] == UNKNOWN for number in found)
        assert set(rows.follows.tolist()) == {UNKNOWN, 0, 1}


def test_articles_are_cut_into_sentences():
    assert sentences(["他問：「誰？」沒有人。真的嗎？！是", "第二段"]) == [
        "他問：「誰？」",
        "沒有人。",
        "真的嗎？！",
        "是",
        "第二段",
    ]


@pytest.mark.slow
def test_it_learns(chinese, tmp_path):
    run = Run(chinese, Budget(tokens=64 * 300), tmp_path, torch.device("cpu"))
    before = run.measure()
    run.train()
    after = run.measure()
    assert after["masked_nats"] < before["masked_nats"] and after["masked_top1"] > before["masked_top1"]
    assert 0 <= after["next_sentence"] <= 1


@pytest.fixture
def whole(chinese, chinese_text, tmp_path, monkeypatch):
    """The task that masks whole words; the segmenter knows three."""
    words = ("银行", "鑰匙", "高个子水手")

    def segment(text):
        while text:
            word = next((w for w in words if text.startswith(w)), text[0])
            yield word
            text = text[len(word) :]

    monkeypatch.setattr(segmented, "jieba_words", lambda: segment)
    (tmp_path / "whole").mkdir()
    copy(chinese._folder / "tokenizer.json", tmp_path / "whole")
    return chinese_task(chinese_text, tmp_path / "whole", whole_words=True)


def test_with_whole_words_the_rows_are_the_same_and_know_their_words(whole, chinese):
    rows, plain = whole.rows(0, 24, 0), chinese.rows(0, 24, 0)
    assert torch.equal(rows.ids, plain.ids) and plain.joined is None
    token = whole.backend.id_to_token
    pairs = {
        (token(before), token(id))
        for ids, joined in zip(rows.ids.tolist(), rows.joined.tolist(), strict=True)
        for before, id, on in zip(ids, ids[1:], joined[1:], strict=False)
        if on
    }
    cut = {("[CLS]", right) for _, right in pairs} | {("[SEP]", right) for _, right in pairs}
    assert pairs - cut == {("银", "行"), ("鑰", "匙"), ("高", "个"), ("个", "子"), ("子", "水"), ("水", "手")}


def test_whole_words_are_masked_together(whole, monkeypatch):
    seen, hide = [], task.hide
    monkeypatch.setattr(task, "hide", lambda *a, **b: seen.append(hide(*a, **b)) or seen[-1])
    rows = whole.rows(0, 24, 0)
    rows = rows.take(torch.arange(len(rows)))
    whole.loss(rows, 0, 0.0)
    chosen = seen[0][1]
    word = rows.ids == whole.backend.token_to_id("银")
    word[:, -1] = False  # its second half stands in no row
    inside = word.roll(1, 1) & rows.joined
    assert inside.sum() > 10 and torch.equal(chosen[inside], chosen[word & inside.roll(-1, 1)])
    assert 0 < chosen[inside].float().mean() < 1


def test_the_segmenter_is_asked_for_when_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "jieba", None)
    with pytest.raises(NotFoundError, match="segmenter"):
        segmented.jieba_words()


def test_pairs_kept_aside_share_no_sentence_with_the_others(tmp_path):
    lines = [f"Sentence {i}.\t句子{i}。" for i in range(30)] + ["Sentence 3!\t第三句。", "Third.\t第三句"]
    path = tmp_path / "pairs.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    some, turned = split(path, aside=10), tmp_path / "turned.txt"
    turned.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    again = split(turned, aside=10)
    assert len(some.aside) == 10 and 20 <= len(some.train) <= 22
    train = {side.strip("。.!") for pair in some.train for side in pair}
    assert not train & {side.strip("。.!") for pair in some.aside for side in pair}
    assert {pair for pair in again.train} == {pair for pair in some.train}, "the order of lines says nothing"
