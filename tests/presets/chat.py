"""What the presets of “A chat is a text” promise."""

from functools import cache
from itertools import pairwise

from explorer.analysis.generation.steps import Generation, Sampling, generate
from explorer.analysis.prediction import surprisal
from explorer.tokenizers.chat import render
from tests.shared_models import model

LENGTH = 12  # tokens: enough to tell


@cache
def written(prompt: str, name: str) -> Generation:
    generation = generate(model(name), prompt, Sampling(greedy=True, max_new_tokens=LENGTH), candidates=1)
    list(generation)
    return generation


def framed(message: str, name: str) -> str:
    return render(model(name).tokenizer.chat, [("user", message)])


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
