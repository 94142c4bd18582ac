"""Words on a plane: chosen ones in groups, or the most frequent, by a projection or on one's own axes."""

from collections.abc import Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.errors import TextError
from explorer.views.frame import blocklist
from explorer.views.frame.settings import Settings
from explorer.views.vectors import plane as charts
from explorer.views.vectors import umap
from explorer.views.vectors.word_table import groups, rows, shown, table
from explorer.views.widgets.bars import bars
from explorer.views.widgets.registry import component
from explorer.views.widgets.text_box import text_box

if TYPE_CHECKING:
    from torch import Tensor

    from explorer.analysis.vectors.words import Vectors

SOURCES = {"chosen": "My words", "frequent": "500 most frequent"}
METHODS = {"pca": "PCA", "tsne": "t‑SNE", "umap": "UMAP", "axes": "My axes"}
ENDS = ("left", "right", "down", "up")
MOST = 500
HEIGHT_PX = 424
NEIGHBOURS = 6


def draw(settings: Settings, name: str) -> None:
    """The list of words and the neighbours of a clicked one, the map beside them."""
    for setting, choices in (("of", SOURCES), ("projection", METHODS)):
        if settings[setting] not in choices:
            settings.set(**{setting: next(iter(choices))})
    known = table(name)
    left, right = st.columns([32, 68], gap="medium")
    with left.container(gap="xsmall"):
        st.segmented_control(
            "Words", list(SOURCES), key=settings.key("of"), format_func=SOURCES.get,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        if settings["of"] == "chosen":
            text_box(settings, "words", "Words, a group a line", "a group a line", lines=6)
        if settings["projection"] == "axes":
            _ends(settings)
        words, member, names, missing = _chosen(settings, known)
        cover = blocklist.over(name, settings["words"], settings["locked"])
        _panel(settings, known, cover)
    with right.container(gap="xxsmall"):
        st.segmented_control(
            "Projection", list(METHODS), key=settings.key("projection"), format_func=METHODS.get,
            required=True, label_visibility="collapsed",
        )  # fmt: skip
        points, says = _points(settings, name, known, words)
        _map(settings, known, words, member, names, points, cover)
        lost = f" No vector for {', '.join(missing)}." if missing else ""
        st.html(f'<p class="rb-point">{escape(says + lost)}</p>')


def how(settings: Settings) -> tuple[str, str]:
    """How to read it, and a caveat."""
    if settings["projection"] == "axes":
        return (
            "A word stands where its vector falls on the line from one word to the other: the ticks are the "
            "two ends, the cross is the middle between them.",
            "What shows is the company that words kept in the training text, its prejudices among it.",
        )
    return (
        "Each dot is a word; colour and shape are the group you typed. Hover for the nearest words, click to "
        "list them with their cosines.",
        "No plane shows all dimensions: dotted lines lead to the words that are nearest in the original "
        "space, wherever the picture puts them.",
    )


def code(settings: Settings) -> str:
    """The same picture's numbers from Python."""
    chosen = [w for words in groups(settings["words"]).values() for w in words]
    words = repr(chosen) if settings["of"] == "chosen" else f"known.words[:{MOST}]"
    if settings["projection"] == "axes":
        left, right, down, up = (settings[n] for n in ENDS)
        made = f"""print(vectors.along(known, words, {left!r}, {right!r}))
print(vectors.along(known, words, {down!r}, {up!r}))"""
    else:
        made = f"print(projection.project(known.unit(words), {settings['projection']!r}).coordinates)"
    return f"""import explorer
from explorer.analysis import projection, vectors

known = vectors.of(explorer.load({settings["model"]!r}))
words = [w for w in {words} if w in known]
{made}"""


def coloured(known: "Vectors", text: str) -> tuple[list[str], list[int], list[str], list[str]]:
    """The words of a typed list that have a vector, the group of each, the groups' names; words without."""
    listed = groups(text)
    words, member, missing = [], [], []
    for number, group in enumerate(listed.values()):
        for word in group:
            place = known.find(word)
            if place is None:
                missing.append(word)
            elif known.words[place] not in words:
                words.append(known.words[place])
                member.append(number)
    return words[:MOST], member[:MOST], list(listed), missing


def nearest(known: "Vectors", words: Sequence[str], top: int = 3) -> list[list[tuple[str, float]]]:
    """For each of some words, the nearest ones with their cosines."""
    if not words:
        return []
    cosines = known.unit(words) @ known.matrix.T / known.lengths
    best = cosines.topk(min(top + 1, len(known)), dim=1)
    return [
        [(known.words[i], c) for i, c in zip(ids, values) if known.words[i] != word][:top]
        for word, ids, values in zip(words, best.indices.tolist(), best.values.tolist())
    ]


def frequent(known: "Vectors") -> list[str]:
    """The most frequent words of two letters or more, each once."""
    return list(islice(dict.fromkeys(w for w in known.words if len(w) > 1 and w.isalpha()), MOST))


def _chosen(settings: Settings, known: "Vectors") -> tuple[list[str], list[int], list[str], list[str]]:
    words, member, names, missing = coloured(known, settings["words"])
    if settings["of"] == "frequent":
        group = dict(zip(words, member))
        words = frequent(known)
        return words, [group.get(word, -1) for word in words], names, []
    if not words:
        raise TextError("None of these words has a vector here.", "A group a line: food: bread cheese")
    return words, member, names, missing


def _ends(settings: Settings) -> None:
    for ends, arrow in ((ENDS[:2], "→"), (ENDS[2:], "↑")):
        columns = st.columns([5, 1, 5], vertical_alignment="center", gap="xsmall")
        with columns[0]:
            text_box(settings, ends[0], f"Axis, {ends[0]} end", "a word")
        columns[1].html(f'<p style="margin:0;text-align:center">{arrow}</p>')
        with columns[2]:
            text_box(settings, ends[1], f"Axis, {ends[1]} end", "a word")


def _points(settings: Settings, name: str, known: "Vectors", words: list[str]) -> "tuple[Tensor, str]":
    """A place for each word, and what the picture keeps."""
    method = umap.ready(settings["projection"])
    if method == "axes":
        import torch

        from explorer.analysis import vectors

        left, right, down, up = (settings[n].strip() for n in ENDS)
        across, upward = vectors.along(known, words, left, right), vectors.along(known, words, down, up)
        return torch.stack([across, upward], 1), ""
    made = _projected(name, method, tuple(words))
    if made.explained is not None:
        kept = sum(made.explained)
        return made.coordinates, made.note or f"This plane keeps {kept:.0%} of the variance of these words."
    bent = f"{METHODS[method]} keeps neighbours together; its distances and gaps mean little."
    return made.coordinates, made.note or bent


@st.cache_resource(max_entries=64, show_spinner=False)
def _projected(name: str, method: str, words: tuple[str, ...]):
    from explorer.analysis import projection

    return projection.project(table(name).unit(words), method)


@st.cache_resource(max_entries=16, show_spinner=False)
def _near(name: str, words: tuple[str, ...]) -> list[list[tuple[str, float]]]:
    return nearest(table(name), words)


def _map(
    settings: Settings,
    known: "Vectors",
    words: list[str],
    member: list[int],
    names: list[str],
    points: "Tensor",
    cover: blocklist.Blocklist,
) -> None:
    """The component, with everything it draws."""
    key = "vectors/map"

    def lock() -> None:
        if (chosen := st.session_state[key].lock) is not None:
            settings.set(locked=chosen)

    many = len(words) > 120
    dots: list[dict[str, Any]] = [
        {
            "id": word,
            "text": shown(word, cover),
            "mark": group,
            "tip": _told(names, group, near, cover),
            "size": 0.8 if group >= 0 else 0.45 if many else 0.6,
        }
        for word, group, near in zip(words, member, _near(settings["model"], tuple(words)))
    ]
    # The typed words' names choose their places first.
    order = sorted(range(len(dots)), key=lambda i: dots[i]["mark"] < 0)
    data = charts.plain([dots[i] for i in order], points[order], HEIGHT_PX)
    near = []
    if settings["locked"] in known:
        from explorer.analysis import vectors

        near = [n.word for n in vectors.nearest(known, settings["locked"], NEIGHBOURS)]
    data["stretch"] = settings["projection"] != "pca"  # no other picture's scale means anything
    if settings["projection"] == "axes":
        data |= {"axes": [[settings[n].strip() for n in pair] for pair in (ENDS[:2], ENDS[2:])]}
        data |= {"reach": [max(1.05, reach) for reach in data["reach"]]}
    data |= {
        "label": f"Map of {len(words)} words",
        "marks": charts.marks(names),
        "legend": charts.legend(names, member),
        "locked": settings["locked"],
        "near": near,
        "small": many,
    }
    component("vectors/word_map")(key=key, data=data, on_lock_change=lock)


def _told(names: list[str], group: int, near: list[tuple[str, float]], cover: blocklist.Blocklist) -> str:
    said = ", ".join(f"{shown(word, cover)} {cosine:.2f}" for word, cosine in near).replace("-", "−")
    return "\n".join([*([names[group]] if group >= 0 else []), f"nearest: {said}"])


def _panel(settings: Settings, known: "Vectors", cover: blocklist.Blocklist) -> None:
    """What is locked, with its nearest words in the original space."""
    from explorer.analysis import vectors

    word = settings["locked"]
    if word not in known:
        st.html('<p class="rb-quiet">Click a dot: its nearest words, by cosine, are listed here.</p>')
        return
    found = vectors.nearest(known, word, NEIGHBOURS)
    st.html(f'<p class="rb-how">Nearest to <b>{escape(shown(word, cover))}</b>, by cosine</p>')
    bars(
        rows(found, cover), "vectors/near", f"Words nearest to {word}",
        lambda index: settings.set(locked=found[index].word), visible=NEIGHBOURS,
    )  # fmt: skip
