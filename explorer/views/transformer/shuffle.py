"""Shuffled words: how far each word's vector moves in another order, with and without positions."""

import streamlit as st

from explorer.errors import TextError
from explorer.locale import N_, _, format_number, localised, ngettext
from explorer.views import kit
from explorer.views.transformer.plots import LETTER_PX, figure, legend, name
from explorer.views.transformer.settings import BITES, SHUFFLE_OTHER, SHUFFLE_SEED, SHUFFLE_TEXT
from explorer.views.types import LanguageModel, Moved, go

Moves = dict[str, tuple[Moved, Moved]]  # by model: with positions, and without
MODELS = {"BERT": "bert", "GPT": "gpt"}
WORDS = 14  # rows of the chart
ROW_PX = (21, 40)  # of a word, the least and the most
ROWS_PX = 320


def controls(settings: kit.Settings) -> None:
    """The sentence, its words in another order, and a button that shuffles them again."""
    seed = settings[SHUFFLE_SEED]
    if not settings[SHUFFLE_OTHER].strip():
        settings.show_instead(SHUFFLE_OTHER.to(_other_order(settings[SHUFFLE_TEXT], seed)))
    one, other, button = st.columns([10, 10, 3], vertical_alignment="top", gap="small")
    with one:
        label, resets = _("Your sentence"), [SHUFFLE_OTHER.to("")]
        kit.text_box(settings, SHUFFLE_TEXT, label, _("Type a sentence"), resets=resets)
    with other:
        kit.text_box(settings, SHUFFLE_OTHER, _("The same words in another order"), _("The same words"))
    button.button(
        _("Shuffle"),
        key="transformer/shuffle",
        on_click=lambda: settings.set(SHUFFLE_OTHER.to(""), SHUFFLE_SEED.to(seed + 1)),
        width="stretch",
    )


def draw(settings: kit.Settings) -> kit.Export:
    """A row for each word, and the two models side by side. Raises TextError."""
    moves, cut = _moves(settings)
    kit.chart(_chart(moves, kit.palette()), "transformer/shuffle/chart", least=640)
    sentences = [_largest(which, off) for which, (__, off) in moves.items()]
    if cut:
        line = ngettext(
            "The first {words} words are read, {count} was cut.",
            "The first {words} words are read, {count} were cut.",
            cut,
            words=WORDS,
            count=format_number(cut),
        )
        sentences.append(line)
    kit.note(" ".join(sentences))
    kit.spoken(_in_words(moves))
    return kit.Export(N_("Every layer"), "shuffled.csv", lambda: _table(moves))


def example(settings: kit.Settings) -> kit.Example:
    """The distances from Python."""
    text, _ = _read(settings[SHUFFLE_TEXT])
    other = settings[SHUFFLE_OTHER]
    return kit.Example(distances, model=kit.Load(MODELS["BERT"]), text=text, other=other, positions=False)


def distances(model: "LanguageModel", text: str, other: str, positions: bool) -> dict[str, object]:
    """How far each word moves after the last layer (1 - cosine), and the largest difference of a number."""
    from explorer.analysis.positions import shuffling

    order = shuffling.order_of(shuffling.split(text), shuffling.split(other))
    moves = shuffling.moved(model, model.encode(text), order, positions)
    last = moves.cosines[-1].tolist()
    return {"words": [(w.text, d) for w, d in zip(moves.words, last)], "most": moves.most}


def _other_order(text: str, seed: int) -> str:
    """The words of a sentence in an order by chance; the sentence that the view opens with has its own."""
    from explorer.analysis.positions import shuffling

    if (text, seed) == (SHUFFLE_TEXT.default, SHUFFLE_SEED.default):
        return BITES[1]
    words = shuffling.split(_read(text)[0])
    return " ".join(words[i] for i in shuffling.shuffled(len(words), seed))


def _moves(settings: kit.Settings) -> "tuple[Moves, int]":
    """The moves in BERT and GPT, and how many words were cut. Raises TextError."""
    from explorer.analysis.positions import shuffling

    text, cut = _read(settings[SHUFFLE_TEXT])
    words = shuffling.split(text)
    if len(words) < 2:
        raise TextError(_("There is nothing to put in another order."), _("Type two words or more."))
    order = tuple(shuffling.order_of(words, shuffling.split(settings[SHUFFLE_OTHER])))
    return {label: _moved(kit.memory.get(model), text, order) for label, model in MODELS.items()}, cut


@kit.kept(64)
def _moved(model: "LanguageModel", text: str, order: tuple[int, ...]) -> "tuple[Moved, Moved]":
    """The distances with and without positions, computed once for all visitors."""
    from explorer.analysis.positions import shuffling

    encoding = model.encode(text)
    with_, without = (shuffling.moved(model, encoding, order, positions) for positions in (True, False))
    return with_, without


def _read(text: str) -> tuple[str, int]:
    """The part of a text that has a row for each word, and how many words were cut."""
    from explorer.analysis.positions.shuffling import WORD

    words = list(WORD.finditer(text))
    if len(words) <= WORDS:
        return text, 0
    return text[: words[WORDS - 1].end()], len(words) - WORDS


def _chart(moves: "Moves", colours: kit.Palette) -> "go.Figure":
    most = max(len(with_.words) for with_, __ in moves.values())
    marks = legend([(colours.accent, f"● {_('with positions')}"), (colours.ink, f"○ {_('without')}")])
    chart = figure(
        colours,
        34 + 48 + most * min(max(ROWS_PX // most, ROW_PX[0]), ROW_PX[1]),
        [f"{model}:  {marks}" for model in moves],
        rows=1,
        cols=len(moves),
        horizontal_spacing=0.13,
    )
    plain = kit.for_class()
    axis = _("how far apart the two vectors are") if plain else _("1 − cosine")
    for col, (with_, without) in enumerate(moves.values(), 1):
        rows = list(range(len(with_.words)))
        values = [moved.cosines[-1].tolist() for moved in (with_, without)]
        for row, (high, low) in enumerate(zip(*values)):
            chart.add_scatter(
                x=[low, high],
                y=[row, row],
                mode="lines",
                line={"color": colours.hairline, "width": 4},
                hoverinfo="skip",
                row=1,
                col=col,
            )
        kinds = [
            (_("with positions"), "circle", colours.accent),
            (_("without positions"), "circle-open", colours.ink),
        ]
        for (says, shape, colour), line in zip(kinds, values):
            chart.add_scatter(
                x=line,
                y=rows,
                mode="markers",
                marker={"symbol": shape, "size": 13, "color": colour, "line": {"width": 2}},
                text=[name(word.text) for word in with_.words],
                hovertemplate=f"%{{text}}, {says}<br>{_('1 − cosine')} <b>%{{x:.6f}}</b><extra></extra>",
                cliponaxis=False,
                row=1,
                col=col,
            )
        top = max(*values[0], *values[1], 1e-3)
        chart.update_xaxes(
            range=[-0.03 * top, 1.06 * top],
            nticks=6,
            showticklabels=not plain,
            title_text=axis,
            row=1,
            col=col,
        )
        names = [name(word.text) for word in with_.words]
        chart.update_yaxes(
            range=[len(rows) - 0.5, -0.5], tickvals=rows, ticktext=names, showgrid=False, row=1, col=col
        )
    longest = max(len(name(word.text)) for with_, __ in moves.values() for word in with_.words)
    chart.update_layout(margin_l=24 + LETTER_PX * longest)
    return chart


def _largest(model: str, without: "Moved") -> str:
    if without.most < 1e-5:
        return _("{model} without positions: no difference.", model=model)
    if kit.for_class():
        return _("{model} without positions: a difference.", model=model)
    most = format_number(float(f"{without.most:.2g}"))
    return _("{model} without positions: differences of up to {most}.", model=model, most=most)


def _in_words(moves: "Moves") -> str:
    sentences = []
    for which, (with_, without) in moves.items():
        words = [
            _(
                "{word} {one} and {other}",
                word=word.text,
                one=localised(f"{one:.3f}"),
                other=localised(f"{other:.3f}"),
            )
            for word, one, other in zip(with_.words, with_.cosines[-1].tolist(), without.cosines[-1].tolist())
        ]
        line = _("{model}, with positions and without: {words}.", model=which, words=_(", ").join(words))
        sentences.append(line)
    return " ".join(sentences)


def _table(moves: "Moves") -> str:
    return kit.table(
        ["model", "positions", "layer", "word", "1 - cosine"],
        [
            [which, says, layer, word.text, float(row[i])]
            for which, pair in moves.items()
            for says, moved in zip(("with", "without"), pair)
            for layer, row in enumerate(moved.cosines)
            for i, word in enumerate(moved.words)
        ],
    )
