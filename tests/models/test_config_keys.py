"""One key of config.json at a time: what is computed is what `transformers` computes, or the key is refused.

`python -m pytest tests/models/test_config_keys.py -m slow -s` prints how many keys there are of each kind.
"""

import json
from collections import Counter
from dataclasses import fields

import pytest
import torch

from explorer.checkpoints.format import read_model
from explorer.errors import CheckpointError
from explorer.trace import Capture, Checkpoint
from tests import decoders, encoders, tiny

pytestmark = pytest.mark.slow

IDS = torch.tensor([[5, 40, 41, 7, 60, 33, 90, 12, 13, 50, 61, 72]])
NOT_OURS = {"model_type", "architectures", "transformers_version", "return_dict"}
WINDOWS = {
    "layer_types": [["full_attention"] * 3, ["full_attention", "sliding_attention", "full_attention"]],
    "sliding_window": [2, 4],
    "use_sliding_window": [True, False],
    "max_window_layers": [0, 1],
}
# Read on both sides here, which the card says; in `transformers` it depends on the kind of attention.
NOTED = {("gemma", "use_bidirectional_attention"), ("gemma2", "use_bidirectional_attention")}


def changed(key, value):
    """Other values of a key."""
    if "act" in key.split("_") or "activation" in key:
        return [name for name in ("gelu", "relu", "silu", "gelu_new") if name != value]
    if key in WINDOWS:
        return WINDOWS[key]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value / 2 if isinstance(value, float) else max(value // 2, 1)]
    return [True, 3, 0.7] if value is None else [None]


@pytest.fixture(autouse=True, scope="module")
def _quiet():
    import transformers

    transformers.logging.set_verbosity(60)
    yield
    transformers.logging.set_verbosity_warning()


def theirs(kind, folder):
    """Last states and logits; None where weights and configuration do not fit."""
    model, info = kind.from_pretrained(
        folder, output_loading_info=True, attn_implementation="eager", dtype=torch.float32
    )
    if info["missing_keys"] or info["mismatched_keys"]:
        return None
    with torch.no_grad():
        output = model.eval()(input_ids=IDS, output_hidden_states=True)
    logits = getattr(output, "prediction_logits", None)
    return output.hidden_states[-1], output.get("logits") if logits is None else logits


def apart(model, expected):
    """The largest difference from them, of logits where both have those of words."""
    states, logits = expected
    with torch.no_grad():
        last = model.network(IDS, capture=Capture.HIDDEN).last
        if logits is not None and logits.shape[-1] == model.config.d_vocab:
            return float((model.network.unembed(last) - logits).abs().max())
        return float((model.final_norm(last) - states).abs().max())


@pytest.mark.parametrize("kind", ["bert", "gpt2", *encoders.ENCODERS, *decoders.ALL])
def test_each_key_is_computed_or_refused_or_changes_nothing(kind, tmp_path):
    import transformers

    own = {"bert": tiny.write_bert, "gpt2": tiny.write_gpt}
    peer = own[kind](tmp_path) if kind in own else writer(kind)(kind, tmp_path)
    path, name = tmp_path / "config.json", Checkpoint("folder", str(tmp_path))
    raw, base = json.loads(path.read_text()), theirs(type(peer), tmp_path)
    known = (
        dict.fromkeys(WINDOWS)
        | {field.name: getattr(peer.config, field.name, None) for field in fields(peer.config)}
        | raw
    )
    outcomes: dict[str, set[str]] = {}
    for key, value in known.items():
        for other in changed(key, value) if key not in NOT_OURS else ():
            path.write_text(json.dumps(raw | {key: other}))
            # `AutoModel` reads such a Mistral as a Ministral.
            is_ministral = (kind, key) == ("mistral", "layer_types")
            try:
                expected = theirs(transformers.MinistralForCausalLM if is_ministral else type(peer), tmp_path)
            except Exception:  # a value that the library itself refuses
                continue
            same = expected is not None and all(
                a is None or torch.allclose(a, b, atol=1e-6) for a, b in zip(expected, base)
            )
            try:
                model = read_model(tmp_path, name)
            except CheckpointError as error:
                assert not same, f"{key}={other!r} changes nothing there: {error}"
                names = (key, "Rotary positions", "fewer layers")
                assert expected is None or any(one in str(error) for one in names), f"{key}: {error}"
                outcomes.setdefault(key, set()).add("refused")
                continue
            if expected is None:  # without an output matrix a model reads, and writes nothing
                assert key == "tie_word_embeddings" and "no output matrix" in model.notes[0], key
            elif (kind, key) in NOTED:
                assert "both sides" in model.notes[0]
                outcomes.setdefault(key, set()).add("noted")
            else:
                assert apart(model, expected) < 1e-4, f"{key}={other!r}"
                outcomes.setdefault(key, set()).add("without effect" if same else "computed")
    kinds = ("noted", "refused", "computed", "without effect")
    print(kind, len(known), dict(Counter(next(k for k in kinds if k in each) for each in outcomes.values())))
    assert outcomes


def writer(kind):
    return (decoders if kind in decoders.ALL else encoders).write


@pytest.mark.parametrize("window", [4, 5, 8])
def test_a_gemma_that_reads_both_sides_has_half_of_the_window_on_each(window, tmp_path):
    peer = decoders.write("gemma3_text", tmp_path, use_bidirectional_attention=True, sliding_window=window)
    model = read_model(tmp_path, Checkpoint("folder", str(tmp_path)))
    assert apart(model, theirs(type(peer), tmp_path)) < 1e-4
    pattern = model.network(IDS, capture=Capture.ALL).heads[1].pattern
    reach = json.loads((tmp_path / "config.json").read_text())["sliding_window"] // 2
    assert (pattern[0, 0, 5] > 0).nonzero().flatten().tolist() == list(range(5 - reach, 6 + reach))
