"""A word's vectors in large texts, by a model on another machine: those of the model here."""

import torch

import explorer
from explorer.corpus.vectors.computing import Request, create
from explorer.corpus.vectors.reader import Corpus


def test_a_served_model_gives_the_same_vectors(address, bert_folder, tmp_path):
    lines = [f"The {'old' if i % 2 else 'deep'} bank by the river was light {i}." for i in range(40)]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    request = Request(str(tmp_path / "texts.txt"), ["bank"])
    names = {"near": f"folder:{bert_folder}", "far": f"serve:{address}/bert"}
    manifests = [create(explorer.load(name), request, tmp_path / place) for place, name in names.items()]
    assert manifests[0].fingerprint == manifests[1].fingerprint and manifests[1].model.startswith("serve:")
    layer = manifests[0].layers[0]
    one, other = (torch.cat(list(Corpus.open(tmp_path / place).vectors("bank", layer))) for place in names)
    assert len(one) == 40
    torch.testing.assert_close(one, other, atol=2e-3, rtol=2e-3)  # of float16
