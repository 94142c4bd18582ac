"""Text to ids and back, with character spans, through the `tokenizers` library."""

from explorer.tokenizers.base import Tokenizer
from explorer.tokenizers.files import TOKENIZER_FILES, as_files, complete, read_tokenizer

__all__ = ["TOKENIZER_FILES", "Tokenizer", "as_files", "complete", "read_tokenizer"]
