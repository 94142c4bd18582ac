"""A text's translation, cached for all visitors, and the names of its tokens in pictures."""

from typing import TYPE_CHECKING, Any

from explorer.locale import N_, _
from explorer.server.kept import kept
from explorer.text.letters import has_letters
from explorer.views.types import Encoding, LanguageModel, Translation
from explorer.views.widgets.token_text import distinct, visible

if TYPE_CHECKING:
    from explorer.analysis.translation import Step

END, START = N_("end"), N_("start")


@kept(32)
def search_translation(model: "LanguageModel", text: str, limit: int) -> "tuple[Translation, list[Step]]":
    """The search for a text's translation; the text is cut at `limit` tokens. Raises as `translate`."""
    from explorer.analysis import translation
    from explorer.analysis.translation.search import read

    search = translation.Search(model, [read(model, text, limit)])
    steps = []
    while not search.complete:
        steps.append(search.step()[0])
    return search.result(0), steps


def decoder_tokens(encoding: "Encoding") -> list[dict[str, Any]]:
    """A decoder's tokens for a component; the first is the start token."""
    return tokens([_(START), *map(piece_text, encoding.tokens[1:])], encoding.special.tolist())


def tokens(texts: list[str], quiet: list[bool]) -> list[dict[str, Any]]:
    """Tokens for a component: text, name, and whether it is special."""
    names = distinct(texts)
    return [{"text": text, "name": name, "quiet": q} for text, name, q in zip(texts, names, quiet)]


def piece_text(token: str) -> str:
    """A piece as pictures write it: a dot marks one that continues a word.

    >>> piece_text("▁banque"), piece_text("que"), piece_text("</s>"), piece_text(".")
    ('banque', '·que', 'end', '.')
    """
    if token == "</s>":
        return _(END)
    if token.startswith("▁"):
        return visible(token[1:]) if token != "▁" else "␣"
    return f"·{token}" if has_letters(token) else token
