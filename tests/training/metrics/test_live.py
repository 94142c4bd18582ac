"""A network in training looks like the model that is loaded from its export."""

import pytest
import torch

import explorer
from explorer.analysis.prediction.likelihood import log_likelihoods
from explorer.models.bert import Bert
from explorer.trace import Ability
from training.average import export
from training.metrics.live import live

TEXTS = ["The old nurse found a key at the bank.", "my cousin"]


@pytest.mark.parametrize("name", ["bert", "gpt"])
def test_it_is_what_will_be_loaded(name, request, tmp_path):
    task = request.getfixturevalue(name)
    with torch.no_grad():
        for parameter in task.network.parameters():
            parameter.copy_(parameter.half())
    export(task, tmp_path / name)
    loaded, model = explorer.load(f"folder:{tmp_path / name}"), live(task.network, task.backend)
    assert model.abilities == loaded.abilities and model.config == loaded.config
    assert model.network is task.network
    for text in TEXTS:
        assert model.encode(text).ids.tolist() == loaded.encode(text).ids.tolist()
    assert log_likelihoods(model, TEXTS) == pytest.approx(log_likelihoods(loaded, TEXTS), rel=1e-5)


def test_abilities_are_those_of_the_heads_there(bert):
    encoder = Bert(bert.network.config, frozenset({"pooler"}))
    assert live(encoder, bert.backend).abilities == Ability.CONTEXT | Ability.ATTENTION
