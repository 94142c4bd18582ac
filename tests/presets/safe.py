"""What the sentences that a teacher may take from the room promise (`assets/safe.toml`)."""

from explorer.analysis import patching, prediction, vectors
from explorer.analysis.senses.classify import classify
from explorer.errors import TextError
from explorer.server import memory
from explorer.trace import Capture, captured
from explorer.views.attention.sentence import words
from explorer.views.attention.settings import HEAD, LAYER, MODEL
from explorer.views.senses import settings as senses
from explorer.views.senses.new_occurrence import new_occurrence
from explorer.views.senses.word_occurrences import find_word
from explorer.views.tokens import cut
from explorer.views.vectors.word_table import table
from tests.presets import passages
from tests.shared_models import model

READERS = ("bert", "gpt", "smollm2")


def looks_most_at(text: str, pronoun: str, noun: str) -> bool:
    """In the head that the page opens with, of all words and marks the pronoun looks most at the noun."""
    trace = model(MODEL.default).trace(text, capture=Capture.ATTENTION)
    tokens = words(trace.encoding)
    row = captured(trace.attention).pattern[LAYER.default, HEAD.default, tokens.index(pronoun)]
    return tokens[int(row.masked_fill(trace.encoding.special, 0).argmax())] == noun


def is_of_the_sense(new: str, sense: str) -> bool:
    """Among the sentences that the page opens with, in the layer that it opens with."""
    bert, layer = memory.get(senses.MODEL.default), senses.LAYER.default
    known = find_word(bert, senses.TEXT.default, senses.WORD.default)
    one = new_occurrence(bert, new, senses.WORD.default)
    return classify(one.at(layer), known.at(layer), known.senses).senses[0].sense == sense


def goes_on_with(text: str, accepted: str) -> bool:
    (likeliest, _), *_ = prediction.next_tokens(model("smollm2"), text, 1)
    return likeliest.strip() in accepted.split(",")


def are_answered_by(first: str, second: str, answers: str, others: str) -> bool:
    try:
        one, other = patching.contrast(model("smollm2"), first, second).words
    except TextError:  # prompts of different lengths, or with one answer
        return False
    return one in answers.split(",") and other in others.split(",")


def is_cut_differently(text: str) -> bool:
    lines = [cut.cut_line(name, text) for name in READERS]
    return not any(line.lost for line in lines) and len({len(line.pieces) for line in lines}) > 1


def is_nearest_to(word: str, accepted: str) -> bool:
    return vectors.nearest(table(model("word2vec")), word, 1)[0].word in accepted.split(",")


def is_found_first(question: str, phrase: str) -> bool:
    return phrase in passages.first(question)
