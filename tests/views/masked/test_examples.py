"""The code that every view shows, run as it is printed, gives the numbers that the view drew."""

from functools import partial
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from explorer.views.frame.presets import presets_in_row
from explorer.views.masked import three_orders
from explorer.views.masked.page import VIEWS
from explorer.views.widgets.numbers import short
from tests.views import opening
from tests.views.opening import links, printed_result, sent, told

run = partial(opening.opened, "masked")
# For Write, whose published settings take a minute.
FAST = {"steps": 50, "blanks": 5, "model": "bert-mini"}


def english(view: str) -> list:
    return [one for one in presets_in_row("masked", view) if one.language == "en"]


CASES = [
    link
    for view in VIEWS
    if view != "replaced"  # see test_replaced.py
    # Write's presets differ in their frame alone, and each writes three texts.
    for link in links(english(view)[: 2 if view == "write" else None], view=view)
]


def predict(at: AppTest, result: Any) -> None:
    lists = [[*blank, *result[1]] for blank in result[0]] if isinstance(result, tuple) else None
    lists = lists or [[*candidates, *looked_up] for candidates, looked_up in result]
    mounts = sent(at, "bars")
    assert len(mounts) == len(lists)
    for mount, rows in zip(mounts, lists):
        for row, (token, probability, *_) in zip(mount["rows"], rows):
            assert row["token"] == token and row["probability"] == pytest.approx(probability, rel=1e-4)


def sets(at: AppTest, result: Any) -> None:
    (chart,) = sent(at, "template_bias")
    assert {row["name"]: row["bits"] for row in chart["rows"]} == pytest.approx(result, abs=1e-4)


def following(at: AppTest, result: Any) -> None:
    for second, probability in result.items():
        assert f"{second}: follows with probability {probability:.6g}" in told(at)


def training(at: AppTest, result: Any) -> None:
    words = [word for word in sent(at, "word_columns")[0]["words"] if "bar" in word]
    assert [word["number"] for word in words] == [f"{loss:.1f}" for _, _, loss in result]
    for word, (token, treatment, _) in zip(words, result):
        assert word["tip"].startswith(f"{treatment}; the original token is {token},")


def write(at: AppTest, result: Any) -> None:
    run = at.session_state[three_orders.RUN]
    while any(len(one.rows) < one.writing.total for one in run.orders):
        run.extend()
    at.run()
    (data,) = sent(at, "gibbs")
    for way, (order, (_, steps)) in zip(data["orders"], result.items(), strict=True):
        assert way["name"].lower() == order.lower()
        assert [step["place"] for step in way["steps"]] == [place for place, _, _ in steps]
        for step, (_, _, probability) in zip(way["steps"], steps):
            assert f": probability {short(probability)}, " in step["says"]
    written = [line.split(":", 1)[1].lower() for line in three_orders.texts(run).splitlines()]
    together = [text.replace(" ", "") for text in written]  # the page sets every token apart
    assert together == [text.replace(" ", "") for text, _ in result.values()]


@pytest.mark.parametrize(("view", "values"), CASES, ids=lambda case: str(case)[:40])
def test_the_printed_code_gives_what_is_drawn(view, values):
    values = {"view": view, **values, **(FAST if view == "write" else {})}
    at = run(**values)
    globals()["following" if view == "next" else view](at, printed_result(at))


def test_words_looked_up_and_awkward_text_come_out_as_they_are():
    at = run(text='It\'s a "[MASK]" at the end\\.', probe="word, </script>", k=5)
    predict(at, printed_result(at))
    (mount,) = sent(at, "bars")
    assert [row["token"] for row in mount["rows"][5:]] == ["word", "</script>"]


def test_without_a_blank_the_code_gives_the_tokens():
    assert printed_result(run(text="We sat.")) == ["[CLS]", "we", "sat", ".", "[SEP]"]


@pytest.mark.parametrize("view", ["training", "next"])
def test_without_a_text_the_code_still_runs(view):
    assert not printed_result(run(view=view, sentence="", seconds=""))


def test_where_nothing_can_be_drawn_no_code_is_shown():
    assert not run(view="write", frame="No blank.").code
