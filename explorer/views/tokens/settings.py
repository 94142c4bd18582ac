"""The settings of the page of tokens and its views, with their defaults and limits."""

from explorer.views.frame.default_models import WRITER
from explorer.views.settings.setting import LONGEST_OF_ALL, MOST_WORD, Setting

FABLE = (
    "A ferryman lived by the slow river. Every morning he rowed the farmers over the river, and every "
    "evening he rowed them home. The farmers were always in a hurry. “Row faster, ferryman,” said the "
    "youngest farmer. “The river is slower than my horse.” So the ferryman rowed faster, and the faster he "
    "rowed, the higher the water rose in the boat. “Slower, slower!” cried the oldest farmer. “We are "
    "sinking faster than we are rowing.” The ferryman rowed slower, and the water sank lower and lower. "
    "“Now,” said the ferryman, “who is the faster rower: the one who rows fast and sinks, or the one who "
    "rows slowly and lands?” The youngest farmer said nothing. Since then the farmers have waited without "
    "hurrying, and the ferryman rows as slowly as the river flows."
)

VIEW_NAME = Setting("view", "cut")

# How pieces are learnt
TEXT = Setting("learn_text", FABLE, most=LONGEST_OF_ALL)
WAY = Setting("way", "byte-pairs")  # a key of `learning.WAYS`
MERGES = Setting("merges", 100)
STEP = Setting("step", 0, least=0)  # how many merges have been made
WORD = Setting("learn_word", "slowest rower", most=MOST_WORD)

# How it is cut
CUT_TEXT = Setting("text", "An unbelievable strawberry of 1234 grams.", most=LONGEST_OF_ALL)
OTHER = Setting("other", "")  # one more tokenizer; "": none
LINE = Setting("line", -1, least=-1)  # of several lines the one that is drawn; -1: how many tokens each needs

# Vocabulary
VOCABULARY = Setting("vocabulary", WRITER)
BESIDE = Setting("beside", "")  # another vocabulary: only what it lacks is shown; "": all
COLOUR = Setting("colour", "script")  # a key of `vocabulary.COLOURS`
SEARCH = Setting("search", "", most=MOST_WORD)
