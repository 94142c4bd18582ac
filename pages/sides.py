"""From both sides

One reader comes from the left, one from the right: each says which word it expects at a place.
"""

from explorer.views import sides
from explorer.views.frame import how_to_read, page, picture, presets, show_code
from explorer.views.presets.sides import DEFAULTS, PRESETS
from explorer.views.settings import Settings

SETTINGS = Settings("sides", **DEFAULTS)

with page("sides", SETTINGS) as header:
    sides.text_line(SETTINGS)
    model = header.model("NEXT_WORD", "PREVIOUS_WORD")
    line = sides.read_line(model, SETTINGS)
    sides.strip(SETTINGS, line)
    sides.controls(SETTINGS)
    with picture():
        if line.words:
            sides.draw(model, SETTINGS, line)
        else:
            sides.invite()
    how_to_read(
        "Neither reader has seen the chosen word. The left list is guessed from the words before it "
        "alone, the right list from those after it; the word itself stands below, with its rank.",
        "The two never exchange what they know; on the page Masked words, BERT looks to both sides at once.",
    )
    presets(SETTINGS, PRESETS)
    show_code(sides.code(SETTINGS, line))
