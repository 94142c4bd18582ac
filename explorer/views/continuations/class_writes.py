"""The class writes: everyone sends the next word, one is drawn by the votes, and a model guesses too."""

from math import log2
from random import Random
from typing import NamedTuple

import streamlit as st

from explorer import analysis
from explorer.room.questions import Question
from explorer.room.tally import bits, key
from explorer.server.kept import kept
from explorer.text.spacing import space_before
from explorer.views import kit
from explorer.views.continuations import examples
from explorer.views.continuations.settings import CLASS_DONE, CLASS_PROMPT, CLASS_WORDS, MODEL, SEED
from explorer.views.frame import problem
from explorer.views.frame.polls import class_room, panel
from explorer.views.settings.settings import Settings
from explorer.views.types import LanguageModel

GUESSES = 6  # of the model, beside the class's votes
MOST_WORDS = 40


class Word(NamedTuple):
    """A word of the class: its votes of `total`, and those for the model's first guess at its place."""

    word: str
    votes: int
    total: int
    votes_for_guess: int


def class_words(settings: Settings) -> list[Word]:
    """The words so far. A link may bring anything: what does not fit is left out."""
    rows = [row for row in settings[CLASS_WORDS] if isinstance(row, list) and len(row) == 4]
    fitting = [row for row in rows if isinstance(row[0], str) and all(isinstance(n, int) for n in row[1:])]
    return [Word(*row) for row in fitting if row[0].strip() and 0 < row[1] <= row[2] >= row[3] >= 0][
        :MOST_WORDS
    ]


def text_after(prompt: str, words: list[Word]) -> str:
    """The prompt with the class's words, spaced as people write them."""
    text = prompt.rstrip()
    for one in words:
        text += space_before(text, one.word) + one.word
    return text


def draw_word(votes: dict[str, int], seed: int) -> str:
    """A word drawn by its votes, the same for the same seed."""
    return Random(seed).choices(list(votes), list(votes.values()))[0]


@kept(256)
def next_guesses(model: "LanguageModel", text: str) -> "list[analysis.prediction.fill.Candidate]":
    """The model's most probable next words."""
    from explorer.analysis.prediction import shannon

    spot = shannon.Spot(len(text), len(text), "", space_before(text, "a"))
    return shannon.next_words(model, text, spot, GUESSES)


@kept(512)
def probability(model: "LanguageModel", text: str, word: str) -> float:
    """How probable a next word is to the model."""
    from explorer.analysis.prediction import shannon

    spot = shannon.Spot(len(text), len(text), "", space_before(text, word))
    return shannon.next_word(model, text, spot, word).probability or 0.0


@kept(64)
def own_words(model: "LanguageModel", prompt: str, count: int) -> list[str]:
    """What the model writes after the prompt, as many words."""
    from explorer.analysis.generation.steps import Sampling, generate

    sampling = Sampling(greedy=True, max_new_tokens=4 * count)
    return "".join(step.text for step in generate(model, prompt.rstrip(), sampling)).split()[:count]


def comparison(model: "LanguageModel", prompt: str, words: list[Word]) -> list[tuple[str, float, str, float]]:
    """Each word of the class with its bits for the model, the model's guess with its bits for the class."""
    rows = []
    for number, (word, _, total, votes_for_guess) in enumerate(words):
        before = text_after(prompt, words[:number])
        surprisal = -log2(max(probability(model, before, word), 1e-12))
        guess = next((one.token for one in next_guesses(model, before)), "")
        rows.append((word, surprisal, guess, bits(votes_for_guess, total)))
    return rows


TYPED = kit.Session("continuations/class-word", "")
RESETS = [CLASS_WORDS.to([]), CLASS_DONE.to(False)]


def controls(page: kit.OpenPage[None]) -> None:
    """The prompt, and Start over."""
    settings = page.settings
    with st.container(key="class-controls", horizontal=True, vertical_alignment="center", gap="medium"):
        kit.text_box(settings, CLASS_PROMPT, "Prompt", "Type the beginning of a text", resets=RESETS)
        st.button("Start over", key="class/again", type="tertiary", on_click=settings.set, args=RESETS)


def draw(page: kit.OpenPage[None]) -> kit.Saves:
    """The text so far, what happens next, and the votes at the last word or, after Stop, both texts."""
    settings, model = page.settings, page.model
    words, name = class_words(settings), kit.memory.short_label(settings[MODEL])
    rows = comparison(model, settings[CLASS_PROMPT], words)
    plain = kit.for_class()
    _strip("The class", settings, [(word, "" if plain else f"{cost:.1f}") for word, cost, *_ in rows])
    if words and not plain:
        kit.note(f"Below each word: its surprise for {name}, in bits.")
    _buttons(page, words)
    if settings[CLASS_DONE] and words:
        means = [sum(column) / len(rows) for column in list(zip(*rows))[1::2]]
        costs = (
            f", with its bits for the class: {means[1]:.1f} on average. "
            f"A word of the class costs {name} {means[0]:.1f}."
        )
        kit.heading(f"{name}’s first guess at each place{'' if plain else costs}")
        guesses = [(guess, "" if plain else f"{cost:.1f}") for *_, guess, cost in rows]
        _strip(f"{name}’s guesses", settings, guesses)
        kit.heading(f"What {name} writes alone, always its most probable token")
        alone = own_words(model, settings[CLASS_PROMPT], len(words))
        _strip(f"{name} alone", settings, [(word, "") for word in alone])
    elif words:
        _draw_guesses(page, words)
    columns = ["word", "bits", "guess", "bits for the class"]
    return [
        kit.Picture("picture", "class-writes"),
        kit.Export("Words", "class-words.csv", lambda: kit.table(columns, rows)),
    ]


def _strip(label: str, settings: kit.Settings, words: list[tuple[str, str]]) -> None:
    """The prompt in grey, and words with what stands below them."""
    prompt = settings[CLASS_PROMPT]
    blocked = kit.blocklist.over("", prompt)
    tokens = [{"text": kit.blocklist.written(blocked, [word])[0], "note": note} for word, note in words]
    kit.token_strip(
        [*({"text": word, "quiet": True} for word in prompt.split()), *tokens], f"class/{label}", label
    )


def _buttons(page: kit.OpenPage[None], words: list[Word]) -> None:
    """Ask the class, draw a word, stop; without a room one person types the words here."""
    settings, here = page.settings, class_room.room()
    current = class_room.store().newest(here.code) if here is not None else None

    @problem.keep_errors
    def take(by_votes: bool) -> None:
        votes = panel.votes()
        if not votes:
            st.toast("Nobody has answered yet.")
            return
        class_room.close()
        panel.reveal()
        word = draw_word(votes, settings[SEED] + len(words)) if by_votes else next(iter(votes))
        add_word(settings, page.model, word, votes)

    def enter() -> None:
        word = TYPED.get().strip()
        TYPED.set("")
        if word:
            add_word(settings, page.model, word, {word: 1})

    @problem.keep_errors
    def stop() -> None:
        settings.set(CLASS_DONE.to(not settings[CLASS_DONE]))
        if current is not None and current.state == "open":
            class_room.close()

    if here is None and not settings[CLASS_DONE]:
        st.text_input("The next word", key=TYPED, on_change=enter, width=320)
        kit.note("“Class” above opens a room, where everyone sends the next word. Without one, type it here.")
    with st.container(horizontal=True, key="class-buttons"):
        if here is not None and not settings[CLASS_DONE]:
            poll = next_word(page)
            if current is not None and current.question == poll.question:
                for label, by_votes in (("Draw by the votes", True), ("Take the first", False)):
                    st.button(label, key=f"class/{by_votes}", type="primary", on_click=take, args=[by_votes])
            else:
                st.button(
                    "Ask for the next word",
                    key="class/ask",
                    type="primary",
                    on_click=problem.keep_errors(class_room.ask),
                    args=[poll],
                )
        if len(words) == MOST_WORDS:
            kit.note(f"The text has {MOST_WORDS} words, which is the most. Start over for another.")
        elif words:
            st.button("Go on" if settings[CLASS_DONE] else "Stop", key="class/stop", on_click=stop)


def _draw_guesses(page: kit.OpenPage[None], words: list[Word]) -> None:
    """The model's guesses at the place of the last word; if this is among them, it is marked."""
    guesses = next_guesses(page.model, text_after(page.settings[CLASS_PROMPT], words[:-1]))
    blocked = kit.blocklist.over(page.settings[MODEL], page.settings[CLASS_PROMPT])
    rows = [
        {
            "token": one.token,
            "probability": one.probability,
            "state": "chosen" if key(one.token) == key(words[-1].word) else "",
            "covered": kit.blocklist.covers(blocked, "", one.token),
        }
        for one in guesses
    ]
    kit.heading(f"{kit.memory.short_label(page.settings[MODEL])}’s guesses at this place")
    kit.bars(rows, "class/guesses", "The model’s guesses at the place of the last word")


def next_word(page: kit.OpenPage[None]) -> kit.Poll:
    """The next word of the text so far, with the model's guesses."""
    prompt = page.settings[CLASS_PROMPT]
    text = text_after(prompt, class_words(page.settings))
    context = "".join(kit.blocklist.written(kit.blocklist.over("", prompt), [text]))
    model = {one.token: one.probability for one in next_guesses(page.model, text)}
    return kit.Poll(
        Question("word", "Which word comes next?", context),
        model,
        who=kit.memory.short_label(page.settings[MODEL]),
    )


def draw_first(settings: Settings) -> None:
    """Draw the first word by the votes of the class that has been asked for it."""
    votes = panel.votes()
    if votes and not class_words(settings):
        add_word(settings, kit.memory.get(settings[MODEL]), draw_word(votes, settings[SEED]), votes)


def add_word(settings: Settings, model: "LanguageModel", word: str, votes: dict[str, int]) -> None:
    """Add a word to the text, with its votes (for a callback)."""
    words = class_words(settings)
    text = text_after(settings[CLASS_PROMPT], words)
    by_key = {key(answer): count for answer, count in votes.items()}
    first = next((by_key.get(key(one.token), 0) for one in next_guesses(model, text)), 0)
    words.append(Word(word, by_key[key(word)], sum(votes.values()), first))
    settings.set(CLASS_WORDS.to([list(one) for one in words]))
    if len(words) == MOST_WORDS:
        settings.set(CLASS_DONE.to(True))


def example(page: kit.OpenPage[None]) -> kit.Example:
    """The model's guesses at the words of the class, or at the prompt's last one."""
    from explorer.analysis.prediction import shannon

    settings = page.settings
    words, prompt = class_words(settings), settings[CLASS_PROMPT]
    first = max(len(shannon.spots(prompt)) - (not words), 0)
    return kit.Example(
        examples.guesses_at_words,
        model=kit.Load(settings[MODEL]),
        text=text_after(prompt, words),
        first=first,
        every=1,
        guesses=GUESSES,
        hidden=False,
    )


VIEW = kit.View(
    text=kit.view_text("continuations", "class"),
    settings=(CLASS_PROMPT, CLASS_WORDS, CLASS_DONE),
    needs=("GENERATE",),
    model=kit.WRITER,
    controls=controls,
    picture=draw,
    example=example,
    stage=kit.Stage(start=draw_first, polls=lambda page: [next_word(page)]),
)
