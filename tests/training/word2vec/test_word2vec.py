"""word2vec: its text as numbers, its parts, killed and resumed, from a corpus to a checkpoint."""

import json
import math
from itertools import pairwise

import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.checkpoints.format import write_model
from explorer.models import FAMILIES, word2vec
from explorer.tokenizers.words import WordTokenizer, most_frequent, running_words
from tests.training.conftest import documents
from training import __main__ as command
from training import record
from training.card import card
from training.metrics.figure import Figure
from training.record import Record
from training.run.loop import Budget, Run
from training.text.running_text import RunningText
from training.word2vec import skipgram, task
from training.word2vec.task import TextParts, Word2VecTask

PART = 96


@pytest.fixture
def small(running, monkeypatch) -> Word2VecTask:
    """Vectors of 8 numbers in training, on small parts of which every word is read."""
    settings = {"WINDOW": 3, "NEGATIVES": 4, "SUBSAMPLE": 0.0, "TOGETHER": 2 * skipgram.TILE}
    for name, value in settings.items():
        monkeypatch.setattr(task, name, value)
    return Word2VecTask(running, running, d_model=8, part=PART)


@pytest.fixture
def running(corpus, tmp_path) -> RunningText:
    return RunningText.of(corpus, 1000, tmp_path / "text")


def paragraphs() -> list[str]:
    return [paragraph for document in documents() for paragraph in document]


def test_a_corpus_as_numbers(running):
    assert list(zip(running.words, running.counts.tolist(), strict=True)) == most_frequent(paragraphs(), 1000)
    ids, lines = running.part(0, len(running))
    assert [running.words[id] for id in ids] == [w for p in paragraphs() for w in running_words(p)]
    lengths = [len(running_words(p)) for p in paragraphs()]
    assert lines.bincount().tolist() == lengths


def test_parts_make_the_whole(running):
    whole = running.part(0, len(running))
    for kind, edges in zip(whole, ((0, 7, 100, 101, len(running) + 50),) * 2, strict=True):
        place = 0 if kind is whole[0] else 1
        assert torch.equal(torch.cat([running.part(a, b)[place] for a, b in pairwise(edges)]), kind)


def test_rare_words_are_left_out_and_the_rest_closes_up(corpus, tmp_path):
    few = RunningText.of(corpus, 10, tmp_path / "few")
    assert len(few.words) == 10 and few.ids.max() == 9
    wanted = [w for p in paragraphs() for w in running_words(p) if w in few.words]
    assert [few.words[id] for id in few.ids] == wanted and few.ends[-1] == len(wanted)
    again = RunningText.of(corpus, 99, tmp_path / "few")  # what is there is not counted again
    assert again.words == few.words


def test_held_out_text_is_read_with_the_training_vocabulary(corpus, tmp_path):
    few = RunningText.of(corpus, 10, tmp_path / "text")
    unseen = RunningText.of(corpus, 1000, tmp_path / "held-out").read_with(few)
    assert unseen.words == few.words
    assert unseen.ids.tolist() == few.ids.tolist() and unseen.ends.tolist() == few.ends.tolist()


def test_it_learns(small, tmp_path):
    before = small.held_out(None)["pair_nats"]
    # Five scores of 0, ln 2 each, but for the few negatives that are the answer.
    assert before == pytest.approx(5 * math.log(2), rel=0.05) and before < 5 * math.log(2)
    run = Run(small, Budget(tokens=40 * PART), tmp_path / "run", torch.device("cpu"))
    run.train()
    assert small.held_out(None)["pair_nats"] < 0.8 * before
    assert run.tokens > len(small.text)


def test_every_part_is_read_once_an_epoch_at_a_rate_that_falls(small, tmp_path, monkeypatch):
    rates, rows = [], []
    monkeypatch.setattr(skipgram, "update", lambda network, batch, rate: rates.append(rate))
    take = TextParts.take
    monkeypatch.setattr(TextParts, "take", lambda self, row: (rows.append(int(row)), take(self, row))[1])
    Run(small, Budget(tokens=40 * PART), tmp_path / "run", torch.device("cpu")).train()
    count = len(small.rows(0, PART, 0))
    assert sorted(rows[:count]) == list(range(count)) != rows[:count]
    assert rates == sorted(rates, reverse=True)
    assert rates[0] == task.RATE and rates[-1] < 0.05 * task.RATE


def test_the_command_makes_a_checkpoint(text, tmp_path, monkeypatch):
    out, folder = tmp_path / "out", tmp_path / "run"
    sentences = tuple(f"{word} lies nearest to [MASK]" for word in ("bank", "sailor", "quetzal"))
    monkeypatch.setattr(record, "WATCHED", sentences)
    files = ["--text", text, "--held-out", text, "--run", folder, "--out", out]
    command.main(["word2vec", *map(str, files), "--tokens", "9000"])
    model = explorer.load(f"folder:{out}")
    assert model.config == word2vec.Word2VecConfig(len(model.tokenizer.words), 128)
    assert not hasattr(model.network, "contexts")
    stored = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert stored["sentences"] == list(sentences) and stored["numbers"] == "cosine"
    assert stored["run"]["tokens"] >= 9000
    last = stored["points"][-1]
    found = vectors.nearest(vectors.of(model), "bank", record.TOP)
    assert [word for word, _ in last["predictions"][0]] == [n.word for n in found]
    assert last["predictions"][2] == [] and last["figures"]["pair_nats"] > 0
    assert "How to make it again" in (out / "card.md").read_text(encoding="utf-8")
    for line in (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        assert (out / line.split("  ")[1]).exists()


def test_a_card_shows_what_evaluate_measured(text, tmp_path):
    network = word2vec.Word2Vec(word2vec.Word2VecConfig(3, 4))
    network.tokens.weight.data = torch.eye(3, 4)
    write_model(tmp_path, network, FAMILIES["word2vec"])
    WordTokenizer(["the", "bank", "sailor"]).write(tmp_path)
    model = explorer.load(f"folder:{tmp_path}")
    figures = [
        {"measure": "analogies", **vars(Figure("analogies", "all", 0.5367, 12627, "of 19,544 questions"))},
        {"measure": "similarity", **vars(Figure("wordsim", "mean", 0.615, share=False))},
        {"measure": "masked", **vars(Figure("masked", "skipped", None, note="does not fill blanks"))},
    ]
    run = {"tokens": 9, "steps": 1, "seconds": 1, "finished": 1.0}
    run |= {"machine": "m", "command": "c", "text": ["a"], "sources": "b"}
    point = {"tokens": 9, "figures": {"analogies": 0.5, "wordsim": 0.7}}
    told = card("word2vec", model, Record((), [point], run=run, scores={"figures": figures}))
    assert "| analogies: all | 53.7 % | 12,627 of 19,544 questions |" in told
    assert "| similarity: mean | 0.615 |  |" in told and "skipped" not in told
    assert "| 0.00 M | 50.0 % | 0.70 |" in told
    assert "`transformers` has no such architecture" in told
