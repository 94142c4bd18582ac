"""Word senses

One word, many sentences: what a model makes of the word in each of them.
"""

from explorer.views.frame.page import how_to_read, page, picture, presets, show_code
from explorer.views.frame.settings import Settings
from explorer.views.senses import page as senses
from explorer.views.senses import sense_map

SETTINGS = Settings("senses", **senses.DEFAULTS)

with page("senses", SETTINGS) as header:
    model = header.model("CONTEXT", "VECTORS")
    sense_map.fit(SETTINGS, model)
    chosen = senses.view(SETTINGS)
    occurrences, problem = senses.seen(SETTINGS)
    with picture():
        left, right = senses.places(chosen)
        with right:
            senses.picture(SETTINGS, chosen, occurrences, problem)
        with left:
            senses.sentences(SETTINGS, chosen, occurrences)
    senses.below(SETTINGS, chosen, occurrences)
    how_to_read(*chosen.how(SETTINGS, occurrences, model))
    presets(SETTINGS, chosen.PRESETS)
    show_code(**senses.code(SETTINGS, chosen))
