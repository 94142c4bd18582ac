"""What the presets of Tokens promise."""

from explorer.analysis.generation import Sampling, generate
from explorer.text.byte_letters import readable
from explorer.views.tokens import cut, learning, vocabulary
from tests.shared_models import model

FORTY = """
river bridge market garden winter silver doctor planet kitchen mountain window teacher summer bottle
candle forest island pepper rabbit saddle tunnel violin walnut yellow button carrot dragon engine
finger guitar hammer jacket ladder mirror needle orange pillow ribbon school turtle""".split()


def cuts_at_the_ending(text: str, word: str, ending: str) -> bool:
    """After all merges that the text allows, a word of it or not ends in this piece, with one before it."""
    learnt = learning.learn(text, "byte-pairs", 1_000)
    pieces = [readable(piece) for piece in learnt.cut(learning.split(f" {word}", "byte-pairs")[0])]
    return word not in text and len(pieces) == 2 and pieces[1] == ending


def is_whole(text: str, way: str, step: int, word: str) -> bool:
    """After so many merges a word of the text is one piece, and after one fewer it was not."""
    learnt = learning.learn(text, way, 1_000)
    symbols = learning.split(word, way)[0]
    return len(learnt.cut(symbols, step)) == 1 < len(learnt.cut(symbols, step - 1))


def is_lost_and_cut(word: str) -> bool:
    """word2vec has no token for the word, and BERT, GPT and SmolLM2 have several."""
    pieces = {name: cut.cut_line(name, f"a {word}") for name in ("word2vec", "bert", "gpt", "smollm2")}
    return bool(pieces.pop("word2vec").lost) and all(len(line.pieces) > 2 for line in pieces.values())


def reads_each_digit(name: str, text: str) -> bool:
    """No token has two digits."""
    return max(sum(sign.isdigit() for sign in piece.token) for piece in cut.cut_line(name, text).pieces) == 1


def cuts_numbers_unevenly(name: str, text: str) -> bool:
    """Tokens have different numbers of digits."""
    digits = [sum(sign.isdigit() for sign in piece.token) for piece in cut.cut_line(name, text).pieces]
    return len({count for count in digits if count}) > 1


def keeps_the_indentation(name: str, text: str) -> bool:
    """The first token is all spaces, and the pieces have every character of the text."""
    line = cut.cut_line(name, text)
    first = line.pieces[0]
    return text[first.start : first.end].isspace() and sum(p.end - p.start for p in line.pieces) == len(text)


def costs_more_than(name: str, text: str, other: str, times: int) -> bool:
    """A text is so many times as many tokens as another."""
    return len(cut.cut_line(name, text).pieces) >= times * len(cut.cut_line(name, other).pieces)


def are_all_different(name: str, text: str) -> bool:
    """Each word of the text is one token, and no two are the same."""
    ids = [piece.id for piece in cut.cut_line(name, text).pieces]
    return len(ids) == len(set(ids)) == len(text.split())


def costs_more_with_an_error(name: str, word: str, misspelt: str) -> bool:
    """A word is one token, and with a wrong letter at least two."""
    return len(cut.cut_line(name, word).pieces) == 1 < len(cut.cut_line(name, misspelt).pieces)


def is_mostly(name: str, kind: str, share: float) -> bool:
    """At least this share of a vocabulary is of one kind."""
    return vocabulary.vocabulary_of(name).shares()[kind] >= share


def has_more_alone_than(name: str, other: str, share: float) -> bool:
    """More than this share of a vocabulary is not in another."""
    alone = vocabulary.vocabulary_of(name).alone(vocabulary.vocabulary_of(other))
    return sum(alone) / len(alone) > share


def begins_words(name: str, least: float, most: float) -> bool:
    """The share of tokens that begin a word is between two bounds."""
    begins = vocabulary.vocabulary_of(name).begins
    return least <= sum(begins) / len(begins) <= most


def spells_and_copies(name: str, spelt: int, copied: int) -> bool:
    """Of forty words that are one token each, so many are spelt, and so many copied letter by letter."""
    network = model(name)
    assert len(FORTY) == 40 and all(len(network.tokenizer.pieces(f" {word}")) == 1 for word in FORTY)

    def line(prompt: str, word: str) -> str:
        written = generate(network, prompt, Sampling(greedy=True, max_new_tokens=2 * len(word) + 1))
        text = "".join(step.text for step in written)
        return text.split("\n")[0].strip()

    spellings = [line(f"cat: c-a-t\nhouse: h-o-u-s-e\n{word}:", word) == "-".join(word) for word in FORTY]
    copies = [
        line(f"c-a-t: c a t\nh-o-u-s-e: h o u s e\n{'-'.join(word)}:", word) == " ".join(word)
        for word in FORTY
    ]
    return (sum(spellings), sum(copies)) == (spelt, copied)
