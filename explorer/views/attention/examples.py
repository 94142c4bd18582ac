"""What the views of the attention page compute, as functions that “Show the code” prints."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.models import LanguageModel, Model


def strongest_links(
    model: "Model",
    text: str,
    pair: str | None,
    layer: int,
    heads: list[int],
    hide_special: bool,
    merge_words: bool,
    limit: int,
) -> list[tuple[str, str, float]]:
    """What every token reads most by the mean of some heads, with the weight."""
    from explorer.analysis.attention.weights import patterns
    from explorer.analysis.words import words

    trace = model.trace(text, pair, limit=limit)
    found = patterns(trace, layer, hide_special, merge_words)
    pattern = found.pattern[heads].mean(0)
    typed = {word.positions[0]: word.text for word in words(trace.encoding)}
    names = [
        typed[group[0]] if len(group) > 1 else trace.encoding.surface(group[0]).strip()
        for group in found.groups
    ]
    return [(name, names[row.argmax()], float(row.max())) for name, row in zip(names, pattern)]


def scores_and_weights(
    model: "Model", text: str, pair: str | None, layer: int, head: int, query: int, limit: int
) -> list[tuple[str, float, float]]:
    """From one token to every other: the score q · k / sqrt(d_head), and the weight after the softmax."""
    from explorer.analysis.attention.inside_head import inside

    trace = model.trace(text, pair, limit=limit)
    found = inside(trace, layer, head)
    return list(zip(trace.tokens, found.scores(query).tolist(), found.weights[query].tolist()))


def rolled_out(
    model: "Model",
    text: str,
    pair: str | None,
    layer: int,
    token: int,
    hide_special: bool,
    limit: int,
) -> list[tuple[str, float]]:
    """The share of every word in one token after some layers, by attention rollout."""
    from explorer.analysis.attention.rollout import rollout, steps

    trace = model.trace(text, pair, limit=limit)
    special = trace.encoding.special if hide_special else None
    kept = [name for i, name in enumerate(trace.tokens) if special is None or not special[i]]
    return list(zip(kept, rollout(steps(trace, special))[layer, token].tolist()))


def rollout_and_flow(
    model: "Model",
    text: str,
    pair: str | None,
    layer: int,
    token: int,
    hide_special: bool,
    limit: int,
) -> list[tuple[str, float, float]]:
    """What one token has from every word after some layers, by attention rollout and by attention flow."""
    from explorer.analysis.attention.flow import flow
    from explorer.analysis.attention.rollout import rollout, steps

    trace = model.trace(text, pair, limit=limit)
    special = trace.encoding.special if hide_special else None
    layers = steps(trace, special)
    kept = [name for i, name in enumerate(trace.tokens) if special is None or not special[i]]
    shares = rollout(layers)[layer, token]
    return list(zip(kept, shares.tolist(), flow(layers, layer, token).tolist()))


def attention_while_generating(
    model: "LanguageModel",
    prompt: str,
    new_tokens: int,
    temperature: float,
    layer: int | None,
    head: int | None,
    without_first: bool,
) -> list[tuple[str, str, float]]:
    """Each generated token, what the model attended to most when it chose it, and the weight.

    Without a layer or a head, the mean over all of them.
    """
    from explorer.analysis.attention.while_generating import generation_attention
    from explorer.analysis.generation.steps import Sampling, generate

    generation = generate(model, prompt, Sampling(temperature=temperature, max_new_tokens=new_tokens))
    steps = list(generation)
    attention = generation_attention(generation)
    found = []
    for number, step in enumerate(steps):
        row = attention.row(number, layer, head, without_first)
        found.append((step.token, attention.tokens[row.argmax()], float(row.max())))
    return found


def difference(
    model: "Model",
    text: str,
    layer: int,
    other_model: "Model",
    other_text: str,
    other_layer: int,
    head: int | None,
    hide_special: bool,
    limit: int,
) -> list[tuple[str, float]]:
    """How much of every word's attention has moved in the second pattern, 0 to 1.

    Patterns are those of one head, or without it the mean of the layer's heads.
    """
    from explorer.analysis.attention.comparison import align, by_word, compare, ordinary

    patterns = []
    for one, read, number in ((model, text, layer), (other_model, other_text, other_layer)):
        found = by_word(one.trace(read, limit=limit))
        heads = found.pattern[number]
        pattern = heads.mean(0) if head is None else heads[head]
        patterns.append(ordinary(found, pattern) if hide_special else (found.words, pattern))
    (words, first), (others, second) = patterns
    pairs = align(words, others)
    moved = compare(first, second, pairs).difference.nan_to_num().abs().sum(-1) / 2
    names = [words[i] if i is not None else others[j] if j is not None else "" for i, j in pairs]
    return list(zip(names, moved.tolist()))


def strongest_link_of_every_head(
    model: "Model",
    text: str,
    pair: str | None,
    layers: list[int],
    hide_special: bool,
    limit: int,
    first: int = 0,
    last: int = 0,
) -> dict[tuple[int, int], tuple[str, str, float]]:
    """For every (layer, head) of some layers: which token reads which most, and the weight.

    Tokens are those from `first` to `last`.
    """
    from explorer.analysis.attention.weights import head_view

    trace = model.trace(text, pair, limit=limit)
    heads = range(model.config.heads)
    found = {}
    for layer, head in [(layer, head) for layer in layers for head in heads]:
        view = head_view(trace, layer, head, hide_special)
        tokens = view.tokens[first:][: last - first + 1]
        pattern = view.pattern[first:, first:][: len(tokens), : len(tokens)]
        query, key = divmod(int(pattern.argmax()), len(tokens))
        found[layer, head] = (tokens[query], tokens[key], float(pattern.max()))
    return found


def scores_of_the_strongest(
    model: "Model",
    text: str,
    pair: str | None,
    layer: int,
    head: int,
    hide_special: bool,
    limit: int,
) -> list[tuple[str, str, float, float]]:
    """What every token reads most by one head: the score q · k / sqrt(d_head), and the weight."""
    from explorer.analysis.attention.weights import head_view
    from explorer.trace import captured

    trace = model.trace(text, pair, limit=limit)
    attention = captured(trace.attention)
    view = head_view(trace, layer, head, hide_special)
    queries, keys = attention.queries[layer, head], attention.keys[layer, head]
    scores = (queries @ keys.T / keys.shape[-1] ** 0.5)[view.positions][:, view.positions]
    most = view.pattern.argmax(-1).tolist()
    return [
        (token, view.tokens[key], float(scores[query, key]), float(view.pattern[query, key]))
        for query, (token, key) in enumerate(zip(view.tokens, most))
    ]
