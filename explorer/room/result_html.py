"""What a class has answered as HTML without a style of its own: bars or dots, for phones."""

from functools import lru_cache
from html import escape

from explorer.locale import _, language
from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import Result, number_name, whole_percent
from explorer.room.tally import key

MOST_ROWS = 8
WIDTH, HEIGHT, EDGE, RADIUS = 400, 100, 8, 4.5  # of the picture of dots


NOBODY = "\0"  # no answer's key: nothing is marked as the phone's own


def draw(question: Question, reveal: str, own: str) -> str:
    """The class's answers and the model's beside them, from a stored result; the `own` answer is marked."""
    result = read(reveal)
    if question.kind == "number":
        picture, places = _dots(question, reveal, language())
        mark = (
            '<circle class="own" cx="{}" cy="{}" r="{}"/>'.format(*places[own], RADIUS)
            if own in places
            else ""
        )
        return picture.replace("<!-- own -->", mark)
    if question.kind == "side":
        return _sides(question, result, key(own))
    own = result.key_of(question, own)
    is_drawn = bool(own) and any(row.key == own for row in result.strongest(MOST_ROWS))
    return _bars(reveal, own if is_drawn else NOBODY, language())


@lru_cache(16)
def read(reveal: str) -> Result:
    """A stored result: read once for all phones."""
    return Result.from_json(reveal)


def taste() -> str:
    """What is said of a question of taste."""
    return _("There is no right answer.")


def _says(result: Result) -> str:
    lines = [*([taste()] if result.taste else []), *([result.says] if result.says else [])]
    return "".join(f'<p class="context" dir="auto">{escape(line)}</p>' for line in lines)


@lru_cache(128)
def _bars(reveal: str, own: str, _language: str) -> str:
    """A bar of the class and one of the model for each answer; a full one is all of it, as on the wall."""
    result = read(reveal)
    rows = result.strongest(MOST_ROWS)
    model = f'<span class="model" dir="auto">{escape(result.who)}</span>' if result.who else ""
    items = [f'<li class="head"><b></b><span class="class">{_("the class")}</span>{model}</li>']
    for row in rows:
        count = _("{count} of {total}", count=row.count, total=result.count) if result.count else ""
        votes = f'<span class="class">{count}</span>'
        head, bars = f'<b dir="auto">{escape(row.name)}</b>{votes}', _bar("bar", row.share)
        if result.who:
            share = row.model_text if row.model is None else whole_percent(row.model)
            head += f'<span class="model">{escape(share)}</span>'
            bars += _bar("bar model", row.model or 0.0)
        look = f"{'own' if row.key == own else ''} {'right' if row.right else ''}".strip()
        items.append(f'<li class="{look}">{head}{bars}</li>')
    return f"<ol>{''.join(items)}</ol>{_says(result)}"


def _sides(question: Question, result: Result, own: str) -> str:
    """The sentences of the class for either side."""
    parts = []
    for side, choice in enumerate(question.choices):
        rows = [
            f'<li class="{"own" if row.key == own else ""}"><b dir="auto">{escape(row.name)}</b></li>'
            for row in result.of_side(side)
        ]
        parts.append(f'<p class="note" dir="auto">{escape(choice)}</p><ol class="side">{"".join(rows)}</ol>')
    return f"{''.join(parts)}{_says(result)}"


def _bar(look: str, share: float) -> str:
    if not share:
        return ""
    return f'<svg class="{look}" width="{100 * min(share, 1):.1f}%" height="12" aria-hidden="true"></svg>'


@lru_cache(16)
def _dots(question: Question, reveal: str, _language: str) -> tuple[str, dict[str, tuple[str, str]]]:
    """A dot for each phone, the model's number as a line; and where the first dot of each number is."""
    result = read(reveal)
    legend = f'<span class="class">{_("the class")}</span>'
    if result.who:
        legend += f' <span class="model" dir="auto">{escape(result.who)}</span>'
    rows = [row for row in result.rows for _one in range(row.count)]
    stack = dots.stacked([dots.place(question, float(row.key)) for row in rows])
    step = min(2 * RADIUS, (HEIGHT - 2 * RADIUS) / max([level for _row, level in stack] + [1]))
    parts = [f'<line x1="0" x2="{WIDTH}" y1="{HEIGHT}" y2="{HEIGHT}"/>']
    for row in result.rows:
        if row.model is not None:
            x = _across(dots.place(question, float(row.key)))
            parts.append(f'<line class="model" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}"/>')
    places: dict[str, tuple[str, str]] = {}
    for row, (at, level) in zip(rows, stack, strict=True):
        x, y = _across(at), f"{HEIGHT - RADIUS - 1 - step * level:.1f}"
        places.setdefault(row.key, (x, y))
        parts.append(f'<circle cx="{x}" cy="{y}" r="{RADIUS}"><title>{row.name}</title></circle>')
    scale = "".join(f"<span>{number_name(question, tick)}</span>" for tick in dots.ticks(question))
    return (
        f'<p class="who">{legend}</p><svg class="dots" viewBox="0 0 {WIDTH} {HEIGHT + 1}" role="img" '
        f'aria-label="{_("The class’s numbers")}">{"".join(parts)}<!-- own --></svg>'
        f'<p class="scale">{scale}</p>{_says(result)}'
    ), places


def _across(place: float) -> str:
    return f"{EDGE + (WIDTH - 2 * EDGE) * place:.1f}"
