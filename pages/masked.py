"""Masked words

Hide a word, and see which words the model expects in its place.
"""

from explorer.views import masked
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.masked import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("masked", **DEFAULTS)

with page("masked", SETTINGS) as header:
    masked.text_line(SETTINGS)
    model = header.model("FILL")
    line = masked.read_line(model, SETTINGS)
    masked.strip(model, SETTINGS, line)
    masked.controls(SETTINGS, line)
    with picture():
        masked.what_was_cut(line)
        if line.numbers:
            masked.draw(model, SETTINGS, line)
        else:
            masked.invite(line)
    how_to_read(
        "Each bar is a word for the blank, as long as the model finds it likely; a click fills it in. "
        "Several blanks are guessed apart from one another.",
        "The numbers say what its training text made likely, not what is true; "
        "the bundled model is small and was trained briefly.",
    )
    presets(SETTINGS, PRESETS)
    show_code(masked.code(str(model.checkpoint), SETTINGS, line))
