"""What is said about a model's training comes from its record."""

import json

from explorer.assets import CHECKPOINTS
from explorer.views.frame.trained import duration, training_time
from tests.views.opening import opened, said


def test_the_caveat_of_write_tells_the_time_of_the_record():
    record = json.loads((CHECKPOINTS / "gpt" / "training.json").read_text(encoding="utf-8"))
    time = duration(record["points"][-1]["seconds"])
    assert training_time("gpt") == time
    assert f"trained for {time}." in said(opened("continuations", model="gpt"))


def test_a_model_without_a_record_has_no_time():
    assert training_time("hub:some/model") == training_time("nothing") == ""
