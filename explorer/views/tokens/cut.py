"""How it is cut: one text as several tokenizers cut it, on one grid of characters."""

import math
from collections import Counter
from typing import Any
from unicodedata import east_asian_width

import regex

from explorer import analysis
from explorer.catalogue.manifest import manifests
from explorer.errors import TextError
from explorer.files.lines import lines_of
from explorer.locale import N_, _, format_number, translate
from explorer.text.byte_letters import SIGNS
from explorer.views import kit
from explorer.views.frame.lecture import stage
from explorer.views.tokens.settings import CUT_TEXT, LINE, OTHER
from explorer.views.tokens.tokenizers import admit, load, names
from explorer.views.types import Cut

KEY = "tokens/cut"
# The bundled tokenizers, each another idea, with what it cuts into.
ROWS = {
    "word2vec": N_("whole words"),
    "bert": "WordPiece",
    "gpt": N_("bytes, merged"),
    "smollm2": N_("bytes, merged"),
    "bert-zh": N_("Chinese characters"),
    "elmo": N_("letters"),
}
SHOWN = 240  # characters of a line in the picture
MOST_LINES = 12
LETTER, WIDE, SLICE = 18, 24, 7  # px: a character, a wide one, and each of several pieces of one
CLUSTER = regex.compile(r"\X")
STATES = {
    "unknown": N_("unknown: stands for anything"),
    "changed": N_("read without capitals or accents"),
    "part": N_("part of a character"),
}


def controls(page: kit.OpenPage[None]) -> None:
    """The text, and one more tokenizer."""
    settings = page.settings
    kit.text_box(settings, CUT_TEXT, _("A text to cut"), _("Type a text"), lines=2, resets=[LINE.to(-1)])
    others = {
        name: _("and {model}", model=kit.memory.short_label(name)) for name in sorted(names() - ROWS.keys())
    }
    if settings[OTHER] and settings[OTHER] not in others:
        others[settings[OTHER]] = _("and {model}", model=settings[OTHER])
    kit.menu(
        settings,
        OTHER,
        _("Another tokenizer"),
        {"": _("Six tokenizers")} | others,
        width=280,
        label_visibility="collapsed",
        accept_new_options=kit.picker.open_sources(),
        placeholder=kit.picker.TYPED,
        on_change=lambda: admit(settings[OTHER]),
    )


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The grid of one line, or for several lines how many tokens each needs."""
    settings = page.settings
    lines = [line for line in lines_of(settings[CUT_TEXT]) if line.strip()]
    if not lines:
        raise TextError(_("There is nothing to cut."), _("Type a text."))
    settings.clamp(LINE, -1, len(lines) - 1)
    cuts = {name: [cut_line(name, line) for line in lines] for name in shown_names(settings[OTHER])}
    at = settings[LINE] if len(lines) > 1 else 0

    def choose() -> None:
        if (number := kit.component_value(KEY, "line", range(-1, len(lines)))) is not None:
            settings.set(LINE.to(number))

    data = costs(lines, cuts) if at < 0 else grid(lines[at], {name: cut[at] for name, cut in cuts.items()})
    stop = stage.stop(settings)
    data |= {"lines": len(lines), "question": stop.question if stop else ""}
    kit.component("tokens/cut")(key=KEY, data=data, on_line_change=choose)
    if at >= 0 and len(lines[at]) > SHOWN:
        count = format_number(len(lines[at]))
        kit.note(
            _("The first {most} of {count} characters are drawn; all are counted.", most=SHOWN, count=count)
        )
    return [
        kit.Picture("picture", "tokens"),
        kit.Export(N_("Tokens"), "tokens.csv", lambda: tokens_table(lines, cuts)),
    ]


def shown_names(other: str) -> list[str]:
    """The tokenizers on screen: those here of the six, and the chosen one."""
    here = [name for name in ROWS if manifests()[name].is_available()]
    return [*here, other] if other and other not in here else here


def label(name: str) -> str:
    """A tokenizer's name in the picture: of a path the last part."""
    return kit.memory.short_label(name).rpartition("/")[2]


@kit.kept(512)
def cut_line(name: str, text: str) -> "Cut":
    """A line as a tokenizer cuts it; without pieces if it knows none of it."""
    tokenizer = load(name)
    try:
        return analysis.pieces.cut(tokenizer, text)
    except TextError:  # a tokenizer of whole words, which has none of these
        return analysis.pieces.Cut(text, (), ((0, len(text)),), tokenizer.size)


def grid(text: str, cuts: "dict[str, Cut]") -> dict[str, Any]:
    """What the component draws of one line: its characters, and each tokenizer's boxes over them."""
    cells = [match.span() for match in CLUSTER.finditer(text[:SHOWN])]
    cell_of = {i: number for number, (start, end) in enumerate(cells) for i in range(start, end)}
    boxes_of = {name: boxes(cut, cell_of) for name, cut in cuts.items()}
    sharing = [Counter(math.floor(box["from"]) for box in row) for row in boxes_of.values()]
    most = [max(counts[number] for counts in sharing) for number in range(len(cells))]
    return {
        "cells": [text[start:end].translate(SIGNS) for start, end in cells],
        "widths": [
            max(WIDE if east_asian_width(text[start]) in "WF" else LETTER, SLICE * sharing_one)
            for (start, _), sharing_one in zip(cells, most)
        ],
        "rows": [
            {
                "name": label(name),
                "kind": translate(ROWS.get(name, "")),
                "count": len(cut.pieces),
                "size": cut.size,
                "boxes": boxes_of[name],
                "lost": [
                    [cell_of[start], cell_of.get(end - 1, len(cells) - 1) + 1]
                    for start, end in cut.lost
                    if start in cell_of
                ],
            }
            for name, cut in cuts.items()
        ],
    }


def boxes(cut: "Cut", cell_of: dict[int, int]) -> list[dict[str, Any]]:
    """Where each piece begins and ends, in cells; several pieces of one character share its cell."""
    visible = [piece for piece in cut.pieces if piece.start < piece.end and piece.start in cell_of]
    ends = [(cell_of[piece.start], cell_of.get(piece.end - 1, max(cell_of.values()))) for piece in visible]
    in_cell: dict[int, list[int]] = {}
    for number, (first, last) in enumerate(ends):
        for cell in {first, last}:
            in_cell.setdefault(cell, []).append(number)
    return [
        {
            "from": round(first + in_cell[first].index(number) / len(in_cell[first]), 3),
            "to": round(last + (in_cell[last].index(number) + 1) / len(in_cell[last]), 3),
            "state": piece.state,
            "tip": tip(piece, cut),
        }
        for number, (piece, (first, last)) in enumerate(zip(visible, ends))
    ]


def tip(piece: "analysis.pieces.Piece", cut: "Cut") -> str:
    """What is said of a piece."""
    parts = [
        piece.token,
        _("number {id} of {size}", id=format_number(piece.id), size=format_number(cut.size)),
    ]
    if piece.content:
        parts.append(_("bytes {bytes}", bytes=piece.content.hex(" ").upper()))
    if piece.state:
        parts.append(_(STATES[piece.state]))
    return "  ·  ".join(parts)


def costs(lines: list[str], cuts: "dict[str, list[Cut]]") -> dict[str, Any]:
    """What the component draws of several lines: for each, how many tokens it is to each tokenizer."""
    return {
        "names": [label(name) for name in cuts],
        "texts": lines[:MOST_LINES],
        "counts": [
            [{"tokens": len(cut[i].pieces), "unread": _unread(cut[i])} for cut in cuts.values()]
            for i in range(len(lines[:MOST_LINES]))
        ],
        "more": max(len(lines) - MOST_LINES, 0),
    }


def _unread(cut: "Cut") -> float:
    """The share of a line's characters that a tokenizer has not, or has as unknown."""
    unknown = sum(piece.end - piece.start for piece in cut.pieces if piece.state == "unknown")
    return (unknown + sum(end - start for start, end in cut.lost)) / max(len(cut.text.replace(" ", "")), 1)


def tokens_table(lines: list[str], cuts: "dict[str, list[Cut]]") -> str:
    """Each token of each line, by tokenizer."""
    rows = [
        [name, line, cut.text[piece.start : piece.end], piece.token, piece.id, STATES.get(piece.state, "")]
        for name, of_lines in cuts.items()
        for line, cut in enumerate(of_lines, 1)
        for piece in cut.pieces
    ]
    return kit.table(["tokenizer", "line", "text", "token", "id", "note"], rows)


def tokens_of(text: str, names: list[str]) -> dict[str, list[str]]:
    """A text in the tokens of several models; their weights are not loaded."""
    import explorer

    cuts = {name: explorer.analysis.pieces.cut(explorer.load_tokenizer(name), text) for name in names}
    return {name: [piece.token for piece in cut.pieces] for name, cut in cuts.items()}


def now(page: kit.OpenPage[None]) -> str:
    """How many tokens the text is."""
    lines = [line for line in lines_of(page.settings[CUT_TEXT]) if line.strip()]
    visible = lines[page.settings[LINE] :][:1] if page.settings[LINE] >= 0 else lines
    counts = {name: sum(len(cut_line(name, line).pieces) for line in visible) for name in shown_names("")}
    most, least = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
    return _(
        "From {few} tokens ({model}) to {many} tokens ({other}).",
        few=format_number(counts[least]),
        model=kit.memory.short_label(least),
        many=format_number(counts[most]),
        other=kit.memory.short_label(most),
    )


VIEW = kit.View(
    text=kit.view_text("tokens", "cut").of_page(change=now),
    settings=(CUT_TEXT, OTHER, LINE),
    controls=controls,
    picture=draw,
    example=lambda page: kit.Example(
        tokens_of, text=page.settings[CUT_TEXT], names=shown_names(page.settings[OTHER])
    ),
    stage=kit.Stage(covered=(".box, .count",)),
)
