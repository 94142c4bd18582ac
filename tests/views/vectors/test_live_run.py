"""A training in turns: it begins, goes on, stops and begins again; its map turns with it."""

import torch

from explorer.views.vectors import live_run, live_training
from explorer.views.vectors.live_run import restart
from explorer.views.vectors.live_training import curve, place, reading_head, shown
from explorer.views.vectors.presets import DEFAULTS, GROUPS, our_text


def begun(**changes) -> live_run.Run:
    return live_run.begin((), DEFAULTS | {"dimensions": 10} | changes)


def test_our_text_is_small_and_has_the_words_of_all_groups():
    assert 600 <= len(our_text().split()) <= 1500
    run = begun()
    words, member, names = shown(run, GROUPS)
    assert len(words) == 28 and names == ["royalty", "food", "animals", "weather"]
    assert [member.count(g) for g in range(4)] == [7, 7, 7, 7]


def test_a_run_in_turns(monkeypatch):
    monkeypatch.setattr(live_run, "TURN_SECONDS", 0.0)
    run = begun()
    assert (run.verb, run.at) == ("Train", 0)
    live_run.extend(run)
    assert run.at == 0, "nothing happens before the button is pressed"
    run.going = True
    live_run.extend(run)
    assert run.verb == "Stop" and run.at == 1 and len(run.losses) == 1
    run.going = False
    live_run.extend(run)
    assert run.at == 1 and run.verb == "Continue"


def test_it_learns_our_groups_and_the_same_again():
    run = begun(seed=3)
    run.going = True
    while run.going:
        live_run.extend(run)
    assert run.at == run.training.steps and run.verb == "Again"
    points = curve(run.losses)
    assert points[-1][1] < 0.7 * points[0][1]
    words, member, _ = shown(run, GROUPS)
    unit = run.now.unit(words)
    cosines = (unit @ unit.T).fill_diagonal_(-2)
    group = torch.tensor(member)
    assert (group[cosines.argmax(1)] == group).float().mean() >= 0.9
    first = run.now.matrix
    restart(run)
    assert run.going and run.at == 0 and run.losses == []
    while run.going:
        live_run.extend(run)
    assert torch.equal(first, run.now.matrix)


def test_the_map_turns_with_the_words():
    run = begun()
    words, *_ = shown(run, GROUPS)
    run.going = True
    before = place(run, words).coordinates
    for _ in range(3):
        live_run.extend(run)
    now = place(run, words).coordinates
    free, _, turn = torch.linalg.svd(now.T @ before)
    torch.testing.assert_close(free @ turn, torch.eye(2), atol=1e-3, rtol=0)
    assert (torch.tensor(run.reach) >= now.abs().amax(0) - 1e-6).all()


def test_the_curve_is_a_mean_of_a_few_steps():
    assert curve([]) == []
    assert curve([(2, 4.0), (3, 2.0)]) == [(3, 3.0)]
    steps = [(i, float(i)) for i in range(1, live_training.SMOOTH + 2)]
    assert curve(steps) == [(30, 15.5), (31, 16.5)]


def test_the_reading_head_lights_the_context():
    run = begun()
    head = reading_head(run)
    assert len(head["before"]) == live_training.AROUND and not any(w["lit"] for w in head["before"])
    run.going = True
    live_run.extend(run)
    head, step = reading_head(run), run.progress
    assert head["centre"] == run.training.text[slice(*run.training.spans[step.centre])]
    lit = [w["text"] for w in head["before"] + head["after"] if w["lit"]]
    assert lit == [run.training.text[slice(*run.training.spans[i])] for i in step.context] != []


def test_a_text_without_our_words_shows_its_most_frequent():
    words, member, _ = shown(begun(text="one two three four five. one two king six."), GROUPS)
    assert words[:2] == ["one", "two"] and member[words.index("king")] == 0 and member[0] == -1


def test_longer_texts_are_read_less_often():
    few, many = (live_run.choices(DEFAULTS | {"text": "word " * n}).epochs for n in (100, 8000))
    assert (few, many) == (60, 3)
