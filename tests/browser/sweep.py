"""Open every view as students see it: `python -m tests.browser.sweep [PATH ...]` prints what is wrong.

A PATH is an address as it follows the slash (`masked?view=sets`), or a page's name for all of its views;
without one, every view of every page is opened. With `--presets` their presets are opened instead, and each
view once with each of its switches turned, in light colours and on a phone alone: the rest they share with
the opening picture. `--width 360` looks at this width in place of the others. With
`--language fr` the app is in French, with `--language long` in long words (`long_words.py`).
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Literal
from urllib.parse import urlencode

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page
from streamlit.logger import set_log_level

from explorer.views.about import cards, record
from explorer.views.about import page as about
from explorer.views.about.choice import Training
from explorer.views.frame.presets import presets
from explorer.views.frame.view import Page as PageOfApp
from explorer.views.frame.view import View, settings_of
from explorer.views.settings.link_values import pack
from tests.browser import axe, narrow, projector
from tests.browser.conftest import SIZE
from tests.browser.long_words import LONG, is_long
from tests.browser.running import running_app
from tests.browser.waiting import DRAWN, PARTS_OF, RESTS, SCHEME, appears, expect, follow, still, wish_for
from tests.command import parser, size
from tests.views.frame.test_hints import PAGES
from tests.views.opening import QUICK

HOME = "home"  # the page whose address is empty
CHINESE_MODEL = "bert-en-zh"  # reads English too, as some views require
PHONE = 390
WIDTHS = (768, 683, PHONE)  # a tablet, a laptop of 1366 px at 200 %, a phone
HEIGHT = 844
# Views whose picture is higher than a projector: they are scrolled, or presenter mode makes them smaller.
HIGH = (
    *(f"attention?view={name}" for name in ("compare", "layers", "bertviz")),
    *(f"continuations?view={name}&model=gpt" for name in ("chat", "colour")),
    *(f"finetuning?view={name}" for name in ("words", "answers", "layers", "other")),
    "senses?view=four",
    "why?view=which",
)
# How large the page is, and where the words of its pictures are, once what waits for a frame is drawn.
PLACES = (
    "main => new Promise((done) => {"
    + PARTS_OF
    + """
  const look = () => {
    const texts = partsOf(main).filter((e) => e.tagName === "text");
    const boxes = texts.map((e) => e.getBoundingClientRect().toJSON());
    done([main.scrollWidth, main.scrollHeight, main.querySelectorAll("*").length, boxes]);
  };
  requestAnimationFrame(() => requestAnimationFrame(look));
})"""
)
Findings = dict[str, list[str]]


def paths() -> dict[str, list[str]]:
    """The addresses of every view, by page."""
    every: dict[str, list[str]] = {HOME: [""], about.PAGE.name: _views_of_models()}
    for page in PAGES:
        ending = "".join(f"&{name}={value}" for name, value in QUICK.get(page.name, {}).items())
        every.setdefault(page.name, [f"{page.name}?view={name}{ending}" for name in page.views])
    return every


def preset_paths() -> dict[str, list[str]]:
    """The addresses of every preset, and of every view with one of its switches turned, by page."""
    return {page.name: list(dict.fromkeys([*_presets(page), *_switches(page)])) for page in PAGES}


def _presets(page: PageOfApp[Any]) -> Iterator[str]:
    """The addresses to which a page's presets lead, but for those that lead back to its opening picture.

    A preset in Chinese is offered by a model that reads it.
    """
    for preset in (one for one in presets(page.name) if one.values):
        model = {"model": CHINESE_MODEL} if preset.language == "zh" else {}
        yield _address(page, model | preset.values)


def _switches(page: PageOfApp[Any]) -> Iterator[str]:
    """The addresses of a page's views with each setting turned that is on or off."""
    for name, view in page.views.items():
        for setting in [*page.settings, *view.settings]:
            if isinstance(setting.default, bool):
                turned = {"view": name, setting: not setting.default}
                yield _address(page, QUICK.get(page.name, {}) | turned)


def _address(page: PageOfApp[Any], values: dict[str, Any]) -> str:
    """The address of a page with these settings; the others have their defaults."""
    explicit = {str(setting): setting.default for setting in settings_of(page) if setting.explicit}
    link = urlencode({name: pack(value) for name, value in (explicit | values).items()})
    return f"{'' if page.name == HOME else page.name}?{link}"


def _views_of_models() -> list[str]:
    """The addresses of the views of trainings, each with the first model that has it; one has none."""
    every: dict[View[Training] | None, str] = {}
    for model in cards.names():
        of_model = about.views_of(Training(model, cards.card(model), record.read(model)))
        for name, view in (of_model or {"none": None}).items():
            every.setdefault(view, f"{about.PAGE.name}?model={model}&view={name}")
    return list(every.values())


def sweep(page: Page, path: str, widths: tuple[int, ...] = WIDTHS) -> Findings:
    """What is wrong with a view, by where it was seen: a projector, both colour schemes, then each width.

    The page is open on any view of the app. It is left in the colours that it did not have, so that half of
    the views open in the light, and half in the dark.
    """
    seen = look(page, path)
    if path not in HIGH:
        page.locator("[data-testid=stMain]").evaluate("main => main.scrollTo(0, 0)")  # a page keeps its place
        seen |= _present({"outside a projector": projector.outside(page, ".st-key-picture")})
    other: Literal["light", "dark"] = "light" if page.evaluate(SCHEME) == "dark" else "dark"
    return seen | narrow_screens(page, widths, other)


def sweep_in(language: str, page: Page, path: str) -> Findings:
    """What another language, or long words, do to a view on a laptop and on a phone.

    In long words the examples may be cut, as in English.
    """
    is_any = language != LONG
    follow(page, f"/{path}{'&' if '?' in path else '?'}{parameter(language)}")
    stand(page)
    seen = {f"{SIZE['width']} px, {kind}": where for kind, where in narrow.look(page).items()}
    seen["problem"] = projector.problems(page)
    seen |= narrow_screens(page, (PHONE,))
    cut = {
        kind: [each for each in where if is_any or is_long(each.partition(": ")[2])]
        for kind, where in seen.items()
    }
    return _present({kind: cut[kind] if kind.endswith("cut") else seen[kind] for kind in seen})


def parameter(language: str) -> str:
    """What an address has for a language, or for long words."""
    return f"lang={'fr' if language == LONG else language}"


def look(page: Page, path: str) -> Findings:
    """What axe finds in a view, and what the view says if it cannot be drawn."""
    follow(page, f"/{path}")
    stand(page)
    return _present(
        {
            "problem": projector.problems(page),
            f"axe, {page.evaluate(SCHEME)}": axe.check(page),
            "small letters": projector.small_letters(page),
        }
    )


def narrow_screens(
    page: Page, widths: tuple[int, ...], scheme: Literal["light", "dark"] | None = None
) -> Findings:
    """What is wrong with the view that is open on narrow screens.

    What axe says of the colours of a scheme is asked on the first of them, where nothing is folded yet.
    """
    seen = {}
    if scheme is not None:
        wish_for(page, scheme)
    for width in widths:
        with screen(page, width):
            stand(page)
            looks = narrow.look(page)
            if scheme is not None and width == widths[0]:
                looks[f"axe, {scheme}"] = axe.check(page, contrast_alone=True)
            if width <= PHONE:
                looks["small target"] = axe.small_targets(page)
                looks["not scrolled by keys"] = axe.not_scrolled_by_keys(page)
            if width <= PHONE and "cut" in looks:
                opened = narrow.opened_by_tap(page)
                stand(page)  # an address that comes together with a tap would be ignored
                looks["cut"] = [name for name in looks["cut"] if name not in opened]
        seen |= {f"{width} px, {kind}": found for kind, found in looks.items()}
    return _present(seen)


def _present(findings: Findings) -> Findings:
    return {where: found for where, found in findings.items() if found}


def stand(page: Page, look: Callable[[], object] = lambda: None, quiet: int = 200) -> None:
    """Wait until a view stands: the picture is drawn, nothing is written, and nothing moves.

    Nor does what `look` gives change for so many milliseconds.
    """
    appears(page, ".st-key-picture")
    page.wait_for_function(DRAWN)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    main = page.locator("[data-testid=stMain]")
    still(page, lambda: (main.evaluate(PLACES), look()), quiet=quiet)
    page.wait_for_function(RESTS)


@contextmanager
def screen(page: Page, width: int) -> Iterator[None]:
    """The page on a narrow screen, which is touched if it is a phone's; afterwards on a laptop's."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setTouchEmulationEnabled", {"enabled": width <= PHONE, "maxTouchPoints": 1})
    page.set_viewport_size({"width": width, "height": HEIGHT})
    try:
        yield
    finally:
        page.set_viewport_size(SIZE)
        session.send("Emulation.setTouchEmulationEnabled", {"enabled": False})
        session.detach()


def printed(path: str, findings: Findings) -> str:
    """The findings of a view as lines."""
    lines = [f"{path or 'home'}: {'' if findings else 'nothing'}"]
    for where, found in findings.items():
        lines += [f"  {where}: {len(found)}", *(f"    {line}" for line in found)]
    return "\n".join(lines)


def main() -> int:
    """Print what is wrong with the views, or with their presets; returns 1 if something is."""
    set_log_level("ERROR")
    p = parser("tests.browser.sweep", __doc__)
    p.add_argument("paths", nargs="*", metavar="PATH")
    p.add_argument("--presets", action="store_true", help="the presets and switches of the views")
    p.add_argument("--language", help=f"a language of the interface, or {LONG}")
    p.add_argument("--width", type=int, action="append", help="px, in place of the usual widths")
    options = p.parse_args()
    widths = tuple(options.width or ([PHONE] if options.presets else WIDTHS))
    every = preset_paths() if options.presets else paths()
    chosen = [path for name in options.paths or every for path in every.get(name, [name])][: size(None, 1)]
    with running_app(options.language) as app:
        page = app.browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(f"{app.url}?{parameter(options.language)}" if options.language else app.url)
        appears(page, "h1")

        def findings_of(path: str) -> Findings:
            if options.language:
                return sweep_in(options.language, page, path)
            if options.presets:
                return look(page, path) | narrow_screens(page, widths)
            return sweep(page, path, widths)

        bad = [path for path in chosen if _show(path, findings_of)]
    print(f"\n{len(bad)} of {len(chosen)} addresses have findings")
    return int(bool(bad))


def _show(path: str, findings_of: Callable[[str], Findings]) -> bool:
    try:
        findings = findings_of(path)
    except (AssertionError, PlaywrightError) as error:  # the other views are looked at all the same
        findings = {"not looked at": [str(error).partition("\n")[0]]}
    print(printed(path, findings), flush=True)
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
