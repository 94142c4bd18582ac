"""Fine-tuning's presets: with nine siblings, the point holds for seven of ten."""

import functools

from explorer.finetuning import fit, library, task_of
from explorer.views.finetuning.presets import ABSENT, CLASSES, LINE, PASSAGE, QUESTION, WHEN
from tests.siblings import model, seven_of_ten, siblings

SIBLINGS = siblings("finetuning")
OWN = {preset.label: preset.values for preset in CLASSES}


@functools.cache
def spam_head():
    """The head that Train makes of our messages on frozen layers."""
    examples = library.examples("spam")
    run = fit(model("bert"), task_of(examples), examples)
    for _ in run:
        pass
    return run.head


@functools.cache
def ready(name: str):
    return library.head(name, model("bert"))


def test_the_first_of_two_with_the_same_words_is_the_more_positive():
    def holds(one: str, other: str) -> bool:
        assert sorted(one.lower().strip(".").replace(",", "").split()) == sorted(
            other.lower().strip(".").replace(",", "").split()
        )
        first, second = ready("sst2").predict([one, other])
        return first.probabilities["positive"] > second.probabilities["positive"]

    own = OWN["Same words"]["sentence"].splitlines()
    seven_of_ten(holds, [own, *SIBLINGS["Same words"]])


def test_eighty_messages_are_enough_for_spam():
    own = OWN["Spam or not"]["sentence"]
    seven_of_ten(lambda text: spam_head().predict([text])[0].label == "spam", [own, *SIBLINGS["Spam or not"]])


def test_a_singer_is_found():
    def holds(text: str, name: str) -> bool:
        (said,) = ready("slots").predict([text])
        found = [" ".join(said.words[e.start : e.end]) for e in said.entities if e.label == "artist"]
        return name in found

    seven_of_ten(holds, [(LINE, "Nina Simone"), *SIBLINGS["A singer"]])


ANSWERS = [(PASSAGE, QUESTION, WHEN, "1893", ABSENT), *SIBLINGS["Another question"]]


def asked(passage: str, question: str):
    """What the ready head for answers says."""
    (said,) = ready("answers").predict([(passage, question)])
    return said


def test_asked_when_the_end_of_the_answer_moves_to_the_year():
    def holds(passage: str, who: str, when: str, year: str, absent: str) -> bool:
        after = passage.index(year) + len(year)

        def at_the_year(question: str) -> bool:
            said = asked(passage, question)
            ends = [p if b > a else 0.0 for p, (a, b) in zip(said.ends.tolist(), said.spans)]
            return said.spans[max(range(len(ends)), key=ends.__getitem__)][1] == after

        return at_the_year(when) and not at_the_year(who)

    seven_of_ten(holds, ANSWERS)


def test_asked_what_the_passage_does_not_say_no_answer_gains():
    def holds(passage: str, who: str, when: str, year: str, absent: str) -> bool:
        return asked(passage, absent).no_answer > asked(passage, who).no_answer

    seven_of_ten(holds, ANSWERS)
