"""The presets of “A chat is a text”: with nine siblings, the point holds for seven of ten."""

from functools import cache
from itertools import pairwise

import pytest

from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.analysis.prediction import surprisal
from explorer.tokenizers.chat import render
from explorer.views.continuations.presets import CHAT, QUESTION
from explorer.views.frame.default_models import WRITER
from tests.shared_models import model
from tests.siblings import seven_of_ten, siblings

pytestmark = [
    pytest.mark.long,  # SmolLM2 takes minutes
    pytest.mark.skipif(WRITER != "smollm2", reason="the presets are for SmolLM2"),
]
SIBLINGS = siblings("chat")
PLAIN, MOUTH, TYPED = CHAT
LENGTH = 12  # tokens: enough to tell


@cache
def written(prompt: str) -> Generation:
    generation = generate(
        model("smollm2"), prompt, Sampling(greedy=True, max_new_tokens=LENGTH), candidates=1
    )
    list(generation)
    return generation


def framed(message: str) -> str:
    return render(model("smollm2").tokenizer.chat, [("user", message)])


def another_text_without_marks(message: str) -> bool:
    answer, plain = written(framed(message)).continuation, written(f"{message}\n").continuation
    return plain.strip()[:20] != answer.strip()[:20]


def words_that_surprise(message: str, words: str) -> bool:
    """The words in its mouth cost at least two bits a token more than its own, and it does not end there."""
    prompt = framed(message) + words
    generation, tokenizer = written(prompt), model("smollm2").tokenizer
    bits = surprisal.read(model("smollm2"), prompt + generation.continuation).bits
    first, last = (len(tokenizer.encode(text).ids) for text in (framed(message), prompt))
    return len(generation.ids) > 3 and float(bits[first:last].mean()) > float(bits[last:].mean()) + 2


def three_turns(name: str) -> bool:
    """True of any name: the marks are tokens. (SmolLM2 does not go by the name in the typed turn.)"""
    tokens = model("smollm2").tokenizer.encode(framed(TYPED.values["turn0"].replace("Bob", name))).tokens
    roles = [role for mark, role in pairwise(tokens) if mark == "<|im_start|>"]
    return roles == ["system", "user", "ass", "user", "ass"]  # assistant is two tokens


def test_plain_text_goes_on_as_another_text():
    seven_of_ten(another_text_without_marks, [QUESTION, *SIBLINGS["questions"]])


def test_words_in_its_mouth_surprise_it_and_it_goes_on():
    seven_of_ten(words_that_surprise, [[QUESTION, MOUTH.values["turn1"]], *SIBLINGS["prefills"]])


def test_typed_marks_make_turns():
    seven_of_ten(three_turns, ["Bob", *SIBLINGS["names"]])
