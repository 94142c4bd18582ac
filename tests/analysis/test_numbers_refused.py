"""A count below one is refused by its name, not taken for something else."""

import pytest
import torch

from explorer.analysis import prediction, vectors
from explorer.analysis.heads import ablation
from explorer.analysis.heads.induction import induction
from explorer.analysis.prediction import shannon, surprisal
from explorer.errors import ExplorerError, TextError

MASKED, TEXT = "we saw [MASK] on the water", "we saw light on the water"


@pytest.mark.parametrize("value", [0, -1, 1.5, True, "3"])
def test_it_is_named(tiny_bert, tiny_gpt, value):
    blanks, spot = prediction.blanks(tiny_bert, MASKED), shannon.spots(TEXT)[2]
    reading, row = surprisal.read(tiny_gpt, TEXT), torch.ones(tiny_gpt.config.d_vocab)
    for name, ask in (
        ("top", lambda: prediction.fill_mask(tiny_bert, MASKED, top=value)),
        ("k", lambda: prediction.top(tiny_bert, blanks, k=value)),
        ("top", lambda: prediction.next_tokens(tiny_gpt, TEXT, top=value)),
        ("limit", lambda: tiny_bert.trace(TEXT, limit=value)),
        ("limit", lambda: tiny_gpt.encode(TEXT, limit=value)),
        ("limit", lambda: surprisal.read(tiny_gpt, TEXT, limit=value)),
        ("count", lambda: surprisal.most_surprising(reading, value)),
        ("count", lambda: shannon.next_words(tiny_gpt, TEXT, spot, value)),
        ("limit", lambda: ablation.ask(tiny_gpt, TEXT, limit=value)),
        ("top", lambda: ablation.changes(tiny_gpt, row, row, top=value)),
        ("copies", lambda: induction(tiny_gpt, copies=value)),
    ):
        with pytest.raises(ExplorerError) as caught:
            ask()
        assert caught.value.message == f"{name} is {value!r}." and caught.value.hint


def test_it_is_named_for_word_vectors(tmp_path):
    import explorer

    (tmp_path / "v.txt").write_text("the 0 1\nof 1 0\nand 1 1\n")
    table = vectors.of(explorer.load(tmp_path / "v.txt"))
    for ask in (
        lambda: vectors.nearest(table, "the", top=-1),
        lambda: vectors.nearest_to_each(table, ["the"], top=-1),
        lambda: vectors.analogy(table, "the", "of", "and", top=-1),
    ):
        with pytest.raises(ExplorerError, match="top is -1"):
            ask()


@pytest.mark.parametrize("which", [1, -1])
def test_a_blank_that_is_not_there(tiny_bert, which):
    blanks = prediction.blanks(tiny_bert, MASKED)
    for ask in (
        lambda: prediction.top(tiny_bert, blanks, which),
        lambda: prediction.probe(tiny_bert, blanks, "light", which),
        lambda: prediction.probe(tiny_bert, blanks, "waterlight", which),
    ):
        with pytest.raises(TextError, match=f"no blank number {which}"):
            ask()
