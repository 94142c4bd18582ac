"""The presets of the masked-words page, by view; each makes one point."""

from explorer.views.frame.presets import Preset
from explorer.views.masked import chinese_presets, chinese_promises

CHILDREN = "The children packed their bags for the trip to the mountains."
SUMMIT, SHARES = "They hoped to reach the summit before noon.", "The bank sold its shares in the company."
SHOE, MOUNTAINS = "My left shoe is afraid of the soup.", "The mountains packed the children into a bag."
STORE, MILK = "The man went to the store.", "He bought a gallon of milk."
PENGUINS = "Penguins are flightless birds."

PRESETS = [
    Preset(
        "By helicopter",
        "No place is named, but “patient” and “helicopter” are enough: “hospital” is far ahead.",
        {"words": ["hospital"]},
    ),
    Preset(
        "Grammar",
        "The keys are plural, so “are” beats “is”, although the nearest noun, “cabinet”, is singular.",
        {
            "text": "The keys to the cabinet [MASK] on the table.",
            "words": ["are"],
            "probe": "are, is",
        },
    ),
    Preset(
        "Two contexts",
        "The same blank twice: “farm” is more probable after the farmer, “sea” after the sailor.",
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
            "What comes after the blank decides: the “store” to buy a gallon of milk, the “hospital” to see "
            "a doctor.",
            {
                "text": "The man went to the [MASK] to buy a gallon of milk.",
                "pinned": "The man went to the [MASK] to see a doctor.",
                "probe": "hospital, store",
            },
        ),
        Preset(
            "Two readers",
            "Both put “hospital” first: BERT in one pass, SmolLM2 by trying a hundred words and reading on. "
            "Of ten such sentences SmolLM2 gets six right.",
            {"beside": True},
        ),
        Preset(
            "By what follows",
            "Hardly anything is said before the blank, yet SmolLM2 names the “store”, because it reads on "
            "with every word that it tries. It cannot name what it does not try: of ten such sentences it "
            "gets six right. Type “We drove to the [MASK] to catch the early train.”",
            {"beside": True, "text": "The man went to the [MASK] to buy a gallon of milk."},
        ),
        Preset(
            "By what went before",
            "All that counts comes before the blank. Here SmolLM2’s next word and its word for the blank are "
            "nearly the same question, and its first guess is right.",
            {"beside": True, "text": "She looked at herself in the [MASK]."},
        ),
    ],
    "sets": [
        Preset(
            "He or she",
            "Even with nothing in the slot the model expects “he”. Of these words “soldier” leans furthest "
            "that way and “maid” least. “Nurse” makes “he” less probable than an empty slot does.",
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
            "Before its last layer BERT names other things. The right word, here “hospital”, comes first at "
            "the end or not at all. GPT, beside it, cannot read on and does not get there.",
            {"reader": "gpt"},
        ),
        Preset(
            "First it repeats",
            "At the embedding GPT, on the right, answers with the word it has just read, “little”. Halfway "
            "up, “little” ranks lower, and “girl” comes at the end.",
            {
                "text": "Once upon a time there was a little [MASK] who lived in the woods.",
                "watched": "little, girl, man",
                "reader": "gpt",
            },
        ),
        Preset(
            "Is or are",
            "After layer 3 BERT prefers “is”, which fits the nearer noun. Later “are” overtakes it.",
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
            "Choose again and again: most tokens contribute nothing this time, and kept tokens are nearly "
            "always guessed right.",
            {},
        ),
        Preset(
            "All at once",
            "Choose every token: about eight in ten are masked, and with so little left the loss is high.",
            {"share": 100},
        ),
        Preset(
            "My dog is hairy",
            "The example of BERT’s paper: “hairy” is masked. Many words fit and nothing says which it was, "
            "so the loss is high.",
            {"sentence": "My dog is hairy.", "seed": 1},
        ),
    ],
    "next": [
        Preset(
            "It follows",
            "The beach follows the train to the coast, and a sentence from another text follows less well.",
            {},
        ),
        Preset(
            "Nonsense passes",
            "Nonsense that uses the first sentence’s words passes as the next one, and more surely than "
            "sense about a bank. The model compares topics and hardly reads the order of words.",
            {"first": CHILDREN, "seconds": f"{SUMMIT}\n{SHARES}\n{SHOE}\n{MOUNTAINS}"},
        ),
        Preset(
            "As in BERT’s paper",
            "The paper’s example. The gallon of milk follows better than the penguins, which get more than a "
            "half all the same: here the model should say no.",
            {"first": STORE, "seconds": f"{MILK}\n{PENGUINS}"},
        ),
    ],
    "write": [
        Preset(
            "Three orders",
            "The same model turns the same frame into three sentences, because each word depends on those "
            "already there.",
            {},
        ),
        Preset(
            "From noise",
            "Gibbs sampling starts from random tokens and reaches words that the model finds far more "
            "probable. They still make little sense.",
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
    chinese = [*chinese_promises.BY_VIEW.get(view, []), *chinese_presets.BY_VIEW.get(view, [])]
    presets = [*BY_VIEW[view], *chinese]
    return [Preset(p.label, p.point, {"view": view, **p.values}, p.language) for p in presets]
