"""Text to ids and back, with character spans, through the `tokenizers` library."""

from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.files import TOKENIZER_FILES, complete, read_tokenizer

__all__ = ["TOKENIZER_FILES", "Tokenizer", "complete", "read_tokenizer"]
