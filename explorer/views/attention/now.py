"""What has become of the opening’s promise, that “it” attends to “animal”, once something has changed."""

from explorer.views import kit
from explorer.views.attention.sentence import words
from explorer.views.attention.settings import HEAD, LAYER, MODEL, ON, TIRED
from explorer.views.types import Trace
from explorer.views.widgets.layer_names import layer_and_head

READER, READ = "it", "animal"


def it_and_animal(page: "kit.OpenPage[Trace]") -> str:
    """The weight from “it” to “animal”, as it was and as it is, as HTML; "" where one of them is missing."""
    from explorer.trace import Capture

    settings, trace = page.settings, page.data
    tokens = words(trace.encoding)
    if settings[MODEL] != MODEL.default or not {READER, READ} <= set(tokens) or settings[ON]:
        return ""
    opening = kit.memory.trace(page.model, TIRED, None, Capture.ATTENTION, kit.LIVE_TOKENS)
    was, _ = weight_and_strongest(opening, LAYER.default, HEAD.default)
    weight, strongest = weight_and_strongest(trace, settings[LAYER], settings[HEAD])
    others = f", and more to {kit.quoted(f'“{strongest}”')}" if strongest != READ else ""
    return (
        f"In {layer_and_head(settings[LAYER], settings[HEAD])}, “it” gives {kit.short(weight)} of its "
        "attention "
        f"to “animal” (was {kit.short(was)}){others}."
    )


def weight_and_strongest(trace: "Trace", layer: int, head: int) -> tuple[float, str]:
    """The weight from the first “it” to the first “animal”, and the word that “it” attends to most."""
    from explorer.trace import captured

    tokens = words(trace.encoding)
    row = captured(trace.attention).pattern[layer, head, tokens.index(READER)]
    of_words = row.masked_fill(trace.encoding.special, 0)
    return float(row[tokens.index(READ)]), tokens[int(of_words.argmax())]
