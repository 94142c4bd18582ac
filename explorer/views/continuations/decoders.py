"""Five ways: one prompt, five decoders side by side, and how much each repeats itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import log
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.analysis.repetition import distinct, repeated
from explorer.views.continuations.presets import WAYS as PRESETS
from explorer.views.frame import blocklist
from explorer.views.frame.saving import Export, offer, table
from explorer.views.frame.settings import Settings
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from explorer.models import LanguageModel

__all__ = ["PRESETS", "code", "draw", "how"]

KEPT = "continuations/ways"
WIDTHS, KEEP, LONGEST = (2, 4, 8), (5, 10, 40, 100), 80
EVERY = 3  # tokens between two looks at the page


@dataclass(frozen=True, eq=False)
class Written:
    """What one decoder has written so far: its tokens, their text, and log P of the whole, in nats."""

    ids: list[int]
    text: str
    log_probability: float


@dataclass(frozen=True)
class Way:
    """A decoder: its name, and its settings in words."""

    name: str
    detail: str


def draw(settings: Settings, model: "LanguageModel") -> None:
    """The prompt and the decoders' settings; a row for each, which fills as it writes."""
    text_box(
        settings, "text", "Prompt", "Type the beginning of a text", on_change=lambda: settings.set(tree="")
    )
    _controls(settings)
    names = ("model", "text", "width", "keep", "mass", "alpha", "seed", "length")
    asked = tuple(settings[name] for name in names)
    cover = blocklist.over(settings["model"], settings["text"])
    with st.container(key="picture", gap="xxsmall"):
        st.html(_row(None, None, settings["text"], cover))
        slots = [st.empty() for _ in ways(settings)]
        known = st.session_state.get(KEPT)
        if known is None or known[0] != asked:
            known = st.session_state[KEPT] = (asked, _write(settings, model, slots, cover))
        for way, slot, written in zip(ways(settings), slots, known[1]):
            slot.html(_row(way, written, settings["text"], cover))
    rows = [[way.name, way.detail, made.text, *figures(made)] for way, made in zip(ways(settings), known[1])]
    heads = ["way", "settings", "text", "bits a token", "repeated", "distinct tokens", "distinct pairs"]
    offer(settings, Export("The five texts", "five-ways.csv", lambda: table(heads, rows)))


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    return (
        "Greedy and beam search look for the probable, the next two draw, contrastive search takes a "
        "probable token that is unlike what stands there. Repeated: runs of three tokens seen before; "
        "distinct: different tokens and pairs, of all there are.",
        "Few bits are not good writing: people’s own text is more surprising than a model’s best "
        "(Holtzman et al. 2020).",
    )


def code(settings: Settings) -> str:
    """The five in Python."""
    seed, length = settings["seed"], settings["length"]
    return f"""\
import explorer
from explorer.analysis.beam import Beam, beam_search
from explorer.analysis.contrastive import Contrastive, contrastive_search
from explorer.analysis.generation import Sampling, generate

model, prompt = explorer.load({settings["model"]!r}), {settings["text"]!r}
searches = [
    generate(model, prompt, Sampling(greedy=True, max_new_tokens={length})),
    beam_search(model, prompt, Beam(width={settings["width"]}, max_new_tokens={length})),
    generate(model, prompt, Sampling(top_k={settings["keep"]}, seed={seed}, max_new_tokens={length})),
    generate(model, prompt, Sampling(top_p={settings["mass"]}, seed={seed}, max_new_tokens={length})),
    contrastive_search(model, prompt, Contrastive(alpha={settings["alpha"]}, max_new_tokens={length})),
]
for search in searches:
    list(search)
    print(search.continuation)
"""


def ways(settings: Settings) -> list[Way]:
    """The five, in the order in which they are drawn."""
    return [
        Way("Greedy", "always the best"),
        Way("Beam", f"{settings['width']} roads at once"),
        Way("Top-k", f"draws from {settings['keep']}"),
        Way("Nucleus", f"draws from p {settings['mass']:g}"),
        Way("Contrastive", f"α {settings['alpha']:g}, k 4"),
    ]


def searches(settings: Settings, model: "LanguageModel") -> list[Any]:
    """The five decoders, nothing written yet."""
    from explorer.analysis.beam import Beam, beam_search
    from explorer.analysis.contrastive import Contrastive, contrastive_search
    from explorer.analysis.generation import Sampling, generate

    text, seed, length = settings["text"], settings["seed"], settings["length"]
    return [
        generate(model, text, Sampling(greedy=True, max_new_tokens=length), candidates=1),
        beam_search(model, text, Beam(width=settings["width"], max_new_tokens=length)),
        generate(
            model, text, Sampling(top_k=settings["keep"], seed=seed, max_new_tokens=length), candidates=1
        ),
        generate(
            model, text, Sampling(top_p=settings["mass"], seed=seed, max_new_tokens=length), candidates=1
        ),
        contrastive_search(model, text, Contrastive(alpha=settings["alpha"], max_new_tokens=length)),
    ]


def written(search: Any) -> Written:
    """What a decoder has now: of a beam, its best road."""
    if hasattr(search, "best"):
        best = search.best
        return Written(list(search.ids), search.continuation, best.log_probability if best else 0.0)
    score = sum(log(max(step.probability, 1e-45)) for step in search.steps)
    return Written([step.id for step in search.steps], search.continuation, score)


def figures(made: Written) -> list[str]:
    """Bits a token, repeated, distinct tokens, distinct pairs."""
    if not made.ids:
        return ["", "", "", ""]
    bits = -made.log_probability / log(2) / len(made.ids)
    shares = (repeated(made.ids), distinct(made.ids, 1), distinct(made.ids, 2))
    return [f"{bits:.1f}", *(f"{share:.0%}" for share in shares)]


def _write(
    settings: Settings, model: "LanguageModel", slots: list[Any], cover: blocklist.Blocklist
) -> list[Written]:
    """All five, a token of each in turn; the rows fill as they go, and a visitor who leaves ends it."""
    made = searches(settings, model)
    try:
        for turn in _turns(made):
            if turn % EVERY == 0:
                for way, slot, search in zip(ways(settings), slots, made):
                    slot.html(_row(way, written(search), settings["text"], cover))
        return [written(search) for search in made]
    finally:
        for search in made:
            search.close()


def _turns(made: list[Any]) -> Iterator[int]:
    turn, left = 0, list(made)
    while left:
        left = [search for search in left if next(search, None) is not None]
        turn += 1
        yield turn


def _controls(settings: Settings) -> None:
    held = {
        "width": min(WIDTHS, key=lambda w: abs(w - settings["width"])),
        "keep": min(KEEP, key=lambda k: abs(k - settings["keep"])),
        "mass": min(max(settings["mass"], 0.05), 1.0),
        "alpha": min(max(settings["alpha"], 0.0), 1.0),
        "length": min(max(settings["length"], 1), LONGEST),
        "seed": min(max(settings["seed"], 0), 10**9),
    }
    settings.set(**{name: value for name, value in held.items() if value != settings[name]})
    columns = st.columns(6, gap="medium")
    columns[0].select_slider(
        "Beam width", WIDTHS, key=settings.key("width"),
        help="How many roads beam search keeps alive at once.",
    )  # fmt: skip
    columns[1].select_slider("Top-k", KEEP, key=settings.key("keep"), help="It draws from so many tokens.")
    columns[2].slider(
        "Top-p", 0.05, 1.0, step=0.05, key=settings.key("mass"),
        help="Nucleus sampling draws from the fewest tokens that together reach p.",
    )  # fmt: skip
    columns[3].slider(
        "Contrastive α", 0.0, 1.0, step=0.1, key=settings.key("alpha"),
        help="How much a token is punished for being like those before it (Su et al. 2022). 0 is greedy.",
    )  # fmt: skip
    columns[4].number_input("Seed", 0, 10**9, step=1, key=settings.key("seed"))
    columns[5].slider("Length", 1, LONGEST, key=settings.key("length"))


def _row(way: Way | None, made: Written | None, prompt: str, cover: blocklist.Blocklist) -> str:
    if way is None or made is None:
        heads = "".join(f"<span>{head}</span>" for head in ("bits each", "repeated", "distinct", "pairs"))
        return f'<div class="rb-way heads"><span></span><span></span><div class="figures">{heads}</div></div>'
    said = "".join(blocklist.written(cover, [made.text], prompt)).strip(" ").replace("\n", "↵\n")
    numbers = "".join(f"<span>{figure}</span>" for figure in figures(made))
    return (
        f'<div class="rb-way"><div><b>{way.name}</b><small>{way.detail}</small></div>'
        f'<div class="said" dir="auto" tabindex="0">{escape(said)}</div>'
        f'<div class="figures">{numbers}</div></div>'
    )
