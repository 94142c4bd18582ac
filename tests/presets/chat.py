"""What the presets of “A chat is a text” promise."""

import re
from functools import cache
from itertools import pairwise
from statistics import median

from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.analysis.prediction import surprisal
from tests.shared_models import model

LENGTH = 12  # tokens: enough to tell
ANSWER = 100  # tokens of an answer, as the view writes it


@cache
def written(prompt: str, name: str, length: int = LENGTH) -> Generation:
    generation = generate(model(name), prompt, Sampling(greedy=True, max_new_tokens=length), candidates=1)
    list(generation)
    return generation


@cache
def framed(message: str, name: str) -> str:
    text: str = model(name).tokenizer.chat.render([("user", message)])
    return text


def another_text_without_marks(message: str, name: str) -> bool:
    answer, plain = (
        written(framed(message, name), name).continuation,
        written(f"{message}\n", name).continuation,
    )
    return plain.strip()[:20] != answer.strip()[:20]


def words_that_surprise(message: str, words: str, name: str) -> bool:
    """The words in its mouth cost at least two bits a token more than its own, and it does not end there."""
    prompt = framed(message, name) + words
    generation, tokenizer = written(prompt, name), model(name).tokenizer
    bits = surprisal.read(model(name), prompt + generation.continuation).bits
    first, last = (len(tokenizer.encode(text).ids) for text in (framed(message, name), prompt))
    return len(generation.ids) > 3 and float(bits[first:last].mean()) > float(bits[last:].mean()) + 2


def three_turns(person: str, turn: str, name: str) -> bool:
    """True of any name: the marks are tokens. (The model does not go by the name in the typed turn.)"""
    tokens = model(name).tokenizer.encode(framed(turn.replace("Bob", person), name)).tokens
    roles = [role for mark, role in pairwise(tokens) if mark == "<|im_start|>"]
    return roles == ["system", "user", "ass", "user", "ass"]  # assistant is two tokens


def is_wrong_and_unsure_of_the_number(message: str, right: str, name: str) -> bool:
    """The answer has a number that is not the right one, and its first digit was less probable than half."""
    answer = written(framed(message, name), name)
    digits = [step for step in answer.steps if step.text.strip().isdigit()]
    numbers = re.findall(r"\d+", answer.continuation)
    return bool(digits) and right not in numbers and digits[0].probability < 0.5


def does_not_say_that_it_does_not_know(message: str, name: str) -> bool:
    answer = written(framed(message, name), name, ANSWER).continuation.casefold()
    return not any(word in answer for word in (" not ", "n't", "sorry", "unknown", "fiction", "no such"))


def is_sure_and_wrong(message: str, right: str, name: str) -> bool:
    """The right time is not in the answer, most of whose tokens had more than half of the probability."""
    answer = written(framed(message, name), name, ANSWER)
    return right not in answer.continuation and median(step.probability for step in answer.steps) > 0.5
