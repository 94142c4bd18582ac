"""A prompt as a model reads it before it continues it."""

from explorer.models.base import Model
from explorer.tokenizers.prompt import prompt_or_start
from explorer.trace import Encoding


def encode_prompt(model: Model, text: str, limit: int | None = None) -> Encoding:
    """A text that a model is to continue: of a long one its last `limit` tokens, of an empty one the start.

    Raises TextError for an empty text if the model has no token to start with.

    >>> gpt = explorer.load("gpt")
    >>> encode_prompt(gpt, "by the river", limit=2).tokens, encode_prompt(gpt, "").tokens
    (['Ġthe', 'Ġriver'], ['<|endoftext|>'])
    """
    encoding = prompt_or_start(model.tokenizer, text, limit)
    return encoding if len(encoding) else model.encode("")
