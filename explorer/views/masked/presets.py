"""The presets of the masked-words page, by view; each makes one point."""

from explorer.views.frame.page import Preset
from explorer.views.masked import chinese_presets, chinese_promises

PRESETS = [
    Preset(
        "By helicopter",
        "No place is named, but patient and helicopter are enough: hospital is far ahead of all others.",
        {"words": ["hospital"]},
    ),
    Preset(
        "Grammar",
        "The keys are plural: are beats is, although the nearest noun, cabinet, is singular.",
        {
            "text": "The keys to the cabinet [MASK] on the table.",
            "words": ["are"],
            "probe": "are, is",
        },
    ),
    Preset(
        "Two contexts",
        "The same blank twice: farm is more probable after the farmer, sea after the sailor.",
        {
            "text": "The farmer came home from the [MASK], the sailor from the [MASK].",
            "words": ["farm", "sea"],
            "model": "bert",  # a reader from the left fills the first blank without the second half
        },
    ),
]

BY_VIEW = {
    "predict": [
        *PRESETS,
        Preset(
            "A gallon of milk",
            "What comes after the blank decides: the store to buy a gallon of milk, the hospital to see a "
            "doctor.",
            {
                "text": "The man went to the [MASK] to buy a gallon of milk.",
                "pinned": "The man went to the [MASK] to see a doctor.",
                "probe": "hospital, store",
            },
        ),
    ],
    "two": [
        Preset(
            "By helicopter",
            "Both put hospital first: BERT at one look, SmolLM2 by trying a hundred words and reading on. Of "
            "ten such sentences SmolLM2 gets six right.",
            {},
        ),
        Preset(
            "By what follows",
            "Before the blank hardly anything is said, yet SmolLM2 names the store, because it reads on with "
            "every word that it tries. It cannot name what it does not try: of ten such sentences, six "
            "come out right. Type “We drove to the [MASK] to catch the early train.”",
            {"text": "The man went to the [MASK] to buy a gallon of milk."},
        ),
        Preset(
            "By what went before",
            "All that counts comes before the blank: here SmolLM2’s next word and its word for the blank are "
            "nearly the same question, and its first guess is right.",
            {"text": "She looked at herself in the [MASK]."},
        ),
    ],
    "sets": [
        Preset(
            "He or she",
            "Even with nothing in the slot the model expects he. Of these words soldier leans furthest to "
            "that side and maid least; nurse makes he less probable than an empty slot does.",
            {},
        ),
        Preset(
            "One or many",
            "The same chart shows grammar: every singular falls on one side, every plural on the other.",
            {
                "template": "The [SLOT] [MASK] on the table.",
                "fillers": "key, keys, book, books, letter, letters, knife, knives",
                "one": "is, was",
                "other": "are, were",
            },
        ),
        Preset(
            "Summer and Norway",
            "The model has learnt that summer is warmer than winter and July than January, but hardly tells "
            "Africa from Norway.",
            {
                "template": "It is very [MASK] in [SLOT].",
                "fillers": "summer, winter, July, January, Egypt, Norway, Africa, Siberia",
                "one": "hot, warm",
                "other": "cold, cool",
            },
        ),
    ],
    "layers": [
        Preset(
            "The last word",
            "Before its last layer BERT names other things: the right word, here hospital, comes first at "
            "the end or not at all. GPT cannot read on, and does not get there.",
            {"reader": "gpt"},
        ),
        Preset(
            "First it repeats",
            "Before its first layer GPT answers with the word it has just read, little; half-way up, little "
            "ranks lower, and at the end comes girl.",
            {
                "text": "Once upon a time there was a little [MASK] who lived in the woods.",
                "watched": "little, girl, man",
                "reader": "gpt",
            },
        ),
        Preset(
            "Is or are",
            "After layer 3 is leads, which fits the nearer noun; in later layers are overtakes it.",
            {
                "text": "The keys to the cabinet [MASK] on the table.",
                "words": ["are"],
                "watched": "are, is",
            },
        ),
    ],
    "training": [
        Preset(
            "Few are chosen",
            "Choose again and again: most tokens teach nothing this time, and one that is kept is seldom "
            "guessed wrong.",
            {},
        ),
        Preset(
            "All at once",
            "Choose every token: about eight in ten are masked, and with so little left the loss is high.",
            {"share": 100},
        ),
        Preset(
            "Nonsense passes",
            "Nonsense that uses the first sentence’s words passes as the next one, and more surely than "
            "sense about a bank.",
            {"task": "next"},
        ),
        Preset(
            "My dog is hairy",
            "The example of BERT’s paper: hairy is masked. Many words fit, and nothing tells which it was: "
            "the loss is high.",
            {"sentence": "My dog is hairy.", "seed": 1},
        ),
    ],
    "score": [
        Preset(
            "Are or is",
            "The verb costs more where it does not agree, and so does its noun, keys.",
            {},
        ),
        Preset(
            "A cup of sand",
            "Both are grammatical. Sand costs more bits than tea, because of what cups hold.",
            {
                "better": "She drank a cup of hot tea.",
                "worse": "She drank a cup of hot sand.",
            },
        ),
        Preset(
            "A word gives itself away",
            "Switch off “Hide a whole word”: unbelievably costs less, because its pieces give each other "
            "away.",
            {
                "better": "The unbelievably old bridge fell.",
                "worse": "The very old bridge fell.",
                "whole": True,
            },
        ),
    ],
    "write": [
        Preset(
            "Three orders",
            "Press Write: the same model turns the same frame into three sentences, because each word "
            "depends on those already there.",
            {},
        ),
        Preset(
            "From noise",
            "Gibbs sampling starts from random tokens and reaches words that the model finds far more "
            "probable.",
            {"frame": "My grandmother [MASK].", "blanks": 8, "start": "noise", "temperature": 0.7},
        ),
        Preset(
            "As published",
            "Wang and Cho’s settings: 40 blanks, 500 steps, half of them burn-in, temperature 1, top-k 100.",
            {"frame": "[MASK]", "blanks": 40, "steps": 500, "top_k": 100},
        ),
    ],
}


def presets_for(view: str) -> list[Preset]:
    """The presets of one view, English and Chinese; each opens that view."""
    chinese = [*chinese_presets.BY_VIEW.get(view, []), *chinese_promises.BY_VIEW.get(view, [])]
    presets = [*BY_VIEW[view], *chinese]
    return [Preset(p.label, p.point, {"view": view, **p.values}, p.language) for p in presets]
