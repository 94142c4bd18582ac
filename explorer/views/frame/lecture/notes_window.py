"""The teacher’s second window, `/notes`: what only the teacher sees, with the first one on the projector.

It is a page without Streamlit. The first window tells it through the browser what is on the screen, and it
sends keys back; both are open in one browser. On another device, such as the teacher’s phone, it is opened
with the secret of the teacher’s room, and asks `/notes/now`.
"""

import json
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from explorer.errors import ExplorerError
from explorer.locale import APP, _, choose, language, languages, translate, use
from explorer.room import routes
from explorer.room.page import count_of
from explorer.server import hosts, session_language
from explorer.views.frame.lecture import lecture_changes, lecturing
from explorer.views.frame.polls import class_room
from explorer.views.frame.saving import web_page
from explorer.views.look import theme
from explorer.views.widgets.registry import component, module, style

KEY = "lecture/notes"


def button(still_covered: int = 0, poll_step: str = "") -> None:
    """The button that opens the window, and the first window's end of the channel; nothing without a lecture.

    `still_covered` is how many parts of the stop's picture have yet to be uncovered, and `poll_step` what the
    next press does for its poll.
    """
    if lecturing.stops():
        shown_now = on_screen(still_covered) | {"poll": poll_step}
        class_room.keep_notes(json.dumps(shown_now))
        data = {"shown": shown_now, "address": f"{hosts.visited_base()}/notes{session_language.query()}"}
        component("frame/lecture/notes_button")(key=KEY, data=data, width="content")


def on_screen(still_covered: int) -> dict[str, Any]:
    """What the window shows: the stop that is open, its notes, the next one, and the minutes."""
    here, all_stops, items = lecturing.at(), lecturing.stops(), lecturing.items()
    ahead = 0 if here is None else here + 1
    return {
        "lecture": lecture_changes.title(),
        "title": all_stops[here].text if here is not None else "",
        "progress": lecturing.progress(),
        "notes": [_note(*map(str.strip, note.split(":", 1))) for note in lecturing.notes()],
        "next": all_stops[ahead].text if ahead < len(all_stops) else "",
        "covered": still_covered,
        "begins": lecturing.starts(items)[here] if here is not None else None,
        "minutes": sum(item.minutes for item in items),
    }


def _note(kind: str, text: str = "") -> list[str]:
    """A note as the window shows it: its kind, its text, and what the kind is called."""
    return [kind, text, translate(f"{kind.capitalize()}.").rstrip(".。")]


async def now(request: Request) -> Response:
    """What the window shows, as JSON, for the secret of a teacher's room in the header `authorization`."""
    _use_language(request)
    code, _dot, secret = request.headers.get("authorization", "").partition(class_room.DOT)
    try:
        notes = await run_in_threadpool(routes.store.notes, code, secret)
    except ExplorerError as error:
        return PlainTextResponse(str(error), 403)
    if notes and (current := await run_in_threadpool(routes.store.newest, code)) and current.state == "open":
        notes = json.dumps(json.loads(notes) | {"answered": count_of(current)})
    return Response(notes or "null", media_type="application/json", headers={"cache-control": "no-store"})


async def page(request: Request) -> HTMLResponse:
    """The window, in the language of the first one. It holds no lecture and no text of anybody."""
    _use_language(request)
    light, dark = theme.css_rules(theme.LIGHT), theme.css_rules(theme.DARK)
    look = (
        f"{light} @media (prefers-color-scheme: dark) {{ {dark} }} {style('frame/lecture/notes_window.css')}"
    )
    head = f"<title>{_('Notes')} · Riverbank</title><style>{look}</style>"
    program = module("frame/lecture/notes_window.js")
    script = f'{web_page.translations(program)}<script type="module">{program}</script>'
    viewport = '<meta name="viewport" content="width=device-width, initial-scale=1">'
    body = f'<body><main class="root" translate="no"></main>{script}</body>'
    html = f'<!doctype html><html lang="{language()}"><meta charset="utf-8">{viewport}{head}{body}</html>'
    return HTMLResponse(html)


def _use_language(request: Request) -> None:
    wish = request.query_params.get(session_language.PARAMETER, "")
    use(wish if wish in languages(APP) else choose(request.headers.get("accept-language", ""), APP))


def addresses() -> list[Route]:
    """The addresses that the server answers for the window."""
    base = hosts.base()
    return [Route(f"{base}/notes", page), Route(f"{base}/notes/now", now)]
