"""The rows of “Which words mattered”: the words of a sentence in the colours of one method."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.locale import _, format_with, localised
from explorer.views import kit
from explorer.views.why.which_values import FOR_A_CLASS, METHODS, UNSIGNED

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.attribution.prediction import Prediction

STRONG = 0.5  # of a row's largest value: the word is underlined
OUTSIDE = ("[CLS]", "[SEP]")  # of the sentence, and without a part
STEPS = 4  # of the scale, to either side


def scale_html() -> str:
    """The colours of the rows with a sign, as HTML."""
    scale = _("against it {colours} for it", colours=_boxes(-STEPS, unsigned=False))
    return f'<br><span class="rb-quiet">{scale}</span>'


def _boxes(first: int, unsigned: bool) -> str:
    box = "display: inline-block; width: 14px; height: 12px; background: "
    colours = [shade(kit.palette(), step / STEPS, unsigned) for step in range(first, STEPS + 1)]
    return "".join(f'<i style="{box}{colour}"></i>' for colour in colours)


def draw_row(method: str, values: "Tensor", prediction: "Prediction") -> None:
    """A method's name and scale, and the words in its colours."""
    tokens, scale = row_tokens(method, values, prediction, kit.palette())
    left, right = st.columns([18, 82], vertical_alignment="center")
    name = _(METHODS[method])
    heading, key = name, scale
    if kit.for_class():
        read = _("less {colours} more", colours=_boxes(0, unsigned=True))
        heading, key = _(FOR_A_CLASS[method]), read if method == UNSIGNED else ""
    heading += f'<br><span class="rb-quiet">{key}</span>' * bool(key)
    left.html(f'<p class="rb-which">{heading}</p>')
    with right:
        label = _("{method}: each word’s part, {scale}", method=name, scale=scale)
        kit.token_strip(tokens, f"why/which/{method}", label)


def row_tokens(
    method: str, values: "Tensor", prediction: "Prediction", palette: kit.theme.Palette
) -> tuple[list[dict[str, Any]], str]:
    """The tokens of a strip in a method's colours, and its scale in words."""
    encoding = prediction.encoding
    # Of a reader that rests on its first token, a share of the others is nothing, though one is the largest.
    most = max(float(values.abs().max()), 1e-3 if method == UNSIGNED else 1e-9)
    parts = dict(zip(prediction.judged, values.tolist()))
    tokens: list[dict[str, Any]] = []
    for position in range(len(encoding)):
        if kit.for_class() and encoding.tokens[position] in OUTSIDE:
            continue
        token = {"text": kit.label(encoding, position), "glued": encoding.tokens[position].startswith("##")}
        if position in parts:
            part = parts[position] / most
            colour = shade(palette, part, method == UNSIGNED)
            title = (
                _("{share} of the whole", share=localised(f"{parts[position]:.3g}"))
                if method == UNSIGNED
                else _("{value} nats", value=signed(parts[position], 3))
            )
            token |= {"colour": colour, "ink": kit.theme.text_on(colour), "title": title}
            if not kit.for_class():
                token["mark"] = "solid" if part >= STRONG else "dashed" if part <= -STRONG else ""
        else:
            token["quiet"] = True
        tokens.append(token)
    full = localised(f"{most:.2g}")
    full = full if method == UNSIGNED else _("{value} nats", value=full)
    return tokens, _("full colour: {value}", value=full)


def shade(palette: kit.theme.Palette, part: float, unsigned: bool) -> str:
    """The colour of a part, −1 to 1: purple against, orange for; grey alone for a method without a sign."""
    against, nothing, supports = palette.difference
    if unsigned:
        return kit.theme.mix((nothing, palette.ink), 0.75 * part)
    return kit.theme.mix((nothing, supports if part >= 0 else against), abs(part))


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign: +1.20, −0.35."""
    return format_with(value, f"+.{digits}f")
