"""A text that is to be continued: the next token follows its last one."""

from dataclasses import replace

from explorer.tokenizers.base import Tokenizer
from explorer.trace import Encoding


def encode_prompt(tokenizer: Tokenizer, text: str, limit: int | None = None) -> Encoding:
    """A text without what a frame puts after it; of one longer than `limit` the start token and the end.

    >>> import explorer
    >>> encode_prompt(explorer.load("gpt").tokenizer, "the bank by the river", limit=2).tokens
    ['Ġthe', 'Ġriver']
    """
    whole = tokenizer.encode(text)
    own = (~whole.frame).nonzero().flatten().tolist()
    lead = [0] if tokenizer.adds_start and len(whole) else []
    room = len(own) if limit is None else max(limit - len(lead), 0)
    kept = own[max(len(own) - room, 0) :]
    return replace(whole.at([*lead, *kept]), cut=len(own) - len(kept))
