"""The settings of the page of causes and its views, with their defaults and limits."""

from typing import Any

from explorer.views.frame.default_models import WRITER
from explorer.views.settings.setting import MOST_WORD, Setting

# All views
VIEW_NAME = Setting("view", "where")
MODEL = Setting("model", WRITER)
OPENING = {"smollm2": ("The capital of France is", "The capital of Italy is")}
PROMPTS = OPENING.get(WRITER, ("The queen lost", "The king lost"))  # which our own small GPT can tell apart
FIRST = Setting("first", PROMPTS[0], most=600)
SECOND = Setting("second", PROMPTS[1], most=600)
ANSWER = Setting("answer", "", most=MOST_WORD)  # "": the likeliest after the first prompt
INSTEAD = Setting("instead", "", most=MOST_WORD)  # "": the likeliest after the second
PROBABILITY = Setting("probability", False)  # whether answers are compared by probability, not by logits
PART = Setting[Any]("part", None)  # [layer, head], where the number after the last head is the MLP's

# Where the answer is
KIND = Setting("kind", "hidden")  # which states are put in, a key of `where.KINDS`
NOISE = Setting("noise", False)  # whether a part of the first prompt is disturbed in place of a second one
SUBJECT = Setting("subject", PROMPTS[0].split()[-2], most=MOST_WORD)  # that part
CELL = Setting[Any]("cell", None, optional=True)  # [layer, token]; None: nothing is chosen

# Which parts carry it
PLACE = Setting("place", -1, least=-1)  # the token whose heads are put in; -1: the one that answers
TOGETHER = Setting("together", False)  # whether the fewest heads that suffice are shown

# Who writes the answer
ALONE = Setting("alone", False)  # whether the answer's logit is split, not its lead over the other answer
