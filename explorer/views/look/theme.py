"""The visual language as data: one colour, one meaning, in a light and a dark palette."""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from explorer import assets
from explorer.locale import language

Ramp = tuple[str, str]  # from nothing to full


@dataclass(frozen=True)
class Palette:
    """Colours by meaning. Senses come with marker shapes, so that colour never speaks alone."""

    name: str
    ground: str
    panel: str
    ink: str
    quiet: str
    hairline: str
    accent: str
    query: str
    key: str
    value: str
    attention: Ramp
    probability: Ramp
    difference: tuple[str, str, str]
    layers: Ramp
    senses: tuple[str, ...]
    unknown: str


def _palette(name: str) -> Palette:
    stored: dict[str, Any] = assets.table(assets.PALETTES)[name]
    ramps = {key: tuple(value) for key, value in stored.items() if isinstance(value, list)}
    return Palette(name=name, **stored | ramps)


LIGHT, DARK = _palette("light"), _palette("dark")
SENSE_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "star")
UNKNOWN_SHAPE = "circle-open"

# Chinese typefaces of the usual systems: without a name, an English system may mix two faces in a word. The
# first three have traditional and simplified characters; none is downloaded.
CHINESE = (
    '"Noto Sans CJK TC", "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", '
    '"Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei"'
)
# The typefaces that Streamlit serves; the generic ones are shown until they arrive.
# `.streamlit/config.toml` says the same (a test compares).
SANS = f'"Source Sans", {CHINESE}, sans-serif'
MONO = f'"Source Code Pro", {CHINESE}, monospace'
# On a page in Chinese the first of these names stands for a face with simplified forms, and with its
# punctuation at the foot of the line.
SIMPLIFIED = {
    weights: ", ".join(f'local("{name}")' for name in names.split(", "))
    for weights, names in (
        ("100 500", "Noto Sans CJK SC, NotoSansCJKsc-Regular, PingFangSC-Regular, Microsoft YaHei"),
        ("501 900", "Noto Sans CJK SC Bold, NotoSansCJKsc-Bold, PingFangSC-Semibold, Microsoft YaHei Bold"),
    )
}
SMALLEST = 16  # px: nothing on screen is set smaller, so that the back row can read it


def palette(name: str | None) -> Palette:
    """The palette of a Streamlit theme type; light if the type is not known yet."""
    return DARK if name == "dark" else LIGHT


def css_variables(p: Palette) -> str:
    """Palette and faces as CSS custom properties: `--rb-ink`, `--rb-attention-0`, ..., `--rb-sans`."""
    lines = [f"--rb-sans: {SANS};", f"--rb-mono: {MONO};"]
    for field in fields(p):
        colour = getattr(p, field.name)
        if isinstance(colour, tuple):
            lines += [f"--rb-{field.name}-{i}: {c};" for i, c in enumerate(colour)]
        elif field.name != "name":
            lines.append(f"--rb-{field.name}: {colour};")
    return " ".join(lines)


def css_rules(p: Palette) -> str:
    """The palette as CSS rules: on the screen this one, on paper the light one.

    `--rb-scheme` says which one that is. A picture is on paper what it is on the screen, so a dark one is
    turned into a light one (`--rb-paper`).
    """
    paper = "invert(1) hue-rotate(180deg) brightness(1.1)" if p is DARK else "none"
    faces = "".join(
        f"@font-face {{ font-family: {CHINESE.partition(',')[0]}; font-weight: {weights}; src: {names}; }}\n"
        for weights, names in (SIMPLIFIED.items() if language() == "zh" else ())
    )
    return (
        f"{faces}:root {{ --rb-scheme: {p.name}; {css_variables(p)} }}\n"
        f"@media print {{ :root {{ {css_variables(LIGHT)} --rb-paper: {paper}; }} }}"
    )


@lru_cache(maxsize=4096)
def mix(ramp: Ramp, amount: float) -> str:
    """The colour at `amount` (0 to 1) along a ramp, as #RRGGBB."""
    amount = min(max(amount, 0.0), 1.0)
    low, high = (_channels(c) for c in ramp)
    return "#" + "".join(f"{round(a + (b - a) * amount):02X}" for a, b in zip(low, high))


@lru_cache(maxsize=4096)
def text_on(colour: str) -> str:
    """Black or white, whichever contrasts more with a ground (WCAG relative luminance)."""
    return max(("#000000", "#FFFFFF"), key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """The WCAG 2 contrast ratio of two colours, 1 to 21."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def _luminance(colour: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(colour))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
