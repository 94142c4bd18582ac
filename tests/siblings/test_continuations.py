"""Continuations' presets: with nine siblings, the point holds for seven of ten."""

import re
from collections.abc import Callable
from functools import cache
from math import log

import pytest
import torch

from explorer.analysis.generation.beam import Beam, beam_search
from explorer.analysis.generation.repetition import repetition_rate
from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.analysis.prediction import shannon, surprisal
from explorer.views.continuations import page
from explorer.views.continuations.game import guessed_words
from explorer.views.continuations.presets import (
    CIRCLES,
    COLOUR,
    FACT,
    GUESS,
    PAPER,
    REAL_WAYS,
    SMALL_WAYS,
    TALE,
    WRITE,
)
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings
from tests.views.opening import defaults

pytestmark = pytest.mark.long  # SmolLM2 takes minutes

SENTENCES = siblings("continuations")
DEFAULTS = defaults(page.PAGE)
GREEDY, HOT, ONE_LEFT = WRITE[-3:]
ELEPHANT, SMALL, BOTH, ARE, SAND = [preset for preset in COLOUR if preset.language == "en"]
NEXT, HIDDEN = GUESS
ANSWER, SUMMARY, FRENCH, BROKEN = SMALL_WAYS
CHAT, EXAMPLES, PATTERN, WRONG = REAL_WAYS
PAPER_ANSWER, PAPER_SUMMARY, PAPER_FRENCH = PAPER
SHORT, LONG = 10, 20  # tokens: enough to tell, and soon written


@cache
def written(
    text: str, label: str = "", seed: int = 0, length: int = SHORT, name: str = DEFAULTS["model"]
) -> Generation:
    """A text continued with the settings of a preset, or as the page opens."""
    chosen = DEFAULTS | next((one.values for one in WRITE if one.label == label), {})
    sampling = Sampling(chosen["temperature"], chosen["top_k"] or None, chosen["top_p"], seed, length)
    made = generate(model(name), text, sampling, candidates=1)
    list(made)
    return made


def same_for_every_seed(text: str) -> bool:
    """True of any model that writes, so our GPT shows it for the larger one."""
    first, second = (written(text, GREEDY.label, seed, name="gpt") for seed in (0, 7))
    return first.ids == second.ids and all(step.rank == 1 for step in first.steps)


def from_far_down(text: str) -> bool:
    """Paler by half than as the page opens, and more often from beyond the first hundred."""
    hot, usual = (written(text, label, length=LONG) for label in (HOT.label, ""))
    mean = [sum(step.probability for step in one.steps) / len(one.steps) for one in (hot, usual)]
    far = [sum(step.rank > 100 for step in one.steps) / len(one.steps) for one in (hot, usual)]
    return mean[0] < mean[1] / 2 and far[0] > far[1]


def greedy_again(text: str) -> bool:
    """True of any model that writes, as above."""
    return written(text, ONE_LEFT.label, name="gpt").ids == written(text, GREEDY.label, name="gpt").ids


@cache
def read(text: str) -> surprisal.ScoredText:
    return surprisal.read(model(DEFAULTS["model"]), text)


def odd_word_costs_most(text: str, odd: str) -> bool:
    """The odd word is one of the two that cost most."""
    return odd in [text[word.start : word.end] for word in surprisal.most_surprising(read(text), 2)]


def small_words_cost_little(text: str, odd: str) -> bool:
    """Four in five of the, to and and are among the first ten guesses; of the other words fewer."""
    found: dict[bool, list[bool]] = {True: [], False: []}
    for word in surprisal.of_words(read(text))[1:]:
        found[text[word.start : word.end] in ("the", "to", "and")].append(word.rank <= 10)
    small, others = (sum(some) / len(some) for some in (found[True], found[False]))
    return small > 0.8 and others < 0.7


def fewer_bits_from_both_sides(text: str, odd: str) -> bool:
    words = surprisal.of_words(read(text))
    both = surprisal.read(model("bert"), text)
    bits = surprisal.in_words(words, both.encoding, both.bits.tolist())
    return sum(bits) < sum(word.bits for word in words)


@cache
def bert_bits(text: str) -> dict[str, float]:
    """The bits of each word, each masked in turn."""
    words = surprisal.of_words(surprisal.read(model("bert"), text))
    return {text[word.start : word.end]: word.bits for word in words}


def verb_and_noun(frame: str, noun: str) -> bool:
    """A verb that does not agree costs more, and so does its noun."""
    right, wrong = (bert_bits(frame.format(verb)) for verb in ("are", "is"))
    return wrong["is"] > right["are"] and wrong[noun] > right[noun]


def sense(frame: str, one: str, other: str) -> bool:
    return bert_bits(frame.format(other))[other] > bert_bits(frame.format(one))[one]


def some_obvious_some_not(text: str) -> bool:
    """One word at least is the model's first guess, another is beyond its first hundred."""
    ranks = [word.rank for word in surprisal.of_words(read(text))[1:]]
    return min(ranks) == 1 and max(ranks) > 100


def easier_from_both_sides(text: str) -> bool:
    """The hidden words of the game cost BERT fewer bits than they cost GPT, which has read what is before."""
    bert, spots = model("bert"), shannon.spots(text)
    hidden = [spots[i] for i in guessed_words(spots, "masked")]
    encodings = [bert.encode(f"{text[: one.start]}[MASK]{text[one.end :]}") for one in hidden]
    places = [one.tokens.index("[MASK]") for one in encodings]
    states = bert.states_at(encodings, [[place] for place in places])
    logs = bert.unembed(torch.stack([one[-1, 0] for one in states])).log_softmax(-1)
    ids = [bert.tokenizer.id(one.word.lower()) for one in hidden]
    guessed = -sum(float(row[id]) for row, id in zip(logs, ids, strict=True)) / log(2)
    starts = {one.start for one in hidden}
    return guessed < sum(word.bits for word in surprisal.of_words(read(text)) if word.start in starts)


def without(text: str, right: str) -> bool:
    """Writing on from a prompt, the most probable text does not have the right word."""
    return not re.search(rf"\b{right}\b", written(text, GREEDY.label, name="gpt").continuation.casefold())


def goes_round_in_circles(text: str) -> bool:
    """Both searches repeat three runs of tokens in ten or more, and what is drawn one in ten at most."""
    gpt, length = model("gpt"), CIRCLES.values["length"]
    greedy, drawn = (
        generate(gpt, text, sampling, candidates=1)
        for sampling in (
            Sampling(greedy=True, max_new_tokens=length),
            Sampling(top_p=DEFAULTS["mass"], max_new_tokens=length),
        )
    )
    beam = beam_search(gpt, text, Beam(width=DEFAULTS["width"], max_new_tokens=length))
    for search in (greedy, drawn, beam):
        list(search)
    greedy_rate, drawn_rate = (repetition_rate([step.id for step in one.steps]) for one in (greedy, drawn))
    return min(greedy_rate, repetition_rate(beam.ids)) >= 0.3 and drawn_rate <= 0.1


def no_summary(text: str, key: str) -> bool:
    """What comes turns in circles, or leaves out what the story is about."""
    made = written(text, GREEDY.label, length=LONG, name="gpt")
    return repetition_rate(made.ids) > 0.3 or not re.search(rf"\b{key}\b", made.continuation.casefold())


def prompts(preset) -> list[list[str]]:
    """The preset's own prompt and nine others, its last question replaced; each with the right word."""
    own = preset.values["text"]
    last = {
        ANSWER.label: "Q: Who painted the Mona Lisa?",
        SUMMARY.label: own.partition("\nTL;DR:")[0],
        FRENCH.label: "the cat",
        BROKEN.label: "day",
        EXAMPLES.label: "Portugal",
        CHAT.label: "What is the capital of France?",
        WRONG.label: "47 x 26",
        PAPER_ANSWER.label: "Who painted the Mona Lisa?",
        PAPER_SUMMARY.label: own.partition("\nTL;DR:")[0],
        PAPER_FRENCH.label: "the cat",
    }[preset.label]
    assert own.count(last) == 1
    return [own.replace(last, "{}"), last]


def without_answer(preset, right: str, holds=without) -> tuple[Callable[..., bool], list]:
    own, last = prompts(preset)
    lead = "Q: " if preset is ANSWER else ""
    ten = [[last.removeprefix(lead), right], *SENTENCES[preset.label]]
    return holds, [[own.format(lead + question), word] for question, word in ten]


@cache
def first_line(text: str, length: int) -> str:
    """SmolLM2's most probable text, up to a new line."""
    generation = generate(model("smollm2"), text, Sampling(greedy=True, max_new_tokens=length), candidates=1)
    for _ in generation:
        if "\n" in generation.continuation.lstrip():
            break
    return generation.continuation.lstrip().split("\n")[0]


def says(text: str, right: object, length: int = SHORT) -> bool:
    """The right word stands in SmolLM2's most probable line."""
    return bool(re.search(rf"\b{right}\b", first_line(text, length).casefold().replace(",", "")))


def answers(text: str, right: str) -> bool:
    return says(text, right, length=30)


def a_wrong_number(text: str, right: int) -> bool:
    return not says(text, right) and first_line(text, SHORT)[:1].isdigit()


def short_answer(text: str, right: str) -> bool:
    """A line of at most six words, and then a new one."""
    line = first_line(text, SHORT)
    continuation = written(text, GREEDY.label, name="smollm2").continuation
    return 0 < len(line.split()) <= 6 and "\n" in continuation.lstrip()


def no_longer_the_story(text: str, right: str) -> bool:
    """A key word of the story in the remark was to be the point, and was missing in three of six."""
    with_end, alone = (
        written(one, GREEDY.label, name="smollm2").continuation.split()
        for one in (text, text.removesuffix("\nTL;DR:"))
    )
    return with_end[:3] != alone[:3]


def another_word(text: str, right: str) -> bool:
    return not says(text, right)


def with_answer(preset, right: object, holds=says) -> tuple[Callable[..., bool], list]:
    own, last = prompts(preset)
    ten = [[last, right], *QUESTIONS.get(preset.label, SENTENCES.get(preset.label, []))]
    return holds, [[own.format(question), word] for question, word in ten]


# The same words and questions as for the small model, whose presets say the opposite of two of these.
QUESTIONS = {
    CHAT.label: [
        ["Who painted the Mona Lisa?", "vinci"],
        *(pair for pair in SENTENCES["Question and answer"] if "France" not in pair[0]),
    ],
    PAPER_ANSWER.label: SENTENCES[ANSWER.label],
    PAPER_SUMMARY.label: SENTENCES[SUMMARY.label],
    PAPER_FRENCH.label: SENTENCES[FRENCH.label],
}
PASSAGES = [[DEFAULTS["passage"], "elephant"], *SENTENCES["passages"]]
BEGINNINGS = [DEFAULTS["text"], *SENTENCES["beginnings"]]
OWN_ARE = ARE.values["passage"].replace(" is ", " {} ")
OWN_SAND = SAND.values["passage"].replace("sand", "{}")
TALES = [TALE, *SENTENCES["tales"]]
POINTS: dict[str, tuple[Callable[..., bool], list]] = {
    GREEDY.label: (same_for_every_seed, BEGINNINGS),
    HOT.label: (from_far_down, BEGINNINGS),
    CIRCLES.label: (goes_round_in_circles, [CIRCLES.values["text"], *SENTENCES["beginnings"]]),
    ONE_LEFT.label: (greedy_again, BEGINNINGS),
    ELEPHANT.label: (odd_word_costs_most, PASSAGES),
    SMALL.label: (small_words_cost_little, PASSAGES),
    BOTH.label: (fewer_bits_from_both_sides, PASSAGES),
    ARE.label: (verb_and_noun, [[OWN_ARE, "keys"], *SENTENCES[ARE.label]]),
    SAND.label: (sense, [[OWN_SAND, "tea", "sand"], *SENTENCES[SAND.label]]),
    NEXT.label: (some_obvious_some_not, sorted(TALES, key=lambda tale: tale != NEXT.values["tale"])),
    HIDDEN.label: (easier_from_both_sides, TALES),
    ANSWER.label: without_answer(ANSWER, "vinci"),
    SUMMARY.label: without_answer(SUMMARY, "bridge", no_summary),
    FRENCH.label: without_answer(FRENCH, "chat"),
    "small: " + BROKEN.label: without_answer(BROKEN, "night"),
}
if DEFAULTS["model"] == "smollm2":
    POINTS |= {
        FACT.label: (says, [[FACT.values["text"], "paris"], *SENTENCES[FACT.label]]),
        CHAT.label: with_answer(CHAT, "paris", answers),
        EXAMPLES.label: with_answer(EXAMPLES, "lisbon"),
        PATTERN.label: with_answer(PATTERN, "night"),
        WRONG.label: with_answer(WRONG, 1222, a_wrong_number),
        PAPER_ANSWER.label: with_answer(PAPER_ANSWER, "vinci", short_answer),
        PAPER_SUMMARY.label: with_answer(PAPER_SUMMARY, "bridge", no_longer_the_story),
        PAPER_FRENCH.label: with_answer(PAPER_FRENCH, "chat", another_word),
    }


@pytest.mark.parametrize("label", list(POINTS))
def test_the_point_holds_for_seven_of_ten(label):
    seven_of_ten(*POINTS[label])
