"""Switch off: the model's guess with and without some heads, and the loss without each head alone."""

from typing import Any

import streamlit as st

from explorer.catalogue.ability import Ability
from explorer.locale import N_, _, format_with, localised, translate
from explorer.views import kit
from explorer.views.heads import examples, guess, head_map, report
from explorer.views.heads import sentence as heads_sentence
from explorer.views.heads.head_map import Head, name
from explorer.views.heads.settings import BLANK, HOW, MODEL, OFF, TEXT
from explorer.views.types import Change, HeadLoss, Model, Report, Tensor

METHODS = {"zero": N_("Outputs 0"), "mean": N_("Outputs its mean"), "uniform": N_("Attends equally")}
LOSS_SCALES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0)
SURE = 2  # standard errors: a smaller change is left blank

VIEW_TEXT = kit.view_text("heads", "off")


def controls(page: "kit.OpenPage[Report | None]") -> None:
    """The sentence, how a head is switched off, and which heads are off."""
    page.model.require(Ability.FILL | Ability.GENERATE, "predict words")
    settings = page.settings
    heads_sentence.box(settings, kit.unseen_end(page.model, settings[TEXT]))
    off = read_heads(settings[OFF], page.model)
    with st.container(key="heads-off-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.segments(settings, HOW, _("How a head is switched off"), translate(METHODS), width="content")
        st.button(
            _("All heads on"), key="heads/on", disabled=not off, on_click=lambda: settings.set(OFF.to([]))
        )
        if off:
            names = _("Off: {heads}", heads=guess.names(off))
            st.html(f'<p class="rb-point rb-one-line">{names}</p>')


def draw(page: "kit.OpenPage[Report | None]") -> kit.Saves:
    """The sentence with its blank, the map on which heads are switched off, the guesses before and after."""
    settings, model = page.settings, page.model
    off, method = read_heads(settings[OFF], model), settings[HOW]
    file = f"heads-off-{settings[MODEL]}"
    saves: list[kit.Export | kit.Picture] = [kit.Picture("heads-picture", file)]
    with st.container(key="heads-picture", gap="xsmall"):
        blank = guess.strip(settings, model)
        left, right = st.columns([45, 55], gap="medium")
        with left:
            losses = _map(settings, model, off)
        with right, st.container(gap="xxsmall"):
            if blank is None:
                st.html(f'<p class="rb-how">{_("Type a sentence above, or try one below.")}</p>')
            else:
                changes = guess.guesses(model, blank, *_answers(model, blank, off, method), off)
                if off:
                    heads_sentence.to_attention(settings, off[-1], blank.text)
                saves.append(
                    kit.Export(N_("Guesses before and after"), f"{file}.csv", lambda: _guesses_table(changes))
                )
    if losses is not None:
        losses_file = f"heads-loss-{settings[MODEL]}-{method}.csv"
        saves.append(kit.Export(N_("Loss without each head"), losses_file, lambda: _loss_table(losses)))
    return saves


def example(page: "kit.OpenPage[Report | None]") -> kit.Example:
    """The same change from Python."""
    settings, model = page.settings, page.model
    _, blank = guess.find_blank(model, settings[TEXT], settings[BLANK])
    return kit.Example(
        examples.guesses_without,
        model=kit.Load(settings[MODEL]),
        text=blank.text if blank else settings[TEXT],
        which=blank.which if blank else 0,
        off=read_heads(settings[OFF], model),
        how=settings[HOW],
        top=guess.TOP,
        limit=kit.LIVE_TOKENS,
    )


def now(page: "kit.OpenPage[Report | None]") -> str:
    """How probable the opening’s word is with these heads off, as HTML; "" for another sentence or model."""
    settings, model = page.settings, page.model
    if any(settings.value(one) != one.default for one in (TEXT, BLANK, MODEL)):
        return ""
    blank = guess.find_blank(model, settings[TEXT], settings[BLANK])[1]
    if blank is None or blank.token is None:
        return ""
    opening, off = read_heads(OFF.default, model), read_heads(settings[OFF], model)
    was = _answers(model, blank, opening, HOW.default)[1]
    after = _answers(model, blank, off, settings[HOW])[1]
    fields = {
        "word": kit.quoted(blank.word),
        "now": kit.short(float(after[blank.token])),
        "opening": guess.names(opening),
        "was": kit.short(float(was[blank.token])),
    }
    if not off:
        return _(
            "With all heads on, “{word}” has a probability of {now}. Without {opening} it was {was}.",
            **fields,
        )
    return _(
        "Without {heads}, “{word}” has a probability of {now}. Without {opening} it was {was}.",
        heads=guess.names(off),
        **fields,
    )


def read_heads(setting: Any, model: "Model") -> list[Head]:
    """The heads of a setting that this model has, without repeats."""
    size = model.config.layers, model.config.heads
    heads = [kit.read_head(item, *size) for item in (setting if isinstance(setting, list) else [])]
    return list(dict.fromkeys(head for head in heads if head is not None))


def toggle(off: list[Head], layer: int, head: int | None, heads: int) -> list[list[int]]:
    """The setting after a click on a head, or on a layer's name: all its heads off, or on again."""
    if head is not None:
        changed = [place for place in off if place != (layer, head)]
        return [list(place) for place in (changed if len(changed) < len(off) else [*off, (layer, head)])]
    whole = [(layer, h) for h in range(heads)]
    rest = [place for place in off if place[0] != layer]
    return [list(place) for place in (rest if set(whole) <= set(off) else [*rest, *whole])]


def _text_with_blank(page: "kit.OpenPage[Report | None]") -> str:
    _, blank = guess.find_blank(page.model, page.settings[TEXT], page.settings[BLANK])
    return blank.text if blank else ""


def _answers(model: "Model", blank: guess.Blank, off: list[Head], method: str) -> "tuple[Tensor, Tensor]":
    """The probability of every token with all heads on, and with some off, each [d_vocab]."""
    from explorer.analysis.heads import ablation

    question = ablation.ask(model, blank.text, blank.which, kit.LIVE_TOKENS)
    before = ablation.answer(model, question)
    if not off:
        return before, before
    means = report.exam(model).means if method == "mean" else None
    return before, ablation.answer(model, question, ablation.switch_off(off, method, means))


def _guesses_table(changes: "list[Change]") -> str:
    rows = [[c.token, c.before, c.after, c.rank_before, c.rank_after] for c in changes]
    return kit.table(["token", "before", "after", "rank_before", "rank_after"], rows)


def _loss_table(losses: "HeadLoss") -> str:
    layers, heads = losses.change.shape
    rows = [
        [kit.head_name(layer, head), float(losses.change[layer, head]), float(losses.error[layer, head])]
        for layer in range(layers)
        for head in range(heads)
    ]
    return kit.table(["head", "change_in_nats", "standard_error"], rows)


def _map(settings: kit.Settings, model: "Model", off: list[Head]) -> "HeadLoss | None":
    """Draw the map of the loss without each head, on which a click switches a head. Returns the losses."""
    import torch

    layers, heads = model.config.layers, model.config.heads
    method = settings[HOW]
    losses = report.losses(model, method)
    grid = torch.full((layers, heads), torch.nan) if losses is None else losses.change
    certain = grid if losses is None else grid.where(significant(losses), torch.zeros(()))
    highest = float(certain.abs().nan_to_num(0).max())
    top = next((s for s in LOSS_SCALES if s >= highest), highest)
    cells = head_map.signed_cells(certain, top, lambda head: tip(head, losses))
    for cell in cells:
        cell |= {"state": "", "text": ""}
    legend = None
    if losses is not None:
        caption = _("guesses without this head")
        legend = head_map.legend(_("better"), _("worse"), caption, signed=True)
    head_map.head_map(
        _("All heads; choose one to switch it off or on"),
        grid,
        cells,
        lambda layer, head: settings.set(
            OFF.to(toggle(read_heads(settings[OFF], model), layer, head, heads))
        ),
        legend,
        {"off": off},
        _("Switch off or on layer {layer}", layer="{layer}"),
        room=230,
    )
    report.offer_losses(model, method)
    return losses


def significant(losses: "HeadLoss") -> "Tensor":
    """Whether the loss without each head differs from that with all heads by over two standard errors."""
    return (losses.change.abs() > SURE * losses.error) | losses.change.isnan()


def tip(head: Head, losses: "HeadLoss | None") -> str:
    """The tooltip of a cell."""
    if losses is None or bool(losses.change[head].isnan()):
        press = _("{head}: press to switch it off or on", head=name(head))
        return f"{press}\n{_('its effect on our sentences has not been measured')}"
    fields = {
        "head": name(head),
        "change": format_with(float(losses.change[head]), "+.4f"),
        "error": localised(f"{float(losses.error[head]):.4f}"),
    }
    if significant(losses)[head]:
        effect = _("{head}: loss {change} ± {error} nats without it alone", **fields)
    else:
        effect = _("{head}: loss {change} ± {error} nats without it alone, which may be chance", **fields)
    return f"{effect}\n{_('click to switch it off or on')}"


VIEW = kit.View(
    needs=("ATTENTION FILL", "ATTENTION GENERATE"),
    text=VIEW_TEXT.of_page(
        reading=lambda page: VIEW_TEXT.reading.filled(how=VIEW_TEXT.phrases.get(page.settings[HOW], "")),
        change=now,
    ),
    settings=(OFF, HOW, BLANK),
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(
        covered=(".right, .change, .rb-how",),
        text=_text_with_blank,
        desk='[data-testid="stColumn"]:has(.st-key-heads-map)',
    ),
)
