"""The functions that the page prints under “Show the code”."""

from explorer.views.types import LanguageModel


def shares_of_states(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, measure: str, kind: str
) -> list[list[float]]:
    """What each state of the first prompt, put into the second, brings back: [layer][token]."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead, measure)
    share = patching.patch_states(model, pair, kind).share
    return [[round(value, 3) for value in row] for row in share.tolist()]


def words_by_layer(model: "LanguageModel", text: str, limit: int) -> list[list[str]]:
    """The word that the state at every token would say, after every layer, the embedding first."""
    from explorer.analysis.prediction import text_lens

    lens = text_lens.over_text(model, text, limit)
    return [[model.tokenizer.readable(id) for id in row] for row in lens.ids[..., 0].tolist()]


def trace_causes(
    model: "LanguageModel", text: str, subject: str, answer: str, kind: str, seeds: int
) -> list[list[float]]:
    """What each undisturbed state brings back of the answer's probability, the mean of several seeds."""
    import torch

    from explorer.analysis import patching

    pairs = [patching.disturb(model, text, subject, answer, seed) for seed in range(seeds)]
    share = torch.stack([patching.patch_states(model, pair, kind).share for pair in pairs]).mean(0)
    return [[round(value, 3) for value in row] for row in share.tolist()]


def shares_of_heads(
    model: "LanguageModel",
    first: str,
    second: str,
    answer: str,
    instead: str,
    measure: str,
    position: int | None,
    top: int,
) -> list[tuple[str, float]]:
    """The heads whose outputs, put into the second prompt's run, bring back most."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead, measure)
    patched = patching.patch_heads(model, pair, position)
    best = patched.ranking()[:top]
    return [(f"L{layer + 1}H{head + 1}", round(float(patched.share[layer, head]), 3)) for layer, head in best]


def parts_of_logit(
    model: "LanguageModel", first: str, second: str, answer: str, instead: str, alone: bool
) -> dict[str, float]:
    """What the embedding and each layer write of the answer's logit, and the logit that they add up to."""
    from explorer.analysis import patching

    pair = patching.contrast(model, first, second, answer, instead)
    result = patching.direct_logits_of(model, pair, alone)
    layers = {f"layer {n}": value for n, value in enumerate(result.by_layer().tolist(), 1)}
    parts = {"embedding": result.embedding} | layers | {"norms": result.constant, "rest": result.rest}
    return {name: round(value, 3) for name, value in parts.items()} | {"logit": round(result.logit, 3)}


def which_words_mattered(
    model: "LanguageModel",
    text: str,
    head: str,
    answer: str,
    instead: str,
    steps: int,
    limit: int,
) -> list[tuple[str, float, float, float, float]]:
    """Each word's part by deletion, gradient x input and integrated gradients, in nats, and by rollout.

    `head` is the name of a ready head whose class is predicted; "" for a word.
    """
    from explorer.analysis.attribution.attention import rollout_shares
    from explorer.analysis.attribution.gradients import gradient_times_input, integrated_gradients
    from explorer.analysis.attribution.prediction import word_prediction
    from explorer.analysis.attribution.removal import deletion
    from explorer.finetuning import library
    from explorer.finetuning.attribution import class_prediction

    if head:
        prediction = class_prediction(library.head(head, model), text, answer, instead, limit)
    else:
        prediction = word_prediction(model, text, answer, instead, limit=limit)
    values = [
        deletion(prediction),
        gradient_times_input(prediction),
        integrated_gradients(prediction, steps).values,
        rollout_shares(prediction),
    ]
    tokens = [prediction.encoding.tokens[position] for position in prediction.judged]
    return list(zip(tokens, *(row.tolist() for row in values)))


def steered_texts(
    model: "LanguageModel",
    beginning: str,
    toward: list[str],
    away: list[str],
    layer: int,
    strengths: list[float],
    seed: int,
    temperature: float,
    top_p: float,
    max_new_tokens: int,
) -> dict[float, str]:
    """One beginning, continued at several strengths of the direction between two lists of sentences."""
    from explorer.analysis import steering
    from explorer.analysis.generation import Sampling, generate

    direction = steering.direction(model, toward, away, layer)
    sampling = Sampling(temperature, None, top_p, seed, max_new_tokens)
    texts = {}
    for strength in strengths:
        text = generate(model, beginning, sampling, steer=[(direction, strength)])
        texts[strength] = "".join(step.text for step in text)
    return texts


def steered_guesses(
    model: "LanguageModel",
    text: str,
    toward: list[str],
    away: list[str],
    layer: int,
    strengths: list[float],
    top: int,
) -> dict[float, dict[str, float]]:
    """The likeliest words for a gap at several strengths of the direction between two lists of sentences."""
    from explorer.analysis import steering
    from explorer.analysis.prediction import fill

    direction = steering.direction(model, toward, away, layer)
    guesses = {}
    for strength in strengths:
        steered = fill.blanks(model, text, edit=steering.edit(model, [(direction, strength)]))
        guesses[strength] = {one.token: round(one.probability, 4) for one in fill.top(model, steered, k=top)}
    return guesses
