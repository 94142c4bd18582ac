"""The pages in the order of a course, and the sidebar that lists them."""

import ast
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from explorer import locale
from explorer.assets import ROOT, read_once
from explorer.errors import ExplorerError
from explorer.locale import N_, _
from explorer.server import session_language, streamlit_private, turns
from explorer.server.session import Session
from explorer.views.settings.page_history import PageHistory
from explorer.views.settings.settings import added_parameters, presenting_on

# The course: chapters with their pages, and the models that a page is about where its title names none. Other
# pages follow in the order of their names.
COURSE: dict[str, dict[str, str]] = {
    "": {"home": ""},
    N_("Words"): {"vectors": N_("word2vec, GloVe, fastText"), "tokens": "", "sides": "ELMo", "senses": ""},
    N_("The Transformer"): {"transformer": "", "attention": "", "heads": "", "why": ""},
    "BERT": {"masked": "", "finetuning": "", "search": N_("sentence encoders"), "probing": ""},
    "GPT": {"continuations": N_("prompts, chat")},
}
ORDER = [name for chapter in COURSE.values() for name in chapter]
FIRST = N_("Start here")  # the first page in the list of pages; its title says what all this is
LAST = "models"
LOST = Session("/click-lost", False)
FRAMED = Session("/framed", False)  # whether app.py runs the pages
CHOICE = Session("language", locale.ENGLISH)  # the control at the end of the sidebar
BEHAVIOUR = "page_behaviour"  # the component without a picture, on every page; it sends much by itself


@dataclass(frozen=True)
class PageFile:
    """A page's file, and its docstring in English: the first line is the title, the rest the caption."""

    name: str
    texts: tuple[str, str]

    @property
    def title(self) -> str:
        """Its title, in the language of whoever sees it."""
        return locale.translate(self.texts[0])

    @property
    def caption(self) -> str:
        """What is below the title, in the language of whoever sees it."""
        return locale.translate(self.texts[1])

    @property
    def path(self) -> str:
        """Where Streamlit finds the page, from the folder of app.py."""
        return f"pages/{self.name}.py"


@read_once
def pages() -> tuple[PageFile, ...]:
    """Every file in pages/, in the course's order. Their docstrings are read; nothing is executed."""
    files = {path.stem: _read(path) for path in sorted((ROOT / "pages").glob("*.py"))}
    ordered = [name for name in ORDER if name in files]
    others = sorted((name for name in files if name not in ordered), key=lambda name: (name == LAST, name))
    return tuple(files[name] for name in [*ordered, *others])


def titles() -> dict[str, str]:
    """The titles of all pages by their names."""
    return {page.name: page.title for page in pages()}


def find(name: str) -> PageFile:
    """The page with this name, the name of its file."""
    return next(page for page in pages() if page.name == name)


def declare() -> st.Page:
    """Declare the pages to Streamlit; returns the one that the address asks for."""
    return st.navigation(streamlit_private.fresh(map(_streamlit_page, pages())), position="hidden")


@read_once
def _streamlit_page(page: PageFile) -> st.Page:
    """A page as Streamlit has it, for all visitors: making one asks the disk where its file is."""
    return st.Page(
        str(ROOT / page.path), title=page.texts[0], url_path=page.name, default=page.name == "home"
    )


def run() -> None:
    """app.py: declare the pages and run the chosen one."""
    chosen = declare()
    _note_a_lost_click()
    if LOST.take():
        st.text(_("Riverbank was restarted, and your last press did not reach it. Press once more."))
    FRAMED.set(True)
    try:
        with turns.render_slot():
            chosen.run()
    except ExplorerError as error:  # before the page's own frame is drawn, for example if a style is missing
        st.text(error.message)
        st.text(error.hint)


def _note_a_lost_click() -> None:
    """Note if a session begins with a click, on a page from before the server was restarted.

    Such a click is lost: its callback is known only after the page has run.
    """
    if streamlit_private.in_script() and not FRAMED.get():
        LOST.set(streamlit_private.clicked(besides=BEHAVIOUR))


def ensure() -> None:
    """Run a page under app.py if Streamlit has run it by itself.

    The first visitor of a fresh server may open a page's own address. Streamlit then runs that
    file alone, in its older multipage mode, until some session has called st.navigation. Calling
    it here and running again ends that mode.
    """
    if streamlit_private.script() == "app.py" and not FRAMED.get():
        _note_a_lost_click()
        declare()
        FRAMED.set(True)
        st.rerun()


def wordmark() -> None:
    """The app's name, at the top of the sidebar."""
    st.sidebar.html('<div class="rb-wordmark">Riverbank</div>')


def sidebar(here: str, link: dict[str, str]) -> None:
    """The list of pages, by chapter. `link` is the link of this page, `here`.

    A page's entry links to the state in which the page was left; another address would be a second entry
    in the browser's history.
    """
    chapter_of = {name: chapter for chapter, names in COURSE.items() for name in names}
    models_of = {name: models for names in COURSE.values() for name, models in names.items()}
    framed, added = FRAMED.get(), added_parameters()

    def draw(page: PageFile, chapter: str | None, query: dict[str, str]) -> None:
        if chapter is not None:
            st.html(f'<p class="rb-chapter">{locale.translate(chapter)}</p>')
        label = _(FIRST) if page.name == "home" else page.title
        if framed:
            st.page_link(_streamlit_page(page), label=label, query_params=query)
        else:  # a page run on its own, as a test does
            st.markdown(label)
        if models := models_of.get(page.name):
            st.html(f'<p class="rb-models">{locale.translate(models)}</p>')

    box, chapter = st.sidebar.container(key="pages", gap=None), ""
    for page in pages():
        is_first = chapter != (chapter := chapter_of.get(page.name, ""))
        left = link if page.name == here else PageHistory(page.name).link() or {}
        inputs = page, chapter if is_first else None, added | left
        draw_entry = partial(draw, *inputs)
        streamlit_private.draw_kept(box, f"pages/{page.name}", (framed, *inputs), draw_entry)


def language_choice() -> None:
    """The choice of the language at the end of the sidebar, each by its own name."""
    CHOICE.set(locale.language())
    st.sidebar.segmented_control(
        _("Language"),
        locale.languages(locale.APP),
        key=CHOICE,
        format_func=_own_name,
        required=True,
        label_visibility="collapsed",
        on_change=lambda: session_language.choose(CHOICE.get()),
    )


@read_once
def _own_name(language: str) -> str:
    from babel import Locale

    return str(Locale(language).get_display_name()).capitalize()


def full_title(name: str, view: str = "") -> str:
    """A page's title, with the label of a view if it has several."""
    title = find(name).title
    return _("{page}: {view}", page=title, view=view) if view else title


def link(name: str, label: str, **settings: str) -> None:
    """A link to another page with these settings; nothing if the page does not exist.

    It keeps presenter mode.
    """
    page = next((page for page in pages() if page.name == name), None)
    framed, parameters = link_context()
    if page is not None and framed:
        st.page_link(
            _streamlit_page(page),
            label=label,
            icon=":material/arrow_forward:",
            icon_position="right",
            query_params=parameters | settings,
        )


def link_context() -> tuple[bool, dict[str, str]]:
    """What a link depends on besides its settings: whether there are pages, and what all addresses have."""
    return FRAMED.get(), added_parameters() | presenting_on()


def _read(path: Path) -> PageFile:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    title, __, caption = docstring.partition("\n")
    return PageFile(path.stem, (title.strip(), " ".join(caption.split())))
