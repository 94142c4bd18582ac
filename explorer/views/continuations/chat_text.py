"""The text of a conversation: its turns in the model's chat frame, and what is to be said of it."""

from html import escape
from typing import TYPE_CHECKING, Any

from explorer.locale import N_, _, format_number
from explorer.views import kit
from explorer.views.continuations.settings import MARKS, MODEL, SYSTEM, TURN_COUNT, TURNS, WITH_SYSTEM
from explorer.views.continuations.steps import spelled_id
from explorer.views.types import Generation, LanguageModel, ScoredText
from explorer.views.widgets.quoted import isolated

if TYPE_CHECKING:
    from explorer.analysis.prediction.surprisal import Piece
    from explorer.tokenizers.chat import ChatTemplate

ROLES = {"system": N_("system"), "user": N_("user"), "assistant": N_("assistant")}
TEXT_KEY = kit.Session[tuple[Any, str]]("continuations/chat/text", (None, ""))


def template_of(model: "LanguageModel") -> "ChatTemplate":
    """The model's chat template; ChatML for one whose files have none."""
    from explorer.tokenizers.chat import CHATML

    return model.tokenizer.chat or CHATML


def own_system(model: "LanguageModel") -> str:
    """What the model's chat template writes into the system's turn by itself."""
    return template_of(model).own_system().strip()


def messages_of(settings: kit.Settings, model: "LanguageModel") -> list[tuple[str, str]]:
    """Who says what, in order: “system” first, if it says anything, then “user” and “assistant” in turn."""
    turns = TURNS[: settings[TURN_COUNT]]
    messages = [("assistant" if number % 2 else "user", settings[turn]) for number, turn in enumerate(turns)]
    if settings[WITH_SYSTEM] and (system := (settings[SYSTEM] or own_system(model)).strip()):
        messages.insert(0, ("system", system))
    return messages


def conversation(settings: kit.Settings, model: "LanguageModel") -> str:
    """The text that the model continues. Raises TextError or FormatError where its chat template does.

    Without marks, each message is a line. The last turn, if it is the assistant's, stays open. A text is
    kept for this session, since a template takes a tenth of a second.
    """
    messages = messages_of(settings, model)
    own = settings[WITH_SYSTEM] and not settings[SYSTEM]
    request = (settings[MODEL], settings[MARKS], own, messages)
    if TEXT_KEY.get()[0] != request:
        open_turn = messages[-1:] if messages[-1][0] == "assistant" else []
        closed = messages[: len(messages) - len(open_turn)]
        system = "".join(text for role, text in closed if role == "system")
        turns = [(role, text) for role, text in closed if role != "system"]
        template = template_of(model)
        if not settings[MARKS]:
            text = "".join(f"{message}\n" for _, message in closed)
        else:
            text = template.render(turns) if own else template.with_system(system, turns)
        TEXT_KEY.set((request, text + "".join(beginning for _, beginning in open_turn)))
    written = TEXT_KEY.get()[1]
    return written


def bubbles_and_text(messages: list[tuple[str, str]], text: str) -> str:
    """The messages of a conversation as speech bubbles, and beside them the one text with its marks coloured.

    As HTML. The marks are what the text has between the messages.
    """
    bubbles = [
        f'<p class="{role}"><small>{_(ROLES[role])}</small>{escape(message)}</p>'
        for role, message in messages
    ]
    places, before = [], len(text)
    for _role, message in reversed(messages):
        start = text.rfind(message.strip(), 0, before)
        if start < 0:  # some templates write what the system says into the last turn
            start = text.rfind(message.strip())
        if start >= 0:
            places.append((start, start + len(message.strip())))
            before = start
    parts, end = [], 0
    for start, stop in sorted(places):
        if start >= end:
            parts += [f"<mark>{escape(text[end:start])}</mark>", escape(text[start:stop])]
            end = stop
    parts.append(f"<mark>{escape(text[end:])}</mark>")
    return (
        f'<div class="rb-chat" translate="no"><div>{"".join(bubbles)}</div><pre>{"".join(parts)}</pre></div>'
    )


def typed_marks(settings: kit.Settings, model: "LanguageModel") -> list[str]:
    """The marks that stand in the messages themselves, and that the tokenizer reads as marks."""
    text = " ".join(settings[turn] for turn in [*TURNS, SYSTEM])
    return [mark for mark in model.tokenizer.marks.values() if mark in text]


def end_mark(generation: "Generation") -> str:
    """The mark that ends an answer; empty for one that was stopped before."""
    from explorer.analysis.generation.steps import Ending

    ended = generation.ending is Ending.END_OF_TEXT
    return generation.model.tokenizer.token(generation.ids[-1]) if ended else ""


def notes(page: kit.OpenPage[None], text: str, answer: "Generation") -> list[str]:
    """What a reader must know of this conversation, in sentences."""
    model, label = page.model, kit.memory.short_label(page.settings[MODEL])
    sentences = []
    if model.tokenizer.chat is None:
        sentences.append(
            _(
                "{model} has no chat template: it was not trained on conversations. It reads the marks of "
                "ChatML as ordinary characters, and goes on writing.",
                model=label,
            )
        )
    elif page.settings[MARKS]:
        sentences.append(_("The marks are those of {model}’s own chat template.", model=label))
    if marks := typed_marks(page.settings, model):
        sentences.append(
            _(
                "A message contains {marks}, read as a mark and not as text: whoever may type "
                "marks can end a turn and speak for others. A service would remove them from messages.",
                marks=_(" and ").join(marks),
            )
        )
    if not end_mark(answer):
        sentences.append(_("The answer had not ended after {count} tokens.", count=len(answer.ids)))
    if answer.cut:
        sentences.append(
            _(
                "The first {count} tokens of the conversation did not fit and were not read.",
                count=format_number(answer.cut),
            )
        )
    return sentences


def candidates_of(
    scored: "ScoredText", pieces: "list[Piece]", answer: "Generation", blocked: kit.blocklist.Blocklist
) -> list[str]:
    """For each piece of the text, what else could have come there; empty before the answer."""
    ids, written, tokenizer = scored.encoding.ids.tolist(), answer.ids, answer.model.tokenizer
    first = len(ids) - len(written)
    tips, at = [], 0
    for piece in pieces:
        step = at - first
        own = 0 <= step < len(written) and ids[first:] == written
        choices = answer.steps[step].candidates if own else []
        before = scored.encoding.text[: piece.start]
        tokens = [
            kit.blocklist.DOTS
            if kit.blocklist.covers(blocked, before, c.token)
            else spelled_id(tokenizer, c.id)
            for c in choices
        ]
        tips.append(
            ", ".join(f"{isolated(t.strip())} {kit.short(c.probability)}" for t, c in zip(tokens, choices))
        )
        at += piece.tokens
    return tips


def tokens_csv(scored: "ScoredText", answer: "Generation", blocked: kit.blocklist.Blocklist) -> str:
    """The tokens of the conversation as a table."""
    from explorer.analysis.prediction import surprisal

    pieces, text = surprisal.pieces(scored), scored.encoding.text
    candidates = candidates_of(scored, pieces, answer, blocked)
    return kit.table(
        ["text", "bits", "rank", "candidates"],
        [[text[p.start : p.end], p.bits, p.rank, c] for p, c in zip(pieces, candidates, strict=True)],
    )
