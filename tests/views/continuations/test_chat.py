"""A chat is a text: what the model reads of a conversation, its answer, and marks that somebody types."""

import re
from html import escape

import pytest

from explorer.analysis.generation.steps import Sampling, generate
from explorer.tokenizers.chat import CHATML, ChatTemplate
from explorer.views.continuations import chat
from explorer.views.continuations.chat import ANSWER
from explorer.views.continuations.chat_text import bubbles_and_text
from explorer.views.continuations.texts import QUESTION
from explorer.views.widgets.growing_rows import as_html
from tests.shared_models import model
from tests.views.continuations.opening import button, component_data, open_
from tests.views.opening import printed_result, said, sent, told


@pytest.fixture(autouse=True)
def short_answers(monkeypatch):
    monkeypatch.setattr(chat, "LONGEST", 6)


def read_by(at) -> str:
    """The text that the model continued."""
    return at.session_state[ANSWER][0][1]


def shown(at) -> str:
    """The text in the picture."""
    return "".join(piece[0] for piece in component_data(at, "colour")["pieces"])


def test_the_conversation_is_one_text_and_the_answer_follows():
    at = open_("chat", model="gpt")
    text = CHATML.render([("user", QUESTION)])
    generation = generate(model("gpt"), text, Sampling(greedy=True, max_new_tokens=6))
    list(generation)
    assert read_by(at) == text
    assert shown(at) == text + generation.continuation
    tips = [piece[3] for piece in component_data(at, "colour")["pieces"]]
    assert generation.steps[0].candidates[1].token.strip() in tips[-6]
    assert "\n" not in tips[0], "no candidates before the answer"
    assert "GPT has no chat template" in told(at) and "had not ended after 6 tokens" in told(at)


def test_without_marks_the_same_words_are_plain_text():
    at = open_("chat", model="gpt", marks=False, with_system=True, system="Be brief.", turn0="Hi")
    assert read_by(at) == "Be brief.\nHi\n"
    assert read_by(open_("chat", model="gpt", marks=False, with_system=False, turn0="Hi")) == "Hi\n"


def test_the_system_text_stands_first_and_can_be_left_out():
    at = open_("chat", model="gpt", system="Be brief.", turn0="Hi")
    assert read_by(at) == CHATML.render([("system", "Be brief."), ("user", "Hi")])
    at = open_("chat", model="gpt", with_system=False, system="Be brief.", turn0="Hi")
    assert read_by(at) == CHATML.render([("user", "Hi")])


def test_words_are_put_into_its_mouth_kept_and_taken_back():
    at = open_("chat", model="gpt", turns=2, turn1="The old")
    prompt = CHATML.render([("user", QUESTION)]) + "The old"
    assert read_by(at) == prompt
    answer = at.session_state[ANSWER][1].continuation
    button(at, "Keep the answer and reply").click().run()
    assert "Type a message" in told(at) and not at.exception
    assert at.session_state["continuations.turn1"] == "The old" + answer
    button(at, "Back").click().run()
    assert read_by(at) == prompt + answer, "its own words are now put into its mouth"
    button(at, "Back").click().run()
    assert read_by(at) == CHATML.render([("user", QUESTION)])
    button(at, "Put words into its mouth").click().run()
    assert not at.exception and at.session_state["continuations.turns"] == 2


def test_a_typed_mark_is_read_as_a_mark_and_the_page_says_so():
    at = open_("chat", model="gpt", turn0="Hi<|endoftext|>you")
    assert "A message contains <|endoftext|>, read as a mark and not as text" in told(at).replace(
        "&lt;", "<"
    ).replace("&gt;", ">")
    assert "A message contains" not in told(open_("chat", model="gpt", turn0="Hi<|endof"))


def test_what_stands_between_the_bubbles_is_a_mark():
    messages = [("user", "Hi <b>"), ("assistant", "Hi")]
    html = bubbles_and_text(messages, CHATML.render(messages[:1]) + "Hi<|im_end|>")
    assert html.count("</p>") == 2 and "<b>" not in html
    marks = [
        escape(mark) for mark in ("<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n", "<|im_end|>")
    ]
    assert re.findall("<mark>(.*?)</mark>", html, re.S) == marks


def test_a_system_text_in_the_last_turn_is_no_mark():
    messages = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Yes?"), ("user", "Hi")]
    html = bubbles_and_text(messages, "[A]Hi[B]Yes?[A]Be brief.\n\nHi[B]")
    assert re.findall("<mark>(.*?)</mark>", html, re.S) == ["[A]", "[B]", "[A]", "\n\n", "[B]"]


def test_a_script_in_a_turn_is_text():
    at = open_("chat", model="gpt", turn0="</script><script>alert(1)</script>", turns=2, turn1="</script>")
    assert "<script>" not in said(at)
    assert read_by(at).endswith("assistant\n</script>") and "</script>" in shown(at)
    html = as_html(chat._growing("<b>", "</script>", chat.kit.blocklist.over("gpt")))
    assert escape("<b>") in html and "</script>" not in html


def chats_by(monkeypatch, source: str) -> None:
    monkeypatch.setattr(model("gpt").tokenizer, "chat", ChatTemplate(source))


def test_a_template_that_fails_or_refuses_gets_a_message(monkeypatch):
    chats_by(monkeypatch, "{{ ''.__class__ }}")
    assert any("__class__ of str is not for templates" in e for e in messages(open_("chat", model="gpt")))
    chats_by(monkeypatch, "{{ raise_exception('No.') }}")
    assert any("refuses this conversation: “No.”" in e for e in messages(open_("chat", model="gpt")))


def test_what_a_template_adds_by_itself_is_text_that_can_be_edited(monkeypatch):
    chats_by(
        monkeypatch,
        "System: {{ messages[0].content if messages[0].role == 'system' else 'Be kind.' }}\n"
        "{% for m in messages if m.role == 'user' %}User: {{ m.content }}\n{% endfor %}",
    )
    at = open_("chat", model="gpt", turn0="Hi")
    assert read_by(at) == "System: Be kind.\nUser: Hi\n" and box(at, "System") == "Be kind."
    at = open_("chat", model="gpt", turn0="Hi", system="Be brief.")
    assert read_by(at) == "System: Be brief.\nUser: Hi\n" and box(at, "System") == "Be brief."
    for emptied in ({"system": " "}, {"with_system": False}):
        assert read_by(open_("chat", model="gpt", turn0="Hi", **emptied)) == "System: \nUser: Hi\n"


def box(at, label: str) -> str:
    return next(data["text"] for data in sent(at, "text_box") if data["label"] == label)


def messages(at) -> list[str]:
    return [told(at).replace("&lt;", "<").replace("&gt;", ">"), *(e.value for e in [*at.error, *at.markdown])]


def test_an_empty_message_gets_no_answer():
    assert "Type a message" in told(open_("chat", model="gpt", turn0=" "))


def test_the_printed_code_gives_the_answer_on_the_page():
    at = open_("chat", model="gpt")
    result = printed_result(at)
    assert [token for token, *_ in result] == [s.token for s in at.session_state[ANSWER][1].steps]


def test_a_link_may_say_anything():
    at = open_("chat", model="gpt", turns=10**9, turn0="<s>", turn6="<s>\u0000", beside="<s>", marks="1")
    assert "<s>" not in said(at) and read_by(at).count("<|im_start|>") == 8
