"""The heads page's opening sentence, and its presets; tests check them on the bundled weights."""

from explorer.assets import CHINESE
from explorer.views.frame.presets import Preset

SENTENCE = "The painter closed her eyes before she began to paint."
TWINS = "Our bus waits at the bridge, but the bridge is too low for the bus."
OBJECTS = "The keeper closed the old gate, and her dog followed the last visitor."
FERRY = "Before the ferry left, the children threw their last bread to the gulls."
COFFEE = "He drank a cup of coffee and ate a piece of bread."
ZORBIN = "The captain was called Zorbin. Nobody on the ship liked Zor"
BRIDGE = "車在橋邊等，可是橋太低，車過不去。"
PUPILS = "老師在教室裡教學生寫漢字。"


KINDS = [
    Preset(
        "From an object to its verb",
        "One head finds the verb of most objects. Always looking three words back finds less than half.",
        {},
    ),
    Preset(
        "Too easy to count",
        "A head finds the noun of nearly every adjective, but so does “the next word”. That was easy.",
        {"what": "amod"},
    ),
    Preset(
        "What followed the first time",
        "Random tokens, repeated. One head of GPT looks at what came next the first time: it has learnt to "
        "copy.",
        {"model": "gpt", "of": "repeated", "what": "induction"},
    ),
    Preset(
        "A bridge and a car",
        "車, car, and 橋, bridge, stand twice each. Which heads look from the second to the first? Chinese "
        "grammar is not measured: our parsed sentences are English.",
        {"of": "live", "what": "repeat", "text": BRIDGE, "arcs": [[8, 2], [12, 0]], "blank": 8},
        "zh",
    ),
]
ARCS = [
    Preset(
        "The same word again",
        "Two arcs, from the second “bus” and the second “bridge” to the first. Two heads look for the same "
        "word, ahead of all others.",
        {"what": "arcs", "text": TWINS, "arcs": [[15, 1], [9, 5]]},
    ),
    Preset(
        "Two objects, two verbs",
        "From “gate” to “closed” and from “visitor” to “followed”: the head that is best at objects comes "
        "first.",
        {"what": "arcs", "text": OBJECTS, "arcs": [[5, 2], [13, 10]]},
    ),
    Preset(
        "Distance alone",
        "From each word to the one before: L1H3 does it everywhere, whatever the words mean. Nothing is left "
        "beyond distance.",
        {"what": "arcs", "text": FERRY, "arcs": [[2, 1], [6, 5], [7, 6], [10, 9]]},
    ),
    Preset(
        "The same character again",
        "Two arcs, from the second 橋, bridge, and the second 車, car, to the first. The head that is best "
        "at them gives them a quarter of its attention, and is among the two best in sentences like it.",
        {"what": "arcs", "model": CHINESE, "text": BRIDGE, "arcs": [[8, 2], [12, 0]]},
        "zh",
    ),
    Preset(
        "Inside a word",
        "From each word’s second character to its first. The best head looks one character back everywhere, "
        "so that beyond distance nothing is left.",
        {"what": "arcs", "model": CHINESE, "text": PUPILS, "arcs": [[1, 0], [4, 3], [8, 7], [11, 10]]},
        "zh",
    ),
]
OFF = [
    Preset(
        "One head tells her from his",
        "This head reads “she” for the blank. Without it “her” loses most of its probability, and “his” "
        "gains.",
        {"view": "off"},
    ),
    Preset(
        "Twelve heads, no difference",
        "All heads of a layer are off, and the guess stays the same.",
        {"view": "off", "text": COFFEE, "blank": 10, "off": [[4, head] for head in range(12)]},
    ),
    Preset(
        "A name never seen before",
        "GPT completes the name as it was spelt the first time. Without this induction head it is less sure.",
        {"view": "off", "model": "gpt", "text": ZORBIN, "blank": -1, "off": [[4, 2]]},
    ),
    Preset(
        "Two heads, one circuit",
        "This head looks one token back. That tells the induction head where to continue a copy.",
        {"view": "off", "model": "gpt", "text": ZORBIN, "blank": -1, "off": [[3, 3]]},
    ),
    Preset(
        "The measure word of books",
        "A book is 一本書, word for word “one root book”. Which heads have to be off before 本 is no longer "
        "expected?",
        {"view": "off", "text": "桌上有一本書。", "blank": 4, "off": [], "arcs": []},
        "zh",
    ),
]
