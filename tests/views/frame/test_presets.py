"""A press on a preset tells the browser which settings it has changed."""

import json

from tests.views.home.test_examples import run


def last_press(at):
    (mount,) = (m for m in at.get("bidi_component") if m.proto.component_name == "riverbank_page_behaviour")
    return json.loads(mount.proto.json)[0]["press"]


def test_a_press_is_counted_with_the_keys_of_what_it_has_changed():
    at = run()
    assert last_press(at) == {"presses": 0, "changed": []}
    at.button(key="home/preset/River").click().run()
    assert last_press(at) == {"presses": 1, "changed": ["home.text"]}
    at.button(key="home/preset/River").click().run()
    assert last_press(at) == {"presses": 2, "changed": []}
