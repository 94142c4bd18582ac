"""A panic of the tokenizers library is an error like any other."""

import pytest
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from explorer.errors import FormatError
from explorer.tokenizers.base import Tokenizer as Ours


def test_a_pattern_that_backtracks_without_end_is_our_error():
    backend = Tokenizer(models.WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Split(Regex("(a+)+$"), "isolated")
    tokenizer = Ours(backend, {"unknown": "[UNK]"}, byte_level=False)
    assert tokenizer.encode("aaa").ids.tolist() == [1]
    with pytest.raises(FormatError, match="backtrack"):
        tokenizer.encode("a" * 40 + "b")
