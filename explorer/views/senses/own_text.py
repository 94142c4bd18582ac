"""A visitor's own text on the word senses page: it belongs to one session and is deleted with it.

The sentences and all results belong to one object in the visitor's session. Nothing of it is cached for
others, logged, or put into the link, where a dot is named by its sentence's number.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from explorer.errors import TextError
from explorer.locale import _, language
from explorer.server import visitors
from explorer.views import kit
from explorer.views.senses.example_sentences import FEW_OCCURRENCES
from explorer.views.senses.settings import DRAWN, FORMS, LOCKED, OWN, SEED, WORD
from explorer.views.senses.text_sample import SampledOccurrences, embed_sample, sample_size
from explorer.views.senses.word_occurrences import MOST_BYTES

if TYPE_CHECKING:
    from explorer.corpus.index import Index
    from explorer.corpus.inspection import Contents
    from explorer.corpus.lookup import Sample
    from explorer.models import LanguageModel

STATE = kit.Session["OwnText | None"]("senses/own", None)
PASTED = "pasted.txt"  # the name of a pasted text
T = TypeVar("T")
RECENT = 6  # results of a kind that are kept for one visitor: those of one word by every model


@dataclass(eq=False)
class OwnText:
    """One visitor's text: its sentences, notes from reading it, and recent results."""

    contents: "Contents"
    index: "Index"
    notes: list[str]
    cache: kit.Kept[Any] = field(default_factory=lambda: kit.Kept(most_bytes=MOST_BYTES))
    key: str = field(default_factory=lambda: secrets.token_hex(16))
    recent: "OrderedDict[tuple[Any, ...], Any]" = field(default_factory=OrderedDict)

    @cached_property
    def suggestions(self) -> dict[str, int]:
        """Words to try, frequent ones in varied contexts, with the number of sentences that have each."""
        from explorer.corpus.suggestions import suggest

        return suggest(self.index)

    def remember(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """The cached result of a key, or that of `make`; of each kind (`key[0]`), RECENT results are kept."""
        if key not in self.recent:
            self.recent[key] = make()
            for old in [k for k in self.recent if k[0] == key[0]][:-RECENT]:
                del self.recent[old]
        self.recent.move_to_end(key)
        result: T = self.recent[key]
        return result

    def delete(self) -> None:
        """Delete the sentences and all results."""
        self.index.delete()
        self.recent.clear()
        self.cache.clear()
        self.__dict__.pop("suggestions", None)


def current() -> OwnText | None:
    """This visitor's text, if there is one."""
    return STATE.get()


def keep(settings: kit.Settings, own: OwnText) -> None:
    """Make a text this visitor's, in place of the last one; the word stays only if the text has it."""
    forget(settings)
    STATE.set(own)
    visitors.on_session_end(own.key, own.delete)
    settings.set(OWN.to(True), LOCKED.to(""), DRAWN.to(FEW_OCCURRENCES), SEED.to(0))
    try:
        draw_sample(settings)
    except TextError:
        settings.set(WORD.to(""))


def forget(settings: kit.Settings) -> None:
    """Delete the visitor's text now, and go back to the sentences in the box."""
    if own := STATE.take():
        visitors.forget(own.key)
        own.delete()
    settings.set(OWN.to(False), LOCKED.to(""))


def draw_sample(settings: kit.Settings) -> "Sample":
    """The random sample that the settings ask for. Raises TextError as `lookup` does, with words to try."""
    from explorer.corpus.lookup import draw, lookup

    own = _required()
    word, forms, most, seed = _request(settings)
    if not word:
        raise TextError(_("There is no word yet."), _("Type one, or choose one of the list."))
    try:
        matches = own.remember(("found", word, forms), lambda: lookup(own.index, word, forms))
    except TextError as error:
        if error.hint or not own.suggestions:
            raise
        words = ", ".join(list(own.suggestions)[:8])
        raise TextError(error.message, _("Words that occur: {words}.", words=words)) from error
    return own.remember(("sample", word, forms, most, seed), lambda: draw(own.index, matches, most, seed))


def find_word(
    settings: kit.Settings, model: "LanguageModel", step: Callable[[int, int], None]
) -> SampledOccurrences:
    """The sampled occurrences at all layers; `step(count, total)` is called as they are run.

    Raises TextError for a word that does not occur, or a text that the model cannot read.
    """
    own, sample = _required(), draw_sample(settings)
    key = ("word", str(model.checkpoint), *_request(settings))
    name = " ".join(map(str, (own.key, *key)))
    return own.remember((*key, language()), lambda: embed_sample(model, sample, name, step, own.cache))


def _request(settings: kit.Settings) -> tuple[str, bool, int, int]:
    """The word, whether its forms count, the size of the sample, and its seed."""
    return settings[WORD].strip(), settings[FORMS], sample_size(settings), settings[SEED]


def _required() -> OwnText:
    """This visitor's text. Raises TextError if there is none, as on a page opened by a link."""
    if (own := current()) is None:
        raise TextError(
            _("This view shows somebody’s own text, which links do not carry."),
            _("Open your own text, or go back to the sentences."),
        )
    return own
