"""Training ELMo: the fast step equals the network, the estimated softmax the whole one; it learns."""

import json
import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

import explorer
from explorer.models.elmo import ElmoConfig, Reader
from explorer.tokenizers.characters import MARKS, words_backend
from training.average import export
from training.elmo.softmax import Proposal, sampled_nats
from training.elmo.task import END, START, UNKNOWN, marked, read, train_lexicon
from training.metrics.both_ways import both_ways
from training.metrics.live import live
from training.run.loop import Budget, Run
from training.text.rows import stream
from training.text.shards import Shard, sentences

SIZES = ElmoConfig(d_half=5, d_hidden=11, cell_clip=0.6, half_clip=0.3)


def reader(kind=torch.float64) -> Reader:
    """Weights large enough that both clips take hold."""
    generator = torch.Generator().manual_seed(3)
    made = Reader(SIZES)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(std=0.8, generator=generator)
    return made.to(kind)


def test_the_scan_is_the_reader_and_so_is_its_derivative():
    made, generator = reader(), torch.Generator().manual_seed(4)
    x = torch.randn(7, 3, 5, generator=generator, dtype=torch.float64)  # pos batch half
    weight = torch.randn(7, 3, 5, generator=generator, dtype=torch.float64)
    results = []
    for run in ("slow", "fast"):
        made.zero_grad()
        entered = x.clone().requires_grad_()
        if run == "slow":
            zero = torch.zeros(3, 11, dtype=torch.float64)
            out = made(entered.transpose(0, 1), zero[:, :5], zero, None, backwards=False)[0].transpose(0, 1)
        else:
            out = read(made, entered, torch.ones(7, 3, 1))
        (out * weight).sum().backward()
        results.append([out.detach(), entered.grad, *(p.grad.clone() for p in made.parameters())])
    assert (results[0][0].abs() == SIZES.half_clip).any()  # the clip takes hold
    for slow, fast in zip(*results, strict=True):
        torch.testing.assert_close(slow.double(), fast.double(), atol=1e-5, rtol=1e-5)


def test_forgetting_is_a_fresh_start():
    made, generator = reader(torch.float32), torch.Generator().manual_seed(4)
    x, keep = torch.randn(9, 2, 5, generator=generator), torch.ones(9, 2, 1)
    keep[4, 0] = 0
    both, alone = read(made, x, keep), read(made, x[4:], torch.ones(5, 2, 1))
    torch.testing.assert_close(both[4:, 0], alone[:, 0])
    assert not torch.allclose(both[4:, 1], alone[:, 1], atol=1e-3)


def test_a_step_reads_what_the_network_reads(elmo):
    ids = elmo.rows(0, 16, 0).take(torch.arange(4)).ids.T
    ahead, back = elmo.halves(ids, torch.zeros(ids.shape, dtype=torch.bool))
    last = elmo.network(elmo.spelling[ids.T]).last.transpose(0, 1)
    torch.testing.assert_close(torch.cat([ahead, back], dim=-1), last, atol=1e-6, rtol=1e-5)


def test_a_row_is_running_text_with_marked_sentences():
    shard = Shard(np.array([7, 8, 9, 5, 6], dtype=np.uint16), np.array([0, 3, 4, 5]), np.array([0, 3]))
    rows = stream(marked(shard), 4).take(torch.arange(2))
    assert rows.ids.tolist() == [[START, 7, 8, 9, END], [END, START, 5, END, START]]
    assert len(stream(marked(shard), 30)) == 0


def test_the_app_reads_the_words_as_they_were_learned(elmo):
    assert elmo.words[:3] == ["<S>", "</S>", "<UNK>"] and len(elmo.words) == 60
    encoding = live(elmo.network, words_backend(elmo.words)).encode("The baker")
    known = [elmo.words.index(word) for word in ("<S>", "The", "baker", "</S>")]
    assert encoding.ids.tolist() == known
    assert torch.equal(encoding.characters, elmo.spelling[known])


@pytest.mark.slow
def test_the_estimate_is_the_whole_softmax_on_average():
    generator = torch.Generator().manual_seed(0)
    softmax, half = nn.Linear(6, 40), torch.randn(9, 6, generator=generator)
    truth = torch.randint(0, 40, (9,), generator=generator)
    whole = F.cross_entropy(softmax(half), truth, reduction="none")
    everything = Proposal.of(torch.ones(40), head=40).draw(generator)
    torch.testing.assert_close(sampled_nats(half, truth, softmax, *everything), whole)
    proposal = Proposal.of(torch.arange(40.0, 0, -1), head=7, sampled=11)
    own = softmax(half).gather(1, truth[:, None])[:, 0]
    total = sum(
        (sampled_nats(half, truth, softmax, *proposal.draw(generator)) + own).exp() for _ in range(4000)
    )
    torch.testing.assert_close(total / 4000, (whole + own).exp(), rtol=0.03, atol=0)


def test_it_starts_at_the_frequencies_and_flat_at_the_logarithm_of_the_vocabulary(elmo):
    rows = elmo.rows(0, 16, 0).take(torch.arange(30))
    start = float(elmo.loss(rows, 0, 0)[0].detach())
    with torch.no_grad():
        elmo.network.softmax.weight.zero_()
        elmo.network.softmax.bias.zero_()
    assert float(elmo.loss(rows, 0, 0)[0].detach()) == pytest.approx(math.log(60), abs=1e-4)
    assert start < math.log(60)


@pytest.mark.slow
def test_it_learns_both_ways(elmo, tmp_path):
    before = elmo.held_out(None)
    run = Run(elmo, Budget(tokens=64 * 180), tmp_path, torch.device("cpu"))
    run.train()
    after = run.task.held_out(None)
    for figure in ("bits_next", "bits_previous"):
        assert after[figure] < 0.8 * before[figure]


@pytest.mark.slow
def test_bits_are_those_of_the_sentences_read_alone(elmo, corpus):
    model = live(elmo.network.eval(), words_backend(elmo.words))
    found = both_ways(model, corpus)
    blocks = range(len(corpus.blocks()))
    texts = [s for b in blocks for document in corpus.documents(b) for s in sentences(document)]
    nats, asked, words = [0.0, 0.0], 0, 0
    for text in texts:
        trace = model.trace(text)
        last, ids = trace.hidden_states[-1], trace.encoding.ids
        for side, (scores, truth) in enumerate(
            ((elmo.network.next_word(last[:-1]), ids[1:]), (elmo.network.previous_word(last[1:]), ids[:-1]))
        ):
            nats[side] += F.cross_entropy(scores, truth, reduction="sum").item()
        asked += len(ids) - 1
        words += len(ids) - 2
    assert all(figure.items == words for figure in found) and "outside the vocabulary" in found[0].note
    assert [figure.value for figure in found] == pytest.approx([n / math.log(2) / asked for n in nats])


def test_a_start_keeps_its_words_on_other_text(corpus, tmp_path):
    first = [*MARKS, "zebra", "baker"]
    lexicon = train_lexicon(corpus, first, size=9)
    words = sorted(lexicon.get_vocab(), key=lexicon.get_vocab().__getitem__)
    plain = sorted(train_lexicon(corpus, size=9).get_vocab())
    assert words[:5] == first and len(words) == len(set(words)) == 9
    assert set(words[5:]) <= set(plain)  # the most frequent others follow


def test_the_export_loads_and_predicts(elmo, tmp_path):
    export(elmo, tmp_path / "out")
    model = explorer.load(f"folder:{tmp_path / 'out'}")
    assert model.config == elmo.network.config
    with torch.no_grad():
        last = elmo.network(model.encode("The baker").characters[None]).last
    torch.testing.assert_close(model.trace("The baker").hidden_states[-1], last[0], atol=2e-3, rtol=2e-3)
    settings = json.loads((tmp_path / "out" / "tokenizer_config.json").read_text())
    assert settings["unk_token"] == elmo.words[UNKNOWN]
