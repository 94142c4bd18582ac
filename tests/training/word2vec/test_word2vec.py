"""word2vec's own run: its text as numbers, killed and resumed, from a corpus to a checkpoint."""

import json
import math
from itertools import count, pairwise

import pytest
import torch

import explorer
from explorer.analysis import vectors
from explorer.models import word2vec
from explorer.tokenizers.words import most_frequent, running_words
from tests.training.conftest import documents
from training import __main__ as command
from training.card import card
from training.metrics.figure import Figure
from training.record import Record
from training.run.base import Budget
from training.run.schedule import MILESTONES, Clock
from training.text.running_text import RunningText
from training.word2vec import skipgram
from training.word2vec import train as training

SETTINGS = training.Hyperparameters(d_model=8, window=3, negatives=4, subsample=0.0, tiles=2, part=96)


def steady() -> Clock:
    """A clock on which every part takes one second."""
    ticks = count()
    return Clock(read=lambda: float(next(ticks)))


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


def test_held_out_text_is_read_with_the_training_vocabulary(corpus, text, tmp_path):
    few = RunningText.of(corpus, 10, tmp_path / "text")
    unseen = training.held_out_text(text, tmp_path, few.words)
    assert unseen.words == few.words
    assert unseen.ids.tolist() == few.ids.tolist() and unseen.ends.tolist() == few.ends.tolist()


def run(running, folder, clock=None, **settings) -> training.Run:
    return training.Run(running, SETTINGS, Budget(seconds=40), folder, clock or steady(), **settings)


def test_it_learns(running, tmp_path):
    started = run(running, tmp_path / "run")
    before = training.held_out_loss(started, running)["pair_nats"]
    # Five scores of 0, ln 2 each, but for the few negatives that are the answer.
    assert before == pytest.approx(5 * math.log(2), rel=0.05) and before < 5 * math.log(2)
    started.train()
    assert training.held_out_loss(started, running)["pair_nats"] < 0.8 * before
    assert started.tokens > len(running)


def test_killed_and_resumed_equals_uninterrupted(running, tmp_path):
    once = run(running, tmp_path / "once", save_every=0)
    once.train()

    def breaking(at: int) -> Clock:
        ticks = count()

        def read() -> float:
            now = next(ticks)
            if now == 2 * at - 1:
                raise KeyboardInterrupt
            return float(now)

        return Clock(read=read)

    for clock in (breaking(5), breaking(9)):
        with pytest.raises(KeyboardInterrupt):
            run(running, tmp_path / "twice", clock, save_every=0).train()
    twice = run(running, tmp_path / "twice", save_every=0)
    assert 0 < twice.parts < once.parts
    twice.train()
    assert (twice.step, twice.tokens, twice.clock.spent) == (once.step, once.tokens, once.clock.spent)
    for one, other in zip(once.network.parameters(), twice.network.parameters(), strict=True):
        assert torch.equal(one, other)


def test_every_part_is_read_once_an_epoch(running, tmp_path, monkeypatch):
    read = []
    monkeypatch.setattr(skipgram, "update", lambda network, batch, rate: read.append(rate))
    whole = run(running, tmp_path / "run")
    parts = -(-len(running) // SETTINGS.part)
    starts = []
    part = running.part
    monkeypatch.setattr(RunningText, "part", lambda self, a, b: (starts.append(a), part(a, b))[1])
    whole.train()
    assert sorted(starts[:parts]) == list(range(0, len(running), SETTINGS.part)) != starts[:parts]
    assert read == sorted(read, reverse=True) and read[0] == SETTINGS.rate and read[-1] < 0.05 * SETTINGS.rate


def test_it_looks_at_the_moments(running, tmp_path):
    seen = []
    run(running, tmp_path / "run", at_milestone=lambda r: seen.append(r.progress)).train()
    assert seen == [math.ceil(moment * 40) / 40 for moment in MILESTONES]  # a part is a fortieth of this run


def test_the_command_makes_a_checkpoint(text, tmp_path, monkeypatch):
    out, folder = tmp_path / "out", tmp_path / "run"
    monkeypatch.setattr(training, "WATCHED", ("bank", "sailor", "quetzal"))
    files = ["--text", text, "--held-out", text, "--run", folder, "--out", out]
    command.main(["word2vec", *map(str, files), "--tokens", "9000"])
    model = explorer.load(f"folder:{out}")
    assert model.config == word2vec.Word2VecConfig(len(model.tokenizer.words), 128)
    record = json.loads((out / "training.json").read_text(encoding="utf-8"))
    assert record["sentences"][0] == "bank lies nearest to [MASK]" and record["numbers"] == "cosine"
    assert len(record["sentences"]) == 3 and record["run"]["tokens"] >= 9000
    last = record["points"][-1]
    found = vectors.nearest(vectors.of(model), "bank", training.TOP)
    assert [word for word, _ in last["predictions"][0]] == [n.word for n in found]
    assert last["predictions"][2] == [] and last["figures"]["pair_nats"] > 0
    assert "How to make it again" in (out / "card.md").read_text(encoding="utf-8")
    for line in (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        assert (out / line.split("  ")[1]).exists()


def test_a_card_shows_what_evaluate_measured(text, tmp_path):
    network = word2vec.Word2Vec(word2vec.Word2VecConfig(3, 4))
    network.tokens.weight.data = torch.eye(3, 4)
    training.export(network, ["the", "bank", "sailor"], tmp_path)
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
