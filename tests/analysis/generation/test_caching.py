"""What the cache saves: the cells by hand, the same text, the bytes of the cache as they are allocated."""

import torch

from explorer.analysis.generation.caching import compare_caching
from explorer.analysis.generation.steps import Sampling, generate
from explorer.generation.engine import engine_of


def test_a_cell_is_computed_once_with_the_cache_and_in_each_step_without(tiny_gpt):
    sampling = Sampling(seed=3, grammar="[a-z ]+", max_new_tokens=5)
    comparison = compare_caching(tiny_gpt, "the old river bank", sampling)
    ids = [step.id for step in comparison]
    prompt = len(comparison.generation.prompt_ids)
    assert comparison.same and comparison.ids == ids
    assert ids == [step.id for step in generate(tiny_gpt, "the old river bank", sampling)]
    assert comparison.cells[0] == (prompt, 0, prompt)
    assert comparison.cells[1:] == [(1, prompt + at - 1, prompt + at) for at in range(1, 5)]
    assert len(comparison.seconds) == 5 and min(map(min, comparison.seconds)) > 0


def test_its_bytes_are_those_that_are_allocated(tiny_gpt):
    comparison = compare_caching(tiny_gpt, "the bank", Sampling(max_new_tokens=1))
    assert comparison.cell_bytes == engine_of(tiny_gpt).new_cache(1).memory.nbytes
    network = tiny_gpt.network
    read = [m.weight for m in network.modules() if isinstance(m, torch.nn.Linear)] + [network.output_matrix]
    assert comparison.weights.stored == sum(weight.nbytes for weight in read)


def test_texts_that_part_are_said_to_differ(tiny_gpt):
    comparison = compare_caching(tiny_gpt, "the bank", Sampling(max_new_tokens=2))
    list(comparison)
    comparison.ids[1] += 1
    assert not comparison.same
