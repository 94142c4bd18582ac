"""What holds for every registered family; a new one is tested here without another line."""

import json
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.models import FAMILIES
from explorer.trace import Ability, Capture
from tests.models import families, reference

TEXTS = ["the bank by the river", "x", "", "we saw deep water in the old light, and money", "东京 🙂"]
SITES = set(
    "embedding queries keys values scores pattern head_output attention_output mlp_output hidden".split()
)
SUM = "embedding_sum"  # of models that normalise what they add
PREDICTS = Ability.FILL | Ability.GENERATE


def sites(model) -> set[str]:
    """Where an activation of this model may be replaced."""
    if Ability.ATTENTION in model.abilities:
        return SITES | {SUM} if model.input_parameters().norm else SITES
    return {"embedding", "hidden"} if Ability.CONTEXT in model.abilities else {"embedding"}


def kept(trace) -> list[torch.Tensor]:
    """What a trace holds: hidden states, patterns and logits, where the model has them."""
    pattern = trace.attention.pattern if trace.attention else None
    return [t for t in (trace.hidden_states, pattern, trace.logits) if t is not None]


def readable(model) -> list[str]:
    """The texts in which the model finds something to read: all, unless it knows whole words only."""
    return [text for text in TEXTS if families.reads(model, text)]


def need(model, ability: Ability) -> None:
    """Go on only with a model that has the ability."""
    if not model.abilities & ability:
        pytest.skip(f"{model_type(model)} has no {ability.name}")


@pytest.fixture(scope="module", params=families.NETWORKS)
def model(request, tmp_path_factory):
    return families.build(request.param, tmp_path_factory.mktemp(request.param))


def test_it_can_do_something(model):
    assert model.abilities & (Ability.VECTORS | Ability.CONTEXT)
    assert Ability.ATTENTION not in model.abilities or model.config.layers == families.SIZES["layers"]


def test_shapes_and_kinds(model):
    trace = model.trace(TEXTS[0])
    n, c = len(trace.tokens), model.config
    assert trace.checkpoint == str(model.checkpoint) and trace.tokens == trace.encoding.tokens
    assert trace.hidden_states.shape == (c.layers + 1, n, c.d_model)
    assert (trace.attention is not None) == (Ability.ATTENTION in model.abilities)
    assert (trace.logits is not None) == bool(model.abilities & PREDICTS)
    if trace.attention is not None:
        heads = (c.layers, c.heads, n)
        assert trace.attention.pattern.shape == (*heads, n)
        for tensor in (trace.attention.queries, trace.attention.keys, trace.attention.values):
            assert tensor.shape == (*heads, families.d_head(c))
    if trace.logits is not None:
        assert trace.logits.shape == (n, c.d_vocab)
    for tensor in kept(trace):
        assert tensor.dtype == torch.float32 and tensor.device.type == "cpu"
        assert not tensor.requires_grad and tensor.isfinite().all()


def test_only_what_is_asked_for_is_kept(model):
    whole = model.trace(TEXTS[0])
    for capture in (Capture.NONE, Capture.HIDDEN, Capture.ATTENTION, Capture.LOGITS, Capture.ALL):
        trace = model.trace(TEXTS[0], capture=capture)
        for flag, result, expected in (
            (Capture.HIDDEN, trace.hidden_states, whole.hidden_states),
            (
                Capture.ATTENTION,
                trace.attention and trace.attention.pattern,
                whole.attention and whole.attention.pattern,
            ),
            (Capture.LOGITS, trace.logits, whole.logits),
        ):
            assert (result is not None) == (flag in capture and expected is not None), capture
            if result is not None:
                torch.testing.assert_close(result, expected, atol=1e-5, rtol=1e-5)


def test_many_texts_come_back_in_order_and_as_if_alone(model):
    texts = readable(model) * 3
    for text, trace in zip(texts, model.trace_many(iter(texts), Capture.ALL), strict=True):
        alone = model.trace(text)
        assert trace.encoding.text == text and trace.tokens == alone.tokens
        for result, expected in zip(kept(trace), kept(alone), strict=True):
            torch.testing.assert_close(result, expected, atol=1e-4, rtol=1e-5)
        torch.testing.assert_close(trace.hidden_states, alone.hidden_states, atol=1e-5, rtol=1e-5)


def test_many_texts_are_read_no_further_than_needed(model, monkeypatch):
    monkeypatch.setattr("explorer.models.language_model.WINDOW", 16)
    read = []

    def endless():
        while True:
            read.append(len(read))
            yield f"the bank {len(read)}"

    assert next(model.trace_many(endless())).encoding.text == "the bank 1"
    assert len(read) <= 16
    assert list(model.trace_many([])) == [] and model.trace_encodings([]) == []


def test_a_kept_trace_holds_no_more_than_itself(model):
    for trace in model.trace_many(readable(model), Capture.ALL):
        for tensor in kept(trace):
            assert tensor.untyped_storage().nbytes() == tensor.numel() * 4


@settings(max_examples=20)
@given(text=st.text(max_size=40))
def test_any_text_is_read_and_rows_of_attention_sum_to_one(model, text):
    if not families.reads(model, text):
        return
    trace = model.trace(text)
    assert len(trace.tokens) >= 1 and all(tensor.isfinite().all() for tensor in kept(trace))
    if trace.attention is not None:
        rows = trace.attention.pattern.sum(dim=-1)
        torch.testing.assert_close(rows, torch.ones_like(rows), atol=1e-5, rtol=0)
        assert (trace.attention.pattern >= 0).all()


def test_text_beyond_the_context_is_cut_and_counted(model):
    encoding = model.encode("water " * 200)
    assert len(encoding) == min(model.config.positions, len(encoding) + encoding.truncated)
    assert len(model.encode("water " * 200, limit=7)) == 7
    assert model.encode("water " * 200, limit=7).truncated == encoding.truncated + len(encoding) - 7


def test_every_site_is_offered_once_a_layer_with_its_shape(model):
    seen = {}

    def look(site, layer, tensor):
        assert (site, layer) not in seen
        seen[site, layer] = tuple(tensor.shape)
        return tensor

    trace, plain = model.trace(TEXTS[0], edit=look), model.trace(TEXTS[0])
    n, c = len(trace.tokens), model.config
    wide = (1, n, c.d_model)
    shapes = dict.fromkeys(SITES, wide) | {SUM: (1, n, getattr(c, "width", c.d_model))}
    if Ability.ATTENTION in model.abilities:
        across = (n, families.d_head(c))
        shapes |= dict.fromkeys(("queries", "head_output"), (1, c.heads, *across))
        shapes |= dict.fromkeys(("keys", "values"), (1, getattr(c, "kv_heads", c.heads), *across))
        shapes |= dict.fromkeys(("scores", "pattern"), (1, c.heads, n, n))
    begin = sites(model) & {"embedding", SUM}
    expected = {(s, layer): shapes[s] for s in sites(model) - begin for layer in range(c.layers)}
    assert seen == expected | {(s, 0): shapes[s] for s in begin}
    for looked_at, untouched in zip(kept(trace), kept(plain), strict=True):
        assert torch.equal(looked_at, untouched)


def test_an_edit_changes_what_follows_and_nothing_before(model):
    plain = model.trace(TEXTS[0])
    for site in sorted(sites(model)):
        layer = 0 if site in ("embedding", SUM) else 1  # there is one embedding

        def change(at, in_layer, tensor, place=(site, layer)):
            return families.wavy(tensor) if (at, in_layer) == place else tensor

        edited = model.trace(TEXTS[0], edit=change)
        first = 0 if site in ("embedding", SUM) else layer + 1
        assert torch.equal(plain.hidden_states[:first], edited.hidden_states[:first]), site
        for state in range(first, model.config.layers + 1):
            before, after = plain.hidden_states[state], edited.hidden_states[state]
            assert not torch.allclose(before, after, atol=1e-4), (site, state)
        if plain.logits is not None:
            assert not torch.allclose(plain.logits, edited.logits, atol=1e-4), site


def test_what_an_edit_returns_is_what_is_kept(model):
    need(model, Ability.ATTENTION)

    def uniform(site, layer, tensor):
        return torch.full_like(tensor, 0.25) if site == "pattern" else tensor

    assert (model.trace(TEXTS[0], edit=uniform).attention.pattern == 0.25).all()


@pytest.mark.parametrize("head", [0, 3])
def test_a_head_set_to_zero_is_its_slice_set_to_zero(model, head):
    """Zero at `head_output` equals taking that head's share out of the output matrix by hand."""
    need(model, Ability.ATTENTION)
    layer, d_head = 1, families.d_head(model.config)
    whole = {}

    def zero(site, at, tensor):
        if (site, at) == ("head_output", layer):
            whole["mixed"] = tensor.clone()
            tensor = tensor.clone()
            tensor[:, head] = 0
        if (site, at) == ("attention_output", layer):
            whole["output"] = tensor
        return tensor

    model.trace(TEXTS[0], edit=zero)
    output = model.network.blocks[layer].attention.output
    merged = whole["mixed"].transpose(1, 2).flatten(2)
    columns = slice(head * d_head, (head + 1) * d_head)
    share = merged[..., columns] @ output.weight[:, columns].T
    torch.testing.assert_close(whole["output"], output(merged) - share, atol=1e-6, rtol=1e-5)


def test_written_files_load_in_transformers_with_the_same_result(model):
    import transformers

    if model_type(model) not in transformers.CONFIG_MAPPING:
        pytest.skip("transformers does not have this architecture")
    if Ability.TRANSLATE in model.abilities:
        pytest.skip("two networks in one: test_marian compares both")
    kinds = {Ability.FILL: "MaskedLM", Ability.GENERATE: "CausalLM"}
    kind = next((kind for ability, kind in kinds.items() if ability in model.abilities), "PreTraining")
    theirs = (
        getattr(transformers, f"AutoModelFor{kind}")
        .from_pretrained(model.checkpoint.name, attn_implementation="eager", dtype=torch.float32)
        .eval()
    )
    traces = list(model.trace_many(TEXTS, Capture.ALL))
    expected = reference.run(theirs, [trace.encoding for trace in traces])
    for trace, wanted in zip(traces, expected, strict=True):
        reference.assert_same(trace, wanted)


def model_type(model) -> str:
    return json.loads((Path(model.checkpoint.name) / "config.json").read_text())["model_type"]


def test_states_at_some_places_are_those_of_the_whole_trace(model):
    texts = readable(model)
    encodings = [model.encode(texts[i % len(texts)]) for i in range(5)]
    places = [[len(e) - 1, i % len(e)][: i % 3] for i, e in enumerate(encodings)]  # none, one or two
    result = model.states_at(encodings, places)
    whole = {text: model.trace(text, capture=Capture.HIDDEN).hidden_states for text in texts}
    for i, (states, at) in enumerate(zip(result, places, strict=True)):
        torch.testing.assert_close(states, whole[texts[i % len(texts)]][:, at], rtol=1e-4, atol=1e-5)


def test_the_documentation_names_every_model_type():
    page = (Path(__file__).parents[2] / "docs" / "own-model.md").read_text(encoding="utf-8")
    published = FAMILIES.keys() - {"word2vec", "elmo"}
    assert all(f"`{name}`" in page for name in published)
