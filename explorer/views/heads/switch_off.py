"""Switch off: the model's guess with and without some heads, and what each head alone is worth."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.views.frame.limits import LIVE_TOKENS
from explorer.views.frame.saving import Export, Picture, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.heads import guess, head_map, report
from explorer.views.heads import sentence as heads_sentence
from explorer.views.heads.head_map import Head, name
from explorer.views.heads.presets import OFF as PRESETS

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.heads.loss import HeadLoss
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "code", "draw", "how"]

HOW = {"zero": "Zero", "mean": "Mean", "uniform": "Uniform"}
LOSS_SCALES = (0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0)
SURE = 2  # standard errors: a change of less is left blank


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The sentence with its blank, the map to switch heads off on, the guesses before and after."""
    from explorer.trace import Ability

    model.require(Ability.FILL | Ability.GENERATE, "predict words")
    if settings["how"] not in HOW:
        settings.set(how="zero")
    heads_sentence.box(settings, blank=-1)
    off = read(settings["off"], model)
    _controls(settings, off)
    offer(settings, Picture("heads-picture", f"heads-off-{settings['model']}"))
    with st.container(key="heads-picture", gap="xsmall"):
        _picture(settings, model, off)


def _picture(settings: Settings, model: "LanguageModel", off: list[Head]) -> None:
    from explorer.analysis.heads import ablation

    asked = guess.strip(settings, model)
    left, right = st.columns([45, 55], gap="medium")
    with left:
        _map(settings, model, off)
    with right, st.container(gap="xxsmall"):
        if asked is None:
            st.html('<p class="rb-how">Type a sentence above, or try one below.</p>')
            return
        question = ablation.ask(model, asked.text, asked.which, LIVE_TOKENS)
        way = settings["how"]
        means = report.exam(str(model.checkpoint)).means if off and way == "mean" else None
        before = ablation.answer(model, question)
        after = ablation.answer(model, question, ablation.switch_off(off, way, means)) if off else before
        shown = guess.guesses(model, asked, before, after, off)
        if off:
            heads_sentence.to_attention(settings, off[-1], asked.text)
    rows = [[one.token, one.before, one.after, one.rank_before, one.rank_after] for one in shown]
    columns = ["token", "before", "after", "rank_before", "rank_after"]
    file = f"heads-off-{settings['model']}.csv"
    offer(settings, Export("Guesses before and after", file, lambda: table(columns, rows)))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    ways = {
        "zero": "Zero: a head that is off gives 0.",
        "mean": "Mean: it gives the same at every token, its mean over all tokens of our 50 sentences.",
        "uniform": "Uniform: it looks at everything it may see alike, and gives the mean of that.",
    }
    return (
        f"{ways.get(settings['how'], '')} The map says how much worse the model guesses on our 50 sentences "
        "without each head alone, in hundredths of a nat; a click switches a head off for your sentence.",
        "Where nothing changes, other heads may do the same; where much does, values may have reached the "
        "rest of the network that it never met. Blank cells lie within two standard errors of 0; by chance "
        "alone, one in twenty would not. After Michel et al. (2019).",
    )


def code(settings: Settings, model: "LanguageModel") -> str:
    """The same change from Python."""
    heads = read(settings["off"], model)
    _, asked = guess.ask(model, settings["text"], settings["blank"])
    text, which = (asked.text, asked.which) if asked else (settings["text"], 0)
    means = ", ablation.mean_outputs(model, loss.sentences())" if settings["how"] == "mean" else ""
    needs = "ablation, loss" if means else "ablation"
    return f"""import explorer
from explorer.analysis.heads import {needs}

model = explorer.load({settings["model"]!r})
question = ablation.ask(model, {text!r}, which={which}, limit={LIVE_TOKENS})
off = ablation.switch_off({heads!r}, {settings["how"]!r}{means})
before, after = ablation.answer(model, question), ablation.answer(model, question, off)
for change in ablation.changes(model, before, after):
    print(f"{{change.token:16}} {{change.before:.4f}} {{change.after:.4f}}")"""


def read(setting: Any, model: "LanguageModel") -> list[Head]:
    """The heads of a link that this model has, each once."""
    size = model.config.layers, model.config.heads
    found = [head_map.held(one, *size) for one in (setting if isinstance(setting, list) else [])]
    return list(dict.fromkeys(head for head in found if head is not None))


def toggled(off: list[Head], layer: int, head: int | None, heads: int) -> list[list[int]]:
    """The setting after a click on a head, or on a layer's name: the whole layer off, or on again."""
    if head is not None:
        changed = [one for one in off if one != (layer, head)]
        return [list(one) for one in (changed if len(changed) < len(off) else [*off, (layer, head)])]
    whole = [(layer, h) for h in range(heads)]
    rest = [one for one in off if one[0] != layer]
    return [list(one) for one in (rest if set(whole) <= set(off) else [*rest, *whole])]


def _controls(settings: Settings, off: list[Head]) -> None:
    with st.container(key="heads-off-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        st.segmented_control(
            "How a head is switched off", list(HOW), key=settings.key("how"), format_func=HOW.get,
            required=True, width="content", label_visibility="collapsed",
        )  # fmt: skip
        st.button(
            "All heads on", key="heads/on", disabled=not off, on_click=lambda: settings.set(off=[])
        )  # fmt: skip
        if off:
            st.html(f'<p class="rb-point" style="white-space:nowrap">Off: {guess.names(off)}</p>')


def _map(settings: Settings, model: "LanguageModel", off: list[Head]) -> None:
    """The map of what each head alone is worth, where it is known; a click switches a head."""
    import torch

    layers, heads = model.config.layers, model.config.heads
    way = settings["how"]
    known = report.losses(str(model.checkpoint), way)
    grid = torch.full((layers, heads), torch.nan) if known is None else known.change
    certain = grid if known is None else grid.where(sure(known), torch.zeros(()))
    highest = float(certain.abs().nan_to_num(0).max())
    top = next((s for s in LOSS_SCALES if s >= highest), highest)
    cells = head_map.signed_cells(certain, top, lambda head: tip(head, known))
    for cell, value in zip(cells, certain.flatten().tolist()):
        cell |= {"state": "", "text": number(value, top)}
    legend = None
    if known is not None:
        ends = f"{100 * top:.0f}"
        said = f"hundredths of a nat; all on: {known.loss:.2f} nats"
        legend = head_map.legend(f"−{ends}", ends, said, signed=True)
    head_map.head_map(
        "heads/map", "All heads; choose one to switch it off or on", grid, cells,
        lambda layer, head: settings.set(off=toggled(read(settings["off"], model), layer, head, heads)),
        legend, {"off": off}, "Switch off or on layer", room=230,
    )  # fmt: skip
    report.offer_losses(model, way)
    if known is not None:
        rows = [
            [layer, head, float(known.change[layer, head]), float(known.error[layer, head])]
            for layer in range(layers)
            for head in range(heads)
        ]
        file = f"heads-loss-{settings['model']}-{way}.csv"
        columns = ["layer", "head", "change_in_nats", "standard_error"]
        offer(settings, Export("Loss without each head", file, lambda: table(columns, rows)))


def sure(known: "HeadLoss") -> "Tensor":
    """Where the loss without a head differs from that with all by more than two standard errors."""
    return (known.change.abs() > SURE * known.error) | known.change.isnan()


def number(change: float, top: float) -> str:
    """A cell's number, in hundredths of a nat; empty for one that is 0 as far as anybody can tell."""
    if change != change or change == 0:
        return ""
    small = abs(change) < 0.0095
    text = f"{100 * change:.{1 if small or top <= 0.05 else 0}f}".replace("-", "−")
    return text.replace("0.", ".") if small and top > 0.05 else text


def tip(head: Head, known: "HeadLoss | None") -> str:
    """What hovering over a cell tells."""
    if known is None or bool(known.change[head].isnan()):
        return f"{name(head)}: click to switch it off or on\nits worth on our sentences is not measured"
    change, error = float(known.change[head]), float(known.error[head])
    said = f"{change:+.4f} ± {error:.4f} nats without it alone".replace("-", "−")
    doubt = "" if sure(known)[head] else ", which may be chance"
    return f"{name(head)}: {said}{doubt}\nclick to switch it off or on"
