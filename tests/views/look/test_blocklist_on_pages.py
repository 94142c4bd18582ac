"""Where bundled predictions reach the screen, the block list is applied; elsewhere it is not."""

import codecs
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import explorer
from explorer.analysis import prediction
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations.session import RUN, extend
from explorer.views.look import blocklist
from explorer.views.look.blocklist import DOTS
from tests.views.opening import defaults, opened, sent

HOME = defaults("home")
MASKED = defaults("masked")

ROOT = Path(__file__).parents[3]
OATH = codecs.decode("Shpx [ZNFX].", "rot13")  # its blank draws endings: word pieces that make other words


def everything(at: AppTest) -> str:
    """All that reached the browser, but for the code to copy."""
    return " ".join(json.dumps(json.loads(m.proto.json)) for m in at.get("bidi_component")) + " ".join(
        element.proto.body for element in at.get("html")
    )


def test_endings_that_make_a_listed_word_are_covered_with_their_numbers():
    rows = sent(opened("masked", text=OATH, k="100"), "bars")[0]["rows"]
    expected = prediction.fill_mask(explorer.load("bert"), OATH, top=100)[0]
    hidden = [row for row in rows if row["covered"]]
    assert len(rows) == len(expected) and hidden
    for row, (token, probability) in zip(rows, expected):
        assert row["probability"] == pytest.approx(probability)
        assert row["token"] == (DOTS if row["covered"] else token)
    assert all(blocklist.WHY in row["tip"] and row["rank"] for row in hidden)
    visible = [token for row, (token, _) in zip(rows, expected) if row["covered"]]
    assert all(token.startswith("##") for token in visible), "the public function shows all"


@pytest.mark.parametrize(("name", "text"), [("home", HOME["text"]), ("masked", MASKED["text"])])
def test_a_listed_guess_is_dots_for_the_bundled_model(block, name, text):
    words = blocklist.over("bert", text).typed_words
    first, second = [word for word in guesses(text) if word not in words][:2]
    block(first, second)
    at = opened(name)
    (mount,) = sent(at, "bars")
    tokens = [row["token"] for row in mount["rows"]]
    assert tokens[0] == DOTS and first not in tokens and second not in tokens
    assert second not in tips(mount)
    assert mount["rows"][0]["rank"] == "1" and mount["rows"][0]["probability"] > 0.1


def guesses(text: str) -> list[str]:
    """The words that the bundled model finds most likely, in letters and whole."""
    best = prediction.fill_mask(explorer.load("bert"), text, top=10)[0]
    return [token for token, _ in best if token.isalpha()]


def tips(mount: dict) -> str:
    return " ".join(row["tip"] for row in mount["rows"])


SEEN = "The doctor worked at the [MASK] for ten years."
TYPED = {
    "looked up": lambda word: {"text": SEEN, "probe": word.capitalize()},
    "hidden": lambda word: {"text": SEEN, "words": json.dumps([word])},
    "typed": lambda word: {"text": f"A {word.capitalize()}. {SEEN}"},
}


@pytest.mark.parametrize("how", TYPED)
def test_what_the_person_typed_hid_or_looks_up_is_shown(block, how):
    word = guesses(SEEN)[0]
    block(word)
    (mount,) = sent(opened("masked", **TYPED[how](word)), "bars")
    tokens = [row["token"] for row in mount["rows"] if not row["pinned"]]
    assert DOTS not in tokens and word in tokens


def test_another_model_is_left_alone(block, bert_folder, gpt_folder):
    at = opened("masked", model=f"folder:{bert_folder}", text="we saw the [MASK]")
    block(*(row["token"] for row in sent(at, "bars")[0]["rows"]))
    again = opened("masked", model=f"folder:{bert_folder}", text="we saw the [MASK]")
    assert sent(again, "bars") == sent(at, "bars")
    at = opened("continuations", model=f"folder:{gpt_folder}", text="the bank", length="5")
    assert DOTS not in everything(at)


def test_a_generated_word_is_covered_in_the_text_on_its_branch_and_in_the_tree(block):
    prompt, sampling = "Once upon a time there was a little", Sampling(temperature=0, max_new_tokens=6)
    steps = list(generate(explorer.load("gpt"), prompt, sampling))
    assert all(step.text.isascii() for step in steps)
    text = "".join(step.text for step in steps)
    word = text.split()[0].strip(".,").casefold()
    block(word)
    at = opened("continuations", text=prompt, temperature="0", length="6", token="0", model="gpt")
    while at.session_state[RUN].generation.ending is None:
        extend(at.session_state[RUN])
    at.run()
    visible = at.session_state[RUN].generation.continuation
    assert visible == text, "what is drawn does not depend on the list"
    (stream,) = sent(at, "stream")
    assert stream["chips"][0]["text"] == f" {DOTS}" and blocklist.WHY in stream["chips"][0]["tip"]
    (branch,), (tree,) = sent(at, "pipeline"), sent(at, "tree")
    sampled = next(row for row in branch["rows"] if row["state"] == "taken")
    assert sampled["token"] == branch["title"] == DOTS and sampled["chance"] == 1
    assert tree["branches"][0]["words"].startswith(DOTS)
    assert word not in everything(at).casefold()
    assert word in prediction.next_tokens(explorer.load("gpt"), prompt, top=1)[0][0]


def test_a_word_of_the_prompt_is_shown_when_the_model_says_it_again(block):
    block("girl")
    prompt = "Once upon a time there was a little girl"
    at = opened("continuations", text=prompt, temperature="0", length="60")
    while at.session_state[RUN].generation.ending is None:
        extend(at.session_state[RUN])
    at.run()
    assert DOTS not in everything(at)


@pytest.mark.weights
def test_a_listed_chinese_guess_is_dots():
    at = opened("masked", model="bert-zh", text="他在[MASK]院看病。", k="20")
    rows = sent(at, "bars")[0]["rows"]
    guesses = prediction.fill_mask(explorer.load("bert-zh"), "他在[MASK]院看病。", top=20)[0]
    covered = [token for row, (token, _) in zip(rows, guesses) if row["covered"]]
    assert covered and set(covered) <= blocklist.listed_chinese()
    assert not any(row["token"] in blocklist.listed_chinese() for row in rows)
