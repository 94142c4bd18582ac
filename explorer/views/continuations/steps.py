"""Generated steps as the page draws them: chips in the text, and the whole of it in numbers."""

from math import prod
from typing import Any

from explorer.analysis.generation.repetition import repetition_rate
from explorer.locale import _, format_number, localised, ngettext
from explorer.text.byte_letters import BROKEN
from explorer.text.ordinals import ordinal
from explorer.views import kit
from explorer.views.types import Generation, Tokenizer

NEWEST = -1  # the setting `token` when no step is locked
HOLLOW = "▯"  # a part of a character in a text, as the page writes it


def prompt(generation: "Generation") -> str:
    """The prompt as the model read it: an ellipsis stands for what was cut off its start.

    Where the prompt is empty the model reads its start token, `<|endoftext|>`.
    """
    if not generation.cut:
        return generation.prompt or generation.model.tokenizer.token(generation.prompt_ids[0])
    return "… " + generation.model.tokenizer.decode(generation.prompt_ids).lstrip(BROKEN)


def chips(
    generation: "Generation",
    colours: kit.theme.Palette,
    blocked: kit.Blocklist,
    decimals: bool = False,
    drawn: dict[Any, dict[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    """The chips that the page draws: one for each step, or for all pieces of a character.

    Pieces of an incomplete character are hollow boxes; pieces of a blocked word are dots. `decimals` as in
    `kit.in_words`. `drawn` keeps the chips for the next time.
    """
    special = generation.model.tokenizer.special_ids
    written = as_written(generation, blocked)
    drawn, boxes, first = {} if drawn is None else drawn, [], 0
    for last, step in enumerate(generation.steps):
        whole = bool(step.text) or step.id in special
        if whole or last == len(generation.steps) - 1:
            key = step, first, written[last]
            if key not in drawn:
                pieces = generation.steps[first : last + 1]
                text = written[last] or "".join(p.token if p.id in special else BROKEN for p in pieces)
                probability, rank = prod(p.probability for p in pieces), max(p.rank for p in pieces)
                colour = kit.theme.mix(colours.probability, probability)
                tip = numbers(kit.in_words(probability, decimals), rank)
                if len(pieces) > 1:
                    tip = _("{count} tokens together: {numbers}", count=len(pieces), numbers=tip)
                if written[last] != step.text:
                    tip = _("{why}, {numbers}", why=_(kit.blocklist.WHY), numbers=tip)
                drawn[key] = {
                    "text": text.replace(BROKEN, HOLLOW),
                    "first": first,
                    "last": last,
                    "mark": mark(rank),
                    "colour": colour,
                    "ink": kit.theme.text_on(colour),
                    "tip": tip,
                }
            boxes.append(drawn[key])
            first = last + 1
    return boxes


def numbers(share: str, rank: int) -> str:
    """A token's probability, as it is written, and its rank."""
    return _("probability {share}, rank {rank}", share=share, rank=format_number(rank))


def mark(rank: int) -> str:
    """How a token is underlined: by its place in the model's list, in GLTR's bands (Gehrmann et al. 2019)."""
    if rank == 0:  # the first token has none
        return ""
    return "solid" if rank == 1 else "dashed" if rank <= 10 else "dotted" if rank <= 100 else ""


def after_click(token: int, first: int, last: int) -> int:
    """Which step a click on a chip locks: its first piece, then its next ones, then the newest again."""
    if not first <= token <= last:
        return first
    return token + 1 if token < last else NEWEST


def as_written(generation: "Generation", blocked: kit.Blocklist) -> list[str]:
    """What each step adds to the text, as it is shown now."""
    return kit.blocklist.written(blocked, [step.text for step in generation.steps], generation.prompt)


def listed(generation: "Generation", blocked: kit.Blocklist) -> list[str]:
    """What each step adds to the text, for a list: of a part of a character the bytes."""
    tokenizer = generation.model.tokenizer
    return [
        tokenizer.whole_or_bytes(step.id, text or step.token) if BROKEN in (text or step.token) else text
        for text, step in zip(as_written(generation, blocked), generation.steps)
    ]


def spelled(token: str) -> str:
    """A token for a list: a word's own space stays a space, other spaces and line ends are made visible."""
    word = token.lstrip(" ")
    space = " " if word and len(token) == len(word) + 1 else "␣" * (len(token) - len(word))
    return space + word.replace(" ", "␣").replace("\n", "↵")


def spelled_id(tokenizer: "Tokenizer", id: int) -> str:
    """A token for a list; the bytes of a part of a character, as hexadecimal numbers."""
    return tokenizer.whole_or_bytes(id, spelled(tokenizer.readable(id)))


def summary(generation: "Generation", paused: bool, over: bool = True, plain: bool = False) -> str:
    """How far the continuation is, why it ended early or waits, and how it went; `plain` without bits."""
    from explorer.analysis.generation.steps import Ending

    steps, place = generation.steps, generation.place
    tokens = ngettext("{count} token", "{count} tokens", len(steps))
    ending = Ending.STOPPED if paused and not over else generation.ending
    if place and not paused:
        tokens = _("{tokens}, you are {place} in line", tokens=tokens, place=ordinal(place))
    elif generation.reading < 1:
        share = kit.whole_percent(generation.reading)
        tokens = _("{tokens}, {share} of the prompt is read", tokens=tokens, share=share)
    elif ending not in (None, Ending.LENGTH):
        tokens = _("{tokens}, {ending}", tokens=tokens, ending=_(str(ending)))
    facts = [tokens]
    if steps and not plain:
        bits = f"{sum(step.bits for step in steps) / len(steps):.1f}"
        facts.append(_("{bits} bits of surprise each", bits=localised(bits)))
    if again := repetition_rate([step.id for step in steps]):
        facts.append(_("{share} repeated", share=kit.whole_percent(again)))
    if generation.cut:
        cut = format_number(generation.cut)
        facts.append(_("the prompt’s first {count} tokens did not fit and were not read", count=cut))
    if lost := generation.model.tokenizer.encode(generation.prompt).dropped_characters:
        facts.append(
            _(
                "{count} characters of the prompt were passed over: the model has no token for them",
                count=format_number(lost),
            )
        )
    return " · ".join(facts)
