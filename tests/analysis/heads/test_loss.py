"""What each head alone is worth: the questions, the losses, and the files that ship."""

import math

import pytest
import torch

import explorer
from explorer.analysis.heads import loss
from explorer.analysis.heads.ablation import METHODS, switch_off
from explorer.analysis.prediction.fill import log_likelihood
from explorer.checkpoints import bundled
from explorer.tokenizers.languages import is_ideograph
from explorer.trace import Ability

TEXTS = ["We saw the river.", "The old bank by the water was deep and it is old."]


def test_bert_is_asked_for_every_third_token_in_two_readings(tiny_bert):
    asked = []
    for row in loss.exam(tiny_bert, TEXTS).rows:
        encoding = tiny_bert.encode(TEXTS[row.text])
        mask = tiny_bert.tokenizer.mask
        assert [i for i, token in enumerate(row.read) if token == mask] == row.positions
        assert encoding.ids[row.positions].tolist() == row.tokens
        assert not encoding.special[row.positions].any()
        asked += [(row.text, p) for p in row.positions]
    assert len(set(asked)) == len(asked)
    ordinary = [int((~tiny_bert.encode(text).special).sum()) for text in TEXTS]
    for text, count in enumerate(ordinary):
        assert sum(one[0] == text for one in asked) in (count // 3, math.ceil(count / 3))


def test_a_loss_is_the_mean_over_a_sentences_tokens(tiny_bert, tiny_gpt):
    exam = loss.exam(tiny_gpt, TEXTS)
    lengths = torch.tensor([len(tiny_gpt.tokenizer.encode(text)) for text in TEXTS])
    wanted = -torch.tensor([log_likelihood(tiny_gpt, text) for text in TEXTS]) / lengths
    torch.testing.assert_close(loss.losses(tiny_gpt, exam).float(), wanted, atol=1e-5, rtol=1e-5)

    exam = loss.exam(tiny_bert, TEXTS)
    total = {0: [], 1: []}
    for row in exam.rows:
        logits = tiny_bert.network(torch.tensor(row.read)[None]).last[0]
        found = -tiny_bert.unembed(logits[row.positions]).log_softmax(-1)
        total[row.text] += [float(found[i, token]) for i, token in enumerate(row.tokens)]
    wanted = torch.tensor([sum(found) / len(found) for found in total.values()])
    torch.testing.assert_close(loss.losses(tiny_bert, exam).float(), wanted, atol=1e-5, rtol=1e-5)


def test_every_head_is_switched_off_once(tiny_gpt, monkeypatch):
    monkeypatch.setattr(loss, "sentences", lambda languages: TEXTS)
    told = []
    found = loss.measure(tiny_gpt, "mean", lambda *one: told.append(one))
    assert told == [(i + 1, 9) for i in range(9)] and found.change.shape == (3, 3)
    exam = loss.exam(tiny_gpt, TEXTS)
    before = loss.losses(tiny_gpt, exam)
    after = loss.losses(tiny_gpt, exam, switch_off([(2, 1)], "mean", exam.means))
    assert float(found.change[2, 1]) == pytest.approx(float((after - before).mean()), abs=1e-6)
    assert found.loss == pytest.approx(float(before.mean()))


def test_the_change_and_its_error_by_hand():
    before = torch.tensor([1.0, 2.0, 3.0, 2.0], dtype=torch.float64)
    after = torch.stack([before + torch.tensor([0.0, 0.2, 0.4, 0.6]), before * torch.nan])[None]
    found = loss.head_loss("zero", before, after)
    assert found.loss == 2.0 and found.sentences == 4
    assert float(found.change[0, 0]) == pytest.approx(0.3)
    assert float(found.error[0, 0]) == pytest.approx(math.sqrt(0.2 / 3) / 2)
    assert found.change[0, 1].isnan()


def test_a_file_gives_back_what_was_written(tmp_path, monkeypatch):
    one = loss.HeadLoss("zero", 2.5, torch.tensor([[0.25, -0.125]]), torch.tensor([[0.5, 1.0]]), 50)
    monkeypatch.setattr(loss, "FOLDER", tmp_path)
    (tmp_path / "toy.json").write_text(loss.write({"zero": one}))
    found = loss.stored("toy")["zero"]
    assert (found.method, found.loss, found.sentences) == ("zero", 2.5, 50)
    assert found.change.tolist() == [[0.25, -0.125]] and found.error.tolist() == [[0.5, 1.0]]
    assert loss.stored("hub:no/such") is None and loss.stored("../toy") is None


def test_there_are_fifty_sentences_of_our_own():
    for languages in ({"en"}, {"zh"}, {"en", "zh"}):
        texts = loss.sentences(languages)
        assert len(set(texts)) == loss.SENTENCES == 50
        assert any(map(is_ideograph, "".join(texts))) == ("en" not in languages)


PREDICTING = Ability.FILL | Ability.GENERATE
SHIPPED = [str(c) for c in bundled.shipped() if Ability.ATTENTION in c.abilities and c.abilities & PREDICTING]


@pytest.mark.long
@pytest.mark.weights
@pytest.mark.parametrize("name", SHIPPED)
def test_what_ships_fits_the_model(name):
    """Fails after new weights: run `python -m measuring.heads` with their name."""
    found = loss.stored(name)
    assert set(found) == set(METHODS)
    model = explorer.load(name)
    exam = loss.exam(model)
    before = loss.losses(model, exam)
    for method, (layer, head) in zip(found, [(1, 4), (2, 7), (0, 3)]):
        place = layer, head % model.config.heads
        assert found[method].change.shape == (model.config.layers, model.config.heads)
        assert found[method].loss == pytest.approx(float(before.mean()), abs=2e-4)
        change = float((loss.without(model, exam, *place, method) - before).mean())
        assert float(found[method].change[place]) == pytest.approx(change, abs=2e-4)
