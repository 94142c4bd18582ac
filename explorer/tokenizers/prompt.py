"""A text that is to be continued: the next token follows its last one."""

from dataclasses import replace

import torch

from explorer.tokenizers.base import Tokenizer
from explorer.trace import Encoding


def encode_prompt(tokenizer: Tokenizer, text: str, limit: int | None = None) -> Encoding:
    """A text without what a frame puts after it; of one longer than `limit` what stands before, and its end.

    >>> import explorer
    >>> encode_prompt(explorer.load("gpt").tokenizer, "the bank by the river", limit=2).tokens
    ['Ġthe', 'Ġriver']
    """
    whole = tokenizer.encode(text)
    own = (~whole.frame).nonzero().flatten().tolist()
    lead = range(tokenizer.leading)
    room = len(own) if limit is None else max(limit - len(lead), 0)
    kept = own[max(len(own) - room, 0) :]
    return replace(whole.at([*lead, *kept]), truncated=len(own) - len(kept))


def prompt_or_start(tokenizer: Tokenizer, text: str, limit: int | None = None) -> Encoding:
    """The same, but for an empty text, which becomes the start token alone where there is one.

    >>> import explorer
    >>> prompt_or_start(explorer.load("gpt").tokenizer, "").tokens
    ['<|endoftext|>']
    """
    prompt = encode_prompt(tokenizer, text, limit)
    if len(prompt) or tokenizer.start is None:
        return prompt
    start = torch.tensor([tokenizer.start])
    token, first = [tokenizer.token(tokenizer.start)], torch.tensor([True])
    return replace(prompt, tokens=token, ids=start, spans=[(0, 0)], special=first, segments=0 * start)
