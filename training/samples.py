"""Samples of a card that nobody selected: first lines of a list, or fixed prompts and seeds."""

from collections.abc import Iterable
from itertools import pairwise

from explorer.analysis import prediction, translation, vectors
from explorer.analysis.prediction import judging
from explorer.models import LanguageModel
from explorer.trace import Ability
from training.metrics.blanks import CLOZE, Line, cloze_for, read_halves
from training.readings import CARDS, generate_samples, section, with_readings

COUNT = 10
TOP = 5
SUSPECTS = 3
FIRST = "The first ten lines of the cloze list's test half"


def samples(name: str, model: LanguageModel) -> str:
    """Section of the card with samples of what the model can do."""
    can = model.abilities
    if Ability.GENERATE in can and Ability.FILL not in can:
        rows = with_readings(generate_samples(model), CARDS / f"{name}-samples.tsv")
        return f"## Twenty samples\n\n{section(rows)}"
    if Ability.FILL in can:
        text = filled_blanks(model)
    elif Ability.DETECT in can:
        text = suspected_words(model)
    elif Ability.TRANSLATE in can:
        text = translations(model)
    elif Ability.NEXT_WORD | Ability.PREVIOUS_WORD in can:
        text = words_from_both_sides(model)
    elif Ability.VECTORS in can:
        text = nearest_words(model)
    else:
        text = "None: this model predicts nothing that could be read."
    return f"## Ten samples\n\n{text}"


def first_lines(model: LanguageModel | None = None, count: int = COUNT) -> list[Line]:
    """First lines of the cloze list's test half, in the model's language (English without a model)."""
    return read_halves(cloze_for(model) if model else CLOZE)["test"][:count]


def filled_blanks(model: LanguageModel) -> str:
    """Most probable words for the blanks."""
    rows = []
    for line in first_lines(model):
        words = percentages(prediction.fill_mask(model, line.text, TOP)[0])
        rows.append(f"- {line.text} *{words}*")
    return f"{FIRST}, with the five most probable words.\n\n" + "\n".join(rows)


def suspected_words(model: LanguageModel) -> str:
    """Tokens that look replaced, in lines with the first accepted word of the next line in the blank."""
    head = (
        f"{FIRST}, each with the word of the line after it in its "
        "blank, and the three tokens that look most like replacements.\n\n"
    )
    rows = []
    for line, following in pairwise(first_lines(count=COUNT + 1)):
        text = line.text.replace("[MASK]", min(following.accepted))
        rows.append(f"- {text} *{percentages(judging.suspects(model, text, SUSPECTS))}*")
    return head + "\n".join(rows)


def words_from_both_sides(model: LanguageModel) -> str:
    """Words for the blank from the text before it, and from the text after it."""
    head = (
        f"{FIRST}, with the five words that are likeliest in the "
        "blank from the left (knowing nothing after it), and from the right (nothing before it).\n\n"
    )
    rows = []
    for line in first_lines():
        before, after = line.text.split("[MASK]", 1)
        left = percentages(prediction.next_words(model, before, TOP))
        right = percentages(prediction.previous_words(model, after, TOP))
        rows.append(f"- {line.text} *{left}* | *{right}*")
    return head + "\n".join(rows).replace("<", "\\<")


def translations(model: LanguageModel) -> str:
    """Translations of the lines with their first accepted word in the blank."""
    texts = [line.text.replace("[MASK]", min(line.accepted)) for line in first_lines()]
    rows = [f"- {row.source.text} *{row.text}*" for row in translation.translate_many(model, texts)]
    return f"{FIRST}, their blank filled, with four beams.\n\n" + "\n".join(rows)


def nearest_words(model: LanguageModel) -> str:
    """Nearest words of words at fixed ranks."""
    table = vectors.of(model)
    words = [table.words[rank - 1] for rank in range(1000, 1000 * COUNT + 1, 1000) if rank <= len(table)]
    rows = []
    for word in words:
        neighbours = vectors.nearest(table, word, TOP)
        rows.append(f"- {word}: *{', '.join(f'{n.word} {n.cosine:.2f}' for n in neighbours)}*")
    head = "The words that stand at rank 1,000, 2,000 ... 10,000 by frequency, with the five nearest.\n\n"
    return head + "\n".join(rows)


def percentages(guesses: Iterable[tuple[str, float]]) -> str:
    """Guesses with their probabilities, on one line."""
    return ", ".join(f"{token} {probability:.0%}" for token, probability in guesses)
