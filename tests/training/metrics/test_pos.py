"""Part of speech by layer: the treebank is read as it stands, and the probe finds what is there."""

import pytest
import torch

from explorer.errors import NotFoundError
from training.metrics import pos
from training.metrics.pos import Sample, by_word, fit_classifier, part_of_speech, read_treebank

TREE = """\
# sent_id = 1
# text = We don't walk home.
1\tWe\twe\tPRON\tPRP\t_\t3\tnsubj\t_\t_
2-3\tdon't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdo\tdo\tAUX\tVBP\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\twalk\twalk\tVERB\tVB\t_\t0\troot\t_\t_
4.1\twalk\twalk\tVERB\tVB\t_\t_\t_\t_\t_
5\thome\thome\tADV\tRB\t_\t4\tadvmod\t_\tSpaceAfter=No
6\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# sent_id = 2
# text = The bank was steep.
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tbank\tbank\tNOUN\tNN\t_\t4\tnsubj\t_\t_
3\twas\tbe\tAUX\tVBD\t_\t4\tcop\t_\t_
4\tsteep\tsteep\tADJ\tJJ\t_\t0\troot\t_\tSpaceAfter=No
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

"""


@pytest.fixture
def treebank(tmp_path):
    for part in ("train", "dev"):
        (tmp_path / f"en_ewt-ud-{part}.conllu").write_text(TREE, encoding="utf-8")
    return tmp_path


def test_words_stand_where_they_are_written(treebank):
    first, second = read_treebank(treebank / "en_ewt-ud-train.conllu")
    assert [first.text[a:b] for a, b in first.spans] == ["We", "do", "n't", "walk", "home", "."]
    assert first.tags == ("PRP", "VBP", "RB", "VB", "RB", ".")
    assert second.tags == ("DT", "NN", "VBD", "JJ", ".")


def test_a_probe_learns_the_sentences_by_heart(tiny_bert, treebank):
    found = part_of_speech(tiny_bert, treebank)
    layers, mix, by_word = found
    assert layers.items == 11 and "(9)" in layers.label and len(layers.layers) == 4
    assert all(0 <= layer <= 1 for layer in layers.layers) and 0 <= mix.value <= 1
    assert by_word.value == 1.0
    weights = mix.note.removeprefix("weights from layer 0: ").split()
    assert sum(map(float, weights)) == pytest.approx(1, abs=0.02)


def test_the_probe_finds_the_layer_that_holds_the_tag():
    generator = torch.Generator().manual_seed(0)
    tags = torch.randint(0, 5, (2000,), generator=generator)
    noise = torch.randn(3, 2000, 12, generator=generator)
    noise[1, :, :5] += 3 * torch.nn.functional.one_hot(tags, 5)
    shares = [
        pos.accuracy(fit_classifier(v[None, :1500], tags[:1500], 5), v[None, 1500:], tags[1500:])
        for v in noise
    ]
    assert shares[1] > 0.85 and max(shares[0], shares[2]) < 0.35
    probe = fit_classifier(noise[:, :1500], tags[:1500], 5)
    assert probe[1].weights.argmax() == 1
    assert pos.accuracy(probe, noise[:, 1500:], tags[1500:]) > 0.75


def test_the_usual_tag_of_a_word():
    train = Sample(torch.empty(0), torch.tensor([0, 1, 1, 2]), ["walk", "walk", "walk", "the"])
    test = Sample(torch.empty(0), torch.tensor([1, 0, 2, 1]), ["walk", "walk", "the", "new"])
    assert by_word(train, test) == 0.75


def test_a_missing_treebank_is_named(tiny_bert, tmp_path):
    with pytest.raises(NotFoundError, match="train"):
        part_of_speech(tiny_bert, tmp_path)
