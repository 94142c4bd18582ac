"""The addresses of the phone's page: `/join` for a code, `/join/CODE` for the room.

GET  /join/CODE          the page
POST /join/CODE          an answer; the page again, or JSON for the script
GET  /join/CODE/state    what the phone sees, as JSON
GET  /join/CODE/events   the same as a stream of server-sent events, after each change
"""

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import wraps
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from explorer import locale
from explorer.errors import ExplorerError, NotFoundError, TextError
from explorer.locale import _
from explorer.room import page
from explorer.room.changes import Changes
from explorer.room.database import RoomError
from explorer.room.limit import Limit
from explorer.room.page import View
from explorer.room.store import Store, read_code

COOKIE = "riverbank_phone"
A_DAY_S = 24 * 3600
MOST_WRONG = 60  # codes a minute from one address
MOST_NEW = 50  # phones a second from one address
MOST_PHONES = 100_000  # that are remembered as being in a room
LARGEST_FORM = 4_000  # bytes
ALIVE_S = 15.0  # between two signs of life of a quiet stream
SWEEP_S = 3600.0
LANGUAGE = "riverbank_language"  # the cookie of a phone whose address named one
store = Store()
_changes: Changes | None = None
_wrong, _new = Limit(MOST_WRONG, 60), Limit(MOST_NEW, 1)
_inside: OrderedDict[tuple[str, str], None] = OrderedDict()  # phones, each with the code of its room


async def join(request: Request) -> Response:
    """The form for a code; a code leads on to its room.

    Addresses are relative, since a proxy may have taken a path off.
    """
    code = read_code(request.query_params.get("code", ""))
    if code:
        return RedirectResponse(f"join/{code}", 303)
    return _document(request, None)


async def room(request: Request) -> Response:
    """The page of a room, for a phone's question and answer; another code that was typed there leads on."""
    if typed := read_code(request.query_params.get("code", "")):
        return RedirectResponse(f"./{typed}", 303)
    code = read_code(request.path_params["code"])
    try:
        await _enter(request, code)
        phone_view = await run_in_threadpool(_view, code, phone_of(request))
    except ExplorerError as error:
        problem, status = _problem(request, error)
        waits = View("", f"<h1>{_('One moment.')}</h1>", "", 2) if isinstance(error, TooManyPhones) else None
        return _document(request, waits, problem=problem, status=status)
    return _document(request, phone_view, _("Room {code}", code=code))


async def take_answer(request: Request) -> Response:
    """Keep an answer: the page again, or JSON for the script. Another site's form is refused."""
    origin, host = request.headers.get("origin"), request.headers.get("host", "")
    if origin not in (None, f"http://{host}", f"https://{host}"):
        return HTMLResponse(_("Answers are taken from this page alone."), 403)
    code, phone = read_code(request.path_params["code"]), phone_of(request)
    form, for_script = await _form(request), "application/json" in request.headers.get("accept", "")
    try:
        await _enter(request, code)
        phone_view = await run_in_threadpool(_answer, code, phone, form)
    except ExplorerError as error:
        problem, status = _problem(request, error)
        if for_script:
            again = isinstance(error, TooManyPhones)
            return _with_cookie(request, JSONResponse({"problem": problem, "again": again}, status))
        if status == 429:
            return _document(request, None, problem=problem, status=status)
        try:
            phone_view = await run_in_threadpool(_view, code, phone)
        except ExplorerError:
            return _document(request, None, problem=problem, status=status)
        return _document(request, phone_view, _("Room {code}", code=code), problem, status)
    if for_script:
        return _with_cookie(request, JSONResponse(phone_view.event()))
    return _with_cookie(request, RedirectResponse(f"./{code}", 303))


async def state(request: Request) -> Response:
    """What a phone sees, as JSON."""
    try:
        code = read_code(request.path_params["code"])
        _refuse_guesses(request, code)
        phone_view = await run_in_threadpool(_view, code, phone_of(request))
    except ExplorerError as error:
        problem, status = _problem(request, error)
        return JSONResponse({"problem": problem, "gone": status == 404}, status)
    return JSONResponse(phone_view.event())


async def events(request: Request) -> Response:
    """What a phone sees, now and after each change, as server-sent events."""
    global _changes
    code, phone = read_code(request.path_params["code"]), phone_of(request)
    try:
        _refuse_guesses(request, code)
        await run_in_threadpool(store.visit, code)
    except ExplorerError as error:
        problem, status = _problem(request, error)
        return JSONResponse({"problem": problem}, status)
    if _changes is None or _changes.store is not store:
        _changes = Changes(store)
    changes = _changes

    async def stream() -> AsyncIterator[str]:
        yield "retry: 2000\n\n"
        key = line = ""
        async for version in changes.of(code, ALIVE_S):
            if version is None:
                yield "event: end\ndata: {}\n\n"
                return
            current = changes.question(code)
            event = {"key": page.key_of(current), "count": page.count_of(current)}
            if event["key"] != key:  # only then is there more to be said than a count
                try:
                    event = (await run_in_threadpool(_view, code, phone)).event()
                except ExplorerError:
                    continue
                key = event["key"]
            data = json.dumps(event)
            yield "event: alive\ndata: {}\n\n" if data == line else f"data: {data}\n\n"
            line = data

    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(stream(), media_type="text/event-stream", headers=headers)


async def _form(request: Request) -> dict[str, str]:
    """The fields of a short form; none of one that is too long."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_FORM:
            return {}
    return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _answer(code: str, phone: str, form: dict[str, str]) -> View:
    """Keep an answer; what the phone sees then."""
    number = form.get("question", "")
    if not (number.isascii() and number.isdigit() and len(number) < 16):
        raise TextError(_("This form belongs to no question."), _("Load the page again."))
    with store.reading():
        answer = f"{form['side']} {form.get('answer', '')}" if "side" in form else form.get("answer", "")
        store.answer(code, int(number), phone, answer)
        return _view(code, phone)


def _view(code: str, phone: str) -> View:
    with store.reading():
        current = store.newest(code)
        own, first = (
            store.own_answer(question, phone) if question and phone else ""
            for question in ((current.id, current.first) if current else (None, None))
        )
    return page.view(current, own, first)


def phone_of(request: Request) -> str:
    """The random token of a phone: from its cookie, or a new one for this request."""
    token = request.cookies.get(COOKIE, "")
    if not hasattr(request.state, "phone"):
        request.state.phone = token if 16 <= len(token) <= 64 else secrets.token_urlsafe(16)
    phone: str = request.state.phone
    return phone


def _document(
    request: Request, body: View | None, room: str = "", problem: str = "", status: int = 200
) -> Response:
    nonce = secrets.token_urlsafe(12)
    policy = (
        f"default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'"
    )
    text = page.document(body, nonce, room, problem)
    response = HTMLResponse(text, status, {"content-security-policy": policy, "cache-control": "no-store"})
    return _with_cookie(request, response)


def _with_cookie(request: Request, response: Response) -> Response:
    response.set_cookie(COOKIE, phone_of(request), A_DAY_S, httponly=True, samesite="lax")
    if wish := request.query_params.get("lang"):
        response.set_cookie(LANGUAGE, locale.choose(wish), A_DAY_S, httponly=True, samesite="lax")
    return response


def _problem(request: Request, error: ExplorerError) -> tuple[str, int]:
    """What a phone says of an error, and the status of the answer; a wrong code is counted."""
    if isinstance(error, RoomError):  # its own words, with the path of the file, are the teacher's
        return _("The server cannot keep answers just now. Tell the teacher, and send it once more."), 503
    if isinstance(error, TooManyError):
        return error.message, 429
    if isinstance(error, NotFoundError):
        _wrong.takes(_address(request))
        return str(error), 404
    return str(error), 422


class TooManyError(ExplorerError):
    """More wrong codes came from one address than it may send."""


class TooManyPhones(TooManyError):
    """More phones came in from one address within a second than it may send: they try again by themselves."""


async def _enter(request: Request, code: str) -> None:
    """Let a phone into a room. Raises TooManyError while its address has had too many, of codes or phones."""
    if (phone_of(request), code) in _inside:
        _inside.move_to_end((phone_of(request), code))
        return
    _refuse_guesses(request, code)
    await run_in_threadpool(store.visit, code)
    if not _new.takes(_address(request)):
        raise TooManyPhones(_("Many phones are coming in at once. Yours tries again by itself."))
    _inside[phone_of(request), code] = None
    if len(_inside) > MOST_PHONES:
        _inside.popitem(last=False)


def _refuse_guesses(request: Request, code: str) -> None:
    """Raise TooManyError for an address that has tried too many codes, unless the phone is in this room."""
    if (phone_of(request), code) not in _inside and _wrong.is_reached(_address(request)):
        raise TooManyError(_("Too many wrong codes came from your network. Wait a minute, then try again."))


def in_its_language(endpoint: Callable[[Request], Awaitable[Response]]) -> Callable[..., Awaitable[Response]]:
    """The endpoint, in the language that the phone's address names (`lang=fr`), that it named before, or that
    its browser asks for."""

    @wraps(endpoint)
    async def answer(request: Request) -> Response:
        wish = request.query_params.get("lang") or request.cookies.get(LANGUAGE)
        locale.use(locale.choose(wish or request.headers.get("accept-language", "")))
        return await endpoint(request)

    return answer


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


async def sweep() -> None:
    """Delete the rooms that nobody uses any more, now and every hour until cancelled."""
    while True:
        with suppress(ExplorerError):  # a full disk: the next time it may succeed
            if store.path.exists():
                await run_in_threadpool(store.sweep)
        await asyncio.sleep(SWEEP_S)


def routes(base: str = "") -> list[Route]:
    """The routes for the server, whose addresses begin with `base`."""
    return [
        Route(f"{base}/join", in_its_language(join)),
        Route(f"{base}/join/{{code}}", in_its_language(room), methods=["GET"]),
        Route(f"{base}/join/{{code}}", in_its_language(take_answer), methods=["POST"]),
        Route(f"{base}/join/{{code}}/state", in_its_language(state)),
        Route(f"{base}/join/{{code}}/events", in_its_language(events)),
    ]
