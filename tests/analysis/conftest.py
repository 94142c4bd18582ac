"""Two tiny models with random weights; their dimensions are different primes times the heads."""

import json

import pytest
import torch

from explorer.models import FAMILIES, LanguageModel
from explorer.models.bert import BertConfig
from explorer.models.gpt import GptConfig
from explorer.tokenizers import read_tokenizer
from explorer.trace import Ability, Checkpoint
from tests.models import families
from tests.shared_models import models_read_once

__all__ = ["models_read_once"]

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = ["##ing", "##s", "##believ", "##able", "##er"]
PLAIN = "the a we sat on river bank money steep walk un home was in deep it don t boat clean water light"
VOCABULARY = [*SPECIAL, *PIECES, *PLAIN.split(), *".,'!?-()东京"]


def _steady(model: LanguageModel) -> LanguageModel:
    """Weights large enough that the distributions are far from flat."""
    torch.manual_seed(7)
    for parameter in model.network.parameters():
        parameter.data = torch.randn_like(parameter) * 0.3
    model.network.eval().requires_grad_(False)
    return model


@pytest.fixture(scope="session")
def bert(tmp_path_factory) -> LanguageModel:
    vocab = tmp_path_factory.mktemp("bert") / "vocab.txt"
    vocab.write_text("\n".join(VOCABULARY) + "\n", encoding="utf-8")
    tokenizer = read_tokenizer(vocab.parent)
    config = BertConfig(d_vocab=tokenizer.size, d_model=22, layers=3, heads=2, d_mlp=29, positions=37)
    heads = frozenset({"pooler", "mlm_head", "nsp_head"})
    family = FAMILIES["bert"]
    return _steady(
        LanguageModel(
            Checkpoint("folder", "tiny-bert"),
            config,
            family.network(config, heads),
            tokenizer,
            family.abilities(heads),
        )
    )


@pytest.fixture(scope="session")
def encoder(bert) -> LanguageModel:
    """The same encoder without any head."""
    network = FAMILIES["bert"].network(bert.config, frozenset())
    abilities = Ability.CONTEXT | Ability.ATTENTION
    return LanguageModel(
        Checkpoint("folder", "tiny-encoder"), bert.config, network, bert.tokenizer, abilities
    )


@pytest.fixture(scope="session")
def gpt(tmp_path_factory) -> LanguageModel:
    from tokenizers import pre_tokenizers

    folder = tmp_path_factory.mktemp("gpt")
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = [
        "Ġ t", "h e", "Ġt he", "i n", "in g", "Ġ w", "Ġw a", "Ġwa l", "Ġwal k", "Ġ b", "a n", "Ġb an",
        "Ġban k",
    ]  # fmt: skip
    entries = ["<|endoftext|>", *alphabet, *(m.replace(" ", "") for m in merges)]
    (folder / "vocab.json").write_text(json.dumps({t: i for i, t in enumerate(entries)}), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
    tokenizer = read_tokenizer(folder)
    config = GptConfig(d_vocab=tokenizer.size, d_model=26, layers=3, heads=2, d_mlp=31, positions=41)
    family = FAMILIES["gpt2"]
    return _steady(
        LanguageModel(
            Checkpoint("folder", "tiny-gpt"),
            config,
            family.network(config),
            tokenizer,
            family.abilities(frozenset({"lm_head"})),
        )
    )


@pytest.fixture(scope="session")
def static(tmp_path_factory) -> LanguageModel:
    """One vector a word, whatever the context."""
    return families.build("word2vec", tmp_path_factory.mktemp("static"))
