"""The probes that ship: of these weights, small, readable, and good enough on our own sentences."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer import assets
from explorer.analysis.probing import facts, figures, own_sentences, shipped, states_of
from explorer.analysis.probing.facts import find_own_sentence
from explorer.analysis.probing.reading import labels_by_layer, trees_by_layer
from explorer.analysis.probing.sentences import split
from explorer.errors import ExplorerError
from explorer.manifest import manifests

MODELS = [model.name for model in manifests().values() if model.probes]
CONFIG = shipped.config()


def test_all_probes_together_are_small():
    files = list(assets.PROBES.iterdir())
    assert sum(file.stat().st_size for file in files) <= 3_000_000
    assert (
        {file.stem for file in files if file.suffix == ".safetensors"} == set(MODELS) == set(CONFIG["models"])
    )
    assert all(t.dtype == torch.float16 for t in load_file(assets.PROBES / "bert.safetensors").values())


@pytest.mark.weights
@pytest.mark.parametrize("name", MODELS)
def test_the_probes_are_of_the_weights_that_ship(name):
    sums = assets.text(assets.CHECKPOINTS / name / "SHA256SUMS")
    assert CONFIG["models"][name]["weights"] in sums, "run python -m training.probes again"


@pytest.mark.parametrize("name", MODELS)
def test_every_layer_has_its_figures(name):
    of, depth = figures()["models"][name], CONFIG["models"][name]["depth"]
    assert len(shipped.probes(name).projections) == depth
    for task in shipped.TASKS:
        assert len(of[task]["linear"]) == len(of[task]["linear-control"]) == depth
        assert all(0 <= score <= 1 for score in of[task]["linear"])
    assert all(len(scores) == depth for scores in of["arcs"].values())
    assert set(figures()["baselines"]) == {*shipped.TASKS, "arcs"}


def kinds(name, layer):
    """The share of the facts of our own sentences that one layer's probes say, by kind."""
    model, right = explorer.load(name), {}
    for sentence in own_sentences():
        for fact in facts(model, states_of(model, sentence), sentence):
            right.setdefault(fact.kind, []).append(fact.right[layer])
    return {kind: sum(found) / len(found) for kind, found in right.items()}


@pytest.mark.weights
def test_berts_probes_work_on_our_own_sentences():
    """The floors lie well under the treebank's figures: a dozen sentences say little more."""
    found = kinds("bert", 3)
    assert found["tag"] > 0.85 and found["relation"] > 0.75 and found["arc"] > 0.55
    assert set(found) == {"tag", "relation", "arc", "entity"}


def test_what_is_said_is_the_probes_softmax():
    model, sentence = explorer.load("bert-mini"), own_sentences()[0]
    states, probe = states_of(model, sentence), shipped.probes("bert-mini").labelling["relation"][2]
    said = labels_by_layer(model, states, "relation", sentence.heads)
    assert said.words == tuple(i for i, head in enumerate(sentence.heads) if head >= 0)
    word, head = said.words[4], sentence.heads[said.words[4]]
    vector = torch.cat([states.states[2, word], states.states[2, head]])
    wanted = (probe.weight @ vector + probe.bias).softmax(-1)
    torch.testing.assert_close(said.probabilities[2, 4], wanted)


def test_a_relation_needs_a_head_for_every_word():
    model, sentence = explorer.load("bert-mini"), split("Boats rock.")
    states = states_of(model, sentence)
    with pytest.raises(ExplorerError, match="0 heads for 3 words"):
        labels_by_layer(model, states, "relation")
    with pytest.raises(ExplorerError, match="no task"):
        labels_by_layer(model, states, "mood")
    with pytest.raises(ExplorerError, match="The right answers for this sentence are not known"):
        facts(model, states, sentence)


def test_trees_join_all_words_and_no_marks():
    model, sentence = explorer.load("gpt"), split("The old boats, moored, rocked.")
    for tree in trees_by_layer(model, states_of(model, sentence), sentence):
        assert len(tree) == 4 and {3, 5, 7}.isdisjoint({word for arc in tree for word in arc})


def test_a_text_of_ours_is_known_with_spaces_around_it():
    one = own_sentences()[3]
    assert find_own_sentence(f" {one.text}\n") == one and find_own_sentence(one.text[:-1]) is None


def test_a_model_without_probes_is_told_which_have_some(tiny_bert):
    with pytest.raises(ExplorerError, match="no probes for folder:"):
        states_of(tiny_bert, split("Boats rock."))


def missing(tensors):
    tensors.pop("0/tag/bias")


def turned(tensors):
    tensors["1/tag/weight"] = tensors["1/tag/weight"].T.contiguous()


def endless(tensors):
    tensors["0/arcs/projection"][0, 0] = float("inf")


def unknown(tensors):
    tensors["0/mood/bias"] = torch.zeros(3)


@pytest.mark.parametrize("damage", [missing, turned, endless, unknown], ids=lambda d: d.__name__)
def test_a_wrong_file_is_refused_by_name(damage, tmp_path):
    shutil.copy(assets.PROBES / "config.json", tmp_path)
    tensors = load_file(assets.PROBES / "elmo.safetensors")
    damage(tensors)
    save_file(tensors, tmp_path / "elmo.safetensors")
    with pytest.raises(ExplorerError, match=r"elmo\.safetensors is missing or damaged"):
        shipped.probes("elmo", tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"no safetensors"])
def test_a_file_that_is_none_is_refused_by_name(content, tmp_path):
    shutil.copy(assets.PROBES / "config.json", tmp_path)
    if content is not None:
        (tmp_path / "gpt.safetensors").write_bytes(content)
    with pytest.raises(ExplorerError, match=r"gpt\.safetensors is missing or damaged"):
        shipped.probes("gpt", tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ExplorerError, match=r"config\.json"):
        shipped.probes("word2vec", tmp_path)


def test_the_figures_say_how_they_were_made():
    assert CONFIG["command"].startswith("python -m training.probes")
    assert CONFIG["words"]["treebank train"] > 10_000 and json.dumps(CONFIG)
