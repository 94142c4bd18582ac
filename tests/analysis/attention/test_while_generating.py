"""Attention while generating: the rows of one pass are the rows of every step."""

import torch

from explorer.analysis.attention.while_generating import GenerationAttention, generation_attention
from explorer.analysis.generation.steps import Sampling, generate
from explorer.trace import Capture

WROTE = Sampling(seed=3, max_new_tokens=6)


def written(model, prompt):
    made = generate(model, prompt, WROTE)
    list(made)
    return made


def test_a_step_attends_as_the_token_before_it_does(gpt):
    made = written(gpt, "the bank walk")
    found = generation_attention(made)
    assert found.prompt == len(made.prompt_ids)
    assert found.pattern.shape[-2:] == (len(found.tokens),) * 2
    assert len(found.tokens) == found.prompt + len(made.steps)
    for step in range(len(made.steps)):
        # The text as it stood when the step's token was chosen, read from scratch.
        ids = [*made.prompt_ids, *(s.id for s in made.steps[:step])]
        read = gpt.network(torch.tensor([ids]), capture=Capture.ATTENTION).heads
        heads = torch.stack([layer.pattern[0] for layer in read])
        torch.testing.assert_close(found.row(step, 1, 0), heads[1, 0, -1], atol=1e-6, rtol=1e-5)
        torch.testing.assert_close(found.row(step), heads[:, :, -1].mean((0, 1)), atol=1e-6, rtol=1e-5)
        assert len(found.row(step)) == len(ids)


def test_the_first_token_left_out_by_hand():
    pattern = torch.tensor(
        [[[1.0, 0, 0], [0.6, 0.4, 0], [0.5, 0.2, 0.3]], [[1.0, 0, 0], [1, 0, 0], [1, 0, 0]]]
    )
    found = GenerationAttention(["a", "b", "c"], 1, pattern[None])
    assert found.row(1, 0, 0).tolist() == pattern[0, 1, :2].tolist()
    torch.testing.assert_close(found.row(1, 0), torch.tensor([0.8, 0.2]))
    torch.testing.assert_close(found.row(2, 0, 0, without_first=True), torch.tensor([0.0, 0.4, 0.6]))
    assert found.row(2, 0, 1, without_first=True).tolist() == [0, 0, 0], "all the weight lay on the first"
    assert found.row(0, without_first=True).tolist() == [0], "only the first had been read"


def test_an_empty_prompt_starts_from_the_start_token(gpt):
    found = generation_attention(written(gpt, ""))
    assert found.prompt == 1 and found.row(0).tolist() == [1.0]
