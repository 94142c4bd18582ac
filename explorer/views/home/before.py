"""Before the lecture: larger models from the hub, to be fetched while there is a network.

Only the person at this computer can fetch them, as only they may load any model (see `picker.open_sources`).
"""

import streamlit as st

from explorer.errors import CheckpointError
from explorer.server.turns import outside_slot
from explorer.views import kit

# Hub models for a lecture, with what each is for; those of today with the memory that they need.
SUGGESTED = {
    "google-bert/bert-base-uncased": "BERT as it was published, for masked words and attention",
    "openai-community/gpt2": "GPT-2 as it was published, for continuations",
    "google-bert/bert-base-chinese": "BERT for Chinese",
    "Qwen/Qwen3-0.6B": "thinks in writing before it answers, on a computer with 8 GB",
    "allenai/OLMo-2-0425-1B-Instruct": "a chat model whose training texts anybody can read, with 8 GB",
    "HuggingFaceTB/SmolLM3-3B": "writes six languages, and thinks first if it is asked to, with 16 GB",
}


def prepare() -> None:
    """An expander with the models, their sizes, which are here, and how to fetch the others."""
    if not kit.picker.open_sources():
        return
    with st.expander("Before the lecture: fetch larger models"):
        from explorer import fetch
        from explorer.checkpoints.listed import LISTED

        st.html(
            '<p class="rb-point">Riverbank needs no network. These models are larger than its own and have '
            "to be downloaded once. They then stand in the list of models, and nothing opens with them by "
            "itself.</p>"
        )
        absent = [name for name in SUGGESTED if not fetch.is_here(name)]
        chosen = [name for name in SUGGESTED if _row(name, name not in absent, LISTED[name].megabytes)]
        if absent:
            names = " ".join(name.rpartition("/")[2] for name in chosen or absent)  # short for a listed model
            st.html(
                '<p class="rb-point">The same in a terminal: '
                f"<code>python -m explorer.fetch {names}</code></p>"
            )
        total = sum(LISTED[name].megabytes for name in chosen)
        label = f"Fetch {total:,} MB" if chosen else "Fetch"
        if st.button(label, key="home/fetch", disabled=not chosen):
            _fetch(chosen)


def _row(name: str, here: bool, megabytes: int) -> bool:
    """A model's line; whether it is chosen. One that is here needs no choice."""
    text = f"**{name.rpartition('/')[2]}**, {SUGGESTED[name]}"
    state = "here already" if here else f"{megabytes:,} MB"
    return bool(st.checkbox(f"{text} · {state}", key=f"home/fetch/{name}", disabled=here)) and not here


def _fetch(names: list[str]) -> None:
    """Fetch models one after the other, with a bar; what fails is said, with what to do."""
    from explorer import fetch

    problems = []
    with kit.progress_bar() as show, outside_slot():  # others may draw their pages meanwhile
        show(0.0, "Asking the hub")
        for number, name in enumerate(names, 1):

            def show_size(fetched: int, total: int, _: str, name: str = name, number: int = number) -> None:
                size = f"{fetched / 1e6:,.0f} of {total / 1e6:,.0f} MB"
                show(fetched / max(total, 1), f"{name.rpartition('/')[2]}, {number} of {len(names)}: {size}")

            try:
                fetch.fetch(name, show_size)
            except CheckpointError as error:
                problems.append(f"{error.message} {error.hint}".strip())
    for problem in dict.fromkeys(problems):
        st.text(problem)
    if not problems:
        st.rerun()
