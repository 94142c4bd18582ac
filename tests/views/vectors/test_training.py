"""A training in turns: it begins, goes on, stops and begins again; its map turns with it."""

import pytest
import torch

from explorer.views.vectors import training, training_session
from explorer.views.vectors.settings import GROUPS, our_text
from explorer.views.vectors.training import running_text, words_shown
from tests.views.opening import defaults

SETTINGS = defaults("vectors")

DEFAULTS = SETTINGS | defaults("vectors")


def begun(**changes) -> training_session.TrainingSession:
    return training_session.begin((), DEFAULTS | {"dimensions": 10} | changes)


def test_our_text_is_small_and_has_the_words_of_all_groups():
    assert 600 <= len(our_text().split()) <= 1500
    session = begun()
    words, member, names = words_shown(session, GROUPS)
    assert len(words) == 20 and names == ["royalty", "food", "animals", "weather"]
    assert [member.count(g) for g in range(4)] == [5, 5, 5, 5]


def test_a_run_in_turns(monkeypatch):
    monkeypatch.setattr(training_session, "MOST_SECONDS", 0.0)
    session = begun()
    assert (session.button, session.step) == ("Train", 0)
    session.extend()
    assert session.step == 0, "nothing happens before the button is pressed"
    session.going = True
    session.extend()
    assert session.button == "Stop" and session.step == 1 and len(session.done) == 1
    session.going = False
    session.extend()
    assert session.step == 1 and session.button == "Continue"


@pytest.mark.slow
def test_it_learns_our_groups_and_the_same_again(monkeypatch):
    session = begun(seed=3)
    session.going = True
    while session.going:
        session.extend()
    assert session.step == session.training.steps and session.button == "Train again"
    points = training_session.curve(session.done)
    assert points[-1][1] < 0.7 * points[0][1]
    words, member, _ = words_shown(session, GROUPS)
    unit = session.vectors.unit(words)
    cosines = (unit @ unit.T).fill_diagonal_(-2)
    group = torch.tensor(member)
    assert (group[cosines.argmax(1)] == group).float().mean() >= 0.9
    first = session.vectors.matrix
    monkeypatch.setattr("streamlit.session_state", {})
    training_session.restart(session)
    session = training_session.RUN.get()
    assert session.going and session.step == 0 and session.done == []
    while session.going:
        session.extend()
    assert torch.equal(first, session.vectors.matrix)


def test_the_map_turns_with_the_words():
    session = begun()
    words, *_ = words_shown(session, GROUPS)
    session.going = True
    before = training_session.place(session, words).coordinates
    for _ in range(3):
        session.extend()
    now = training_session.place(session, words).coordinates
    free, _, turn = torch.linalg.svd(now.T @ before)
    torch.testing.assert_close(free @ turn, torch.eye(2), atol=1e-3, rtol=0)
    assert (torch.tensor(session.reach) >= now.abs().amax(0) - 1e-6).all()


def test_the_curve_is_a_mean_of_a_few_steps():
    assert training_session.curve([]) == []
    assert training_session.curve([(2, 4.0), (3, 2.0)]) == [(3, 3.0)]
    steps = [(i, float(i)) for i in range(1, training_session.SMOOTH + 2)]
    assert training_session.curve(steps) == [(30, 15.5), (31, 16.5)]


def test_the_running_text_lights_the_context():
    session = begun()
    head = running_text(session)
    assert len(head["before"]) == training.AROUND and not any(w["lit"] for w in head["before"])
    session.going = True
    session.extend()
    head, step = running_text(session), session.progress
    assert head["centre"] == session.training.text[slice(*session.training.spans[step.centre])]
    lit = [w["text"] for w in head["before"] + head["after"] if w["lit"]]
    assert lit == [session.training.text[slice(*session.training.spans[i])] for i in step.context] != []


def test_a_text_without_our_words_shows_its_most_frequent():
    words, member, _ = words_shown(begun(text="one two three four five. one two king six."), GROUPS)
    assert words[:2] == ["one", "two"] and member[words.index("king")] == 0 and member[0] == -1


def test_longer_texts_are_read_less_often():
    few, many = (
        training_session.train_settings(DEFAULTS | {"text": "word " * n})["epochs"] for n in (100, 8000)
    )
    assert (few, many) == (60, 3)
