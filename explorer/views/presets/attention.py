"""The attention page's opening view, how each view is read, and presets whose points are tested."""

from explorer.views.frame import Preset

DEFAULTS = {
    "model": "bert",
    "view": "head",
    "text": "Our boat is behind the bridge, and nobody sees the bridge from the boat.",
    "pair": "",
    "layer": 2,
    "head": 9,
    "hide": False,
    "token": None,  # held: [side, position, word], as explorer.views.attention.Held says
    "layers": None,  # these three for BertViz, [first, last] or all of them
    "heads": None,
    "tokens": None,
}

NOT_WHY = (
    "Attention is not explanation: a heavy line says what a head read, not why the model "
    "answered as it did (Jain and Wallace 2019; Wiegreffe and Pinter 2019)."
)
BERTVIZ = "Drawn by BertViz (Vig 2019)."
HOW_TO_READ = {
    "head": (
        "A row of the map, in the order of the text, and the lines from the token beside it show the same "
        "weights; they sum to 1.",
        NOT_WHY,
    ),
    "heads": (
        "All heads of a layer, one colour each; point at a token to see what it reads, or on the right what "
        "reads it. Click a square to drop a head, double-click to keep it alone.",
        f"{BERTVIZ} It knows ten colours; an eleventh head has the first one's again.",
    ),
    "model": (
        "A row for each layer, a thumbnail for each head: lines run from a token on the left to what it "
        "reads on the right, heavier for more. Click a thumbnail to see its words.",
        f"{BERTVIZ} Heads that look alike need not do the same on another sentence.",
    ),
    "neurons": (
        "From the chosen token: its query q times every key k, number by number; their sum over the square "
        "root of how many there are is the score q · k, and softmax turns a row of scores into weights. "
        "Purple is positive, orange negative. Click a token to choose it.",
        f"{BERTVIZ} No single number of a query or key means anything by itself; only products count.",
    ),
}

PRESETS = [
    Preset(
        "The same word again",
        "This head finds a word's twin, whatever each one means; a word without a twin rests on [CLS].",
        {},
    ),
    Preset(
        "The word before",
        "This one ignores meaning: nearly all of every row lies one step to the left.",
        {
            "layer": 0,
            "head": 2,
            "text": "Before the ferry left, the children threw their last bread to the gulls.",
        },
    ),
    Preset(
        "A place to rest",
        "Most weight sits on [CLS], which says little. Hide the special tokens and see how little was left.",
        {
            "layer": 4,
            "head": 5,
            "text": "My sister read the letter twice before she folded it into her pocket.",
        },
    ),
]

# Where many heads are seen at once, nothing is promised of any one of them.
MANY_HEADS = [
    Preset(
        "Both ways",
        "BERT reads both ways: lines climb to earlier words and fall to later ones.",
        {},
    ),
    Preset(
        "Only back",
        "GPT reads what came before and itself: in no head of any layer does a line fall.",
        {"model": "gpt"},
    ),
    Preset(
        "Two sentences",
        "The list above the picture takes them apart: what each sentence reads of itself, and of the other.",
        {
            "text": "The ferry stopped at the island before noon.",
            "pair": "Nobody got off, and it turned back to the harbour.",
        },
    ),
]


def presets_for(view: str) -> list[Preset]:
    """Three presets that stay in the view: of one head, or of many at once."""
    chosen = MANY_HEADS if view in ("heads", "model") else PRESETS
    return [Preset(p.label, p.point, p.values | {"view": view}) for p in chosen]
