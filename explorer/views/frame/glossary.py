"""The glossary's terms, marked in our own sentences: the meaning comes on hover, tap or keyboard.

`assets/glossary.md` has a line for each term: `**head** (heads): what it means.` A sentence marks a term
once; what stands in quotation marks is a word of an example, and stays as it is.
"""

import re
from functools import cache
from html import escape

from explorer import assets
from explorer.assets import GLOSSARY

_LINE = re.compile(r"^\*\*(?P<term>.+?)\*\*(?: \((?P<forms>.+?)\))?: (?P<meaning>.+)$", re.MULTILINE)
MODELS = "\n# Models\n"  # from here on: names that have a card, and need no mark
# What is no text to mark: tags, entities, the words of an example, and a cosine that comes with its sine.
_KEPT = re.compile(r"(<[^>]*>|“[^”]*”|&#?\w+;|\bsines?\b[^.;:]*?\bcosines?\b)")


@cache
def terms() -> dict[str, str]:
    """Each term with its meaning, in alphabetical order."""
    return {line["term"]: line["meaning"] for line in _LINE.finditer(assets.text(GLOSSARY))}


def marked(html: str) -> str:
    """Our own sentence, with each term that it uses marked where it comes first.

    >>> marked("Every head, of “head” or foot")[:36]
    'Every <span class="rb-term" tabindex'
    """
    pattern, of = _forms()
    used: set[str] = set()

    def mark(found: re.Match[str]) -> str:
        term = of[found[0].casefold()]
        if term in used:
            return found[0]
        used.add(term)
        meaning = escape(terms()[term], quote=True)
        return (
            f'<span class="rb-term" tabindex="0" role="note" data-meaning="{meaning}" '
            f'aria-description="{meaning}">{found[0]}</span>'
        )

    parts = _KEPT.split(html)
    return "".join(part if i % 2 else pattern.sub(mark, part) for i, part in enumerate(parts))


@cache
def _forms() -> tuple[re.Pattern[str], dict[str, str]]:
    """All ways in which the terms are written, the longest first, and the term of each."""
    of: dict[str, str] = {}
    for line in _LINE.finditer(assets.text(GLOSSARY).partition(MODELS)[0]):
        for form in (line["term"], *(line["forms"] or "").split(", ")):
            if form:
                of[form.casefold()] = line["term"]
    longest = sorted(of, key=len, reverse=True)
    either = "|".join(map(re.escape, longest))
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE), of
