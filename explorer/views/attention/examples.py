"""The computations of the attention page, as functions that “Show the code” prints."""

from explorer.views.types import LanguageModel, Model


def strongest_links(
    model: "LanguageModel",
    text: str,
    pair: str | None,
    layer: int,
    heads: list[int],
    hide_special: bool,
    merge_words: bool,
    times_values: bool,
    limit: int,
) -> list[tuple[str, str, float]]:
    """For every token, the one that it attends to most by the mean of some heads, and the weight."""
    from explorer.analysis.attention.by_values import by_values
    from explorer.analysis.attention.weights import patterns
    from explorer.analysis.words import words

    trace = model.trace(text, pair, limit=limit)
    if times_values:
        trace = by_values(model, trace)
    layer_patterns = patterns(trace, layer, hide_special, merge_words)
    pattern = layer_patterns.pattern[heads].mean(0)
    typed_words = {word.positions[0]: word.text for word in words(trace.encoding)}
    names = [
        typed_words[group[0]] if len(group) > 1 else trace.encoding.surface(group[0]).strip()
        for group in layer_patterns.groups
    ]
    return [(name, names[row.argmax()], float(row.max())) for name, row in zip(names, pattern)]


def scores_and_weights(
    model: "Model", text: str, pair: str | None, layer: int, head: int, query: int, limit: int
) -> list[tuple[str, float, float]]:
    """From one token to each token: the score q · k / sqrt(d_head), and the weight after the softmax."""
    from explorer.analysis.attention.inside_head import inside

    trace = model.trace(text, pair, limit=limit)
    parts = inside(trace, layer, head)
    return list(zip(trace.tokens, parts.scores(query).tolist(), parts.weights[query].tolist()))


def read_across_layers(
    model: "Model",
    text: str,
    pair: str | None,
    layer: int,
    token: int,
    hide_special: bool,
    with_flow: bool,
    limit: int,
) -> list[tuple[str, float] | tuple[str, float, float]]:
    """What one token has of every word after `layer` layers, by attention rollout, and by attention flow."""
    from explorer.analysis.attention.flow import flow
    from explorer.analysis.attention.rollout import rollout, steps

    trace = model.trace(text, pair, limit=limit)
    special = trace.encoding.special if hide_special else None
    layers = steps(trace, special)
    names = [name for i, name in enumerate(trace.tokens) if special is None or not special[i]]
    shares = rollout(layers)[layer, token].tolist()
    if not with_flow:
        return list(zip(names, shares))
    return list(zip(names, shares, flow(layers, layer, token).tolist()))


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
    """How much of every word's attention is elsewhere in the second pattern, from 0 to 1.

    A pattern is that of one head, or the mean over the layer's heads if `head` is None.
    """
    from explorer.analysis.attention.comparison import compare_traces

    first, second = model.trace(text, limit=limit), other_model.trace(other_text, limit=limit)
    comparison = compare_traces(first, second, layer, head, other_layer, hide_special)
    moved = comparison.difference.nan_to_num().abs().sum(-1) / 2
    return list(zip(comparison.words, moved.tolist()))


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
    """For every (layer, head) of some layers, the largest weight with the token that reads and the one read.

    Only the tokens from `first` to `last` count.
    """
    from explorer.analysis.attention.weights import head_view

    trace = model.trace(text, pair, limit=limit)
    heads = range(model.config.heads)
    links = {}
    for layer, head in [(layer, head) for layer in layers for head in heads]:
        view = head_view(trace, layer, head, hide_special)
        tokens = view.tokens[first:][: last - first + 1]
        pattern = view.pattern[first:, first:][: len(tokens), : len(tokens)]
        query, key = divmod(int(pattern.argmax()), len(tokens))
        links[layer, head] = (tokens[query], tokens[key], float(pattern.max()))
    return links
