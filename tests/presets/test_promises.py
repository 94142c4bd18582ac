"""Every preset keeps its promise: what the `check` lines of assets/presets say holds on the bundled weights.

So do the lines under the opening pictures: `says` names their words, so who changes a line finds its check.

With nine siblings of its own sentence (other words, the same pattern, each written down before any was tried)
a preset is no lucky find: its point has to hold for itself and for seven of the ten.
"""

import importlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from explorer.assets import PRESETS, table
from explorer.catalogue.manifest import manifests
from tests.views.opening import page_defaults, page_of

HOLDS = 7  # of ten
LARGE = "smollm2"  # ten sentences take a minute or more


def cases() -> Iterator[Any]:
    """Every check of every preset, with its page and its preset's settings."""
    for path in sorted(PRESETS.glob("*.toml")):
        file = table(path)
        opening = {"label": "the opening", "check": file.get("opening", [])}
        for preset in (opening, *file["preset"]):
            for check in preset.get("check", []):
                nine = check.get("siblings", [])
                nine = file["siblings"][nine] if isinstance(nine, str) else nine
                name = f"{path.stem}: {preset['label']}: {check['holds']} {check.get('model', '')}".rstrip()
                yield pytest.param(path.stem, preset, check, nine, id=name, marks=marks(check, preset))


def marks(check: dict[str, Any], preset: dict[str, Any]) -> list[pytest.MarkDecorator]:
    writer = LARGE in (check.get("model"), preset.get("writer"))
    every = [pytest.mark.weights]
    if check.get("long") or writer:
        every.append(pytest.mark.long)
    names = {LARGE if writer else check.get("model"), preset.get("settings", {}).get("model")}
    if not all(manifests()[name].is_available() for name in names & manifests().keys()):
        every.append(pytest.mark.skip(reason="its package is not installed"))
    if "missed" in check:
        every.append(pytest.mark.xfail(reason=f"missed: {check['missed']}", strict=True))
    return every


@pytest.mark.parametrize("page", [path.stem for path in sorted(PRESETS.glob("*.toml"))])
def test_a_line_says_what_is_checked(page):
    texts = [view.text for view in page_of(page).views.values()]
    lines = " ".join(line for text in texts for line in (*text.first, *text.phrases.values()))
    openings = table(PRESETS / f"{page}.toml").get("opening", [])
    assert not [check["says"] for check in openings if check.get("says", "") not in lines]


def function(name: str) -> Callable[..., bool]:
    module, _, function = name.partition(".")
    return getattr(importlib.import_module(f"tests.presets.{module}"), function)


def arguments(values: dict[str, Any], given: Any) -> list[Any]:
    """What a check is given. `$text` is the value of the setting `text`, `$own` its own first argument."""
    listed = given if isinstance(given, list) else [given]
    return [values[one[1:]] if isinstance(one, str) and one.startswith("$") else one for one in listed]


@pytest.mark.parametrize(("page", "preset", "check", "nine"), list(cases()))
def test_a_preset_keeps_its_promise(page, preset, check, nine):
    values = page_defaults(page) | preset.get("settings", {})
    named = {"name": check["model"]} if "model" in check else {}
    holds = function(check["holds"])
    first, *rest = (arguments(values, one) for one in [check.get("own", []), *nine])
    more = arguments(values | {"own": next(iter(first), None)}, check.get("with", []))
    own, *others = ([*one, *more] for one in [first, *rest])
    assert holds(*own, **named), own
    if others:
        hold_for_most(lambda *one: holds(*one, **named), own, others)


def hold_for_most(holds: Callable[..., bool], own: list[Any], others: Sequence[list[Any]]) -> None:
    assert len(others) == 9, f"nine siblings are wanted, and {len(others)} are here"
    assert own not in others and all(others.count(one) == 1 for one in others)
    held, failing = 1, []
    for one in others:
        if holds(*one):
            held += 1
        else:
            failing.append(one)
        if held == HOLDS:  # whatever the others say
            return
    raise AssertionError(failing)
