"""What the last word of a text is followed by, told where a model reads it."""

import pytest

from explorer.views.widgets.unread_characters import unseen_end


@pytest.mark.parametrize(
    ("text", "notice"),
    [
        ("the bank", ""), ("the bank ", "ends in a space"), ("the bank\n", "ends in a line end"),
        ("the bank  ", "ends in spaces or line ends"), ("the bank \n", "ends in spaces or line ends"),
        ("", ""), (" ", ""),
    ],
)  # fmt: skip
def test_a_space_after_the_last_word_is_told(tiny_gpt, tiny_bert, text, notice):
    assert notice in unseen_end(tiny_gpt, text) and bool(notice) == bool(unseen_end(tiny_gpt, text))
    assert unseen_end(tiny_bert, text) == "", "BERT’s tokenizer drops it"
