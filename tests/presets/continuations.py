"""What the presets of Continuations promise."""

import re
from functools import cache

from explorer.analysis.generation.beam import Beam, beam_search
from explorer.analysis.generation.repetition import repetition_rate
from explorer.analysis.generation.steps import Generation, Sampling, chances, generate
from explorer.analysis.prediction import surprisal
from explorer.generation.grammar import allowed
from explorer.views.continuations import bench
from tests.shared_models import model
from tests.views.opening import defaults

DEFAULTS = defaults("continuations")
SHORT, LONG = 10, 20  # tokens: enough to tell, and soon written


@cache
def written(
    text: str,
    temperature: float = DEFAULTS["temperature"],
    top_k: int = 0,
    seed: int = 0,
    length: int = SHORT,
    name: str = DEFAULTS["model"],
) -> Generation:
    """A text continued, by default as the page opens."""
    sampling = Sampling(temperature, top_k or None, DEFAULTS["top_p"], seed, length)
    generation = generate(model(name), text, sampling, candidates=1)
    list(generation)
    return generation


@cache
def greedy(text: str, length: int = SHORT, name: str = "gpt") -> str:
    return written(text, 0.0, length=length, name=name).continuation


def same_for_every_seed(text: str, temperature: float) -> bool:
    """True of any model that writes, so our GPT shows it for the larger one."""
    first, second = (written(text, temperature, seed=seed, name="gpt") for seed in (0, 7))
    return first.ids == second.ids and all(step.rank == 1 for step in first.steps)


def drawn_from_far_down(text: str, temperature: float) -> bool:
    """Paler by half than as the page opens, and more often from beyond the first hundred."""
    hot, usual = (written(text, heat, length=LONG) for heat in (temperature, DEFAULTS["temperature"]))
    mean = [sum(step.probability for step in one.steps) / len(one.steps) for one in (hot, usual)]
    far = [sum(step.rank > 100 for step in one.steps) / len(one.steps) for one in (hot, usual)]
    return mean[0] < mean[1] / 2 and far[0] > far[1]


def as_greedy(text: str, temperature: float, top_k: int) -> bool:
    """True of any model that writes, as above."""
    return written(text, temperature, top_k, name="gpt").ids == written(text, 0.0, name="gpt").ids


@cache
def read(text: str) -> surprisal.ScoredText:
    return surprisal.read(model(DEFAULTS["model"]), text)


def odd_word_costs_most(text: str, odd: str) -> bool:
    """The odd word is one of the two that cost most."""
    return odd in [text[word.start : word.end] for word in surprisal.most_surprising(read(text), 2)]


def small_words_cost_little(text: str, odd: str) -> bool:
    """Four in five of the, to and and are among the first ten guesses; of the other words fewer."""
    first_ten: dict[bool, list[bool]] = {True: [], False: []}
    for word in surprisal.of_words(read(text))[1:]:
        first_ten[text[word.start : word.end] in ("the", "to", "and")].append(word.rank <= 10)
    small, others = (sum(some) / len(some) for some in (first_ten[True], first_ten[False]))
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


def verb_and_noun_cost_more(frame: str, noun: str) -> bool:
    """A verb that does not agree costs more, and so does its noun."""
    right, wrong = (bert_bits(frame.format(verb)) for verb in ("are", "is"))
    return wrong["is"] > right["are"] and wrong[noun] > right[noun]


def nonsense_costs_more(frame: str, one: str, other: str) -> bool:
    return bert_bits(frame.format(other))[other] > bert_bits(frame.format(one))[one]


def some_obvious_some_not(text: str) -> bool:
    """One word at least is the model's first guess, another is beyond its first hundred."""
    ranks = [word.rank for word in surprisal.of_words(read(text))[1:]]
    return min(ranks) == 1 and max(ranks) > 100


def passes_if_temperature_is_first(text: str, temperature: float) -> bool:
    """A word of at most 2 % has 3 % or more with temperature before min-p, and is cut with it after."""
    logits, _ = bench.next_logits(model("smollm2"), text)
    first, last = (
        chances(logits, Sampling(temperature, min_p=0.05, order=order))
        for order in (["temperature", "min_p"], ["min_p", "temperature"])
    )
    return bool(((logits.softmax(0) <= 0.02) & (first >= 0.03) & (last == 0)).any())


def is_ended_by_the_penalty(text: str, penalty: float) -> bool:
    """One token has more than half of the probability, and with the penalty another is likeliest."""
    logits, ids = bench.next_logits(model("smollm2"), text)
    free, held_back = (chances(logits, Sampling(repetition_penalty=p), ids) for p in (None, penalty))
    return float(free.max()) > 0.5 and int(free.argmax()) != int(held_back.argmax())


def grammar_left(text: str, pattern: str) -> float:
    """How much of the next token's probability a grammar leaves."""
    smollm2 = model("smollm2")
    shares = bench.next_logits(smollm2, text)[0].softmax(0)
    return float(shares[allowed(smollm2.tokenizer, pattern, [], len(shares))].sum())


def grammar_leaves_less_than_half(text: str, pattern: str) -> bool:
    return grammar_left(text, pattern) < 0.5


def grammar_leaves_most(text: str, pattern: str) -> bool:
    return grammar_left(text, pattern) > 0.5


def goes_round_in_circles(text: str, length: int) -> bool:
    """Both searches repeat three runs of tokens in ten or more, and what is drawn one in ten at most."""
    gpt = model("gpt")
    best, drawn = (
        generate(gpt, text, sampling, candidates=1)
        for sampling in (
            Sampling(greedy=True, max_new_tokens=length),
            Sampling(top_p=DEFAULTS["mass"], max_new_tokens=length),
        )
    )
    beam = beam_search(gpt, text, Beam(width=DEFAULTS["width"], max_new_tokens=length))
    for search in (best, drawn, beam):
        list(search)
    best_rate, drawn_rate = (repetition_rate([step.id for step in one.steps]) for one in (best, drawn))
    return min(best_rate, repetition_rate(beam.ids)) >= 0.3 and drawn_rate <= 0.1


# The prompts of the papers end with a question, in whose place come others.


def has(text: str, word: object) -> bool:
    return bool(re.search(rf"\b{word}\b", text.casefold().replace(",", "")))


def lacks(question: str, right: str, prompt: str, own: str) -> bool:
    """Our GPT's most probable text does not have the right word."""
    return not has(greedy(prompt.replace(own, question)), right)


def is_no_summary(story: str, key: str, prompt: str, own: str) -> bool:
    """What comes turns in circles, or leaves out what the story is about."""
    continuation = written(prompt.replace(own, story), 0.0, length=LONG, name="gpt")
    return repetition_rate(continuation.ids) > 0.3 or not has(continuation.continuation, key)


def gpt2_is_larger(times: int) -> bool:
    """GPT-2 has 1,542 million parameters."""
    parameters = sum(p.numel() for p in model("gpt").network.parameters())
    return abs(1542e6 / parameters / times - 1) < 0.2


@cache
def first_line(text: str, length: int = SHORT) -> str:
    """SmolLM2's most probable text, up to a new line."""
    generation = generate(model("smollm2"), text, Sampling(greedy=True, max_new_tokens=length), candidates=1)
    for _ in generation:
        if "\n" in generation.continuation.lstrip():
            break
    return generation.continuation.lstrip().split("\n")[0]


def says(text: str, right: str) -> bool:
    """The right word stands in SmolLM2's most probable line."""
    return has(first_line(text), right)


def answers(question: str, right: str, prompt: str, own: str) -> bool:
    """The right word stands in its most probable line, after a question in the prompt."""
    return has(first_line(prompt.replace(own, question), 30), right)


def answers_in_ten_tokens(question: str, right: str, prompt: str, own: str) -> bool:
    return has(first_line(prompt.replace(own, question)), right)


def writes_a_wrong_number(question: str, right: int, prompt: str, own: str) -> bool:
    line = first_line(prompt.replace(own, question))
    return line[:1].isdigit() and not has(line, right)


def answers_briefly(question: str, right: str, prompt: str, own: str) -> bool:
    """A line of at most six words, and then a new one."""
    text = prompt.replace(own, question)
    after = greedy(text, name="smollm2").lstrip()
    return 0 < len(first_line(text).split()) <= 6 and "\n" in after


def leaves_the_story(story: str, key: str, prompt: str, own: str) -> bool:
    """A key word of the story in the remark was to be the point, and was missing in three of six."""
    text = prompt.replace(own, story)
    with_end, alone = (
        greedy(one, name="smollm2").split()[:3] for one in (text, text.removesuffix("\nTL;DR:"))
    )
    return with_end != alone


def is_unsurprising_instead(text: str, word: str, other: str) -> bool:
    """In the place of a word another one costs less than half as many bits."""
    bits = []
    for one in (word, other):
        changed = text.replace(word, one)
        costs = surprisal.of_words(surprisal.read(model("gpt"), changed))
        bits.append(next(each.bits for each in costs if changed[each.start : each.end] == one))
    return bits[1] < bits[0] / 2
