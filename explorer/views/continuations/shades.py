"""A coloured text as the component draws it: its pieces, their shades, its numbers and its lines."""

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from explorer.locale import _, format_number, localised
from explorer.text.letters import has_letters
from explorer.views import kit
from explorer.views.continuations.steps import mark, spelled
from explorer.views.widgets.unread_characters import unread_characters

if TYPE_CHECKING:
    from explorer.analysis.prediction.surprisal import Piece, ScoredText

SHADES = 24
TOP = 8  # most surprising words
FULL_BITS = 16.0  # the strongest shade of surprise
SMOOTH = 9  # words, or a hundredth of all, over which a long text's line is averaged
LONG = 90  # words; the line of a longer text is averaged
BANDS = {"solid": 1.0, "dashed": 0.66, "dotted": 0.33, "": 0.0}


def picture(
    scored: "ScoredText",
    measure: str,
    blocked: kit.blocklist.Blocklist,
    lines: "list[dict[str, Any]]",
    tips: "list[str] | None" = None,
    colours: kit.theme.Palette | None = None,
) -> dict[str, Any]:
    """What the component draws of a text: its pieces, its figures, its most surprising words and the lines.

    A line has a name and the bits of each word; `tips` are added to the pieces' own. The
    colours are by default those of the visitor's theme.
    """
    from explorer.analysis.prediction import surprisal

    text, pieces, words = scored.encoding.text, surprisal.pieces(scored), surprisal.of_words(scored)
    rows = coloured(pieces, text, measure, blocked)
    for row, more in zip(rows, tips or []):
        row[3] = f"{row[3]}\n{more}" if more else row[3]

    def spell(word: "Piece") -> str:
        return spelled("".join(kit.blocklist.written(blocked, [text[word.start : word.end]])))

    top, counted = surprisal.most_surprising(scored, TOP), [has_letters(text[w.start : w.end]) for w in words]
    return {
        "pieces": rows,
        "shades": shades(measure, colours or kit.palette()),
        "legend": measure,
        "numbers": numbers(scored),
        "top": [[spell(w), round(w.bits, 1), place(pieces, w.start), tip(w)] for w in top],
        "lines": [
            line | {"values": smooth(line["values"]), "says": mean(line["values"], counted)} for line in lines
        ],
        "words": [[spell(w)[:24], place(pieces, w.start)] for w in words],
        "smoothed": span(len(words)),
        "says": notes(scored),
    }


def coloured(
    pieces: "list[Piece]", text: str, measure: str, blocked: kit.blocklist.Blocklist
) -> list[list[Any]]:
    """[text, shade, underline, tooltip] of every piece."""
    texts = kit.blocklist.written(blocked, [text[p.start : p.end] for p in pieces])
    return [[part, shade(piece, measure), mark(piece.rank), tip(piece)] for part, piece in zip(texts, pieces)]


def shade(piece: "Piece", measure: str) -> int:
    """The shade of a piece, from 0 to SHADES."""
    amount = {
        "bands": BANDS[mark(piece.rank)],
        "probability": 2.0**-piece.bits,
        "surprisal": min(piece.bits / FULL_BITS, 1.0),
    }[measure]
    return round(amount * SHADES) if piece.rank else 0


def shades(measure: str, colours: kit.theme.Palette) -> list[list[str]]:
    """The background and the text colour of every shade."""
    ramp = (colours.ground, colours.accent) if measure == "surprisal" else colours.probability
    grounds = [kit.theme.mix(ramp, step / SHADES) for step in range(SHADES + 1)]
    return [[ground, kit.theme.text_on(ground)] for ground in grounds]


def tip(piece: "Piece") -> str:
    """The tooltip of a piece: its surprisal, probability and rank."""
    if piece.rank == 0:
        return _("not scored: nothing stands before it")
    share = kit.short(2.0**-piece.bits)
    numbers = _(
        "{bits} bits, probability {share}, rank {rank}",
        bits=localised(f"{piece.bits:.1f}"),
        share=share,
        rank=format_number(piece.rank),
    )
    return (
        _("{count} tokens: {numbers}", count=piece.tokens, numbers=numbers) if piece.tokens > 1 else numbers
    )


def numbers(scored: "ScoredText") -> list[list[str]]:
    """The figures of the whole text, each with its name."""
    both, perplexity = scored.both_sides, localised(f"{scored.perplexity:,.1f}")
    return [
        [_("pseudo-perplexity") if both else _("perplexity"), perplexity],
        [_("bits in all"), localised(f"{float(scored.bits.sum()):.1f}")]
        if both
        else [_("bits per byte"), localised(f"{scored.per_byte:.2f}")],
        [_("bits per token"), localised(f"{scored.per_token:.2f}")],
        [_("tokens"), format_number(len(scored.bits))],
    ]


def notes(scored: "ScoredText") -> str:
    """What was cut, skipped or not scored, and in how many windows a long text was read."""
    sentences = []
    if scored.unscored:
        sentences.append(
            _(
                "The first token is not scored: this model has no token for the beginning of a text, "
                "so nothing stands before it."
            )
        )
    if scored.encoding.truncated:
        sentences.append(
            _(
                "The first {read} tokens are read; {cut} were cut.",
                read=format_number(len(scored.bits)),
                cut=format_number(scored.encoding.truncated),
            )
        )
    if unread_note := unread_characters(scored.encoding):
        sentences.append(unread_note)
    if scored.windows > 1:
        sentences.append(
            _(
                "Longer than the model’s context: read in {count} windows, each overlapping the "
                "one before by half.",
                count=scored.windows,
            )
        )
    return " ".join(sentences)


def span(words: int) -> int:
    """The number of words over which each point of a line is averaged."""
    return 1 if words <= LONG else max(SMOOTH, words // 100 | 1)


def smooth(values: "list[float | None]") -> "list[float | None]":
    """The values of a long text as running means, those of a short one unchanged."""
    half = span(len(values)) // 2
    if not half:
        return [None if value is None else round(value, 2) for value in values]
    means: list[float | None] = []
    for index in range(len(values)):
        neighbours = [v for v in values[max(index - half, 0) : index + half + 1] if v is not None]
        means.append(
            round(sum(neighbours) / len(neighbours), 2) if neighbours and values[index] is not None else None
        )
    return means


def mean(values: "list[float | None]", counted: list[bool]) -> str:
    """All bits over the number of scored words that are `counted`, as punctuation is not, in a phrase."""
    scored = [(value, word) for value, word in zip(values, counted, strict=True) if value is not None]
    words = sum(word for _bits, word in scored)
    if not words:
        return _("no word scored")
    return _("{bits} bits per word", bits=localised(f"{sum(value for value, _word in scored) / words:.1f}"))


def place(pieces: "list[Piece]", start: int) -> int:
    """The index of the piece that contains a character."""
    return min(bisect_right(pieces, start, key=lambda piece: piece.end), len(pieces) - 1)
