"""Networks elsewhere than as float32 on the CPU: as bfloat16 in memory, and on another device."""

import copy
from dataclasses import replace

import pytest
import torch

from explorer.analysis.generation import generate
from explorer.generation.sampling import Sampling
from explorer.models import LanguageModel
from explorer.models.encoder import Encoder
from explorer.models.stepping import Step
from explorer.models.stored import matrices
from explorer.models.transformer import Transformer
from explorer.trace import Ability, Capture
from tests.models import families

TEXT = "we saw deep water in the old light, and money"


@pytest.fixture(scope="module", params=families.NETWORKS)
def model(request, tmp_path_factory) -> LanguageModel:
    """A model of each family whose matrices can be stored as bfloat16."""
    model = families.build(request.param, tmp_path_factory.mktemp(request.param))
    if not isinstance(model.network, Transformer | Encoder):
        pytest.skip("it stays on the CPU, as float32")
    return model


def with_matrices(model: LanguageModel, change) -> LanguageModel:
    """The model with its matrices changed, and all else as it is."""
    network = copy.deepcopy(model.network)
    names = matrices(network)
    for name, parameter in network.named_parameters():
        if name in names:
            parameter.data = change(parameter.data)
    return replace(model, network=network)


def test_stored_as_bfloat16_it_computes_as_with_the_same_numbers_in_float32(model):
    stored = with_matrices(model, torch.Tensor.bfloat16)
    same = with_matrices(model, lambda numbers: numbers.bfloat16().float())
    assert stored.nbytes < 0.62 * model.nbytes
    a, b = stored.trace(TEXT), same.trace(TEXT)
    for result, expected in (
        (a.hidden_states, b.hidden_states),
        (a.attention.pattern, b.attention.pattern),
        *([(a.logits, b.logits)] if b.logits is not None else []),
    ):
        assert result.dtype == torch.float32
        torch.testing.assert_close(result, expected, atol=2e-5, rtol=1e-5)
    if Ability.GENERATE in model.abilities:
        greedy = Sampling(greedy=True, max_new_tokens=4)
        written = [generate(one, TEXT, greedy) for one in (stored, same)]
        for own, expected in zip(*written, strict=True):
            assert own.id == expected.id
            assert own.probability == pytest.approx(expected.probability, rel=1e-4)


def test_all_that_a_pass_makes_is_on_the_device_of_the_network(model):
    """The meta device computes shapes alone, and like a card refuses tensors of another device."""
    network, device = copy.deepcopy(model.network).to("meta"), torch.device("meta")
    ids = torch.zeros(2, 12, dtype=torch.long, device=device)
    mask = torch.ones(2, 12, dtype=torch.bool, device=device)
    for given in (None, mask):
        run = network(ids, mask=given, capture=Capture.ALL, edit=lambda site, layer, tensor: tensor)
        assert run.last.is_meta and all(heads.pattern.is_meta for heads in run.heads)
        assert network(ids, mask=given).last.is_meta
    if isinstance(network, Transformer) and network.causal:
        caches = [network.new_cache(capacity=40) for _ in range(2)]
        step = Step(network)
        for pieces in ([[1, 2, 3], [4, 5]], [[1], [2]]):
            assert step.scores(step(pieces, caches)).is_meta
            for cache, piece in zip(caches, pieces, strict=True):
                cache.length += len(piece)
        assert step([[7]], caches[:1]).is_meta
