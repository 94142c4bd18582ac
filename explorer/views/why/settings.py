"""The settings of the page of causes and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.default_models import WRITER
from explorer.views.settings.setting import MOST_WORD, Setting

# All views
VIEW_NAME = Setting("view", "where")
MODEL = Setting("model", WRITER)
FIRST = Setting("first", "The capital of France is", most=600)
SECOND = Setting("second", "The capital of Italy is", most=600)
ANSWER = Setting("answer", "", most=MOST_WORD)  # "": the likeliest after the first prompt
INSTEAD = Setting("instead", "", most=MOST_WORD)  # "": the likeliest after the second

# Where the answer is
KIND = Setting("kind", "hidden")  # which states are put in, a key of `where.KINDS`
NOISE = Setting("noise", False)  # whether a part of the first prompt is disturbed in place of a second one
SUBJECT = Setting("subject", "France", most=MOST_WORD)  # that part
CELL = Setting[Any]("cell", None, optional=True)  # [layer, token]; None: nothing is chosen
