"""A text in segments: with all keys and values kept it is the uncut one; a memory moves what it reaches."""

import pytest
import torch

from explorer.analysis.prediction import surprisal
from explorer.analysis.reach import segments
from explorer.errors import AbilityError, ExplorerError

TEXT = "we saw light on the water, and it was deep: the bank of the river lay in the dark"
# One row at a time is added up in another order than all of them, and in another again by each processor.
ROUNDED = {"atol": 1e-5, "rtol": 1e-5}


def ids_of(model):
    return torch.cat([torch.tensor([model.tokenizer.start]), model.encode(TEXT).ids])


@pytest.mark.parametrize("segment", [1, 3, 7, 500])
def test_with_all_kept_the_pass_in_segments_is_the_uncut_one(tiny_gpt, segment):
    ids = ids_of(tiny_gpt)
    whole = tiny_gpt.run(ids[None]).last[0]
    cut = segments.states_in_segments(tiny_gpt, ids, segment, len(ids), segments.Positions.CONTINUED)
    torch.testing.assert_close(cut, whole, **ROUNDED)
    bits = segments.read_in_segments(tiny_gpt, TEXT, segment, 999).bits
    torch.testing.assert_close(bits, surprisal.read(tiny_gpt, TEXT).bits, **ROUNDED)


@pytest.mark.parametrize(
    ("segment", "memory", "first"), [(4, 3, 0), (3, 4, 0), (5, 5, 2), (2, 7, 1), (2, 1, 4)]
)
def test_a_shorter_memory_is_a_mask(tiny_gpt, segment, memory, first):
    """The same pass as a whole, each layer's scores masked to what the memory holds."""
    ids = ids_of(tiny_gpt)
    hidden = ~segments.visible_rows(len(ids), segment, memory, first)

    def forget(site, layer, tensor):
        return tensor.masked_fill(hidden, -torch.inf) if site == "scores" else tensor

    wanted = tiny_gpt.run(ids[None], edit=forget).last[0]
    found = segments.states_in_segments(tiny_gpt, ids, segment, memory, segments.Positions.CONTINUED, first)
    torch.testing.assert_close(found, wanted, **ROUNDED)


def test_without_a_memory_each_segment_is_a_text_of_its_own(tiny_gpt):
    ids = ids_of(tiny_gpt)
    found = segments.states_in_segments(tiny_gpt, ids, 5, 0, segments.Positions.CONTINUED, first=3)
    alone = torch.cat([tiny_gpt.run(piece[None]).last[0] for piece in ids.split(5)])
    torch.testing.assert_close(found, alone, **ROUNDED)


def test_restarted_positions_are_those_of_the_first_segment(tiny_gpt):
    ids, table = ids_of(tiny_gpt), tiny_gpt.network.positions.weight
    found = segments.states_in_segments(tiny_gpt, ids, 4, 999, segments.Positions.RESTARTED)

    def restart(site, layer, tensor):
        place = torch.arange(len(ids))
        return tensor - table[place] + table[place % 4] if site == "embedding" else tensor

    wanted = tiny_gpt.run(ids[None], edit=restart).last[0]
    torch.testing.assert_close(found, wanted, **ROUNDED)


@pytest.mark.parametrize(
    ("segment", "memory", "first"),
    [pytest.param(4, 0, 0, marks=pytest.mark.slow), (3, 4, 1), pytest.param(4, 2, 2, marks=pytest.mark.slow)],
)
def test_the_last_state_moves_with_what_it_reaches_and_with_nothing_else(tiny_gpt, segment, memory, first):
    ids = ids_of(tiny_gpt)
    sizes = (segment, memory)
    (reached, *_) = segments.reach(tiny_gpt.config.layers, len(ids), *sizes, first)
    assert reached.any() and not reached.all()
    before = segments.states_in_segments(tiny_gpt, ids, *sizes, segments.Positions.CONTINUED, first)[-1]
    for place in range(len(ids)):
        other = ids.clone()
        other[place] = 5 if ids[place] != 5 else 6
        after = segments.states_in_segments(tiny_gpt, other, *sizes, segments.Positions.CONTINUED, first)[-1]
        assert bool((after != before).any()) == bool(reached[place]), place


def test_every_layer_adds_the_memorys_length():
    rows = segments.reach(layers=6, tokens=400, segment=32, memory=32)
    counts = rows.sum(1).tolist()[::-1]
    assert counts == [1, *(400 % 32 + 32 * layer for layer in range(1, 7))]


def test_a_text_beyond_the_last_position_is_cut(tiny_gpt):
    found = segments.read_in_segments(tiny_gpt, "water " * 99, 10, 10)
    assert len(found.bits) == tiny_gpt.config.positions and found.encoding.truncated > 0
    assert found.cuts == list(range(10, tiny_gpt.config.positions, 10))


def test_the_shift_of_a_cache_that_forgot(tiny_gpt):
    ids = ids_of(tiny_gpt)
    cache = tiny_gpt.network.new_cache(capacity=20)
    with torch.no_grad():
        tiny_gpt.network(ids[None, :9], cache=cache)
    kept = cache.memory[..., 2:9, :].clone()
    cache.forget(7)
    assert (cache.length, cache.shift) == (7, 2)
    torch.testing.assert_close(cache.memory[..., :7, :], kept)
    twin = tiny_gpt.network.new_cache(capacity=20)
    twin.copy_from(cache, 3)
    assert (twin.length, twin.shift) == (3, 2)


def test_what_is_refused(tiny_gpt, tiny_bert):
    with pytest.raises(AbilityError):
        segments.read_in_segments(tiny_bert, TEXT, 4, 4)
    with pytest.raises(ExplorerError, match="memory"):
        segments.read_in_segments(tiny_gpt, TEXT, 4, -1)
    with pytest.raises(ExplorerError, match="segment"):
        segments.read_in_segments(tiny_gpt, TEXT, 0, 1)
    with pytest.raises(ExplorerError, match="positions"):
        segments.read_in_segments(tiny_gpt, TEXT, 4, 4, "relative")


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("x", 1)])
def test_a_text_of_one_token_or_none(tiny_gpt, text, tokens):
    found = segments.read_in_segments(tiny_gpt, text, 4, 4)
    assert len(found.bits) == tokens and found.cuts == []
