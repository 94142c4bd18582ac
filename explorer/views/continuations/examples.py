"""The functions that “Show the code” prints on the continuations page; each can be run on its own."""

from typing import Any

from explorer.views.types import LanguageModel, Model


def continuation(
    model: "LanguageModel",
    prompt: str,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    seed: int,
    length: int,
) -> list[tuple[str, float, int]]:
    """The tokens of a continuation, each with its rank and its probability before temperature and cuts."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(temperature, top_k, top_p, seed, max_new_tokens=length)
    return [(step.token, step.probability, step.rank) for step in generate(model, prompt, sampling)]


def surprisals(model: "Model", text: str, rest_of_word: bool, top: int) -> dict[str, object]:
    """A text's perplexity and bits per byte, and its most surprising words with their surprisal in bits."""
    from explorer.analysis.prediction import surprisal

    scored = surprisal.read(model, text, rest_of_word=rest_of_word)
    return {
        "perplexity": scored.perplexity,
        "bits per byte": scored.per_byte,
        "most surprising": [
            (text[word.start : word.end], word.bits) for word in surprisal.most_surprising(scored, top)
        ],
    }


def surprisals_of_continuation(
    model: "LanguageModel",
    prompt: str,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
    seed: int,
    length: int,
    top: int,
) -> dict[str, object]:
    """The perplexity, bits per byte and most surprising words of a prompt with its continuation."""
    from explorer.analysis.generation.steps import Sampling, generate
    from explorer.analysis.prediction import surprisal

    sampling = Sampling(temperature, top_k, top_p, seed, max_new_tokens=length)
    text = prompt + "".join(step.text for step in generate(model, prompt, sampling))
    scored = surprisal.read(model, text)
    return {
        "perplexity": scored.perplexity,
        "bits per byte": scored.per_byte,
        "most surprising": [
            (text[word.start : word.end], word.bits) for word in surprisal.most_surprising(scored, top)
        ],
    }


def next_word_by_steps(
    model: "LanguageModel", prompt: str, steps: "dict[str, Any]", seed: int
) -> tuple[str, dict[str, float]]:
    """The token that is drawn after a prompt, and the chances of the ten best, with these steps in a row."""
    from explorer.analysis.generation.steps import Sampling, generate
    from explorer.generation.watermark import Watermark

    steps = steps | {name: Watermark(steps[name]) for name in steps if name == "watermark"}
    sampling = Sampling(**steps, order=list(steps), seed=seed, max_new_tokens=1)
    (step,) = generate(model, prompt, sampling)
    return step.token, {candidate.token: candidate.chance for candidate in step.candidates}


def cells_and_speed(
    model: "LanguageModel", prompt: str, temperature: float, seed: int, length: int
) -> "dict[str, Any]":
    """What a text costs with the key/value cache and without, and whether both texts are the same."""
    from explorer.analysis.generation.caching import compare_caching
    from explorer.generation.sampling import Sampling

    comparison = compare_caching(model, prompt, Sampling(temperature, seed=seed, max_new_tokens=length))
    steps = list(comparison)
    computed, looked_up, computed_without = map(sum, zip(*comparison.cells, strict=True))
    seconds, seconds_without = map(sum, zip(*comparison.seconds, strict=True))
    return {
        "cells computed": (computed, computed_without),
        "looked up": looked_up,
        "tokens a second": (len(steps) / seconds, len(steps) / seconds_without),
        "bytes of a cell": comparison.cell_bytes,
        "same text": comparison.same,
    }


def searched_and_drawn(
    model: "LanguageModel",
    prompt: str,
    beam_width: int,
    top_p: float,
    alpha: float,
    seed: int,
    length: int,
) -> dict[str, str]:
    """The continuations of one prompt by three searches, and one that is drawn."""
    from explorer.analysis.generation.beam import Beam, beam_search
    from explorer.analysis.generation.contrastive import Contrastive, contrastive_search
    from explorer.analysis.generation.steps import Sampling, generate

    searches: dict[str, Any] = {
        "Greedy": generate(model, prompt, Sampling(greedy=True, max_new_tokens=length)),
        "Beam": beam_search(model, prompt, Beam(beam_width, max_new_tokens=length)),
        "Contrastive": contrastive_search(model, prompt, Contrastive(alpha=alpha, max_new_tokens=length)),
        "Drawn": generate(model, prompt, Sampling(top_p=top_p, seed=seed, max_new_tokens=length)),
    }
    for search in searches.values():
        list(search)  # until it ends
    return {name: search.continuation for name, search in searches.items()}


def counted_words(text: str, before: str, back: int, new_text: str) -> dict[str, object]:
    """The dice for the word after `before`, and the bits a word of a new text; `back` words are counted."""
    from explorer.analysis.generation import ngrams

    table = ngrams.count(text, back + 1)
    die = ngrams.die(table.following[table.seen(ngrams.split(before))])
    return {
        "faces": die.faces,
        "numbers": {word: (numbers[0], numbers[-1]) for word, numbers in die.numbers.items()},
        "bits per word": table.bits_per_word(new_text),
    }


def answers_after_examples(
    model: "LanguageModel", pairs: list[tuple[str, str]], between: str, seed: int
) -> dict[str, list[float]]:
    """The probability of each question's right answer after 0, 1, ... examples in the prompt."""
    from explorer.analysis.prediction.few_shot import Pair, few_shot

    result = few_shot(model, [Pair(*pair) for pair in pairs], between, seed)
    return {
        pair.question: probabilities
        for pair, probabilities in zip(result.pairs, result.log_probability.exp().tolist())
    }


def attention_while_generating(
    model: "LanguageModel",
    prompt: str,
    new_tokens: int,
    temperature: float,
    layer: int | None,
    head: int | None,
    without_first: bool,
) -> list[tuple[str, str, float]]:
    """Each generated token, the token that the model attended to most when it chose it, and the weight.

    Without a layer or a head, the mean over all of them.
    """
    from explorer.analysis.attention.while_generating import generation_attention
    from explorer.analysis.generation.steps import Sampling, generate

    generation = generate(model, prompt, Sampling(temperature=temperature, max_new_tokens=new_tokens))
    steps = list(generation)
    attention = generation_attention(generation)
    strongest = []
    for number, step in enumerate(steps):
        row = attention.row(number, layer, head, without_first)
        strongest.append((step.token, attention.tokens[row.argmax()], float(row.max())))
    return strongest
