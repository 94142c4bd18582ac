"""Answer from it: the whole prompt, two answers that are kept, a passage of one's own, the verdict."""

from html import unescape

from explorer.analysis.sentences import answering, our_town
from explorer.views.search import answer
from explorer.views.search.question import ASKED
from tests.shared_models import model
from tests.views import opening


def opened(**settings):
    return opening.opened("search", **{"view": "answer", "model": "bert-mini", "writer": "gpt"} | settings)


def test_the_whole_prompt_and_both_answers_are_shown():
    at = opened(instead="Ines was <late>.")
    shown = unescape(opening.said(at))
    prompt = answering.prompt(model("gpt"), ASKED.default, ["Ines was <late>."])
    assert prompt.replace("Ines was <late>.", "<mark>Ines was <late>.</mark>") in shown
    answers = at.session_state[answer.GENERATIONS]
    with_passage, without = ("gpt", ASKED.default, "Ines was <late>."), ("gpt", ASKED.default)
    assert list(answers) == [with_passage, without]
    assert answers[without].prompt == answering.prompt(model("gpt"), ASKED.default)
    assert "was not trained to answer" in opening.told(at)


def test_a_writer_of_the_hub_is_fetched():
    at = opened(writer="hub:EleutherAI/pythia-160m", instead="x")
    assert "pythia-160m is not complete in the local cache" in " ".join(text.value for text in at.text)


def test_what_is_written_is_kept_until_the_question_changes():
    at = opened(instead="Ines was late.")
    before = dict(at.session_state[answer.GENERATIONS])
    at.run()
    assert at.session_state[answer.GENERATIONS] == before


def test_of_our_questions_the_page_says_whether_the_answer_is_right():
    at = opened(instead="x")
    assert "✗</b> The text says “1987”" in opening.said(at)
    at = opened(instead="x", asked="Who am I?")
    assert "The text says" not in opening.said(at)


def test_all_stored_answers_can_be_saved():
    opened(answered="twenty")
    assert len(answer.answers_table().splitlines()) == 1 + 20 * len(our_town.measured()["answers"])
