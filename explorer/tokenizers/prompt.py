"""The encoding of a prompt, whose next token follows its last one."""

from dataclasses import replace

import torch

from explorer.tokenizers.base import Tokenizer
from explorer.trace import Encoding


def encode_prompt(tokenizer: Tokenizer, text: str, limit: int | None = None) -> Encoding:
    """A text without the frame's tokens after it; if longer than `limit`, its leading tokens and its end."""
    whole = tokenizer.encode(text)
    own = (~whole.frame).nonzero().flatten().tolist()
    lead = range(tokenizer.leading)
    room = len(own) if limit is None else max(limit - len(lead), 0)
    last = own[max(len(own) - room, 0) :]
    return replace(whole.at([*lead, *last]), truncated=len(own) - len(last))


def prompt_or_start(tokenizer: Tokenizer, text: str, limit: int | None = None) -> Encoding:
    """As `encode_prompt`, but an empty text becomes the start token, if there is one."""
    prompt = encode_prompt(tokenizer, text, limit)
    if len(prompt) or tokenizer.start is None:
        return prompt
    start = torch.tensor([tokenizer.start])
    token, first = [tokenizer.token(tokenizer.start)], torch.tensor([True])
    return replace(prompt, tokens=token, ids=start, spans=[(0, 0)], special=first, segments=0 * start)
