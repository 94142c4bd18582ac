"""The candidates as bars: of every blank side by side, or of one beside the pinned sentence's."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from explorer.locale import N_, _, close_up, format_number, localised, translate
from explorer.views import kit
from explorer.views.frame import reading_turn
from explorer.views.masked import blanks, candidates
from explorer.views.masked.blanks import MASK, Sentence
from explorer.views.masked.candidates import PROBED, BlankCandidates
from explorer.views.masked.sentence import PageText, listed
from explorer.views.masked.settings import BESIDE, MODEL, PINNED, PINNED_BLANK, PROBE
from explorer.views.types import Model, Probe, ReadOn
from explorer.views.widgets.bars import FULL_BAR
from explorer.views.widgets.first_guess import SMALL, repetition_line, say_first

WORDS = 5  # in each row
LEFT = N_("left side")


def reading_rows(blank: "BlankCandidates", blocked: kit.blocklist.Blocklist) -> kit.Export:
    """Draw a row for each word read, with the likeliest words so far. Returns the table to save."""
    before, after = blanks.around(blank.read, blank.number)
    reading = blank.predictions.readings[blank.number]
    best = blank.candidates[0].token
    rows = [
        (
            name,
            [_word(word, p, best, kit.blocklist.covers(blocked, before, word, after)) for word, p in words],
        )
        for name, words in likeliest_by_row(reading)
    ]
    lines = "".join(
        f'<div class="rb-read" role="row"><b role="rowheader" dir="auto">'
        f"{escape(name if place else _(LEFT))}</b>"
        f"{''.join(map(_cell, words))}</div>"
        for place, (name, words) in enumerate(rows)
    )
    title = _("What each word to the right changed")
    st.html(
        f'<p class="rb-blank">{title}</p>'
        f'<div class="rb-reads" role="table" translate="no" aria-label="{title}">{lines}</div>'
    )
    figures = [[name, word["text"], word["probability"]] for name, words in rows for word in words]
    return kit.Export(
        N_("What each word changed"),
        "masked-reading.csv",
        lambda: kit.table(["read", "word", "probability"], figures),
    )


def likeliest_by_row(reading: "ReadOn") -> list[tuple[str, list[tuple[str, float]]]]:
    """The likeliest words after the left side, and after each word to the right, with that word."""
    rows = []
    for count, name in enumerate([LEFT, *reading.right_words]):
        best = reading.probabilities(count).topk(min(WORDS, len(reading.words)))
        pairs = zip(best.indices.tolist(), best.values.tolist(), strict=True)
        rows.append((name, [(reading.words[i], p) for i, p in pairs if p > 0]))
    return rows


def how_it_reads(model: "Model", blank: "BlankCandidates") -> str:
    """A note on what was done for these bars; empty for a model that sees both sides at once."""
    if not blank.predictions.readings:
        return ""
    reading = blank.predictions.readings[blank.number]
    name, tries = kit.memory.short_label(str(model.checkpoint)), len(reading.words)
    if not reading.right_words:
        note = _(
            "{name} reads from left to right. It tries the {tries} likeliest words of one token. "
            "Nothing follows the blank, so this is its next word.",
            name=name,
            tries=tries,
        )
    else:
        note = _(
            "{name} reads from left to right. It tries the {tries} likeliest words of one token, "
            "and reads on with the best {count} after the first word to the right. "
            "Those that it dropped there had {share} of the probability.",
            name=name,
            tries=tries,
            count=len(reading.log_rest),
            share=kit.in_words(reading.dropped),
        )
    untried = kit.in_words(reading.untried)
    notes = [note, _("Whatever it did not try had {share} after the left side.", share=untried)]
    if len(blank.predictions.readings) > 1:
        notes.append(_("Blanks are filled from left to right, each read on up to the next."))
    return close_up(" ".join(notes))


def _word(word: str, probability: float, best: str, hidden: bool) -> dict[str, Any]:
    text = kit.blocklist.DOTS if hidden else word
    return {"text": text, "probability": probability, "best": word == best}


def _cell(word: dict[str, Any]) -> str:
    probability = localised(f"{word['probability']:.6g}")
    tip = escape(
        _("{word}: probability {probability}", word=word["text"], probability=probability), quote=True
    )
    return (
        f'<span role="cell" class="{"best" if word["best"] else ""}" title="{tip}">'
        f'<i style="width:{100 * word["probability"]:.2f}%"></i>{escape(word["text"])}'
        f" <small>{kit.short(word['probability'])}</small></span>"
    )


SIDE_BY_SIDE = 3
OURS = "gpt"  # the model that writes where no larger one is installed


def pinned_sentence(page: kit.OpenPage[PageText]) -> Sentence:
    """The pinned sentence as the model reads it."""
    return blanks.read(page.model, page.settings[PINNED], [], page.settings[PINNED_BLANK])


def every_blank(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the bars of every blank side by side; of many blanks, the chosen one and its neighbours."""
    settings, model, sentence = page.settings, page.model, page.data.sentence
    count = len(sentence.numbers)
    first = max(min(sentence.blank - 1, count - SIDE_BY_SIDE), 0)
    numbers = range(first, min(first + SIDE_BY_SIDE, count))
    candidate_lists = [
        candidates.for_blank(model, settings, sentence.read, number, sentence.hidden[number], numbers[-1])
        for number in numbers
    ]
    words = listed(settings[PROBE])
    blocked = kit.blocklist.over(str(model.checkpoint), sentence.text, *sentence.hidden, *words)
    notes = [_(FULL_BAR)]
    if len(numbers) < count:
        notes.append(
            _(
                "Blanks {first} to {last} of {count}: press another one in the sentence.",
                first=first + 1,
                last=numbers[-1] + 1,
                count=count,
            )
        )
    for blank, column in zip(candidate_lists, st.columns(len(numbers), gap="medium")):
        if blank.number == sentence.blank:
            notes += [_note(probe) for probe in blank.probes if probe.note]
        with column, st.container(gap="xxsmall"):
            st.html(_heading(model, sentence, blank.number, numbers[-1]))
            rows = bars_of(settings, blank, blocked, f"masked/bars/{blank.number}", sentence, {})
            repetition_line(rows, small_model(page))
        if blank.number == sentence.blank:
            say_first(rows)
    chosen = candidate_lists[sentence.blank - first]
    if manner := how_it_reads(model, chosen):
        notes.insert(0, manner)
    if len(words) > PROBED:
        notes.append(_("Only the first {count} words are looked up.", count=PROBED))
    kit.note(" ".join(notes))
    saves = _saves(candidate_lists, blocked)
    return [*saves, reading_rows(chosen, blocked)] if manner else saves


def beside_the_pinned(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw the pinned sentence's blank beside the chosen one of the present sentence.

    Raises TextError if the pinned sentence has no blank.
    """
    settings, model, sentence = page.settings, page.model, page.data.sentence
    earlier = pinned_sentence(page)
    pinned = candidates.for_blank(model, settings, earlier.read, earlier.blank, "")
    now = candidates.for_blank(
        model, settings, sentence.read, sentence.blank, sentence.hidden[sentence.blank]
    )
    words = listed(settings[PROBE])
    blocked = kit.blocklist.over(str(model.checkpoint), sentence.text, pinned.read, *sentence.hidden, *words)
    notes = [_(FULL_BAR)]
    if pinned.read == now.read and pinned.number == now.number:
        notes = [_("Pinned. Now change the sentence above: the pinned one stays here.")]
    notes += [_note(probe) for probe in now.probes if probe.note]
    for title, blank, other_blank, column in zip(
        (_("Pinned"), _("Now")), (pinned, now), (now, pinned), st.columns(2, gap="large")
    ):
        with column, st.container(gap="xxsmall"):
            st.html(_one_line(title, blank))
            ids = {c.token: c.id for c in blank.candidates}
            probed = {p.word: p.probability for p in other_blank.probes}
            beside = {token: other_blank.probability(id) for token, id in ids.items()} | probed
            key = "masked/bars/pinned" if blank is pinned else f"masked/bars/{blank.number}"
            rows = bars_of(settings, blank, blocked, key, None if blank is pinned else sentence, beside)
            repetition_line(rows, small_model(page))
    say_first(rows)
    kit.note(" ".join(notes))
    return _saves([pinned, now], blocked)


def bars_of(
    settings: kit.Settings,
    blank: BlankCandidates,
    blocked: kit.blocklist.Blocklist,
    key: str,
    sentence: Sentence | None,
    beside: Mapping[str, float | None],
) -> list[dict[str, Any]]:
    """Draw the bars of one blank, and return them; those of a sentence on the page fill it by a press."""
    rows = candidates.rows(blank, blocked, beside)

    def clicked(index: int) -> None:
        if sentence is not None and index < len(rows):
            settings.update(blanks.fill(sentence, blank.number, rows[index]["token"]))

    number = blank.number + 1
    if sentence is None:
        kit.bars(rows, key, _("Candidates for blank {number} of the pinned sentence", number=number))
    else:
        label = _("Candidates for blank {number}; press one to fill it in", number=number)
        kit.bars(rows, key, label, clicked)
    return rows


def small_model(page: kit.OpenPage[PageText]) -> str:
    """Why a guess of the bundled BERT repeats a word, and who else can be asked; "" of another model."""
    if str(page.model.checkpoint) != MODEL.default:
        return ""
    is_offered = kit.WRITER != OURS and not page.settings[BESIDE]
    if not is_offered:
        return _(SMALL)
    larger = _("“With {name}” asks a larger one.", name=kit.memory.short_label(kit.WRITER))
    return close_up(f"{_(SMALL)} {larger}")


def _saves(
    candidate_lists: Sequence[BlankCandidates], blocked: kit.blocklist.Blocklist
) -> list[kit.Export | kit.Picture]:
    return [
        kit.Picture("picture", "masked-words"),
        kit.Export(
            N_("Candidates"), "masked-words.csv", lambda: candidates.as_table(candidate_lists, blocked)
        ),
    ]


def _one_line(title: str, blank: BlankCandidates) -> str:
    """A sentence in one line as HTML, with its blank set off."""
    before, after = (escape(part) for part in blanks.around(blank.read, blank.number))
    gap = kit.GAP if kit.for_class() else MASK
    return (
        f'<p class="rb-blank" title="{escape(blank.read, quote=True)}"><b>{title}</b> '
        f'<bdi class="rb-quiet" translate="no">{before}<i dir="ltr">{gap}</i>{after}</bdi></p>'
    )


def _heading(model: "Model", sentence: Sentence, number: int, last: int) -> str:
    """Which blank this is, and how probable the model finds the word that was hidden there; as HTML."""
    heading = _("What the model expects here")
    if len(sentence.numbers) > 1:
        heading = _("Blank {number}", number=number + 1)
    heading += hidden_word(model, sentence, number, last)
    chosen = " chosen" if number == sentence.blank else ""
    return f'<p class="rb-blank{chosen}">{heading}</p>'


def hidden_word(model: "Model", sentence: Sentence, number: int, last: int) -> str:
    """The word that was hidden in a blank and how probable the model finds it, as HTML; "" without one."""
    hidden = sentence.hidden[number]
    if not hidden:
        return ""
    part = reading_turn.until(model, sentence.read, last)
    probe = candidates.look_up(model, part, hidden, number)
    word = f"<i>{kit.quoted(hidden)}</i>"
    if probe.probability is None:
        judgement = _("hidden: {word}, unknown to the model", word=word)
    elif probe.rank:
        judgement = _("hidden: {word}, rank {rank}", word=word, rank=format_number(probe.rank))
    else:
        probability = kit.in_words(probe.probability)
        judgement = _("hidden: {word}, probability {probability}", word=word, probability=probability)
    return f' <span class="rb-quiet">{judgement}</span>'


def _note(probe: "Probe") -> str:
    note = translate(probe.note)
    return note if probe.word in note else _("“{word}”, {note}", word=probe.word, note=note)
