"""What is changed in a pass, and what is differentiated, on a server as in the process."""

import pytest
import torch

import explorer
from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
from explorer.analysis.attribution.prediction import word_prediction
from explorer.analysis.attribution.removal import deletion
from explorer.analysis.generation import Sampling, generate
from explorer.analysis.heads import ablation
from explorer.analysis.patching import estimate_states, patch_heads, patch_states, patch_together
from explorer.analysis.patching.contrast import Contrast, read_prompt
from explorer.analysis.patching.runs import answers
from explorer.analysis.steering import directions
from explorer.errors import FormatError, SizeError
from explorer.model_server.served import ServedModel
from explorer.model_server.wire import pack
from explorer.models.family import Start
from explorer.models.interventions import Intervention, Interventions
from explorer.trace import Ability
from tests.model_server.conftest import running
from tests.models import families

CLOSE = {"atol": 1e-6, "rtol": 1e-6}
PREDICTS = Ability.FILL | Ability.GENERATE


def pair_of(model):
    """Two prompts of the same words in another order, and two tokens that any vocabulary has."""
    blank = "" if model.causal else " [MASK]"
    texts = (f"the bank by river{blank}", f"the river by bank{blank}")
    (first, position), (second, _) = (read_prompt(model, text) for text in texts)
    logits = torch.stack([answers(model, one, position)[0] for one in (first, second)])
    return Contrast(first, second, position, 7, 9, logits)


@pytest.mark.parametrize("name", families.NETWORKS)
def test_patching_is_the_same_for_every_family(name, tmp_path):
    near = families.build(name, tmp_path)
    if Ability.ATTENTION not in near.abilities or not near.abilities & PREDICTS:
        pytest.skip("it has no heads, or predicts no words")
    with running(ServedModel("one", near, tmp_path)) as at:
        numbers = []
        for model in (near, explorer.load(f"serve:{at}/one")):
            pair = pair_of(model)
            shares = [patch_states(model, pair, kind).share for kind in ("hidden", "mlp")]
            shares += [
                estimate_states(model, pair, "attention").share,
                (heads := patch_heads(model, pair)).share,
            ]
            shares.append(torch.tensor(patch_together(model, heads, enough=9).shares[:3]))
            # A share is divided by what may be little; what is compared is the difference of logits.
            numbers.append([pair.logits, *((pair.high - pair.low) * share for share in shares)])
        for here, there in zip(*numbers, strict=True):
            torch.testing.assert_close(there, here, atol=1e-6 * float(pair.logits.abs().max()), rtol=1e-6)


@pytest.mark.parametrize("method", ablation.METHODS)
def test_heads_are_switched_off(far_bert, tiny_bert, method):
    means = ablation.mean_outputs(tiny_bert, ["the bank", "we saw light"])
    off = ablation.switch_off([(0, 1), (0, 2), (1, 0)], method, means)
    question = ablation.ask(tiny_bert, "the [MASK] by the river")
    here, there = (ablation.answer(model, question, off) for model in (tiny_bert, far_bert))
    torch.testing.assert_close(there, here, **CLOSE)
    assert not torch.equal(here, ablation.answer(tiny_bert, question))


@pytest.mark.parametrize("kind", ["bert", "gpt"])
def test_words_that_mattered(request, kind):
    text = "the old bank by the" + ("" if kind == "gpt" else " [MASK]")
    numbers = []
    for name in (f"far_{kind}", f"tiny_{kind}"):
        prediction = word_prediction(request.getfixturevalue(name), text)
        parts = gradient_times_input(prediction), integrated_gradients(prediction, 4).values
        numbers.append([*parts, deletion(prediction)])
    for there, here in zip(*numbers, strict=True):
        torch.testing.assert_close(there, here, atol=1e-5, rtol=1e-5)  # here variants are read as a tree


def test_a_steered_text(far_gpt, tiny_gpt):
    added = directions(tiny_gpt, ["the river bank"], ["money in the bank"])
    steer = [(added[0], 0.5), (added[-1], 2.0)]
    far, near = (
        generate(model, "the old", Sampling(seed=4, max_new_tokens=9), steer=steer)
        for model in (far_gpt, tiny_gpt)
    )
    assert [step.id for step in far] == [step.id for step in near]
    torch.testing.assert_close(far.logits(5), near.logits(5), atol=1e-5, rtol=1e-5)
    plain = generate(tiny_gpt, "the old", Sampling(seed=4, max_new_tokens=9))
    assert [step.id for step in plain] != [step.id for step in near]


@pytest.mark.parametrize("operation", ["set", "add", "scale", "mean"])
def test_what_is_done_where(far_bert, tiny_bert, operation):
    values = torch.linspace(-1, 1, 35)
    change = Intervention("mlp_output", 1, operation, values, positions=[1, 3])
    text = "the bank by the river"
    far, near = (model.trace(text, edit=Interventions([change])) for model in (far_bert, tiny_bert))
    torch.testing.assert_close(far.hidden_states, near.hidden_states, **CLOSE)
    seen = Interventions([change], ["mlp_output"])
    whole = Interventions(keep=["mlp_output"])
    for edit in (seen, whole):
        far_bert.trace(text, edit=edit)
    there, before = seen.kept["mlp_output", 1][0], whole.kept["mlp_output", 1][0]
    expected = {
        "set": values.expand(2, -1),
        "add": before[[1, 3]] + values,
        "scale": before[[1, 3]] * values,
        "mean": before[[1, 3]].mean(0).expand(2, -1),
    }
    torch.testing.assert_close(there[[1, 3]], expected[operation], **CLOSE)
    torch.testing.assert_close(there[[0, 2]], before[[0, 2]], **CLOSE)


IDS = {"ids": torch.tensor([[2, 3, 4, 5]])}
GOOD = {"site": "hidden", "layer": 0, "operation": "add", "rows": None, "heads": None, "positions": None}
FORGED = {
    "site": (GOOD | {"site": "__class__"}, torch.ones(35)),
    "layer": (GOOD | {"layer": 2**63}, torch.ones(35)),
    "row": (GOOD | {"rows": [1]}, torch.ones(35)),
    "negative": (GOOD | {"positions": [-1]}, torch.ones(35)),
    "name": (GOOD | {"positions": "0"}, torch.ones(35)),
    "heads": (GOOD | {"heads": [0]}, torch.ones(35)),
    "uneven": (GOOD | {"rows": [0, 0], "positions": [0, 1, 2]}, torch.ones(35)),
    "many": (GOOD | {"positions": [0] * 60_000}, torch.ones(35)),
    "repeated": (GOOD | {"rows": [0] * 4}, torch.ones(35)),
    "larger": (GOOD, torch.ones(99, 1, 1, 35)),
    "integers": (GOOD, torch.ones(35, dtype=torch.long)),
    "missing": (GOOD, None),
    "more": (GOOD | {"call": "exit"}, torch.ones(35)),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_change_is_refused_in_a_line(far_bert, name):
    change, values = FORGED[name]
    tensors = IDS if values is None else IDS | {"values/0": values}
    with pytest.raises(FormatError) as refused:
        far_bert.network.client.ask("run", tensors, {"capture": 1, "changes": [change]})
    assert len(refused.value.message) < 200


@pytest.mark.parametrize(
    ("path", "tensors", "facts", "kind"),
    [
        ("run", {"states": torch.ones(1, 4, 35)}, {"start": 9}, FormatError),
        ("run", {"states": torch.ones(3, 4, 35)}, {"start": 1}, FormatError),
        ("run", {}, {"keep": ["__dict__"]}, FormatError),
        ("run", {}, {"wanted": ["ids"]}, FormatError),
        ("run", {"values/0": torch.ones(35)}, {"changes": [GOOD], "wanted": ["values/0"]}, FormatError),
        ("run", {"values/0": torch.ones(35)}, {"changes": [GOOD | {"layer": None}]}, SizeError),
        ("head", {"hidden": torch.ones(2, 35)}, {"head": "unembed", "wanted": ["hidden"]}, FormatError),
        ("vectors", {"ids": torch.tensor([10**6])}, {}, FormatError),
    ],
)
def test_other_forged_requests(far_bert, monkeypatch, path, tensors, facts, kind):
    monkeypatch.setattr("explorer.model_server.served.MAX_CHANGED", 6)
    with pytest.raises(kind):
        far_bert.network.client.ask(path, IDS | tensors, {"capture": 1} | facts)


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("run", pack(IDS, {"capture": 1, "x": "x" * 9_000_000}), FormatError),
        ("write", b" " * 17_000_000, SizeError),
    ],
)
def test_facts_are_bounded_before_they_are_read(far_bert, path, body, kind):
    with pytest.raises(kind):
        far_bert.network.client._body("POST", path, body)


def test_the_slope_of_what_nothing_wanted_has_led_to(far_bert):
    """It brings no gradient, and is no failure of the server."""
    request = IDS | {"values/0": torch.ones(35), "slope/last": torch.ones(1, 4, 35)}
    for beyond in ({"layer": 500}, {"operation": "mean"}):
        facts = {"capture": 0, "changes": [GOOD | beyond], "wanted": ["values/0"]}
        assert far_bert.network.client.ask("run", request, facts) == {}


def test_the_gradient_of_the_states_at_which_a_pass_begins(far_bert, tiny_bert):
    slopes = []
    for model in (tiny_bert, far_bert):
        states = torch.linspace(-1, 1, 140).reshape(1, 4, 35).requires_grad_()
        model.network(IDS["ids"], start=Start(1, states)).last[..., 0].sum().backward()
        slopes.append(states.grad)
    torch.testing.assert_close(*slopes, **CLOSE)


def test_what_is_multiplied_is_held_for_the_gradients(far_bert, monkeypatch):
    many, each = 60, torch.ones(())
    request = IDS | {"slope/last": torch.ones(1, 4, 35)} | {f"values/{i}": each for i in range(many)}
    facts = {"capture": 0, "changes": [GOOD] * many, "wanted": ["values/0"]}
    monkeypatch.setattr("explorer.model_server.served.ANSWER_MB", 0.05)
    assert far_bert.network.client.ask("run", request, facts)
    facts["changes"] = [GOOD | {"operation": "scale"}] * many
    with pytest.raises(SizeError, match="at most"):
        far_bert.network.client.ask("run", request, facts)


def test_a_changed_pass_is_bounded_by_what_it_holds(far_bert, monkeypatch):
    off = ablation.switch_off([(0, 0)])
    far_bert.run(IDS["ids"], edit=off)
    monkeypatch.setattr("explorer.model_server.served.ANSWER_MB", 0.001)
    far_bert.run(IDS["ids"])
    with pytest.raises(SizeError, match="at most"):
        far_bert.run(IDS["ids"], edit=off)
