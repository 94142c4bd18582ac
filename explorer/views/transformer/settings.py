"""The settings of this page and its views, with their defaults and limits."""

from typing import Any

from explorer import assets
from explorer.views.settings.setting import Setting

BITES = ("The dog bit the man.", "The man bit the dog.")
MEAN = "mean"  # of all heads, in place of one

# Several views
LAYER = Setting("layer", 3, least=0)
HEAD = Setting("head", 10, least=0)
VIEW_NAME = Setting("view", "overview")
MODEL = Setting("model", "bert")
TEXT = Setting("text", "The train stopped at the [MASK].")
PAIR = Setting("pair", "")

# Step by step
PADDING = Setting("padding", False)
SIDE = Setting("side", "encoder")  # of a translator: what reads, or what writes
STEP = Setting("step", "whole")  # a step's name, or the whole layer
LAYOUT = Setting("way", "one")  # one word's way, or all words at once
WORD = Setting("word", 6, least=0)
NUMBER = Setting("number", 0, least=0)  # of each vector, the one that the whole layer shows; counted from 0
CELLS = Setting[list[Any]](
    "cells", []
)  # numbers followed back, each [tensor, row, column, layer, head]; the last is shown

# Positions
POSITIONS_PART = Setting("positions_part", "table")
POSITIONS_LENGTH = Setting("positions_length", 64, least=16, most=256)
POSITIONS_WIDTH = Setting("positions_width", 64, least=8, most=128)
POSITIONS_AT = Setting("positions_at", 20, least=0)
POSITIONS_SHIFT = Setting("positions_shift", 3, least=1)

# Positions: shuffled words
SHUFFLE_TEXT = Setting("shuffle_text", BITES[0])
SHUFFLE_OTHER = Setting("shuffle_other", "")  # the words in another order; empty for one by chance
SHUFFLE_SEED = Setting("shuffle_seed", 1, least=0)

# Masks
MASKS_PART = Setting("masks_part", "")  # empty: the maps for a text with a blank, otherwise the drawing
MASKS_TEXT = Setting("masks_text", "The patient was very ill.")
MASKS_PAIR = Setting("masks_pair", "He was taken to the [MASK] by helicopter.")
MASKS_LAYER = Setting("masks_layer", 2, least=0)
MASKS_PLACE = Setting("masks_place", 4, least=0)

# Transformer-XL
FLOOD = assets.text(assets.TEXTS / "flood.txt").strip()  # long enough to be cut
XL_TEXT = Setting("xl_text", FLOOD, most=6_000)  # characters: more than the bundled GPT’s positions hold
XL_SHOW = Setting("xl_show", "bits")
XL_SEGMENT = Setting("xl_segment", 16, least=4, most=64)
XL_MEMORY = Setting("xl_memory", 0, least=0, most=128)
XL_FIRST = Setting("xl_first", True)
XL_POSITIONS = Setting("xl_positions", "continued")

# In parallel
WAIT_WORDS = Setting("wait_words", 8, least=2, most=24)
WAIT_STEP = Setting("wait_step", 9, least=1, most=40)

# Translator
TRANSLATOR_TEXT = Setting("translator_text", "My brother bought a red car.")
TRANSLATOR_PART = Setting("translator_part", "words")
TRANSLATOR_LAYER = Setting("translator_layer", MEAN)  # the layer, or the mean of all
TRANSLATOR_HEAD = Setting("translator_head", MEAN)  # the head, or the mean of all
TRANSLATOR_TOKEN = Setting("translator_token", -1, least=-1)  # the French token that is chosen
TRANSLATOR_HYPOTHESIS = Setting("translator_road", 0, least=0)  # the hypothesis that is shown, the best first
TRANSLATOR_SIDE = Setting("translator_side", "cross")  # BertViz: whose attention
TRANSLATOR_REFERENCE = Setting("translator_reference", "", most=2000)  # a person's translation
