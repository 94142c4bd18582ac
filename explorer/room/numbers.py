"""Numbers as people type them: groups of thousands, decimal commas, per cent, fractions, any digits."""

import re
from unicodedata import digit, normalize

import regex

from explorer.text.letters import LETTERS

SIZES = {
    normalize("NFKC", word): size
    for size, words in {
        1e3: "thousand k tsd tausend mil mille duizend тыс tys 千",
        1e4: "万 萬",
        1e5: "लाख",
        1e6: "million m millions mio millionen millones milhões milioni miljoen mln млн "
        "millón milione milhão миллион миллиона миллионов مليون ملايين 百万",
        1e7: "करोड़",
        1e8: "亿 億",
        1e9: "billion bn b mrd milliarden milliards miljard mld млрд "
        "milliard milliarde миллиард миллиарда миллиардов miliardo miliardi bilhão "
        "bilhões مليار مليارات अरब 十亿",
        1e11: "खरब",
        1e12: "trillion billón billones trilhão триллион تريليون ترليون 万亿 兆",
    }.items()
    for word in words.split()
}
SIZED = re.compile(rf"(?:{'|'.join(SIZES)})\.?\s*$", re.IGNORECASE)
FRACTION = re.compile(r"(?:(\d+)\s+)?(\d+)\s*/\s*(\d+)")
NUMBER = re.compile(r"(\d[\d.,' ]*|[.,]\d+)(e[+-]?\d{1,3})?")
SPACES_AND_APOSTROPHES = re.compile(r"(?<=\d)[ '](?=\d)")
GROUPED = re.compile(r"\d{1,3}([., '])\d{2,3}(?:\1\d{2,3})*(?<=\d{3})")
THOUSANDS_FIRST = 1_000  # a scale that reaches so far has “1,300” and “1.300” as thirteen hundred


def read_number(text: str, low: float, high: float, whole: bool = False, unit: float = 1.0) -> float | None:
    """The number of a text from `low` to `high`, a `whole` one if asked for; None if it is none.

    Where a point or a comma can be read in two ways, it is the one that lies on the scale. Of a number that
    is asked for in a `unit` such as a million, “135 million” and “135,000,000” are 135.

    >>> read_number("124.000.000", 1e6, 1e12), read_number("0,25", 0, 1), read_number("30 %", 0, 1)
    (124000000.0, 0.25, 0.3)
    >>> read_number("1.5 billion", 0, 1e5, unit=1e6), read_number("7.5", 1, 40, whole=True)
    (1500.0, None)
    """
    values = readings(text, high >= THOUSANDS_FIRST)
    if unit > 1:
        values = (
            [value / unit for value in values]
            if SIZED.search(text)
            else [*values, *(v / unit for v in values)]
        )
    return next((v for v in values if low <= v <= high and (not whole or v == int(v))), None)


def readings(text: str, thousands_first: bool) -> list[float]:
    """What a text can mean as a number, the likeliest first; empty if it is none.

    >>> readings("1,300", True), readings("1_0", True), readings("½", False)
    ([1300.0, 1.3], [], [0.5])
    """
    plain = re.sub("(?<=\\d)(?=[¼-¾⅐-⅞])", " ", text)
    plain = normalize("NFKC", plain).translate(
        {0x2044: "/", 0x66B: ".", 0x66C: ",", 0x66A: "%", 0x2212: "-", 0x2019: "'"}
    )
    plain = "".join(str(digit(char)) if char.isdigit() else char for char in plain).strip("~≈ \t").casefold()
    sign = -1.0 if plain.startswith("-") else 1.0
    plain = plain.lstrip("+-") if plain[:1] in "+-" and plain[1:2] not in "+-" else plain
    plain, size = _without_size(plain)
    if match := FRACTION.fullmatch(plain):
        whole, above, below = (float(part or 0) for part in match.groups())
        return [sign * size * (whole + above / below)] if below else []
    match = NUMBER.fullmatch(plain)
    if match is None:
        return []
    return [
        sign * size * float(form + (match[2] or "")) for form in _forms(match[1].strip(), thousands_first)
    ]


def _without_size(text: str) -> tuple[str, float]:
    """A text without units such as “%”, “million” or “mil millones”, and what they multiply by."""
    if text.endswith("%"):
        return text.removesuffix("%").strip(), 0.01
    match = regex.fullmatch(rf"(.*?)\s*({LETTERS})\.?", text)
    if match and match[2] in SIZES and match[1]:
        plain, size = _without_size(match[1])
        return plain, size * SIZES[match[2]]
    return text, 1.0


def _forms(digits: str, thousands_first: bool) -> list[str]:
    """Digits with points, commas, spaces or apostrophes as Python reads numbers, the likeliest first."""
    if digits.isdigit():
        return [digits]
    forms = []
    if GROUPED.fullmatch(digits):
        forms.append(re.sub(r"\D", "", digits))
    whole, mark, part = re.fullmatch(r"(.*?)(?:([.,])(\d*))?", digits).groups()  # type: ignore[union-attr]
    if mark and mark not in whole and (whole.isdigit() or not whole or GROUPED.fullmatch(whole)):
        decimal = f"{re.sub(r'[^0-9]', '', whole) or 0}.{part or 0}"
        first = bool(forms) and thousands_first and not whole.startswith("0")
        forms = [*forms, decimal] if first else [decimal, *forms]
    return forms
