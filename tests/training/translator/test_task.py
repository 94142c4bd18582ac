"""The translator in training: its pieces, its batches, its loss, its files."""

import math

import pytest
import torch

from explorer.checkpoints.format import read_model
from explorer.trace import Ability, Checkpoint
from training.average import export
from training.run.loop import Budget, Run
from training.translator.batches import EncodedPairs
from training.translator.task import dropout

TEXT = "The\u00a0baker doesn’t sell the old lamp…"


def test_every_pair_stands_in_one_batch_of_at_most_so_many_tokens(translator):
    pairs = EncodedPairs(translator.tokenizer, translator.pairs.train)
    batches = pairs.batches(96, seed=3)
    assert sorted(i for members in batches.members for i in members) == list(range(len(pairs.ids)))
    for row in range(len(batches)):
        batch = batches.take(torch.tensor([row]))
        assert batch.source.numel() + batch.target.numel() <= 96
        ends = batch.target.gather(1, batch.written.sum(1, keepdim=True) - 1)
        assert (ends == translator.tokenizer.end).all()


def test_little_of_a_batch_is_padding(translator):
    batches = EncodedPairs(translator.tokenizer, translator.pairs.train).batches(256, seed=0)
    read = [batches.take(torch.tensor([row])) for row in range(len(batches))]
    size = sum(batch.source.numel() + batch.target.numel() for batch in read)
    assert sum(batch.read(256) for batch in read) > 0.9 * size


def test_a_seed_draws_other_companions(translator):
    pairs = EncodedPairs(translator.tokenizer, translator.pairs.train)
    one, again, other = ([list(m) for m in pairs.batches(96, seed).members] for seed in (1, 1, 2))
    assert one == again != other


def test_the_decoder_reads_what_stands_before(translator):
    batch = translator.rows(0, 96, 0).take(torch.tensor([0]))
    before = batch.before(77)
    assert (before[:, 0] == 77).all() and torch.equal(before[:, 1:], batch.target[:, :-1])


@torch.no_grad()
def test_padding_changes_no_pairs_loss(translator):
    pairs = EncodedPairs(translator.tokenizer, translator.pairs.train)
    shortest, longest = pairs.lengths.sum(1).argmin(), pairs.lengths.sum(1).argmax()
    alone = [float(translator.nats(pairs.batch([i]))[0]) for i in (shortest, longest)]
    counts = [pairs.lengths[i][1] for i in (shortest, longest)]
    assert counts[0] < counts[1]
    together = float(translator.nats(pairs.batch([shortest, longest]))[0])
    mean = sum(nats * count for nats, count in zip(alone, counts)) / sum(counts)
    assert together == pytest.approx(mean, abs=1e-5)


@pytest.mark.slow
def test_it_starts_near_the_logarithm_of_its_vocabulary_and_learns(translator, tmp_path):
    before = translator.held_out(None)["french_nats"]
    assert before == pytest.approx(math.log(translator.tokenizer.size), abs=0.8)
    run = Run(translator, Budget(tokens=20_000), tmp_path, torch.device("cpu"))
    run.train()
    assert translator.held_out(None)["french_nats"] < 0.5 * before


def test_the_same_step_drops_the_same(translator):
    rows = translator.rows(0, 96, 0).take(torch.tensor([0]))
    assert translator.loss(rows, 5, 0)[0] == translator.loss(rows, 5, 0)[0] != translator.loss(rows, 6, 0)[0]


def test_dropout_keeps_the_mean_and_leaves_other_places_alone():
    x = torch.ones(100, 100)
    dropped = dropout(0.25, 0)("mlp_output", 0, x)
    assert (dropped == 0).float().mean() == pytest.approx(0.25, abs=0.02)
    assert dropped.mean() == pytest.approx(1, abs=0.02)
    assert dropout(0.25, 0)("scores", 0, x) is x


def test_an_export_translates(translator, tmp_path):
    export(translator, tmp_path / "out")
    model = read_model(tmp_path / "out", Checkpoint("folder", str(tmp_path / "out")))
    assert Ability.TRANSLATE in model.abilities
    known = (tmp_path / "out" / "known_words.txt").read_text(encoding="utf-8").split()
    assert "baker" in known and known == sorted(known)


def test_it_loads_in_transformers_with_the_same_ids_and_the_same_scores(translator, tmp_path):
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    export(translator, tmp_path / "out")
    ours = read_model(tmp_path / "out", Checkpoint("folder", "out"))
    theirs = AutoModelForSeq2SeqLM.from_pretrained(tmp_path / "out", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "out")
    assert type(tokenizer).__name__ == "MarianTokenizer"
    ids = tokenizer(TEXT)["input_ids"]
    assert ids == ours.encode(TEXT).ids.tolist()
    target = tokenizer(text_target="Le boulanger vend la lampe.")["input_ids"]
    assert target == ours.tokenizer.encode_target("Le boulanger vend la lampe.").ids.tolist()
    assert tokenizer.decode(target, skip_special_tokens=True) == ours.tokenizer.decode(target)
    read = torch.tensor([[ours.config.d_vocab - 1, *target[:-1]]])
    with torch.no_grad():
        wanted = theirs(torch.tensor([ids]), decoder_input_ids=read).logits
        source = ours.network(torch.tensor([ids])).last
        found = ours.network.unembed(ours.network.decode(read, source).last)
    torch.testing.assert_close(found, wanted, atol=1e-5, rtol=1e-5)
