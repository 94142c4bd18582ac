"""The settings of the continuations page and its views, with their defaults and limits."""

from typing import Any

from explorer.views.continuations.steps import NEWEST
from explorer.views.continuations.texts import AUNT, CAT, PASSAGE, QUESTION, STORY, WINTER
from explorer.views.frame.default_models import WRITER
from explorer.views.settings.setting import LONGEST_OF_ALL, Setting

# The page.
VIEW_NAME = Setting("view", "write")
MODEL = Setting("model", WRITER)
TEXT = Setting("text", STORY)
SEED = Setting("seed", 0, least=0)
LENGTH = Setting("length", 40)

# Write.
TEMPERATURE = Setting("temperature", 0.7)
TOP_K = Setting("top_k", 0)  # 0: nothing is cut
TOP_P = Setting("top_p", 1.0)  # 1: nothing is cut
TOKEN = Setting("token", NEWEST)  # the step that is shown; NEWEST follows the text
TREE = Setting("tree", "", most=LONGEST_OF_ALL)  # branches that the settings alone do not reproduce
VERSUS = Setting("versus", -1)  # the number of the branch to compare; -1: none

# Colour a text.
SOURCE = Setting("source", "typed")
CHOSEN_PASSAGE = Setting("passage", PASSAGE)
COLOUR_SCALE = Setting("way", "bands")
REST_OF_WORD = Setting("rest_of_word", False)  # whether a word's later pieces are masked with each
SECOND = Setting("second", "")

# Search or draw.
BEAM_WIDTH = Setting("width", 4)
DECODER_TOP_P = Setting("mass", 0.9)
ALPHA = Setting("alpha", 0.6)

# The bench.
BENCH_TEXT = Setting("bench_text", CAT)
STEP_VALUES: dict[str, Setting[Any]] = {
    "repetition_penalty": Setting("step_penalty", 1.2),
    "grammar": Setting("step_grammar", " ?(yes|no)", most=300),
    "temperature": Setting("step_temperature", 0.7),
    "top_k": Setting("step_k", 40),
    "top_p": Setting("step_p", 0.9),
    "min_p": Setting("step_min", 0.05),
    "typical_p": Setting("step_typical", 0.9),
    "watermark": Setting("step_watermark", 2.0),
}
STEP_ORDER = Setting[list[Any]]("steps", list(STEP_VALUES))
TESTED = Setting("tested", "", most=2_000)  # a text in which the watermark is looked for
STEPS_ON = Setting[list[Any]]("on", ["temperature", "top_p"])

# Looking back. The head that copies, [layer, head], was chosen by its measurements (assets/heads).
COPIES = {"smollm2": (18, 6), "gpt": (4, 2)}.get(WRITER, (-1, -1))
LOOK_TEXT = Setting("look_text", AUNT)
LOOK_STEP = Setting("look_step", 0)
LOOK_LAYER = Setting("look_layer", COPIES[0])  # -1: all layers, or all heads
LOOK_HEAD = Setting("look_head", COPIES[1])
LOOK_FIRST = Setting("look_first", True)  # whether the first token counts, an attention sink
LOOK_TEMPERATURE = Setting("look_heat", 0.0)

# Dice.
DICE_PART = Setting("part", "throw")
DICE_SOURCE = Setting("counted", "fable")
DICE_TEXT = Setting("own_text", "")
WORDS_BACK = Setting("back", 2)
DICE_START = Setting("start", "The raven", most=600)
DICE_WORDS = Setting[list[Any]](
    "words", []
)  # [a word, the number thrown or 0, words before it that were seen]
NEW_TEXT = Setting("new_text", WINTER, most=3_000)
ROUNDS = Setting[list[Any]]("rounds", [])  # of each word: [the first guess, those that were right, all]

# Examples in the prompt.
TASK = Setting("task", "opposites")
SHOTS = Setting("shots", 3)
QUESTION_INDEX = Setting("asked", 2, least=0)  # the number of the pair that is read out
SECOND_MODEL = Setting("beside", "gpt" if WRITER != "gpt" else "")
OWN_PAIRS = Setting("pairs", "", most=3_000)

# A chat is a text.
MARKS = Setting("marks", True)
WITH_SYSTEM = Setting("with_system", True)
SYSTEM = Setting("system", "", most=2_000)  # empty: that of the model's own chat template
TURN_COUNT = Setting("turns", 1)  # turns on the page, the user's and the assistant's alternately
TURNS = [Setting(f"turn{number}", QUESTION if number == 0 else "", most=2_000) for number in range(7)]
