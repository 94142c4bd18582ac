"""The translator in training: its batches, its loss, its mean."""

import pytest
import torch

from training.recipes.translator import Batches, dropout


def test_every_pair_stands_in_one_batch_with_little_padding(translator):
    batches = translator.rows(0, 256, seed=3)
    assert sorted(i for members in batches.members for i in members) == list(range(len(translator._train)))
    read = size = 0
    for row in range(len(batches)):
        batch = batches.take(torch.tensor([row]))
        assert batch.read(256) <= 256 + 40, "a batch ends with the pair that reaches its tokens"
        ends = batch.target.gather(1, (batch.target != translator.last).sum(1, keepdim=True) - 1)
        assert (ends == translator.tokenizer.end).all()
        size, read = size + batch.source.numel() + batch.target.numel(), read + batch.read(256)
    assert read > 0.9 * size


def test_the_decoder_reads_what_stands_before(translator, monkeypatch):
    read, decode = [], translator.network.decode
    monkeypatch.setattr(
        translator.network, "decode", lambda ids, *a, **b: read.append(ids) or decode(ids, *a, **b)
    )
    batch = translator.rows(0, 96, 0).take(torch.tensor([0]))
    translator.nats(batch)
    (before,) = read
    assert (before[:, 0] == translator.last).all() and torch.equal(before[:, 1:], batch.target[:, :-1])


@torch.no_grad()
def test_padding_changes_no_pairs_loss(translator):
    pairs = sorted(translator._train, key=lambda pair: sum(map(len, pair)))
    shortest, longest = pairs[0], pairs[-1]

    def nats(*members) -> float:
        batches = Batches(list(members), translator.last, 10_000)
        assert len(batches) == 1
        return float(translator.nats(batches.take(torch.tensor(0)))[0])

    counts = [len(pair[1]) for pair in (shortest, longest)]
    assert counts[0] < counts[1]
    mean = sum(nats(pair) * count for pair, count in zip((shortest, longest), counts)) / sum(counts)
    assert nats(shortest, longest) == pytest.approx(mean, abs=1e-5)


def test_dropout_keeps_the_mean_and_leaves_other_places_alone():
    x = torch.ones(100, 100)
    dropped = dropout(0.25, 0)("mlp_output", 0, x)
    assert (dropped == 0).float().mean() == pytest.approx(0.25, abs=0.02)
    assert dropped.mean() == pytest.approx(1, abs=0.02)
    assert dropout(0.25, 0)("scores", 0, x) is x


def test_the_mean_of_the_last_weights_ships(translator):
    with torch.no_grad():
        for number, progress in enumerate((0.5, 0.9, 0.91, 0.92, 0.94, 0.96, 0.98, 1.0)):
            translator.network.tokens.weight.fill_(number)
            translator.after_step(progress)
    assert translator.network.tokens.weight.unique().tolist() == [pytest.approx((1 + 3 + 4 + 5 + 6 + 7) / 6)]
