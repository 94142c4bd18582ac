"""Step by step, drawn: what each tensor is called, how a step is laid out, and a sentence about it.

A figure is a list of lines; a line is what stands side by side, with signs between. In `ONE` a step is
drawn for one word, in `ALL` for all at once; `k^T` is `k` turned, `top` are the most active hidden units.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from explorer.analysis.transformer import Walk
    from explorer.analysis.transformer.program import Step

Lines = list[list[str]]
SIGNS = {"+", "=", "@", "⊙", "→", "/ √d", "softmax"}


class Name(NamedTuple):
    """A tensor's symbol, what it is, and its colour."""

    symbol: str
    what: str
    role: str


NAMES = {
    "token_rows": Name("token", "row of the token table", "stream"),
    "position_rows": Name("position", "row of the position table", "stream"),
    "segment_rows": Name("segment", "row of the segment table", "stream"),
    "summed": Name("sum", "the rows added up", "stream"),
    "small": Name("e", "a token’s vector before it is mapped to a layer’s width", "stream"),
    "embedded": Name("x_{0}", "the embedding", "stream"),
    "x": Name("x", "what enters the layer", "stream"),
    "y": Name("y", "x, normalised", "stream"),
    "q": Name("Q", "query", "query"),
    "k": Name("K", "key", "key"),
    "v": Name("V", "value", "value"),
    "q_normed": Name("Q", "query, normalised", "query"),
    "k_normed": Name("K", "key, normalised", "key"),
    "angles": Name("φ", "angle, in radians", "score"),
    "cos": Name("cos φ", "cosine of the angle", "score"),
    "sin": Name("sin φ", "sine of the angle", "score"),
    "q_rot": Name("Q_{φ}", "query, turned", "query"),
    "k_rot": Name("K_{φ}", "key, turned", "key"),
    "scores": Name("S", "score", "score"),
    "masked": Name("S", "score, masked", "score"),
    "weights": Name("A", "attention weight", "attention"),
    "out": Name("O", "what the head gives", "value"),
    "z": Name("Z", "all heads side by side", "value"),
    "attended": Name("a", "what attention adds", "stream"),
    "added1": Name("x + a", "the sum before the norm", "stream"),
    "x1": Name("x′", "after attention", "stream"),
    "y1": Name("y′", "x′, normalised", "stream"),
    "gate_input": Name("y′ W_{G}", "gate before the activation", "hidden"),
    "gate": Name("G", "gate", "hidden"),
    "wide": Name("u", "hidden unit before the activation", "hidden"),
    "hidden": Name("h", "hidden unit", "hidden"),
    "fed": Name("f", "what the feed-forward network adds", "stream"),
    "added2": Name("x′ + f", "the sum before the norm", "stream"),
    "x2": Name("x″", "what leaves the layer", "stream"),
    # a decoder, between attention and the feed-forward network
    "m": Name("M", "what the encoder gave", "stream"),
    "cross_q": Name("Q_{c}", "query", "query"),
    "cross_k": Name("K_{c}", "key", "key"),
    "cross_v": Name("V_{c}", "value", "value"),
    "cross_scores": Name("S_{c}", "score", "score"),
    "cross_weights": Name("A_{c}", "attention weight", "attention"),
    "cross_out": Name("O_{c}", "what the head gives", "value"),
    "cross_z": Name("Z_{c}", "all heads side by side", "value"),
    "crossed": Name("c", "what cross-attention adds", "stream"),
    "added_cross": Name("x′ + c", "the sum before the norm", "stream"),
    "x_cross": Name("x″", "after cross-attention", "stream"),
    "added3": Name("x″ + f", "the sum before the norm", "stream"),
    "x3": Name("x‴", "what leaves the layer", "stream"),
}
MATRICES = ("W_0", "W_Q", "W_K", "W_V", "W_O", "W_CQ", "W_CK", "W_CV", "W_CO", "W_G", "W_1", "W_2")
CROSS = "cross-"  # before the names of a decoder's steps that read the encoder
OF_SOURCE = ("m", "cross_k", "cross_v")  # whose rows are the encoder's tokens
TO_SOURCE = ("cross_scores", "cross_weights")  # whose columns are
SQUARE = ("scores", "masked", "weights", *TO_SOURCE)  # whose columns are tokens


def symbol(name: str) -> str:
    """A tensor's symbol, also of a matrix or of a tensor turned."""
    if name in MATRICES:
        return f"W_{{{name[2:]}}}"
    return NAMES[name.removesuffix("^T")].symbol + ("^{T}" if name.endswith("^T") else "")


def all_at_once(step: "Step", walk: "Walk") -> Lines:
    """The figure of a step for all words."""
    read, last = step.takes[0], step.gives[-1]
    match step.name.removeprefix(CROSS):
        case "input" if len(step.gives) == 1:
            return [[last]]
        case "input":
            *rows, total = step.gives
            return [[rows[0]], *[["+", row] for row in rows[1:]], ["=", total]]
        case "input-widen":
            return [[read, "@", "W_0"], ["=", step.gives[-1]]]
        case "enter":
            return [["embedded"], ["→", "x"]]
        case "project" if step.name.startswith(CROSS):
            reads = {"q": read, "k": "m", "v": "m"}
            return [[x, "@", f"W_C{name.upper()}", "=", f"cross_{name}"] for name, x in reads.items()]
        case "project":
            return [[read, "@", f"W_{name.upper()}", "=", name] for name in "qkv"]
        case "head-norm" | "rotate":
            query, key = step.gives[-2:]
            return [[read, "→", query], [step.takes[1], "→", key]]
        case "scores":
            return [[read, "@", f"{step.takes[1]}^T", *divided(step), "=", last]]
        case "mask":
            return [["scores", "→", "masked"]]
        case "softmax":
            return [[read, "softmax", "=", last]]
        case "mix":
            return [[read, "@", step.takes[1], "=", last]]
        case "heads":
            return [[last]]
        case "output":
            return [[read, "@", step.takes[1]], ["=", last]]
        case "widen" if "gate" in step.gives:
            return [["gate", "⊙", "wide"], ["=", "hidden"], ["top"]]
        case "widen":
            return [[read, "@", "W_1"], ["→", "hidden"], ["top"]]
        case "narrow":
            return [["hidden", "@", "W_2"], ["=", "fed"]]
    if step.name.startswith("add"):
        return [[read], ["+", step.takes[1]], ["=", last]]
    return [[read], ["→", last]]


def one_word(step: "Step", walk: "Walk") -> Lines:
    """The figure of a step for one word: wide strips one below the other."""
    read, last = step.takes[0], step.gives[-1]
    match step.name.removeprefix(CROSS):
        case "widen" if "gate" in step.gives:
            return [["gate", "⊙", "wide", "=", "hidden"], ["top"]]
        case "scores":
            return [[read, "@", f"{step.takes[1]}^T"], [*divided(step), "=", last]]
        case "mask":
            return [["scores"], ["→", "masked"]]
        case "softmax":
            return [[read], ["softmax", "=", last]]
        case "mix":
            return [[read], ["@", step.takes[1], "=", last]]
    return all_at_once(step, walk)


def divided(step: "Step") -> list[str]:
    """The sign for the divisor of the scores, where they are divided."""
    return ["/ √d"] if "d_head" in step.takes else []


def sharing(walk: "Walk") -> range:
    """The heads that share the walk's key and value: the head alone, where each has its own."""
    group = walk.values["heads"] // walk.values["kv_heads"]
    first = walk.head // group * group
    return range(first, first + group)


def listed(heads: range) -> str:
    """Numbers of heads in words.

    >>> listed(range(3, 6)), listed(range(2)), listed(range(8))
    ('Heads 3, 4 and 5', 'Heads 0 and 1', 'Heads 0 to 7')
    """
    if len(heads) > 4:
        return f"Heads {heads[0]} to {heads[-1]}"
    return f"Heads {', '.join(map(str, heads[:-1]))} and {heads[-1]}"


def said(step: "Step", walk: "Walk") -> str:
    """A sentence about a step."""
    values, post = walk.values, "added1" in walk.values
    now = "and the sum is normalised (post-norm)" if post else "and the sum goes on as it is (pre-norm)"
    match step.name:
        case "input" if len(step.gives) == 1:
            return "A token begins as its row of the token table: where it stands comes in by a rotation."
        case "input":
            more = " and the row of its segment" if "segment_rows" in step.gives else ""
            return f"A token begins as its row of the token table, plus the row of its position{more}."
        case "norm" | "mlp-norm" if step.title == "RMS norm":
            return "Divided by the root of its mean square: as LayerNorm, but no mean is taken off."
        case "mlp-norm" if step.takes[0] == "x":
            return "The feed-forward network reads x as well: it stands beside attention, not after it."
        case "input-norm":
            return "Each vector is brought to mean 0 and variance 1, then to a learnt gain and shift."
        case "input-widen":
            narrow, wide = values["W_0"].shape
            return f"A token’s vector has {narrow} numbers here; a learnt matrix makes {wide:,} of them."
        case "enter":
            return "The layers below have changed the vectors; this layer begins with what they gave."
        case "norm":
            return "This model normalises first (pre-norm): attention reads y, and x itself is kept."
        case "mlp-norm":
            return "Again a normalised copy is read, and x′ itself is kept."
        case "project" if len(sharing(walk)) > 1:
            heads = listed(sharing(walk))
            return f"{heads} have a query each and share this key and value, {values['d_head']} numbers each."
        case "project":
            return f"Three learnt matrices make query, key and value, {values['d_head']} numbers each."
        case "head-norm":
            return "Each query and each key is divided by the root of its mean square."
        case "rotate":
            return "Two numbers are a point in the plane: it is turned by position × frequency."
        case "scores" if not divided(step):
            return "Each query times each key; this model does not divide by √d."
        case "scores" if "q_rot" in step.takes:
            return "Of two turned vectors the product knows only how far apart their positions are."
        case "scores":
            return "Each query times each key, divided by √d, so that long vectors score no higher."
        case "mask":
            if "padding" in step.takes:
                return "Padding holds no word: its scores become −∞, and nobody reads it."
            if "window" in step.takes:
                later = "a later one, or one" if "tril()" in step.code else "one"
                return f"No token may read {later} outside a window of {values['window']:,}: those become −∞."
            return "No token may read a later one: those scores become −∞."
        case "softmax":
            return "Each row of scores becomes weights that add up to 1."
        case "mix":
            return "Each token takes the values of all tokens, each as much as its weight says."
        case "heads" if len(sharing(walk)) > 1:
            keys = values["kv_heads"]
            shared = listed(sharing(walk)).lower()
            return f"{values['heads']} queries, but {keys} keys and values: {shared} share one."
        case "heads":
            return f"All {values['heads']} heads do the same, each with its own matrices."
        case "output":
            return "One more learnt matrix mixes what the heads give."
        case "cross-project":
            return "The queries come from what is written, keys and values from the encoder’s last layer."
        case "cross-scores":
            return "Each query times each key of the source, divided by √d. All of the source may be read."
        case "cross-mix":
            return "What is written takes the values of the source’s tokens, each as much as its weight says."
        case "cross-softmax":
            return "Each row becomes weights that add up to 1, over the tokens of the source."
        case "cross-heads":
            return f"All {values['heads']} heads read the source, each with its own matrices."
        case "cross-output":
            return "As after self-attention, a learnt matrix mixes what the heads give."
        case "add-cross":
            return f"What was read of the source is added, {now}."
        case "add-1":
            return f"Attention adds to what came in and does not replace it, {now}."
        case "widen" if "gate" in step.gives:
            units = values["W_1"].shape[1]
            return f"{units:,} hidden units, and a gate for each: what it multiplies by 0 does not pass."
        case "widen":
            units = values["W_1"].shape[1]
            return f"Each word for itself now: {units:,} hidden units, and only active ones pass."
        case "narrow":
            return "Each active unit adds its own learnt row, as much as it is active."
    return f"This too is added, {now}: the next layer begins with it."


def figure(step: "Step", walk: "Walk") -> dict[str, Any]:
    """A step as the picture is given it."""
    drawn = {name for line in all_at_once(step, walk) for name in line}
    return {
        "name": step.name,
        "title": step.title,
        "says": said(step, walk),
        "formula": step.formula,
        "code": step.code,
        "all": all_at_once(step, walk),
        "one": one_word(step, walk),
        "gives": [name for name in step.gives if name in drawn],
    }
