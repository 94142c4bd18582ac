"""MiniLM, where its package is installed: its vectors, and which of our pairs it brings together.

vectors.safetensors holds what sentence-transformers 6.2.0 (torch 2.13.0) computes of the texts in its
metadata, from the files of the package:

    SentenceTransformer(folder, device="cpu").encode(texts)
"""

import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from explorer.analysis import sentences
from explorer.catalogue.manifest import manifests
from explorer.checkpoints import packaged
from tests.shared_models import model

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(
    not manifests()["minilm"].is_available(), reason=f"its package is not installed: {packaged.INSTALL}"
)


def test_vectors_are_those_of_the_library():
    with safe_open(HERE / "vectors.safetensors", "pt") as file:
        texts, expected = json.loads(file.metadata()["texts"]), file.get_tensor("vectors")
    assert len(texts) == 30
    assert torch.allclose(sentences.embed(model("minilm"), texts), expected, atol=1e-5, rtol=0)


@pytest.mark.weights
def test_the_card_counts_the_pairs_that_each_brings_together():
    lines = (HERE / "pairs.tsv").read_text(encoding="utf-8").splitlines()
    texts = [text for line in lines for text in line.split("\t")]
    counts = {}
    for name in ("minilm", "word2vec", "bert-mini", "", "bert"):
        vectors = sentences.read(model(name) if name else None, texts)
        counts[name] = sum(vectors.nearest(i, 1)[0][0] == i ^ 1 for i in range(len(texts)))
    assert counts == {"minilm": 25, "word2vec": 18, "bert-mini": 11, "": 10, "bert": 23}
