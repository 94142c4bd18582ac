"""Presets of Four models: one dot and three clouds, GPT's left context, and a word without its sentence."""

from explorer.views.frame.presets import Preset
from explorer.views.senses.presets import PUZZLE, sentences

# Each begins with “The bank”: what distinguishes the senses comes after the word.
BEGIN_ALIKE = """\
The bank of the river was green and quiet. #river
The bank of the stream was slippery after three days of rain. #river
The bank of the lake is a fine place for a picnic. #river
The bank above the water was covered with nettles. #river
The bank lent my sister the money for her first bakery. #money
The bank refused the student because he earned too little. #money
The bank has promised to answer our letter by Friday. #money
The bank raised the interest on our loan. #money"""

# The words after “bank” decide the sense: a deposit or a transfer, or the earth and sand of a bank.
I_MADE_A_BANK = """\
I made a bank deposit this morning. #money
I made a bank transfer to my landlord. #money
I made a bank of earth along the stream. #river
I made a bank of sand against the tide. #river"""

PRESETS = [
    Preset(
        "Four models",
        "In word2vec, a word is one dot. The models that read sentences tell the three banks apart.",
        {"view": "four"},
    ),
    Preset(
        "“The bank of the river …”",
        "GPT reads from the left only. All these sentences begin alike, so every “bank” has the same vector.",
        {"view": "four", "text": BEGIN_ALIKE},
    ),
    Preset(
        "I made a bank deposit",
        "GPT has read “I made a bank” and no more, so a deposit and a heap of sand have the same vector. "
        "BERT has read on.",
        {"view": "four", "text": I_MADE_A_BANK},
    ),
    Preset(
        "Harder sentences",
        "Twelve sentences in which the words around “bank” say less. BERT is right more often than ELMo.",
        {"view": "four", "text": f"{PUZZLE}\n{sentences('bank')}"},
    ),
    Preset(
        "Springs",
        "A season, a source, a coil. Switch between Static and In context.",
        {"view": "four", "word": "spring", "text": sentences("spring"), "static": True},
    ),
]
