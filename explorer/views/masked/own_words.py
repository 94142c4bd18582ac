"""Real or replaced? with words put in by hand, ours or a visitor's. Does the discriminator notice?

Until the reveal the class guesses which they are; after it, anybody puts in words of their own.
"""

from typing import Any

import streamlit as st

from explorer import analysis
from explorer.locale import N_, _, close_up, localised, ngettext, translate
from explorer.views import kit
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import GUESSED, OWN, PLACE, READ, SHOWN, TYPED, WHO
from explorer.views.masked.verdicts import READS, VERDICT, YOU, score, verdict
from explorer.views.types import Detection, LanguageModel, Word
from explorer.views.widgets.numbers import whole_percent

SHORT = 14  # words of a sentence that is drawn larger in presenter mode
OURS = {3: "would"}  # the word that is put into the opening sentence, by its number
RESETS = [OWN.to(None), PLACE.to(-1), TYPED.to("")]  # with another sentence


def controls(page: kit.OpenPage[PageText]) -> None:
    """Draw a box for the word to put in place of the chosen one, and a button that puts all words back."""
    settings = page.settings
    words = words_of(page.model, settings[READ])
    index, replacements = settings[PLACE], replacements_of(settings, words)
    chosen = words[index].text if 0 <= index < len(words) else ""

    def put() -> None:
        typed_word = settings[TYPED].strip()[: kit.MOST_WORD]
        changed = {at: word for at, word in replacements.items() if at != index}
        if typed_word and typed_word != chosen:
            changed[index] = typed_word
        settings.set(OWN.to([[at, changed[at]] for at in sorted(changed)]), SHOWN.to(True), GUESSED.to([]))

    st.text_input(
        _("In place of “{word}”", word=chosen) if chosen else _("In place of a word"),
        key=settings.key(TYPED),
        placeholder=_("Type a word") if chosen else _("Press a word first"),
        disabled=not chosen,
        max_chars=kit.MOST_WORD,
        on_change=put,
        width=260,
    )
    st.button(
        _("Put all back"),
        key="masked/put-back",
        disabled=not replacements,
        on_click=lambda: settings.set(*RESETS, OWN.to([]), GUESSED.to([])),
    )


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw each word as it is now; once revealed, with the discriminator's verdict on its most suspect token.

    Until then a click names a suspect; after that, it chooses a word to put another in its place.
    """
    settings, model, key = page.settings, page.model, "masked/own_words"
    words = words_of(model, settings[READ])
    replacements = replacements_of(settings, words)
    revealed = settings[SHOWN] or not replacements
    suspects = {at for at in settings[GUESSED] if isinstance(at, int) and 0 <= at < len(words)}
    detection, spans = detection_of(model, settings[READ], tuple(sorted(replacements.items())))
    verdicts = verdicts_by_word(detection, spans)

    def clicked() -> None:
        at = kit.component_value(key, "click", range(len(words)))
        if at is None:
            return
        if revealed:
            settings.set(PLACE.to(at), TYPED.to(replacements.get(at, "")))
        else:
            settings.set(GUESSED.to(sorted(suspects ^ {at})))

    size = "-large" if kit.presenting() and len(words) <= SHORT else ""
    with st.container(key=f"masked-round{size}"):
        kit.component("masked/real_or_replaced")(
            key=key,
            data={
                "label": _("The words of the sentence; press one to put another in its place")
                if revealed
                else _("The words of the sentence; press those that you suspect"),
                "active": True,
                "reads": "" if kit.for_class() else _(READS),
                "rows": [translate(VERDICT)] if revealed else [],
                "words": [
                    {
                        "at": at,
                        "text": replacements.get(at, word.text),
                        "replaced": revealed and at in replacements,
                        "suspected": at in suspects,
                        "selected": revealed and at == settings[PLACE],
                        "was": word.text if revealed and at in replacements else "",
                        "tip": _(
                            "probability of “replaced”: {probability}",
                            probability=localised(f"{verdicts[at]:.6g}"),
                        )
                        if revealed
                        else "",
                        "bars": [verdict(verdicts[at])] if revealed else [],
                    }
                    for at, word in enumerate(words)
                ],
            },
            on_click_change=clicked,
        )
    if revealed:
        kit.note(_summary(words, replacements, suspects, verdicts))
    else:
        kit.note(_question(replacements, suspects))
    picture = kit.Picture("picture", "masked-your-words")
    rows = [[replacements.get(at, word.text), word.text, verdicts[at]] for at, word in enumerate(words)]
    heads = ["word", "original", "probability_replaced"]
    verdict_table = kit.Export(N_("Verdicts"), "masked-your-words.csv", lambda: kit.table(heads, rows))
    return [picture, verdict_table] if revealed else [picture]


def example(page: kit.OpenPage[PageText]) -> kit.Example:
    """The same verdicts from Python."""
    settings, model = page.settings, page.model
    words = words_of(model, settings[READ])
    replacements = replacements_of(settings, words)
    return kit.Example(
        detect_replacements,
        model=kit.Load(str(model.checkpoint)),
        text=settings[READ],
        spans=[(words[at].start, words[at].end) for at in sorted(replacements)],
        words=[replacements[at] for at in sorted(replacements)],
    )


def detect_replacements(
    model: "LanguageModel", text: str, spans: list[tuple[int, int]], words: list[str]
) -> list[tuple[str, float]]:
    """The tokens of a text with new words at some (start, end) characters, each with P(replaced)."""
    from explorer.analysis.prediction import replacing

    new_text, new_spans = replacing.with_words(text, spans, words)
    detection = replacing.judge_words(model, new_text, new_spans)
    return list(zip(detection.encoding.tokens, detection.probabilities.tolist(), strict=True))


def asks(page: kit.OpenPage[PageText]) -> list[kit.Poll]:
    """Which word was put in by hand; nothing where the generator replaces words."""
    if page.settings[WHO] != "hand":
        return []
    words = words_of(page.model, page.settings[READ])
    replacements = replacements_of(page.settings, words)
    sentence = tuple(replacements.get(at, word.text) for at, word in enumerate(words))

    def verdicts() -> dict[str, float]:
        pairs = tuple(sorted(replacements.items()))
        by_word = verdicts_by_word(*detection_of(page.model, page.settings[READ], pairs))
        return {str(at): share for at, share in enumerate(by_word)}

    truth = str(*replacements) if len(replacements) == 1 else ""
    question = kit.Question("token", _("Which word was replaced?"), choices=sentence)
    return [kit.Poll(question, kit.Later(verdicts), truth)] if replacements else []


def words_of(model: "LanguageModel", text: str) -> "list[Word]":
    """The words of a sentence that can be replaced."""
    encoding = model.encode(text, limit=kit.LIVE_TOKENS)
    return [word for word in analysis.words.words(encoding) if not word.special and word.text.strip()]


def replacements_of(settings: kit.Settings, words: "list[Word]") -> dict[int, str]:
    """The words that were put in, by number; in the opening sentence ours, until there are others."""
    if settings[OWN] is None:
        return OURS if settings[READ] == READ.default else {}
    return valid_replacements(settings[OWN], len(words))


def now(page: kit.OpenPage[PageText]) -> str:
    """The verdict on the opening's word, and on the words put in here once it is shown."""
    settings, model = page.settings, page.model
    if settings[WHO] != "hand" or not settings[SHOWN]:
        return ""
    replacements = replacements_of(settings, words_of(model, settings[READ]))
    if not replacements or (settings[READ], replacements) == (READ.default, OURS):
        return ""
    ((at, ours),) = OURS.items()
    was = verdicts_by_word(*detection_of(model, READ.default, tuple(OURS.items())))[at]
    verdicts = verdicts_by_word(*detection_of(model, settings[READ], tuple(sorted(replacements.items()))))
    here = _(", ").join(
        _("“{word}” has {share}", word=kit.quoted(word), share=whole_percent(verdicts[at]))
        for at, word in sorted(replacements.items())
    )
    return _(
        "In the opening sentence “{word}” had {share}. Here {words}.",
        word=kit.quoted(ours),
        share=whole_percent(was),
        words=here,
    )


def valid_replacements(own: Any, words: int) -> dict[int, str]:
    """The new word for each index, from a setting that may be of another text or come from an old link."""
    own = own if isinstance(own, list) else []
    pairs = [pair for pair in own if isinstance(pair, list) and len(pair) == 2]
    return {
        at: word.strip()[: kit.MOST_WORD]
        for at, word in pairs
        if isinstance(at, int) and 0 <= at < words and isinstance(word, str) and word.strip()
    }


@kit.kept(64)
def detection_of(
    model: "LanguageModel", text: str, pairs: tuple[tuple[int, str], ...]
) -> "tuple[Detection, list[tuple[int, int]]]":
    """The verdicts on a sentence with (index, word) replacements, and the new span of each word; cached."""
    from explorer.analysis.prediction import replacing

    words, replacements = words_of(model, text), dict(pairs)
    old_spans = [(word.start, word.end) for word in words]
    new_words = [replacements.get(at, word.text) for at, word in enumerate(words)]
    new_text, spans = replacing.with_words(text, old_spans, new_words)
    return replacing.judge_words(model, new_text, [spans[at] for at in sorted(replacements)]), spans


def verdicts_by_word(detection: "Detection", spans: list[tuple[int, int]]) -> list[float]:
    """The highest P(replaced) among the tokens of each word; 0 for a word beyond the part that is read."""
    encoding = detection.encoding
    columns = zip(encoding.spans, detection.probabilities.tolist(), encoding.special.tolist(), strict=True)
    tokens = [(span, probability) for span, probability, special in columns if not special]
    return [max((p for (s, e), p in tokens if s < end and start < e), default=0.0) for start, end in spans]


def _question(replacements: dict[int, str], suspects: set[int]) -> str:
    """What to do before the reveal."""
    words = ngettext(
        "One word was replaced by hand.", "{count} words were replaced by hand.", len(replacements)
    )
    chosen = ngettext("{count} suspected.", "{count} suspected.", len(suspects)) if suspects else ""
    return close_up(f"{words} {_('Press what you suspect, then press “Reveal”.')} {chosen}".rstrip())


def _summary(
    words: "list[Word]", replacements: dict[int, str], suspects: set[int], verdicts: list[float]
) -> str:
    """Who found what, and which words the discriminator suspects without reason."""
    if not replacements:
        return _("Press a word and type another one for it: does the discriminator notice?")
    detected = [at for at in replacements if verdicts[at] > 0.5]
    false_alarms = [
        _("“{word}”", word=word.text)
        for at, word in enumerate(words)
        if at not in replacements and verdicts[at] > 0.5
    ]
    sentences = [score(YOU, suspects, set(replacements))] if suspects else []
    notices = _(
        "The discriminator notices {found} of {count} replaced words.",
        found=len(detected),
        count=len(replacements),
    )
    sentences.append(notices)
    if false_alarms:
        sentences.append(_("It wrongly suspects {words}.", words=_(", ").join(false_alarms)))
    return close_up(" ".join(sentences))
