"""Next sentence, BERT's second training task: does one sentence follow another?"""

from html import escape

import streamlit as st

from explorer import analysis
from explorer.catalogue.ability import Ability
from explorer.files.lines import filled_lines
from explorer.locale import N_, _, format_number, localised
from explorer.views import kit
from explorer.views.masked.sentence import PageText
from explorer.views.masked.settings import FIRST, MODEL, SECONDS
from explorer.views.types import Model

MOST = 6  # second sentences
NONE = N_("none of these")
HALF = 0.5  # from this probability on a model says that a sentence follows
FEW = 4  # second sentences that are drawn larger in presenter mode


def ask(settings: kit.Settings) -> None:
    """Draw the boxes for the first sentence and for the second sentences, one per line."""
    kit.text_box(settings, FIRST, _("The first sentence"), _("Type a first sentence"))
    label = _("Second sentences, one per line")
    kit.text_box(settings, SECONDS, label, _("Type second sentences"), lines=4)


def draw(page: kit.OpenPage[PageText]) -> kit.Saves:
    """Draw a bar for each second sentence. Raises AbilityError for a model without that head."""
    settings, model = page.settings, page.model
    model.require(Ability.NEXT_SENTENCE, "judge whether one sentence follows another")
    first, lines = settings[FIRST], seconds(settings)
    if not first.strip() or not lines:
        kit.instruction(_("Type a first sentence, and second sentences for it, one per line."))
        return []
    probabilities = [follows(model, first, second) for second in lines]
    rows = "".join(_row(second, probability) for second, probability in zip(lines, probabilities))
    heading = f'<p class="rb-next-first" dir="auto" translate="no">{escape(first)}</p>'
    size = "-large" if kit.presenting() and len(lines) <= FEW else ""
    with st.container(key=f"masked-pairs{size}"):
        columns = f'<p class="rb-next-heads">{_("how probable it is that this comes next")}</p>'
        st.html(f'{heading}{columns}<div role="list">{rows}</div>')
    line_count = len(filled_lines(settings[SECONDS]))
    if line_count > MOST:
        kit.note(_("Only the first {most} of {count} lines are judged.", most=MOST, count=line_count))
    if cut := max(model.encode(first, second).truncated for second in lines):
        text = _(
            "The longest pair was cut by {count} tokens, from the end of its longer sentence.",
            count=format_number(cut),
        )
        kit.note(text)
    return [
        kit.Picture("picture", "next-sentence"),
        kit.Export(N_("Pairs"), "next-sentence.csv", lambda: as_table(first, lines, probabilities)),
    ]


def now(page: kit.OpenPage[PageText]) -> str:
    """The first of the opening's sentences and of those here, with their probabilities."""
    first, lines = page.settings[FIRST], seconds(page.settings)
    if not first.strip() or not lines:
        return ""
    was = follows(page.model, FIRST.default, filled_lines(SECONDS.default)[0])
    probabilities = [follows(page.model, first, line) for line in lines]
    best = max(range(len(lines)), key=probabilities.__getitem__)
    return _(
        "In the opening, the sentence about the beach had {was}. Here “{sentence}” has most, {probability}.",
        was=kit.short(was),
        sentence=kit.quoted(lines[best]),
        probability=kit.short(probabilities[best]),
    )


def asks(page: kit.OpenPage[PageText]) -> list[kit.Poll]:
    """Which of the sentences the model takes for the next one, if any."""
    first, lines, none = page.settings[FIRST], tuple(dict.fromkeys(seconds(page.settings))), _(NONE)

    def likeliest() -> str:
        probability, line = max((follows(page.model, first, line), line) for line in lines)
        return line if probability > HALF else none

    name = kit.memory.short_label(page.settings[MODEL])
    text = _("Which sentence does {model} take for the next one?", model=name)
    question = kit.Question("choice", text, first, (*lines, none))
    return [kit.Poll(question, find_truth=likeliest)] if first.strip() and lines else []


def which_follow(model: "Model", first: str, seconds: list[str]) -> dict[str, float]:
    """The probability of each second sentence that it follows the first one."""
    from explorer.analysis import prediction

    return {second: prediction.next_sentence(model, first, second) for second in seconds}


@kit.kept(256)
def follows(model: "Model", first: str, second: str) -> float:
    """The probability that one sentence follows another, cached for all visitors."""
    return analysis.prediction.next_sentence(model, first, second)


def seconds(settings: kit.Settings) -> list[str]:
    """The second sentences, one per line, at most MOST of them."""
    return filled_lines(settings[SECONDS])[:MOST]


def _row(second: str, probability: float) -> str:
    says = _("{sentence}: follows with probability {p}", sentence=second, p=localised(f"{probability:.6g}"))
    description = escape(says, quote=True)
    return (
        f'<div class="rb-next" role="listitem" title="{description}" aria-label="{description}">'
        f'<span dir="auto" translate="no">{escape(second)}</span>'
        f'<span class="track"><span class="bar" style="width:{100 * probability:.2f}%"></span></span>'
        f"<span>{kit.short(probability)}</span></div>"
    )


def as_table(first: str, lines: list[str], probabilities: list[float]) -> str:
    """The pairs as a table to save."""
    return kit.table(["first", "second", "follows"], [[first, *pair] for pair in zip(lines, probabilities)])


VIEW = kit.View(
    text=kit.view_text("masked", "next").of_page(change=now),
    settings=(FIRST, SECONDS),
    needs=("NEXT_SENTENCE",),
    boxes=ask,
    picture=draw,
    example=lambda page: kit.Example(
        which_follow,
        model=kit.Load(str(page.model.checkpoint)),
        first=page.settings[FIRST],
        seconds=seconds(page.settings),
    ),
    stage=kit.Stage(covered=(".track, .track + span",), polls=asks),
)
