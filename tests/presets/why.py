"""What the presets of “Why it said that” promise: where a state brings the first prompt's answer back."""

from functools import cache

import torch

from explorer.analysis import patching, steering
from explorer.analysis.generation import Sampling, generate
from explorer.errors import TextError
from explorer.views.why import fixes, steer
from explorer.views.why.prompts import MOST_TOKENS, SEEDS
from explorer.views.why.settings import DEPTH, FIRST, SECOND, SEED
from tests.shared_models import model

HALF = 0.5


@cache
def shares(name: str, first: str, second: str, answer: str = "", instead: str = "") -> patching.PatchedStates:
    network = model(name)
    return patching.patch_states(network, patching.contrast(network, first, second, answer, instead))


def has_moved_by(first: str, second: str, layer: int, answer="", instead="", name: str = "smollm2") -> bool:
    """The answer is at the words that differ, and after that layer, from one, at its own place."""
    try:
        patched = shares(name, first, second, answer, instead)
    except TextError:  # both prompts have the same answer
        return False
    pair = patched.contrast
    at_the_words = patched.share[:, pair.differing].amax(1)
    at_its_place = patched.share[layer - 1, pair.position]
    return bool(at_the_words[0] >= HALF > at_the_words[layer - 1]) and bool(at_its_place >= HALF)


def gives_a_picture(first: str, second: str, name: str = "smollm2") -> bool:
    """As it is typed, or with the first prompt that is offered in its place."""
    network = model(name)
    try:
        patching.contrast(network, first, second, limit=MOST_TOKENS)
        return True
    except TextError:
        offers = fixes.fitting(network, first, second)
    texts = {FIRST: first, SECOND: second} | dict(offers[:1])
    try:
        patching.contrast(network, texts[FIRST], texts[SECOND], limit=MOST_TOKENS)
    except TextError:
        return False
    return True


def stays_until(first: str, second: str, layer: int, name: str) -> bool:
    """After that layer, from one, the answer is still at the words that differ, and not at its own place."""
    try:
        patched = shares(name, first, second)
    except TextError:  # both prompts have the same answer
        return False
    pair = patched.contrast
    at_the_words = patched.share[:layer, pair.differing].amax(1)
    return bool((at_the_words >= HALF).all()) and bool(patched.share[layer - 1, pair.position] < HALF)


def is_brought_back_by_the_head(
    first: str, second: str, layer: int, head: int, name: str = "smollm2"
) -> bool:
    """One head at the answer's place, both counted from one, brings back more than half."""
    network = model(name)
    try:
        pair = patching.contrast(network, first, second)
    except TextError:  # both prompts have the same answer
        return False
    layers = patching.patch_heads_of_layers(network, pair)
    share = next(share for number, share in layers if number == layer - 1)
    return bool(share[head - 1] > HALF)


def repeats_the_word(first: str, second: str, name: str) -> bool:
    """Each prompt is answered by the word in which it differs from the other."""
    pair = patching.contrast(model(name), first, second)
    words = [encoding.ids[pair.differing].tolist() for encoding in (pair.first, pair.second)]
    return words == [[pair.answer], [pair.instead]]


def is_kept_at_the_word(text: str, subject: str, name: str = "smollm2") -> bool:
    """The undisturbed subject brings back half at layers 1 to 10, and the last token at layer 25."""
    network = model(name)
    pairs = [patching.disturb(network, text, subject, "", seed) for seed in range(SEEDS)]
    share = torch.stack([patching.patch_states(network, pair).share for pair in pairs]).mean(0)
    word, place = pairs[0].differing[-1], pairs[0].position
    return bool((share[:10, word] >= HALF).all()) and bool(share[24, place] >= HALF)


def has_no_name_to_give(first: str, second: str, name: str = "smollm2") -> bool:
    """Neither prompt gives any next word a probability of a quarter."""
    network = model(name)
    pair = patching.contrast(network, first, second)
    return max(float(logits.softmax(-1).max()) for logits in pair.logits) < 0.25


def is_turned(beginning: str, toward: str, away: str, dial: float, name: str = "smollm2") -> bool:
    """Steered to the right, the text is more like the first list than by itself; to the left, less."""
    network = model(name)
    directions = steering.directions(network, toward.splitlines(), away.splitlines())
    places = []
    for strength in (-dial, 0.0, dial):
        sampling = Sampling(**steer.SAMPLING, seed=SEED.default)
        text = generate(network, beginning, sampling, 1, [(directions[DEPTH.default], strength)])
        list(text)
        places.append(steering.place_of_text(network, text.prompt_ids, text.ids, directions[-1]))
    return places[0] < places[1] < places[2]
