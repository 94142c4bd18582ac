"""The code that the page shows, run as it is printed, gives what is drawn; so do the files it saves."""

import json
from functools import partial

import pytest

from explorer.views.about import cards, choice, milestones, page, record, saves
from explorer.views.frame.presets import presets
from explorer.views.look import blocklist
from explorer.views.look.blocklist import DOTS
from tests import records
from tests.views import opening
from tests.views.opening import printed_result, rows, sent

run = partial(opening.opened, "models")


def shipped() -> list[tuple[str, str]]:
    """Every picture of every model's record."""
    return [
        (name, view)
        for name in cards.names()
        if (training := record.read(name))
        for view in page.views_of(choice.Training(name, cards.card(name), training))
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "view"), shipped())
def test_the_printed_code_gives_what_is_drawn(name, view):
    at = run(model=name, view=view)
    results = printed_result(at)
    training = record.read(name)
    shown = milestones.snapshots_shown(training, len(training.snapshots) - 1)
    if view in ("predicted", "written"):
        results = [results[index] for index in shown]
    if view == "predicted":
        (data,) = sent(at, "milestones")
        tokens = [word["token"] for word in data["words"]]
        for column, (_, guesses) in zip(data["columns"], results, strict=True):
            assert [tokens[cell["word"]] for cell in column["cells"]] == [token for token, _ in guesses]
            numbers = [cell["tip"].split(",")[0].split(" ")[1] for cell in column["cells"]]
            assert numbers == [f"{number:.6g}" for _, number in guesses]
    elif view == "written":
        (data,) = sent(at, "drafts")
        for row, (_, text) in zip(data["rows"], results, strict=True):
            assert row["text"] == text.replace("\n", " ↵ ")
    else:
        chart = at.get("plotly_chart")[0].proto.spec
        assert all(f'"name":{json.dumps(curve)}' in chart for curve in results)


@pytest.mark.parametrize("preset", presets("models"), ids=lambda preset: preset.label)
def test_the_code_of_every_preset_runs(preset):
    assert printed_result(run(**preset.values))


def test_the_code_reads_the_record_that_is_shown(records_kept):
    results = printed_result(run(model="gpt", view="predicted"))
    assert len(results) == 8 and results[-1][1][0] == (" girl", 0.5)
    assert printed_result(run(model="gpt", view="card", measure="share"))["masked word, first guess"][0] == (
        0,
        0.0,
    )


@pytest.mark.parametrize(
    ("view", "measure"), [("predicted", ""), ("written", ""), ("card", "loss"), ("card", "odd one")]
)
def test_every_picture_can_be_saved_with_its_numbers(records_kept, view, measure):
    labels = [b.label for b in run(model="gpt", view=view, measure=measure).get("download_button")]
    assert sum(label.endswith("· CSV") for label in labels) == 2 and "All measurements · CSV" in labels


def test_what_is_saved_is_what_the_record_holds(records_kept):
    training = record.read("bert")
    everyone = blocklist.Blocklist(on=False, typed_words=frozenset())
    guesses = rows(saves.guesses_csv(training, 1, everyone))
    assert len(guesses) == 8 * 5 and guesses[0]["token"] == "</script>"
    assert float(guesses[-5]["probability"]) == pytest.approx(0.4) and guesses[-5]["tokens"] == "2611200"
    measured = rows(saves.record_csv(training))
    assert len(measured) == 50 + 8 * 6
    last = {row["measure"]: float(row["value"]) for row in measured[-6:]}
    assert last["next sentence"] == pytest.approx(0.78) and last["odd one"] == 19
    (texts, *_) = rows(saves.texts_csv(record.read("gpt"), 0, everyone))
    assert texts["beginning"] == records.PROMPT and "</script>" in texts["continuation"]


def test_a_listed_word_is_saved_as_dots(records_kept):
    training = record.read("bert")
    listed = next(word for word in sorted(blocklist.listed()) if len(word) == 5)
    training.snapshots[0].guesses[0][0] = (listed, 0.5)
    first = rows(saves.guesses_csv(training, 0, blocklist.over("bert")))[0]
    assert first["token"] == DOTS and float(first["probability"]) == 0.5
