"""The choice of a model in a page's header.

A link may come from anybody and name any model. A model that is not in memory is fetched, or read from the
disk, only after this visitor has chosen it by hand.
"""

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import streamlit as st

from explorer.catalogue.manifest import label_with_languages, missing
from explorer.errors import CheckpointError
from explorer.locale import N_, _, in_this_language
from explorer.server import hosts, memory
from explorer.server.session import Session
from explorer.views.settings.setting import MODEL, Setting
from explorer.views.settings.settings import Settings
from explorer.views.widgets.progress_bar import progress_bar

if TYPE_CHECKING:
    from explorer.models import LanguageModel
    from explorer.trace import Ability


CHOSEN = Session[set[str]]("/picker/chosen", set())
RENAMED = Session("/picker/renamed", False)  # the box may show a text that was typed, or an old one
FOR_VISITORS = 2000  # megabytes to download
SHOWN = 120  # characters of a name in a message
TYPED = N_("hub:organisation/name or folder:/a/path")  # page.css says so above the list, too
OTHER_MODELS = N_(
    "Others are opened by name: type {typed} into the list. BERT, Llama, Qwen, Gemma, Phi, SmolLM, OLMo, "
    "Granite, OPT, Pythia and more are read. With 8 GB of memory models of up to 1.5 billion parameters fit, "
    "with 16 GB of up to 4, with 32 GB of up to 8."
)


class NotChosenError(CheckpointError):
    """A link asks for a model that the visitor has not chosen: its `name`."""

    def __init__(self, name: str) -> None:
        source, __, place = name.partition(":")
        short_place = place if len(place) <= SHOWN else place[:SHOWN] + "…"
        request, hint = {
            "hub": (
                _("the model {name} from the Hugging Face hub", name=short_place),
                _("Loading it may fetch a few gigabytes."),
            ),
            "folder": (
                _("a model from {name}", name=short_place),
                _("Loading it reads files of Riverbank’s computer."),
            ),
            "serve": (
                _("a model at {name}", name=short_place),
                _("What is typed on the page is then sent there."),
            ),
            "vectors": (
                _("the vectors in {name}", name=short_place),
                _("Loading them reads files of Riverbank’s computer."),
            ),
        }.get(source, (_("the model {name}", name=name[:SHOWN]), ""))
        advice = (
            _("Load them only if you expected this.")
            if source == "vectors"
            else _("Load it only if you expected this.")
        )
        super().__init__(_("The link asks for {request}.", request=request), f"{hint} {advice}".strip())
        self.name = name


def choose(name: str) -> None:
    """Note that this visitor has chosen a model by hand."""
    CHOSEN.get().add(name)


def was_chosen(name: str) -> bool:
    """Whether this visitor has chosen a model by hand."""
    return name in CHOSEN.get()


def pick(
    settings: Settings,
    *abilities: "Ability",
    setting: Setting[str] = MODEL,
    caption: str = N_("Model"),
    before: str = "",
    width: Any = "stretch",
) -> "LanguageModel":
    """Draw a box of models with one of the abilities, `before` before each; returns the chosen one, loaded.

    A name that is not listed may be typed: `hub:organisation/name`, `folder:/a/path` or
    `serve:http://host:8000/name`.
    """
    typed = open_sources()
    every = choices(typed)
    every |= {model.name: model.abilities for model in missing()}
    names = [name for name, has in every.items() if has is None or any(one in has for one in abilities)]

    renamed = RENAMED.at(setting)

    def changed() -> None:
        choose(settings[setting])
        _respell(settings, setting, before, [*every, *memory.titles()])
        choose(settings[setting])
        renamed.set(True)

    _respell(settings, setting, before, [*every, *memory.titles()])
    if renamed.take():
        settings.send_again(setting)
    chosen = settings[setting]
    labels = {name: before + label(name) for name in dict.fromkeys([*names, chosen])}
    st.selectbox(
        _(caption),
        list(labels),
        key=settings.key(setting, _(caption) if before else "", memory.short_label),
        format_func=in_this_language(
            lambda name: labels.get(name) or before + label(name)
        ),  # typed ones are new
        on_change=changed,
        accept_new_options=typed,
        placeholder=_(TYPED),
        label_visibility="collapsed",
        width=width,
    )
    label_before = label(settings[setting])
    model = load(settings[setting])
    if label(settings[setting]) != label_before:
        renamed.set(True)
        st.rerun()
    return model


def choices(typed: bool | None = None) -> "dict[str, Ability | None]":
    """The models of the list, with what they can do; where no name may be `typed`, those of moderate size."""
    import explorer
    from explorer.checkpoints.listed import LISTED

    most = float("inf") if (open_sources() if typed is None else typed) else FOR_VISITORS
    large = {f"hub:{name}" for name, model in LISTED.items() if model.megabytes > most}
    return {str(c): c.abilities for c in explorer.available() if str(c) not in large}


def _respell(settings: Settings, setting: Setting[str], before: str, names: list[str]) -> None:
    """Replace a model's label by its name, and the name of one that is not bundled by its canonical spelling.

    A box that takes typed names sends what it shows, which may be a label from before the download or from
    an earlier list of models; the label of a model on the hub is `organisation/name`. Caches use the
    canonical spelling.
    """
    name = _name_of_label(settings[setting].removeprefix(before), names)
    with suppress(CheckpointError):
        canonical = memory.canonical(name)
        if ":" not in canonical and "/" in canonical:
            canonical = memory.canonical(f"hub:{canonical}")
        name = canonical if ":" in canonical else name
    if name != settings[setting]:
        settings.set(setting.to(name))


def _name_of_label(text: str, names: list[str]) -> str:
    """The one of these models that has had a text as its label in the picker; if there is none, the text.

    >>> _name_of_label("gpt2, 548 MB to download", ["gpt", "hub:openai-community/gpt2"])
    'hub:openai-community/gpt2'
    """
    if text in names or ":" in text:
        return text
    start = _start(text)  # what follows may have changed
    return next((name for name in names if _start(label(name)) == start), text)


def _start(text: str) -> str:
    """A label up to its comma, in any language."""
    return text.replace("，", ", ").partition(", ")[0]


def label(name: str) -> str:
    """A model's name in the picker, and the size of its download."""
    from explorer.checkpoints import hub, listed
    from explorer.trace import Checkpoint

    if not name.startswith("hub:"):
        return memory.titles().get(name) or label_with_languages(name)
    place = name.removeprefix("hub:")
    if place not in listed.LISTED:  # it was typed, and so has been fetched
        return place
    short_name = place.rpartition("/")[2]
    there = memory.loaded(name) or hub.cached(Checkpoint("hub", place)) is not None
    return (
        short_name
        if there
        else _("{name}, {size} MB to download", name=short_name, size=f"{listed.LISTED[place].megabytes:,}")
    )


def pick_bundled(settings: Settings, names: list[str]) -> str:
    """Draw the picker of a page about the checkpoints in `names`; nothing is loaded."""
    chosen = settings[MODEL]
    st.selectbox(
        _("Model"),
        names if chosen in names else [*names, chosen],
        key=settings.key(MODEL),
        format_func=memory.short_label,
        label_visibility="collapsed",
        help=_("A model that ships with Riverbank."),
    )
    return settings[MODEL]


def load(name: str) -> "LanguageModel":
    """A loaded model, with a progress bar while it is fetched.

    Raises NotChosenError if a link asks for it, CheckpointError if this visitor may not load it or if it
    cannot be loaded.
    """
    elsewhere = ":" in memory.canonical(name)  # a path or an address may lack its source
    if elsewhere:
        admit(name)
    if memory.loaded(name):
        return memory.get(name)
    with progress_bar() as show:

        def show_size(loaded_bytes: int, total: int, file: str) -> None:
            loaded, whole = f"{loaded_bytes / 1e6:.0f}", f"{total / 1e6:.0f}"
            size = _("Fetching {file}: {loaded} of {whole} MB", file=file, loaded=loaded, whole=whole)
            show(loaded_bytes / max(total, 1), size if file else _("Asking the Hugging Face hub"))

        return memory.fetch(name, show_size if elsewhere else None)


def admit(name: str) -> None:
    """Raise an error if this visitor may not load a model that does not ship with Riverbank."""
    canonical = memory.canonical(name)
    if not open_sources() and canonical not in choices(typed=False):
        raise CheckpointError(
            _(
                "{name} is not in this server’s list, and other names and folders are off here.",
                name=canonical[:SHOWN],
            ),
            _("Choose a model from the list, or run Riverbank on your own computer."),
        )
    if not (memory.loaded(canonical) or was_chosen(name) or was_chosen(canonical)):
        raise NotChosenError(canonical)


def open_sources() -> bool:
    """Whether the visitor may type any name: at this computer, or if an environment variable says so."""
    from explorer import checkpoints

    if checkpoints.OPEN_VARIABLE in os.environ:
        return checkpoints.open_sources()
    return not hosts.shared() and hosts.at_this_computer(st.context.headers)
