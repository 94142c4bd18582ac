"""Tokens as pictures name them."""

from explorer.views.widgets.token_text import distinct, token_labels


def test_twins_are_numbered_and_marks_are_quoted():
    assert distinct(["bank", ".", "bank"]) == ["bank (1)", "“.”", "bank (2)"]
    assert distinct([".", "."]) == ["“.” (1)", "“.” (2)"]
    assert distinct([]) == []


def test_a_traces_tokens_keep_pieces_and_say_which_are_special(tiny_bert):
    encoding = tiny_bert.encode("the bank, the </script>")
    labels = token_labels(encoding)
    assert [t["text"] for t in labels[:5]] == ["[CLS]", "the", "bank", ",", "the"]
    assert [t["name"] for t in labels[1:5]] == ["the (1)", "bank", "“,”", "the (2)"]
    assert [t["quiet"] for t in labels] == encoding.special.tolist()
    some = token_labels(encoding, [1, 2])
    assert [t["name"] for t in some] == ["the", "bank"], "only what is shown is told apart"
