"""The biLM: ELMo's forward and backward LSTM over a sentence, and what both expect in a place of it."""

from typing import Any

from explorer.locale import N_, _, format_number
from explorer.views import kit
from explorer.views.elmo.settings import MODEL, PLACE, STATE, TEXT
from explorer.views.types import BothReaders, Encoding, LanguageModel, Model

KEY = "sides/bilm"
MOST = 14  # tokens that are drawn, with the marks of the beginning and the end
TOP = 5
CELLS = 10  # numbers of a state that are drawn in its box
FORWARD, BACKWARD = "forward", "backward"


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The words, the states of both directions above and below them, and what both expect in a place."""
    settings = page.settings
    if not settings[TEXT].strip():
        kit.instruction(_("Type a sentence."))
        return []
    read = states(page.model, settings[TEXT])

    def pick() -> None:
        settings.set(STATE.to(kit.component_value(KEY, "pick", STATE.takes)))

    kit.component("elmo/bilm")(key=KEY, data=_data(page, read), on_pick_change=pick)
    if read.encoding.truncated:
        cut = format_number(read.encoding.truncated)
        kit.note(_("The first {most} words are read; {cut} were cut.", most=MOST - 2, cut=cut))
    return [
        kit.Picture("picture", "bilm"),
        kit.Export(N_("Predictions"), "bilm.csv", lambda: predictions_csv(read)),
    ]


@kit.kept(64)
def states(model: "LanguageModel", text: str) -> "BothReaders":
    """One forward pass, kept for all visitors."""
    from explorer.analysis.prediction.both_readers import both_readers

    return both_readers(model, text, TOP, MOST)


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word stands in the chosen place: after what the forward LSTM has read, before the other's."""
    if not page.settings[TEXT].strip():
        return []
    read = states(page.model, page.settings[TEXT])
    tokens, last = read.encoding.tokens, len(read.encoding) - 1
    side, __, at = selected(page.settings[STATE], page.settings[PLACE], read.encoding, len(read.forward) - 1)
    place = min(max(at + {FORWARD: 1, BACKWARD: -1}.get(side, 0), 1), last - 1)
    after = kit.Question("word", _("Which word comes next?"), f"{' '.join(tokens[1:place])} …")
    before = kit.Question(
        "word", _("Which word comes before this?"), f"… {' '.join(tokens[place + 1 : last])}"
    )
    following = {guess.token: guess.probability for guess in read.following[place - 1]}
    preceding = {guess.token: guess.probability for guess in read.preceding[place + 1]}
    return [kit.Poll(after, following, tokens[place]), kit.Poll(before, preceding, tokens[place])]


def _data(page: kit.OpenPage[None], read: "BothReaders") -> dict[str, Any]:
    settings = page.settings
    locked = selected(settings[STATE], settings[PLACE], read.encoding, len(read.forward) - 1)
    return picture_data(read, kit.blocklist.over(settings[MODEL], settings[TEXT]), locked)


def picture_data(read: "BothReaders", blocked: kit.blocklist.Blocklist, locked: list[Any]) -> dict[str, Any]:
    """The data of the component; `locked` is the chosen state as `selected` gives it."""
    last = len(read.encoding) - 1

    def guesses(row: list[Any]) -> list[dict[str, Any]]:
        return [
            {
                "word": kit.blocklist.DOTS if kit.blocklist.covers(blocked, "", one.token) else one.token,
                "probability": round(one.probability, 4),
                "number": kit.short(one.probability),
            }
            for one in row
        ]

    def actual(one: Any) -> dict[str, Any] | None:
        return one and {
            "probability": round(one.probability, 4),
            "number": kit.short(one.probability),
            "rank": one.rank,
        }

    def boxes(layers: Any) -> list[list[list[float]]]:
        strongest = layers[..., :CELLS].abs().amax().clamp_min(1e-9)
        return [
            [[round(v, 2) for v in box] for box in row] for row in (layers / strongest)[..., :CELLS].tolist()
        ]

    return {
        "words": read.encoding.tokens,
        "layers": len(read.forward) - 1,
        "size": read.forward.shape[-1],
        "states": {FORWARD: boxes(read.forward), BACKWARD: boxes(read.backward)},
        "guesses": {
            FORWARD: [guesses(row) for row in read.following[:last]] + [[]],
            BACKWARD: [[]] + [guesses(row) for row in read.preceding[1:]],
        },
        "actual": {
            FORWARD: [actual(forward) for forward, _ in read.actual],
            BACKWARD: [actual(backward) for _, backward in read.actual],
        },
        "locked": locked,
    }


def selected(state: object, place: int, encoding: "Encoding", layers: int) -> list[Any]:
    """The chosen direction, layer and place; without one, the last forward state before the chosen word.

    A place counts the mark of the beginning as 0; the direction of layer 0 is empty.
    """
    last = len(encoding) - 1
    match state:
        case [str(side), int(layer), int(at)] if 0 <= layer <= layers and 0 <= at <= last:
            if layer == 0 or side in (FORWARD, BACKWARD):
                return [side if layer else "", layer, at]
    middle = (last + 1) // 2
    return [FORWARD, layers, min(max((place or middle) - 1, 0), last)]


def predictions_csv(read: "BothReaders") -> str:
    """A CSV row for each prediction of the last layer."""
    tokens = read.encoding.tokens
    return kit.table(
        ["direction", "at", "rank", "word", "probability"],
        [
            [side, tokens[i], one.rank, one.token, one.probability]
            for side, rows in ((FORWARD, read.following), (BACKWARD, read.preceding))
            for i, row in enumerate(rows)
            for one in row
        ],
    )


def two_readers(model: "Model", text: str, limit: int) -> dict[str, list[tuple[str, str, float]]]:
    """At each word: the most probable next word, and the most probable previous word."""
    from explorer.analysis.prediction.both_readers import both_readers

    read = both_readers(model, text, 1, limit)
    tokens = read.encoding.tokens
    return {
        "after": [(tokens[i], row[0].token, row[0].probability) for i, row in enumerate(read.following)],
        "before": [(tokens[i], row[0].token, row[0].probability) for i, row in enumerate(read.preceding)],
    }


VIEW_TEXT = kit.view_text("sides", "bilm")

VIEW = kit.View(
    text=VIEW_TEXT.of_page(reading=lambda page: VIEW_TEXT.reading.filled(cells=CELLS)),
    settings=(TEXT, PLACE, STATE),
    controls=lambda page: kit.text_box(
        page.settings, TEXT, _("A sentence"), _("Type a sentence"), resets=[PLACE.to(0), STATE.to(None)]
    ),
    picture=draw,
    example=lambda page: kit.Example(
        two_readers, model=kit.Load(page.settings[MODEL]), text=page.settings[TEXT].strip(), limit=MOST
    ),
    stage=kit.Stage(
        covered=(f".st-key-sides-{TEXT}-box, .faint, .guess, .panel",),
        desk=".more, .less, .actual",
        polls=asks,
    ),
)
