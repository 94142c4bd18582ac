"""The two small views: the causal triangle row by row, and skip-gram's two matrices beside a head's."""

import pytest
import torch

import explorer
from explorer.analysis.transformer import walk
from explorer.views.transformer.presets import BESIDE, ROWS
from explorer.views.transformer.row_by_row import rows
from tests.views.opening import defaults, opened, printed_result, sent, told

DEFAULTS = defaults("transformer")

TEXT = "We sat on the bank."


def maps(at) -> list[dict]:
    (data,) = sent(at, "score_maps")
    return data["maps"]


def test_a_token_adds_a_row_and_changes_none():
    model, tokens = explorer.load("gpt"), explorer.load("gpt").encode(TEXT)
    whole = rows(model, TEXT, 1, 2, 10)
    assert [len(row) for row in whole] == list(range(1, len(tokens) + 1)) and whole[0] == [1.0]
    for count in range(1, len(tokens)):
        part = rows(model, TEXT, 1, 2, count)
        for before, after in zip(part, whole):
            assert before == pytest.approx(after, abs=1e-5)


def test_the_triangle_is_the_heads_and_empty_above():
    at = opened("transformer", view="rows", text=TEXT, head=1, rows=2)
    (found,) = maps(at)
    weights = walk(explorer.load("gpt"), TEXT, layer=2, head=1).value("weights")
    for i, row in enumerate(found["numbers"]):
        assert row[i + 1 :] == [None] * (len(row) - i - 1)
        assert row[: i + 1] == pytest.approx(weights[i, : i + 1].tolist())
    assert sent(at, "score_maps")[0]["rows"] == 2
    assert printed_result(at)[0] == [1.0]


@pytest.mark.slow
def test_the_two_tables_stand_side_by_side_and_what_is_not_shipped_is_said():
    at = opened("transformer", view="beside", text=TEXT)
    skip_gram, head = maps(at)
    assert skip_gram["rows"] == ["king", "queen", "bread", "cheese", "cat", "dog"]
    assert "ships with W only" in skip_gram["note"]
    assert not hasattr(explorer.load("word2vec").network, "contexts")
    wanted = walk(explorer.load("bert"), TEXT, layer=2, head=9).value("scores")
    torch.testing.assert_close(torch.tensor(head["numbers"]), wanted)
    torch.testing.assert_close(torch.tensor(printed_result(at)), torch.tensor(skip_gram["numbers"]))


@pytest.mark.slow
@pytest.mark.parametrize("view", ["rows", "beside"])
@pytest.mark.parametrize(
    ("text", "says"), [(" ", "Type a sentence above."), ("river " * 500, "Cut at"), ("🙂", "")]
)
def test_odd_texts_have_a_clear_line(view, text, says):
    at = opened("transformer", view=view, text=text)
    assert not at.error and says in told(at)


@pytest.mark.slow
def test_words_that_the_small_text_lacks_are_said():
    at = opened("transformer", view="beside", words="zebra, ,,")
    assert "Fewer than two of these words are in the text." in told(at)


@pytest.mark.weights
def test_the_presets_make_their_points():
    model, chosen = explorer.load("gpt"), DEFAULTS | ROWS[0].values
    for head in range(model.config.heads):
        assert rows(model, chosen["text"], chosen["layer"], head, 1) == [[1.0]]
    assert ROWS[1].values["rows"] >= len(rows(model, chosen["text"], 0, 0, 10))
    skip_gram, _ = maps(opened("transformer", **BESIDE[0].values))
    king, queen = (skip_gram["rows"].index(word) for word in ("king", "queen"))
    assert skip_gram["numbers"][king][queen] != pytest.approx(skip_gram["numbers"][queen][king], abs=0.01)
