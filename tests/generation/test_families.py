"""Writing with every family: a step alone, among others or in pieces is what the network makes of a text."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.analysis.steering import Direction, additions, edit
from explorer.generation import engine
from explorer.generation.engine import CachedText, Engine, StepRequest
from tests import decoders, tiny
from tests.generation.texts import served

CLOSE = {"atol": 1e-5, "rtol": 1e-5}
ROOM = 40
PROMPT = "we saw the old river"


@pytest.fixture(scope="module", params=[*decoders.DECODERS, "gpt2"])
def checkpoint(request, tmp_path_factory):
    """A family's tiny checkpoint, loaded, and the `transformers` model that wrote it."""
    folder = tmp_path_factory.mktemp(request.param)
    changes = {}
    if request.param == "qwen2":
        changes = {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1}
    if request.param == "llama":
        scaling = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
        changes = {"rope_parameters": scaling | {"original_max_position_embeddings": 13, "rope_theta": 100.0}}
    if request.param == "gpt2":
        theirs = tiny.write_gpt(folder)
    else:
        theirs = decoders.write(request.param, folder, **changes)
    return explorer.load(f"folder:{folder}"), theirs


@pytest.fixture(scope="module")
def network(checkpoint):
    return checkpoint[0].network


def ids_of(row: int, length: int) -> list[int]:
    return [(i * 7 + row * 31) % 293 for i in range(length)]


def scores(network, ids: list[int]) -> torch.Tensor:
    """What the network gives after a text that it reads as a whole."""
    with torch.no_grad():
        return network.unembed(network(torch.tensor([ids])).last[0, -1])


@settings(max_examples=12)
@given(
    lengths=st.lists(st.integers(1, 21), min_size=1, max_size=5),
    apart=st.booleans(),
    rounds=st.lists(st.integers(0, 292), min_size=1, max_size=4),
)
def test_steps_are_what_the_network_makes_of_whole_texts(network, lengths, apart, rounds):
    """Of one text or several, of like lengths or not, which share a cache or attend one by one."""
    with pytest.MonkeyPatch.context() as patch:
        if apart:
            patch.setattr(
                "explorer.models.stepping.step.BatchCache.can_batch", staticmethod(lambda caches: False)
            )
        steps = Engine(network)
        texts = [ids_of(row, length) for row, length in enumerate(lengths)]
        cached = [CachedText(network.new_cache(capacity=ROOM), list(ids)) for ids in texts]
        for id in rounds:
            requests = [StepRequest([text]) for text in cached]
            assert steps.serve(requests) == []
            for ids, request in zip(texts, requests, strict=True):
                torch.testing.assert_close(request.logits[0], scores(network, ids), **CLOSE)
            for ids, text in zip(texts, cached, strict=True):
                text.unread = [id]
                ids.append(id)


def test_a_prompt_in_pieces_beside_another(network, monkeypatch):
    monkeypatch.setattr(engine, "PIECE", 4)
    steps, texts = Engine(network), [ids_of(0, 18), ids_of(1, 7)]
    requests = [
        StepRequest([CachedText(network.new_cache(capacity=20), list(ids))], every=True) for ids in texts
    ]
    left = requests
    while left:
        left = steps.serve(left)
    for request, ids in zip(requests, texts, strict=True):
        assert request.error is None
        with torch.no_grad():
            wanted = network.final_norm(network(torch.tensor([ids])).last[0])
        torch.testing.assert_close(request.states, wanted, **CLOSE)


@pytest.mark.parametrize("others", [0, 2])
def test_who_forgets_goes_on_at_the_same_place(network, others):
    """A step after rows were forgotten is the forward pass over the same cache: places are counted on."""
    ids = ids_of(3, 17)
    caches = [network.new_cache(capacity=ROOM) for _ in range(2 + others)]
    with torch.no_grad():
        for cache in caches:
            network(torch.tensor([ids]), cache=cache)
            cache.forget(6, 2)
        assert caches[0].length == 8 and caches[0].shift == 9
        wanted = network.unembed(network(torch.tensor([[5]]), cache=caches[0]).last[0, -1])
    texts = [CachedText(cache, [5]) for cache in caches[1:]]
    for row in served(Engine(network), *texts).logits:
        torch.testing.assert_close(row, wanted, **CLOSE)
    assert not torch.allclose(wanted, scores(network, [*ids, 5]), atol=1e-3) or network.design.windows


def test_steered_steps_are_those_of_transformers_with_hooks(checkpoint, network):
    """Of texts in one batch: one layer's, none, and two layers' additions, one of them with a minus sign."""
    model, theirs = checkpoint
    layers = next(m for m in theirs.modules() if isinstance(m, torch.nn.ModuleList) and len(m) == 3)
    vectors = torch.randn(4, network.config.d_model, generator=torch.Generator().manual_seed(2))
    made = [Direction("", layer, vector, vector) for layer, vector in enumerate(vectors)]
    steers = [[(made[1], 1.5)], [], [(made[2], -0.5), (made[3], 1.0)], [(made[0], 1.0)]]
    texts = [ids_of(row, length) for row, length in enumerate((9, 7, 8, 6))]
    cached = [
        CachedText(network.new_cache(capacity=ROOM), list(ids), additions(model, steer))
        for ids, steer in zip(texts, steers, strict=True)
    ]
    steps = Engine(network)
    for id in (5, 8, 13):
        requests = [StepRequest([text]) for text in cached]
        assert steps.serve(requests) == []
        for ids, steer, request in zip(texts, steers, requests, strict=True):
            (row,) = request.logits
            with torch.no_grad():
                own = network(torch.tensor([ids]), edit=edit(model, steer)).last[0, -1]
                torch.testing.assert_close(row, network.unembed(own), **CLOSE)
                if (made[0], 1.0) not in steer:  # each family has its own module of embeddings
                    hooks = [
                        layers[one.layer - 1].register_forward_hook(adding(one.vector * strength))
                        for one, strength in steer
                    ]
                    expected = theirs(torch.tensor([ids])).logits[0, -1]
                    for hook in hooks:
                        hook.remove()
                    torch.testing.assert_close(row, expected, **CLOSE)
        for ids, text in zip(texts, cached, strict=True):
            text.unread = [id]
            ids.append(id)


def adding(vector):
    return lambda _module, _inputs, out: (
        (out[0] + vector, *out[1:]) if isinstance(out, tuple) else out + vector
    )


def test_greedy_text_is_that_of_transformers(checkpoint):
    model, theirs = checkpoint
    written = generate(model, PROMPT, Sampling(greedy=True, max_new_tokens=25))
    list(written)
    prompt = model.tokenizer.encode(PROMPT).ids
    with torch.no_grad():
        wanted = theirs.generate(
            prompt[None],
            attention_mask=torch.ones_like(prompt[None]),
            do_sample=False,
            max_new_tokens=25,
            eos_token_id=None,
            pad_token_id=0,
        )
    assert written.ids == wanted[0, len(prompt) :].tolist()[: len(written.ids)] and len(written.ids) > 4
