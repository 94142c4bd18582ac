"""Text to ids and back, with character spans, through the `tokenizers` library."""

from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.files import read_tokenizer

__all__ = ["Tokenizer", "read_tokenizer"]
