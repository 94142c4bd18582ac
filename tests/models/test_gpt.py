"""GPT-2 against `transformers` on the same random weights, and its key/value cache."""

import pytest
import torch

import explorer
from explorer.errors import TextError
from explorer.models.gpt import Gpt
from explorer.trace import Ability, Capture, captured
from tests import tiny
from tests.models import reference


@pytest.fixture(scope="module")
def theirs(gpt_folder):
    return reference.load(gpt_folder, "GPT2LMHeadModel")


def test_what_was_not_captured_is_missed_with_a_word(tiny_gpt):
    trace = tiny_gpt.trace("the bank", capture=Capture.HIDDEN)
    assert captured(trace.hidden_states) is trace.hidden_states
    with pytest.raises(ValueError, match="capture"):
        captured(trace.attention)


def test_the_longest_text(tiny_gpt, theirs):
    (trace,) = reference.same(tiny_gpt, theirs, "water " * 99)
    assert len(trace.tokens) == tiny.GPT["n_positions"] and trace.encoding.truncated > 0


def test_the_last_hidden_state_is_before_the_final_norm(tiny_gpt, theirs):
    trace = tiny_gpt.trace("the deep river")
    with torch.no_grad():
        stored = theirs(trace.encoding.ids[None], output_hidden_states=True).hidden_states[-1][0]
    assert not torch.allclose(trace.hidden_states[-1], stored, atol=1e-2)
    torch.testing.assert_close(tiny_gpt.network.norm(trace.hidden_states[-1]), stored, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(tiny_gpt.unembed(trace.hidden_states[-1]), trace.logits)


def test_the_future_is_exactly_zero(tiny_gpt):
    pattern = tiny_gpt.trace("we saw light on the water").attention.pattern
    future = torch.ones(pattern.shape[-2:], dtype=torch.bool).triu(diagonal=1)
    assert (pattern[..., future] == 0).all()
    assert (pattern[..., ~future] > 0).all()


def greedy(network, ids: torch.Tensor, steps: int, cached: bool) -> list[int]:
    """The most probable continuation, with the cache or by reading everything again."""
    cache = network.new_cache() if cached else None
    text, new = ids[None], ids[None]
    for _ in range(steps):
        logits = network(new if cached else text, capture=Capture.LOGITS, cache=cache).logits
        new = logits[:, -1:].argmax(dim=-1)
        text = torch.cat([text, new], dim=1)
    return text[0].tolist()


def test_greedy_continuations_with_and_without_cache(tiny_gpt, theirs):
    ids = tiny_gpt.encode("we saw light on the water").ids
    expected = theirs.generate(
        ids[None], max_new_tokens=23, do_sample=False, eos_token_id=None, pad_token_id=0
    )
    assert greedy(tiny_gpt.network, ids, 23, cached=True) == expected[0].tolist()
    assert greedy(tiny_gpt.network, ids, 23, cached=False) == expected[0].tolist()


def test_a_cache_takes_the_text_in_pieces_of_any_length(tiny_gpt):
    trace = tiny_gpt.trace("we saw light on the water, and it was deep")
    cache = tiny_gpt.network.new_cache(capacity=len(trace.tokens))
    logits, patterns = [], []
    for piece in trace.encoding.ids.split([3, 1, 5, len(trace.tokens) - 9]):
        result = tiny_gpt.network(piece[None], capture=Capture.ALL, cache=cache)
        logits.append(result.logits[0])
        patterns.append(result.heads[1].pattern[0])
    torch.testing.assert_close(torch.cat(logits), trace.logits, atol=1e-5, rtol=1e-5)
    start = 0
    for pattern in patterns:
        end = start + pattern.shape[1]
        expected = trace.attention.pattern[1][:, start:end, :end]
        torch.testing.assert_close(pattern, expected, atol=1e-6, rtol=1e-5)
        start = end


ACTIVATIONS = [{"activation_function": name} for name in ("gelu_new", "gelu", "relu")]


@pytest.mark.parametrize("change", [*ACTIVATIONS, {"tie_word_embeddings": False}, {"n_inner": None}], ids=str)
def test_every_choice_of_a_configuration(tmp_path, change):
    theirs = tiny.write_gpt(tmp_path, **change)
    reference.same(explorer.load(f"folder:{tmp_path}"), theirs, "the deep river")


def test_abilities_and_pairs(tiny_gpt):
    assert tiny_gpt.abilities == Ability.CONTEXT | Ability.ATTENTION | Ability.GENERATE
    with pytest.raises(TextError):
        tiny_gpt.trace("one", "two")


def test_queries_keys_and_values_by_hand(tiny_gpt, theirs):
    trace = tiny_gpt.trace("we saw light on the water")
    ours = torch.stack([trace.attention.queries, trace.attention.keys, trace.attention.values])
    for layer, block in enumerate(theirs.transformer.h):
        qkv = block.attn.c_attn(block.ln_1(trace.hidden_states[layer])).detach()
        by_hand = qkv.view(len(trace.tokens), 3, 3, 11).permute(1, 2, 0, 3)
        torch.testing.assert_close(ours[:, layer], by_hand, atol=1e-5, rtol=1e-5)


def test_a_cache_is_where_the_weights_are(tiny_gpt):
    with torch.device("meta"):
        network = Gpt(tiny_gpt.config)
    assert network.new_cache().memory.device.type == "meta"
    assert tiny_gpt.network.new_cache().memory.device.type == "cpu"


def test_the_table_that_scores_the_vocabulary_lies_by_column(tiny_gpt):
    assert tiny_gpt.network.tokens.weight.T.is_contiguous()
