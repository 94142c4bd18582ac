"""Home

Watch language models at work: what they attend to, how they tell senses apart, which words they expect.
"""

from explorer.views.components import text_box, token_strip
from explorer.views.frame import Preset, how_to_read, page, presets, show_code
from explorer.views.settings import Settings

SETTINGS = Settings("home", text="Have you paid that money to the bank yet?", model="bert")

with page("home", SETTINGS) as header:
    text_box(SETTINGS, "text", "Your sentence", "Type a sentence")
    model = header.model("ATTENTION")
    enc = model.encode(SETTINGS["text"])
    token_strip(
        [{"text": enc.surface(i), "title": str(i), "quiet": bool(enc.special[i])} for i in range(len(enc))],
        "strip",
        "Tokens",
        lambda i: SETTINGS.set(text=SETTINGS["text"] + f" {i}"),
    )
    how_to_read("Nothing yet.", "A caveat.")
    presets(
        SETTINGS,
        [
            Preset("a", "makes a point", {"text": "a b c"}),
            Preset("b", "makes a point", {}),
            Preset("c", "makes a point", {}),
        ],
    )
    show_code("import explorer")
