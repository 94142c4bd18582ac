"""Examples in the prompt: the task's curve, one prompt in full, a visitor's own pairs."""

from html import escape

import pytest

from explorer.analysis.prediction.few_shot import FewShot, Pair, few_shot
from explorer.views.continuations.few_shot import BETWEEN, LISTED, MOST_PAIRS, answers_csv, tasks
from tests.shared_models import model
from tests.views.continuations.opening import component_data, open_
from tests.views.opening import printed_result, rows, said, told


@pytest.fixture(scope="module")
def opposites() -> FewShot:
    return few_shot(model("gpt"), [Pair(*pair) for pair in tasks()["opposites"]["pairs"]], BETWEEN)


def test_one_prompt_is_shown_in_full_with_its_candidates(opposites):
    at = open_("examples", model="gpt", shots=2)
    examples, _, question = opposites.prompt(2, 2).rpartition("\n")
    assert f"{escape(examples)}\n<b>{escape(question)}</b>" in said(at)
    assert [row["token"] for row in component_data(at, "bars")["rows"]] == [
        c.token for c in opposites.candidates(model("gpt"), 2, 2)[:LISTED]
    ]
    assert (
        f"with 2 examples, always taking the likeliest token, of 20: GPT {opposites.written[:, 2].sum()}"
        in told(at)
    )


def test_the_printed_code_gives_the_numbers_on_the_page(opposites):
    result = printed_result(open_("examples", model="gpt"))
    assert result["day"] == opposites.log_probability[2].exp().tolist()


def test_all_answers_are_saved(opposites):
    saved = rows(answers_csv({"GPT": opposites}))
    assert len(saved) == 20 * 9
    assert saved[2 * 9 + 4]["question"] == "day" and saved[2 * 9 + 4]["examples"] == "4"
    assert float(saved[22]["probability"]) == pytest.approx(float(opposites.log_probability[2, 4].exp()))


def test_own_pairs_are_read_from_a_pasted_table():
    at = open_("examples", model="gpt", task="own", pairs="sun\tday\nmoon\t</script>\nfire\thot\n", asked=1)
    assert "&lt;/script&gt;" in said(at) or "moon -&gt;" in said(at)
    assert "</script>" not in said(at)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ("", "Type or paste pairs"),
        ("hot\ncold", "has one column"),
        ("hot, cold", "at least two pairs"),
        (f"{'a ' * 1200}, b\nc, d", "tokens; gpt reads 512"),
    ],
)
def test_a_table_that_is_no_task_gets_a_message(pairs, message):
    at = open_("examples", model="gpt", task="own", pairs=pairs)
    assert message in told(at) or any(message in error.value for error in [*at.error, *at.markdown])


def test_pairs_beyond_twenty_are_left_out_and_counted():
    table = "\n".join(f"w{number}, v{number}" for number in range(MOST_PAIRS + 3))
    assert "The first 20 pairs are read; 3 more were left out." in told(
        open_("examples", model="gpt", task="own", pairs=table)
    )


def test_a_link_may_say_anything():
    at = open_("examples", model="gpt", task="<s>", shots=10**9, asked=10**9, seed=-1, beside="<s>")
    assert component_data(at, "bars")["rows"] and "<s>" not in said(at)
