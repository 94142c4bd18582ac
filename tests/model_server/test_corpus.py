"""A word's vectors in large texts, by a model on another machine: those of the model here."""

from dataclasses import replace

import torch

from explorer.corpus.shards.plan import Request, compute_all, prepare
from explorer.corpus.shards.reader import Corpus


def test_a_served_model_gives_the_same_vectors(address, bert_folder, tmp_path):
    lines = [f"The {'old' if i % 2 else 'deep'} bank by the river was light {i}." for i in range(40)]
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    near = Request(str(tmp_path / "texts.txt"), ["bank"], f"folder:{bert_folder}", precision="float32")
    corpora = {}
    for name, embedding in {"near": near, "far": replace(near, model=f"serve:{address}/bert")}.items():
        (tmp_path / name).mkdir()
        run = prepare(embedding, tmp_path / name)
        list(compute_all(run))
        run.finish()
        corpora[name] = Corpus.open(tmp_path / name)
    manifests = [corpus.manifest for corpus in corpora.values()]
    assert manifests[0].fingerprint == manifests[1].fingerprint and manifests[1].model.startswith("serve:")
    layer = manifests[0].layers[0]
    one, other = (torch.cat(list(corpus.vectors("bank", layer))) for corpus in corpora.values())
    assert len(one) == 40
    torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)
