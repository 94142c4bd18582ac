"""The probes that ship: of these weights, small, readable, and good enough on our own sentences."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file

import explorer
from explorer import assets
from explorer.analysis.probing import figures, own_sentences, shipped, states_of
from explorer.analysis.probing.annotated import find_own_sentence
from explorer.analysis.probing.reading import labels_by_layer, trees_by_layer
from explorer.analysis.probing.sentences import OUTSIDE, is_mark, split
from explorer.catalogue.manifest import manifests
from explorer.errors import ExplorerError

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
    assert CONFIG["models"][name]["weights"] in sums, "run python -m measuring.probes again"


@pytest.mark.parametrize("name", MODELS)
def test_every_layer_has_its_figures(name):
    of, depth = figures()["models"][name], CONFIG["models"][name]["depth"]
    assert len(shipped.probes(name).projections) == depth
    for task in shipped.TASKS:
        assert len(of[task]["linear"]) == len(of[task]["linear-control"]) == depth
        assert all(0 <= score <= 1 for score in of[task]["linear"])
    assert all(len(scores) == depth for scores in of["arcs"].values())
    assert set(figures()["baselines"]) == {*shipped.TASKS, "arcs"}


def right_shares(name, layer):
    """The share of the annotated facts of our own sentences that one layer's probes predict, by kind."""
    model, right = explorer.load(name), {}
    for sentence in own_sentences():
        states = states_of(model, sentence)
        tree = set(trees_by_layer(model, states, sentence)[layer])
        ordinary = [at for at, word in enumerate(sentence.words) if not is_mark(word)]
        arcs = [(min(at, head), max(at, head)) for at in ordinary if (head := sentence.heads[at]) >= 0]
        right.setdefault("arc", []).extend(arc in tree for arc in arcs)
        by_hand = {"tag": sentence.tags, "relation": sentence.relations, "entity": sentence.entities}
        for task, labels in by_hand.items():
            found = labels_by_layer(model, states, task, sentence.heads)
            right.setdefault(task, []).extend(
                found.best(layer, place)[0] == labels[at]
                for place, at in enumerate(found.words)
                if at in ordinary and labels[at] != OUTSIDE
            )
    return {kind: sum(one) / len(one) for kind, one in right.items()}


@pytest.mark.weights
def test_berts_probes_work_on_our_own_sentences():
    """The floors lie well under the treebank's figures: a dozen sentences say little more."""
    shares = right_shares("bert", 3)
    assert shares["tag"] > 0.85 and shares["relation"] > 0.75 and shares["arc"] > 0.55
    assert set(shares) == {"tag", "relation", "arc", "entity"}


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
    assert CONFIG["command"].startswith("python -m measuring.probes")
    assert CONFIG["words"]["treebank train"] > 10_000 and json.dumps(CONFIG)
