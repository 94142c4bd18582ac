"""A head comes back from its file and from its link as it went; what is no head is refused."""

import json

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors

import explorer
from explorer.errors import ExplorerError, FormatError
from explorer.finetuning import Features, fit, link, store, task_of
from explorer.finetuning.tasks import Answers


@pytest.fixture(scope="module")
def heads(tiny_bert, labelled, tagged):
    """One of each kind, by name."""

    def made(examples, **settings):
        return fit(tiny_bert, task_of(examples), examples, **settings).finish()

    return {
        "frozen": made(labelled),
        "mix": made(tagged, features=Features("mix")),
        "whole": made(labelled, how="whole", epochs=2),
        "low rank": made(tagged, how="low rank", epochs=2, rank=3),
    }


def chances(head):
    said = head.predict(["we saw the river", "old money"])
    return [getattr(p, "probabilities", None) for p in said]


def near(one, other):
    flat = [list(p.values()) if isinstance(p, dict) else list(p) for p in one]
    also = [list(p.values()) if isinstance(p, dict) else list(p) for p in other]
    return all(a == pytest.approx(b, abs=5e-3) for a, b in zip(flat, also, strict=True))


@pytest.mark.parametrize("name", ["frozen", "mix", "whole", "low rank"])
def test_a_head_comes_back(heads, tiny_bert, tmp_path, name):
    head = heads[name]
    store.save(head, tmp_path)
    for back in (store.load(tmp_path, tiny_bert), store.loads(store.dumps(head), tiny_bert)):
        assert back.task == head.task and back.features == head.features
        assert near(chances(back), chances(head))
    assert json.loads((tmp_path / "config.json").read_text())["task"]["kind"] == head.task.kind


def test_the_threshold_of_no_answer_comes_back(tiny_bert, questions):
    head = fit(tiny_bert, Answers(9, 1.5), questions, held_out=0.0).finish()
    assert store.loads(store.dumps(head), tiny_bert).task == Answers(9, 1.5)
    raw = store.config(head)
    raw["task"].pop("threshold")  # of a head that was stored before there was one
    assert store.head_from(raw, head.parameters, tiny_bert).task == Answers(9, 0.0)
    for wrong in (1e9, float("nan"), "much"):
        raw["task"]["threshold"] = wrong
        with pytest.raises(FormatError, match="task"):
            store.head_from(raw, head.parameters, tiny_bert)


def test_a_small_head_fits_a_link(heads, tiny_bert):
    text = link.encode_head(heads["frozen"])
    assert len(text) < 1000 and text.isascii() and "=" not in text
    assert near(chances(link.decode_head(text, tiny_bert)), chances(heads["frozen"]))
    assert link.encode_head(heads["frozen"], limit=100) is None
    assert link.encode_head(heads["whole"]) is None
    assert near(chances(link.decode_head(link.encode_head(heads["mix"]), tiny_bert)), chances(heads["mix"]))


def changed(head, tensors=None, **config):
    data = store.dumps(head)
    raw = store.config(head) | config
    return save_tensors(load_tensors(data) | (tensors or {}), metadata={"config": json.dumps(raw)})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": 9}, "nothing about a head"),
        ({"task": {"kind": "poems"}}, "task cannot be read"),
        ({"task": {"kind": "classes", "labels": ["one"]}}, "task cannot be read"),
        ({"task": {"kind": "classes", "labels": ["a", "b", "c"]}}, "is right"),
        ({"features": {"layers": "all", "pool": "cls"}}, "not known"),
        ({"features": {"layers": "mix", "pool": "cls"}}, "do not agree"),
        ({"fingerprint": "0"}, "trained on"),
        ({"tensors": {"weight": torch.zeros(2, 3)}}, "is right"),
        ({"tensors": {"weight": torch.full((2, 35), torch.nan)}}, "not finite"),
        ({"tensors": {"other": torch.zeros(1)}}, "unexpected “other”"),
        ({"tensors": {"body.tokens.weight": torch.zeros(97, 35)}}, "could be changed"),
        ({"tensors": {"body.blocks.0.mlp.up.weight": torch.zeros(3, 3)}}, "is right"),
        ({"tensors": {"body.blocks.0.mlp.up.weight.a": torch.zeros(2, 35)}}, "lacks"),
        ({"tensors": {"body.blocks.0.mlp.up.weight.a": torch.zeros(99, 35)}}, "rank of 99"),
    ],
)
def test_a_changed_file_is_refused(heads, tiny_bert, change, words):
    with pytest.raises(FormatError, match=words) as caught:
        store.loads(changed(heads["frozen"], **change), tiny_bert)
    assert caught.value.hint


def test_another_body_is_refused(heads, tiny_gpt):
    with pytest.raises(FormatError, match="trained on"):
        store.loads(store.dumps(heads["frozen"]), tiny_gpt)
    with pytest.raises(FormatError, match="trained on"):
        link.decode_head(link.encode_head(heads["frozen"]), tiny_gpt)


@given(st.data())
def test_damaged_bytes_are_refused_or_read(heads, tiny_bert, data):
    whole = bytearray(store.dumps(heads["frozen"]))
    for _ in range(data.draw(st.integers(1, 5))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(whole)))
    for some in (bytes(whole), bytes(whole[:cut])):
        try:
            assert store.loads(some, tiny_bert).predict(["the river"])
        except ExplorerError as error:
            assert error.message


@given(st.text(alphabet="ABCabc019-_", max_size=60), st.integers(0, 400))
def test_damaged_links_are_refused_or_read(heads, tiny_bert, noise, at):
    text = link.encode_head(heads["frozen"])
    for some in (noise, text[:at] + noise + text[at:], text[:at]):
        try:
            link.decode_head(some, tiny_bert)
        except ExplorerError as error:
            assert error.message


def test_a_head_that_is_not_there(tiny_bert, tmp_path):
    with pytest.raises(ExplorerError, match="not there"):
        store.load(tmp_path, tiny_bert)


def test_the_fingerprint_is_of_the_weights(tiny_bert, bert_folder):
    assert store.fingerprint(explorer.load(f"folder:{bert_folder}")) == store.fingerprint(tiny_bert)
