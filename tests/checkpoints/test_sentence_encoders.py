"""Fifty random combinations of what a sentence encoder's files say, compared with sentence-transformers."""

import json
import random

import pytest
import torch
from safetensors.torch import save_file

import explorer
from explorer.analysis import sentences
from tests import encoders

pytestmark = pytest.mark.slow

MODES = ["cls", "max", "mean", "mean_sqrt_len_tokens", "weightedmean", "lasttoken"]
OLDER = {mode: f"pooling_mode_{mode}_token" + "s" * (mode == "mean" or mode == "max") for mode in MODES[:3]}
OLDER |= {mode: f"pooling_mode_{mode}" for mode in ("mean_sqrt_len_tokens", "lasttoken")}
OLDER |= {"weightedmean": "pooling_mode_weightedmean_tokens"}
ACTIVATIONS = ["Tanh", "Identity", "GELU", "ReLU", "SiLU", "Sigmoid"]
TEXTS = [
    "the bank by the river",
    "we saw OLD money , and the light is deep",
    "The Bank",
    "the river was deep , clean and steep and the old bank was by the deep river",
]
PROMPTS = {"query": "the light : ", "document": "Old money "}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("encoder")
    encoders.write("electra", path, head="ElectraModel")
    (path / "tokenizer_config.json").write_text(
        json.dumps({"tokenizer_class": "BertTokenizer", "do_lower_case": False})
    )
    return path


def write_settings(path, seed):
    """One random combination; returns it in words."""
    chance, draw = random.Random(seed), torch.Generator().manual_seed(seed)
    steps = [{"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"}]

    def step(kind, config, tensors=None):
        place = path / f"{len(steps)}_{kind}"
        place.mkdir(exist_ok=True)
        (place / "config.json").write_text(json.dumps(config))
        if tensors:
            save_file(tensors, place / "model.safetensors")
        steps.append(
            {"idx": len(steps), "name": str(len(steps)), "path": place.name}
            | {"type": f"sentence_transformers.models.{kind}"}
        )

    modes = chance.sample(MODES, chance.choice([1, 1, 1, 2, 3]))
    if chance.random() < 0.4:
        modes = [mode for mode in OLDER if mode in modes]
        pooling = {key: mode in modes for mode, key in OLDER.items()}
    else:
        pooling = {"pooling_mode": modes[0] if len(modes) == 1 else modes}
    if chance.random() < 0.5:
        pooling["include_prompt"] = chance.random() < 0.3
    width = 35
    step("Pooling", {"word_embedding_dimension": width} | pooling)
    width *= len(modes)
    kinds = ["Dense", "Normalize", "LayerNorm", "Dropout", "Dense"]
    for kind in chance.sample(kinds, chance.choice([0, 1, 2, 3])):
        if kind == "Dense":
            out = chance.choice([width, 11, 24])
            config = {"in_features": width, "out_features": out, "bias": chance.random() < 0.5}
            config["use_residual"] = chance.random() < 0.3
            if (activation := chance.choice([None, *ACTIVATIONS])) is not None:
                package = "linear" if activation == "Identity" else "activation"
                config["activation_function"] = f"torch.nn.modules.{package}.{activation}"
            tensors = {"linear.weight": torch.randn(out, width, generator=draw) / 5}
            if config["bias"]:
                tensors["linear.bias"] = torch.randn(out, generator=draw)
            if config["use_residual"] and out != width:
                tensors["residual.weight"] = torch.randn(out, width, generator=draw) / 5
            step(kind, config, tensors)
            width = out
        elif kind == "LayerNorm":
            weights = {f"norm.{name}": torch.randn(width, generator=draw) for name in ("weight", "bias")}
            step(kind, {"dimension": width}, weights)
        else:
            step(kind, {"dropout": 0.3} if kind == "Dropout" else {})
    reading = {"do_lower_case": chance.random() < 0.5}
    of_tokenizer = {"tokenizer_class": "BertTokenizer", "do_lower_case": False}
    where = chance.choice(["file", "tokenizer", "none"])
    if where == "file":
        reading["max_seq_length"] = chance.choice([8, 12])
    elif where == "tokenizer":
        of_tokenizer["model_max_length"] = chance.choice([8, 12])
    compared = {"prompts": PROMPTS, "similarity_fn_name": chance.choice(["cosine", "dot", None])}
    if chance.random() < 0.3:
        compared["truncate_dim"] = chance.choice([5, 10])
    for name, content in {
        "modules": steps,
        "sentence_bert_config": reading,
        "tokenizer_config": of_tokenizer,
        "config_sentence_transformers": compared,
    }.items():
        (path / f"{name}.json").write_text(json.dumps(content))


@pytest.mark.parametrize("seed", range(50))
def test_the_vectors_are_the_librarys(folder, seed):
    from sentence_transformers import SentenceTransformer

    write_settings(folder, seed)
    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True).double()
    ours = explorer.load(folder)
    ours.network.double()  # a rounded sum of float32 alone may differ by more than 1e-6
    query, document = sentences.prompts(ours)
    for prompt, encode in (
        (query, theirs.encode_query),
        (document, theirs.encode_document),
        ("", theirs.encode),
    ):
        expected = torch.from_numpy(encode(TEXTS)).float()
        vectors = sentences.embed(ours, TEXTS, prompt=prompt)
        assert vectors.shape == expected.shape
        scale = expected.abs().max().clamp_min(1)
        assert ((vectors - expected).abs() / scale).max() < 1e-6, ours.pooling
