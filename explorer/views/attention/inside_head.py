"""Inside a head: one pair of tokens, from their vectors to the score, the weight and the weighted value.

The token that reads is the page's selected token;
without one, the strongest pair of ordinary tokens is shown.
"""

import json
import struct

from explorer.locale import N_, _
from explorer.views import kit
from explorer.views.attention import examples
from explorer.views.attention import sentence as attention_sentence
from explorer.views.attention.sentence import SelectedToken, example_input, words
from explorer.views.attention.settings import HEAD, INSIDE_TO, LAYER, MODEL, TEXT, TOKEN
from explorer.views.types import Encoding, InsideHead, Trace

KEY = "attention/inside"


def draw(page: "kit.OpenPage[Trace]") -> kit.Saves:
    """The steps for one pair; a click on a token changes the pair, Esc returns to the strongest pair."""
    settings, trace = page.settings, page.data
    if not (settings[TEXT].strip() or trace.encoding.pair):
        kit.instruction()
        return []
    head = head_of(page)
    query, key = selected_pair(settings, trace, head)
    words_of_text = words(trace.encoding)

    def pick() -> None:
        place = range(len(words_of_text))
        if pair := kit.component_value(KEY, "pick", {"query": place, "key": place}):
            read = pair["key"]
            settings.set(
                TOKEN.to(SelectedToken("from", pair["query"], words_of_text[pair["query"]]).setting),
                INSIDE_TO.to([read, words_of_text[read]]),
            )

    kit.component("attention/inside_head")(
        key=KEY,
        data=pack(head, trace.encoding, query, key, bool(settings[TOKEN] or settings[INSIDE_TO])),
        on_pick_change=pick,
        on_free_change=lambda: settings.set(TOKEN.to(None), INSIDE_TO.to(None)),
    )
    notes = [kit.unread(trace.encoding)]
    if not head.allowed.all():
        notes.append(
            _("Scores of later tokens are masked. The heads of this model read x after normalisation.")
        )
    if any(notes):
        kit.note_html(" ".join(filter(None, notes)))
    names = [token["name"] for token in kit.token_labels(trace.encoding)]
    file = f"{settings[MODEL]}-{kit.head_name(head.layer, head.head)}-{names[query]}-{names[key]}"
    return [
        kit.Picture("picture", file),
        kit.Export(N_("This pair, number by number"), f"{file}.csv", lambda: _pair_table(head, query, key)),
        kit.Export(
            N_("Scores and weights of the row"), f"{file}-row.csv", lambda: _row_table(head, query, names)
        ),
    ]


def head_of(page: "kit.OpenPage[Trace]") -> "InsideHead":
    """The chosen head, with the vectors that enter its layer."""
    from explorer.analysis.attention.inside_head import inside
    from explorer.trace import Capture

    encoding, both = page.data.encoding, Capture.HIDDEN | Capture.ATTENTION
    whole = kit.memory.trace(page.model, encoding.text, encoding.pair, both, kit.LIVE_TOKENS)
    return inside(whole, page.settings[LAYER], page.settings[HEAD])


def selected_pair(settings: kit.Settings, trace: "Trace", head: "InsideHead") -> tuple[int, int]:
    """The query and the key that are shown: those clicked, completed by the partner of most weight."""
    selected = SelectedToken.read(settings[TOKEN])
    reads = selected.position if selected and selected.side == "from" else None
    read = selected.position if selected and selected.side == "to" else None
    match settings[INSIDE_TO]:
        case [int(position), str(word)]:
            followed = SelectedToken("to", position, word).follow(words(trace.encoding))
            read = followed.position if followed and read is None else read
    if reads is not None:
        return reads, int(head.weights[reads].argmax()) if read is None else read
    if read is not None:
        return int(head.weights[:, read].argmax()), read
    return strongest_pair(head, trace.encoding)


def strongest_pair(head: "InsideHead", encoding: "Encoding") -> tuple[int, int]:
    """The query and key of the largest weight between two ordinary tokens, or else of the largest of all."""
    weights = head.weights.clone()
    weights.fill_diagonal_(-1)
    weights[encoding.special] = -1
    weights[:, encoding.special] = -1
    weights = weights if weights.max() > 0 else head.weights
    query, key = divmod(int(weights.argmax()), len(weights))
    return query, key


def pack(head: "InsideHead", encoding: "Encoding", query: int, key: int, locked: bool) -> bytes:
    """The data for inside_head.js: a header, then q, k and v, then shades of x.

    For 128 tokens with 32 numbers in q, k and v and 384 in x these are 98 kB.
    """
    import torch

    size = head.queries.shape[-1]
    header = {
        "name": _("Head {head}", head=kit.head_name(head.layer, head.head)),
        "tokens": kit.token_labels(encoding),
        "query": query,
        "key": key,
        "size": size,
        "width": head.inputs.shape[-1],
        "scale": head.scale,
        "causal": not bool(head.allowed.all()),
        "locked": locked,
    }
    words = json.dumps(header, ensure_ascii=False).encode()
    words += b" " * (-len(words) % 4)  # the numbers begin at a multiple of four bytes
    numbers = torch.stack([head.queries, head.keys, head.values]).float().contiguous()
    # Trained vectors have a few numbers much larger than all others: the 99th percentile gets full colour.
    most = float(head.inputs.abs().flatten().quantile(0.99).clamp_min(1e-9))
    shades = (head.inputs.abs() / most).clamp(max=1).mul(255).round().to(torch.uint8).contiguous()
    return struct.pack("<I", len(words)) + words + numbers.numpy().tobytes() + shades.numpy().tobytes()


def _pair_table(head: "InsideHead", query: int, key: int) -> str:
    columns = {
        "q": head.queries[query],
        "k": head.keys[key],
        "q times k": head.products(query, key),
        "v": head.values[key],
        "weighted": head.weighted(query, key),
        "output": head.output(query),
    }
    rows = zip(*(column.tolist() for column in columns.values()))
    return kit.table(["dimension", *columns], [[number, *row] for number, row in enumerate(rows, 1)])


def _row_table(head: "InsideHead", query: int, names: list[str]) -> str:
    weights = head.weights[query].tolist()
    return kit.table(["read", "score", "weight"], list(zip(names, head.scores(query).tolist(), weights)))


VIEW = kit.View(
    text=kit.view_text("attention", "inside"),
    settings=(INSIDE_TO,),
    controls=lambda page: attention_sentence.choose(page.settings, page.data, LAYER, HEAD),
    picture=draw,
    example=lambda page: kit.Example(
        examples.scores_and_weights,
        **example_input(page),
        layer=page.settings[LAYER],
        head=page.settings[HEAD],
        query=selected_pair(page.settings, page.data, head_of(page))[0],
    ),
    stage=kit.Stage(
        covered=(
            ".step:nth-child(-n+2)",
            ".step.key, .step.query ~ .step.x",
            ".step.ink",
            ".step.sum, .list",
            ".attention, .weight, .line",
            ".step.value",
        ),
        desk=".hint, .who",
        text=TEXT,
    ),
)
