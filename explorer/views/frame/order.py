"""The order of a page: what happens at each run of it, step by step, with the reason for each place.

A step is given the `Screen`, on which it leaves what later steps need.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from explorer.errors import ExplorerError
from explorer.locale import ENGLISH, _, language, translate
from explorer.server import memory, session_language, streamlit_private, warm_up
from explorer.views.frame import (
    example_language,
    glossary,
    moved,
    navigation,
    notices,
    page_behaviour,
    presenter,
    problem,
    safe_sentences,
    teach,
    under_picture,
)
from explorer.views.frame.glossary import with_terms
from explorer.views.frame.hints import untouched
from explorer.views.frame.lecture import (
    course,
    course_sheet,
    lecture_library,
    lecture_place,
    lecture_sidebar,
    lecturing,
    stage,
)
from explorer.views.frame.page import Header, palette, show_error, show_script_error
from explorer.views.frame.polls import asking, panel, stop_poll
from explorer.views.frame.presets import Preset, draw_presets, presets, presets_in_row
from explorer.views.frame.saving import caption, data_table, notebook_dialog, saved_view, saving
from explorer.views.frame.saving.saving import offer
from explorer.views.frame.view import OpenPage, Page, Saves, settings_of
from explorer.views.look import theme
from explorer.views.settings.settings import Settings
from explorer.views.widgets import numbers
from explorer.views.widgets.registry import component, style
from explorer.views.widgets.visually_hidden import hidden_heading, icon_button, live_region


@dataclass(eq=False)
class Screen:
    """A page during one run: its settings, the places in its header, and what the steps have drawn so far."""

    page: Page[Any]
    settings: Settings
    course: Any = None  # the place of what a course asks
    model: Any = None  # the place of the picker
    teach: Any = None
    save: Any = None
    question: Any = None  # the place of what the class is asked
    needs: Sequence[str] = ()  # what the page's model has to be able to do
    places: presenter.Places = field(default_factory=presenter.Places)
    open: OpenPage[Any] = field(init=False)
    polls: asking.Polls = field(init=False)
    presets: Sequence[Preset] = ()
    poll_saves: Saves = ()
    problem: ExplorerError | None = None  # the picture's
    elements: streamlit_private.Elements = field(default_factory=streamlit_private.Elements)


Step = tuple[str, Callable[[Screen], object], str]


def run(page: Page[Any]) -> None:
    """Run a page, from its title to its code; an ExplorerError is shown where it occurs."""
    screen = Screen(page, Settings(page.name, *settings_of(page)))
    screen.elements = streamlit_private.elements(anew=True)
    _take(screen, ARRIVING, HEAD)
    warm_up.pause()
    try:
        _take(screen, CONTENT)
        for step in AROUND:
            try:
                _take(screen, [step])
            except ExplorerError as error:
                if str(error) != str(screen.problem):
                    show_error(error)
    except (ExplorerError, MemoryError, OSError, RuntimeError) as error:
        if not show_script_error(error):
            raise
        presenter.fill(screen.places, screen.settings)
    finally:
        try:
            lecture_place.write_address()
            screen.settings.close()
        finally:  # a stop may end it
            warm_up.resume()
    _take(screen, LEAVING)


def _take(screen: Screen, *phases: Sequence[Step]) -> None:
    for phase in phases:
        for name, step, __ in phase:
            screen.elements.part = saved_view.PARTS.get(name, "")
            step(screen)


def _look(screen: Screen) -> None:
    st.set_page_config(layout="wide", initial_sidebar_state="auto")
    navigation.ensure()
    styles = "\n".join([style("look/page.css"), presenter.css() or style("look/phone.css")])
    st.html(f"<style>{theme.css_rules(palette())}\n{styles}\n{_said_by_style()}</style>")


def _said_by_style() -> str:
    """What page.css says, and how it knows a list of models, in other languages than English."""
    if language() == ENGLISH:
        return ""
    offline = _("No connection; your place is kept.")
    others = _("Or type hub:organisation/name or folder:/a/path")
    models = f'[data-testid="stSelectboxVirtualDropdown"]:has([aria-label$="{_("Model")}" i])'
    return (
        f':root {{ --rb-offline: "{offline}"; --rb-other-models: "{others}"; }}\n'
        f"{models} {{ min-width: max(var(--trigger-width), min(340px, 100vw - 16px)); }}"
    )


def _title(screen: Screen) -> None:
    views = screen.page.views
    view = views.get(screen.settings.value("view")) if len(views) > 1 else None
    title = navigation.full_title(screen.page.name, view.text.label if view else "")
    st.set_page_config(page_title=f"{title} · Riverbank")


def _sidebar(screen: Screen) -> None:
    if not presenter.presenting():
        navigation.wordmark()
        screen.course = lecture_sidebar.draw()
        navigation.sidebar(screen.page.name, screen.settings.link())
        notebook_dialog.sidebar()
        with st.sidebar:
            component("frame/letter_keys")(key="letter-keys", data={}, height="content")
    numbers.switch()
    if not presenter.presenting():
        navigation.language_choice()


def _header(screen: Screen) -> None:
    name, settings, presenting = screen.page.name, screen.settings, presenter.presenting()
    beside = partial(st.container, horizontal=True, vertical_alignment="center")
    stop = stage.stop(settings) if presenting else None
    with beside(key="header"):
        title = lecturing.plain(stop.text) if stop else navigation.find(name).title
        st.title(title, anchor=False, width="stretch")
        if presenting:
            lecture_sidebar.present()
        screen.model = beside(key="header-right", width="content")
        with beside(key="header-tools", width="content"):
            with st.container(key="header-again", horizontal=True, width="content", gap=None):
                saving.undo(settings)
                icon_button("restart_alt", _("Reset this page"), key=f"{name}/reset", on_click=settings.reset)
            if not presenting:
                glossary.place()
                screen.save = saving.place()
            screen.teach = teach.place()
            screen.places = presenter.controls(has_question=bool(stop and stop.question))


def _line(screen: Screen) -> None:
    if presenter.presenting():
        panel.draw_line(screen.settings)
    else:
        line = with_terms(navigation.find(screen.page.name).caption)
        st.html(f'<p class="rb-caption">{line}</p>')
    screen.question = st.container()
    if (error := problem.take()) is not None:
        show_error(error, key="session-problem")


def _open(screen: Screen) -> None:
    page, settings = screen.page, screen.settings
    header = Header(settings, screen.model)
    screen.open, screen.needs = page.open(settings, header), header.needs
    screen.presets = presets_in_row(page.name, page.view_name(settings))
    model, elsewhere = screen.open.chosen, presets(page.name)
    if example_language.switch_language(settings, screen.presets, model, elsewhere=elsewhere):
        st.rerun()


def _polls(screen: Screen) -> None:
    page, who = screen.open, memory.short_label(screen.open.model_name)
    view_polls = partial(page.view.stage.polls, page)
    screen.polls = partial(asking.polls, screen.settings, view_polls, who, page.asked_text)
    asking.ask_what_waited(screen.polls)


def _stage(screen: Screen) -> None:
    """Cover the picture; then the class's question, and what offers to ask one."""
    settings, view_stage = screen.settings, screen.open.view.stage
    steps = stop_poll.steps(settings, view_stage, screen.polls)
    presenter.fill(screen.places, settings, view_stage, steps)
    if not presenter.presenting():
        is_course = stage.asks_oneself(settings) and not course.controls_shown()
        hidden = ", ".join(filter(None, (view_stage.desk, view_stage.beyond_course))) if is_course else ""
        st.html(f"<style>{stage.cover_css(settings, view_stage, hidden)}</style>")
    teach.fill(screen.teach, settings, screen.polls)
    with screen.question:
        screen.poll_saves = panel.draw(settings, screen.polls, steps.state)
    if screen.course is not None:
        with screen.course:
            course.draw(settings, screen.polls)


def _picture(screen: Screen) -> None:
    """Controls and picture; an error is shown in the picture's place. A notice is above them."""
    page, view = screen.open, screen.open.view
    if not presenter.presenting():
        st.html(f'<label class="rb-settings"><input type="checkbox">{_("Controls")}</label>')  # see phone.css
    notice_place = st.empty()
    try:
        with page.row:
            view.controls(page)
    except ExplorerError as error:
        screen.problem = error
    screen.elements.part = saved_view.PICTURE
    hidden_heading(_("Picture: {view}", view=view.text.label), "rb-picture")
    with screen.page.place(page):
        try:
            if screen.problem is not None:
                raise screen.problem
            offer(screen.settings, *view.picture(page))
        except ExplorerError as error:
            show_error(error)
            screen.problem = error
    if screen.poll_saves:
        offer(screen.settings, *screen.poll_saves)
    if (notice := notices.notice(screen.page, screen.settings, screen.needs, screen.open.model_name)).text:
        notices.draw(notice, notice_place, screen.settings)


def _line_below(screen: Screen) -> None:
    """The hints of the opening picture, the point of a preset that is in place, or what has changed."""
    settings, view = screen.settings, screen.open.view
    if screen.problem is not None or stage.is_asked(settings, view.stage):  # it would be read aloud
        return
    names = [*screen.page.settings, *view.settings]
    opening = view.text.is_opening(screen.open)
    pressed = (preset for preset in screen.presets if untouched(settings, names, preset.values))
    if opening and untouched(settings, names):
        under_picture.show_hints(view.text.first)
    elif opening and (preset := next(pressed, None)):
        under_picture.show_point(*translate((preset.label, preset.point)))
    else:
        under_picture.show_now(view.text.change(screen.open))


def _presets(screen: Screen) -> None:
    offered = example_language.offered(screen.presets, screen.open.chosen)
    popover = draw_presets(screen.settings, offered, screen.places)
    safe_sentences.draw(screen.settings, screen.page.view_name(screen.settings), popover)


def _caption(screen: Screen) -> None:
    settings, label = screen.settings, screen.open.view.text.label
    title = navigation.find(screen.page.name).title
    settings.caption = caption.lines(title, label, settings, screen.open.model_name)
    drawn = f"{_('{view} is drawn anew.', view=label)} {caption.aloud(settings)}"
    texts = map(settings.value, settings.text_labels)  # a caption has the beginning of a long one
    live_region(drawn, "rb-drawn", "\n".join([*settings.caption, *texts]))


def _how_to_read(screen: Screen) -> None:
    text = screen.open.view.text
    reading = text.explanation(screen.open) if text.explanation else text.reading
    if presenter.for_class():
        reading = text.readings.get("class", reading)
    under_picture.how_to_read(*reading)


def _formulas(screen: Screen) -> None:
    text = screen.open.view.text
    under_picture.show_formulas(text.formulas, f"{screen.page.name}-{screen.page.view_name(screen.settings)}")


def _numbers(screen: Screen) -> None:
    if screen.problem is None:
        data_table.show(screen.settings, screen.open.view.text.label)


def _web_page(screen: Screen) -> None:
    if screen.problem is not None or presenter.presenting():
        return
    settings, page = screen.settings, screen.open
    saved = saved_view.saved_view(settings, page.model_name, screen.elements, palette())
    offer(settings, saved_view.export(settings, saved))
    if stage.RECORDING.get():
        asked = [poll.computed() for poll in screen.polls()]
        if not saved_view.RECORDED.is_set():
            page.view.stage.start(settings)
        saved_view.RECORDED.set(saved_view.Recorded(saved, asked, page.view.stage))


def _code(screen: Screen) -> None:
    if screen.problem is None:
        example = screen.open.view.example(screen.open)
        under_picture.show_code(example.printed(), example.link)


# Nothing is drawn yet: where these lead to another page, it runs in place of this one.
ARRIVING: Sequence[Step] = (
    ("language", lambda _: session_language.follow_address(), "All that is said below is said in it."),
    ("look", _look, "Streamlit takes a page's width first, and nothing shall be seen without its style."),
    (
        "clicker",
        lambda screen: presenter.change_page(screen.page.name),
        "It leads on from any page, whatever the address says.",
    ),
    ("address", lambda _: lecture_place.follow_address(), "A new session opens the lecture that it names."),
    ("lecture", lambda _: lecture_library.follow_language(), "Its questions are those of the views."),
    ("place", lambda _: lecture_place.write_address(), "All links that are drawn below name it."),
    ("moved", lambda screen: moved.follow_redirect(screen.settings), "Old links lead on, unread."),
    ("server's lecture", lambda _: lecturing.begin(), "One that the address names is kept."),
    ("sheet", lambda _: lecture_place.take_sheet(), "It belongs to the lecture that is open by now."),
    ("stop", lambda screen: lecturing.apply_stop(screen.settings), "A stop sets the page's settings."),
    ("question", lambda _: stop_poll.follow(), "Another stop puts away the question of the one before."),
    ("file", lambda screen: saving.apply_opened(screen.settings), "A dropped file outdoes stop and link."),
    ("settings", lambda screen: screen.settings.open(), "The address counts if none of these set them."),
)
HEAD: Sequence[Step] = (
    ("title", _title, "It names the view, which the settings say."),
    ("sidebar", _sidebar, "It is there before a model is loaded, so that one can leave."),
    ("header", _header, "The same; its places are filled once the model and the view are known."),
    ("line", _line, "Presenter mode has another: without any React would rebuild all that follows."),
)
# An error ends them, and is shown.
CONTENT: Sequence[Step] = (
    ("open", _open, "It loads the model, and may run again with a text that the model can read."),
    ("polls", _polls, "One that waited for its picture is asked before the picture is covered."),
    ("stage", _stage, "What a stop or a class hides is hidden before it is drawn."),
    ("picture", _picture, "What follows knows its error."),
)
# An error is shown in its place, unless it is the picture's.
AROUND: Sequence[Step] = (
    ("line below", _line_below, "It says what has become of the picture."),
    ("presets", _presets, "What else can be seen comes after what is seen."),
    ("footer", lambda screen: screen.open.view.footer(screen.open), "It belongs to the picture above."),
    ("caption", _caption, "It names the settings that the controls above have labelled."),
    ("how to read", _how_to_read, "It is there for every view, in the same place."),
    ("formulas", _formulas, "They say the same more exactly."),
    ("numbers", _numbers, "They are those of what the picture offers to save."),
    ("end", lambda screen: screen.page.end(screen.open), "It is the page's, for all its views."),
    ("code", _code, "Few look for it, and they look at the end."),
    ("web page", _web_page, "All that it holds is there."),
)
# The settings have been written into the address, whatever happened above.
LEAVING: Sequence[Step] = (
    ("save", lambda screen: saving.control(screen.settings, screen.save), "All has been offered."),
    ("print", lambda screen: saving.watch(screen.settings), "It has the caption, also on stage."),
    ("sheet", lambda _: course_sheet.draw(), "A dialog lies above all."),
    ("behaviour", lambda _: page_behaviour.draw(), "The browser acts on a page that stands."),
    ("drawn", lambda screen: screen.settings.note_drawn(), "Only a run that came to its end gets here."),
)
