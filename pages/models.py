"""About the models

What each model is, and what it knew when: at its first step, halfway, and at the end of its training.
"""

from explorer.views.about import facts
from explorer.views.about import page as about
from explorer.views.about.presets import DEFAULTS
from explorer.views.frame.page import how_to_read, page, picture, presets, show_code
from explorer.views.frame.settings import Settings

SETTINGS = Settings("models", **DEFAULTS)

with page("models", SETTINGS) as header:
    header.bundled(facts.names())
    name = about.check(SETTINGS)
    card, kept = facts.card(name), about.training(name)
    about.facts_strip(name, kept)
    if kept:
        known = about.views(kept, card)
        about.fit(SETTINGS, kept, known)
        about.controls(SETTINGS, kept, known)
    with picture():
        if kept and known:
            about.draw(SETTINGS, name, kept, card)
        else:
            about.nothing_kept(name)
    if kept and known:
        how_to_read(*about.how(SETTINGS["view"], kept))
    if choices := about.presets():
        presets(SETTINGS, choices)
    about.show_card(card)
    if kept:
        show_code(about.code(name))
