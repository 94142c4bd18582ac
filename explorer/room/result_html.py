"""What a class has answered as HTML without a style of its own: bars, a sentence or dots, for phones."""

from html import escape

from explorer.room import dots
from explorer.room.questions import Question
from explorer.room.result import Result, Row, number_name
from explorer.room.tally import key

MOST_ROWS = 8
BLOCK_PX = 24  # the highest block at a word
WIDTH, HEIGHT, EDGE, RADIUS = 400, 100, 8, 4.5  # of the picture of dots


def draw(question: Question, result: Result, own: str) -> str:
    """The class's answers and the model's beside them; the phone's `own` answer is marked."""
    legend = '<span class="class">the class</span>'
    if result.who:
        legend += f' <span class="model" dir="auto">{escape(result.who)}</span>'
    if question.kind == "number":
        picture = _dots(question, result, own)
    elif question.kind == "token":
        picture = _sentence(result, own)
    else:
        own = own if question.kind == "choice" else key(own)
        picture = _bars(result, key(result.merged.get(own, own)))
    says = f'<p class="context" dir="auto">{escape(result.says)}</p>' if result.says else ""
    return f'<p class="who">{legend}</p>{picture}{says}'


def _bars(result: Result, own: str) -> str:
    """A bar of the class and one of the model for each answer, on one scale."""
    rows = result.strongest(MOST_ROWS)
    longest = max((row.larger for row in rows), default=0.0) or 1.0
    items = []
    for row in rows:
        head = f'<b dir="auto">{escape(row.name)}</b> <span class="class">{row.count}</span>'
        bars = _bar("bar", row.share / longest)
        if result.who:
            head += f' <span class="model">{escape(row.model_text)}</span>'
            bars += _bar("bar model", (row.model or 0.0) / longest)
        items.append(f"<li{_marks(row, own)}>{head}{bars}</li>")
    return f"<ol>{''.join(items)}</ol>"


def _marks(row: Row, own: str) -> str:
    """The class of a row that is the phone's own, or right."""
    marks = " ".join(mark for mark, holds in (("own", row.key == own), ("right", row.right)) if holds)
    return f' class="{marks}"' if marks else ""


def _bar(look: str, share: float) -> str:
    return f'<svg class="{look}" width="{100 * share:.1f}%" height="12" aria-hidden="true"></svg>'


def _sentence(result: Result, own: str) -> str:
    """The words of the sentence: over each a block of the class's votes, below it one of the model's."""
    most = max((row.share for row in result.rows), default=0.0) or 1.0
    most_of_model = max((row.model or 0.0 for row in result.rows), default=0.0) or 1.0
    words = []
    for row in result.rows:
        word = _block("above", "bar", row.share / most) + escape(row.name)
        if result.who:
            word += _block("below", "bar model", (row.model or 0.0) / most_of_model)
        words.append(f"<span{_marks(row, own)}>{word}</span>")
    return f'<p class="votes" dir="auto">{" ".join(words)}</p>'


def _block(side: str, look: str, share: float) -> str:
    height = BLOCK_PX * share
    top = BLOCK_PX - height if side == "above" else 0
    block = f'<rect class="{look}" width="100%" y="{top:.1f}" height="{height:.1f}"/>'
    return f'<svg class="{side}" height="{BLOCK_PX}" aria-hidden="true">{block}</svg>'


def _dots(question: Question, result: Result, own: str) -> str:
    """A dot for each phone on the scale; the model's number is a line."""
    rows = [row for row in result.rows for _ in range(row.count)]
    stack = dots.stacked([dots.place(question, float(row.key)) for row in rows])
    step = min(2 * RADIUS, (HEIGHT - 2 * RADIUS) / max([level for _, level in stack] + [1]))
    parts = [f'<line x1="0" x2="{WIDTH}" y1="{HEIGHT}" y2="{HEIGHT}"/>']
    for row in result.rows:
        if row.model is not None:
            x = _across(dots.place(question, float(row.key)))
            parts.append(f'<line class="model" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}"/>')
    own_dot = next((number for number, row in enumerate(rows) if row.key == own), -1)
    for number, (row, (at, level)) in enumerate(zip(rows, stack, strict=True)):
        mark = ' class="own"' if number == own_dot else ""
        y = HEIGHT - RADIUS - 1 - step * level
        parts.append(
            f'<circle{mark} cx="{_across(at)}" cy="{y:.1f}" r="{RADIUS}"><title>{row.name}</title></circle>'
        )
    scale = "".join(f"<span>{number_name(question, tick)}</span>" for tick in dots.ticks(question))
    return (
        f'<svg class="dots" viewBox="0 0 {WIDTH} {HEIGHT + 1}" role="img" aria-label="The class’s numbers">'
        f'{"".join(parts)}</svg><p class="scale">{scale}</p>'
    )


def _across(place: float) -> str:
    return f"{EDGE + (WIDTH - 2 * EDGE) * place:.1f}"
