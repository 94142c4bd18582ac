"""Minimal pairs: which line is the good one, how it is written, who wins."""

import pytest

from explorer.analysis.prediction.fill import log_likelihood
from explorer.errors import NotFoundError
from training.metrics.minimal_pairs import minimal_pairs, read_pairs, spread, written

LINES = [
    "the bank are old .",
    "the bank is old .",
    "we was in it .",
    "we saw it .",
    "light is .",
    "it is light .",
]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "verbs.txt").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    (tmp_path / "same.txt").write_text("it is .\nit is .\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("this purple thing went there .", "This purple thing went there."),
        ("will i see Mark , or is he in ?", "Will I see Mark, or is he in?"),
        ("there are n't many , he 's sure", "There aren't many, he's sure"),
        ("i aren't in .", "I aren't in."),
    ],
)
def test_a_split_line_as_one_writes_it(line, expected):
    assert written(line) == expected


def test_the_ungrammatical_line_comes_first(folder):
    assert read_pairs(folder / "verbs.txt")[:2] == [
        ("The bank are old.", "The bank is old."),
        ("We was in it.", "We saw it."),
    ]


@pytest.mark.parametrize("name", ["tiny_bert", "tiny_gpt"])
def test_the_likelier_sentence_wins_and_a_tie_is_wrong(name, folder, request):
    model = request.getfixturevalue(name)
    found = minimal_pairs(model, folder)
    wins = [
        log_likelihood(model, good) > log_likelihood(model, bad)
        for bad, good in read_pairs(folder / "verbs.txt")
    ]
    assert [(f.label, f.value, f.items) for f in found[1:]] == [("same", 0, 1), ("verbs", sum(wins) / 3, 3)]
    assert found[0].items == 4 and found[0].value == pytest.approx(sum(wins) / 6)
    assert minimal_pairs(model, folder, limit=1)[-1].value == wins[0]


def test_a_limit_is_spread_over_the_file():
    pairs = [(str(i), str(i)) for i in range(10)]
    assert [a for a, _ in spread(pairs, 4)] == ["0", "2", "5", "7"]
    assert spread(pairs, None) == spread(pairs, 50) == pairs


def test_no_pairs(tiny_gpt, tmp_path):
    with pytest.raises(NotFoundError):
        minimal_pairs(tiny_gpt, tmp_path)
