"""The word senses page from Python: the lines with which every view's code begins."""

from explorer.views.frame.settings import Settings


def occurrences(settings: Settings) -> str:
    """Load the model, read the sentences, and find the word in them with its senses.

    The code that follows finds `sentences`, `texts`, `found` and `known`.
    """
    lines = "\n".join(f"    {line!r}," for line in settings["text"].splitlines())
    return f"""model = explorer.load({settings["model"]!r})
lines = [
{lines}
]
sentences = senses.read_sentences("\\n".join(lines))
texts = [s.text for s in sentences]
found = senses.occurrences(model, texts, {settings["word"].strip()!r})
known = senses.senses_of(found, sentences)"""
