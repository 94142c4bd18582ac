"""The script that follows a text past its page: what it joins, asks again, and leaves to the page."""

import json

from explorer.views.widgets.registry import module
from tests.views.widgets.test_registry import run

# Answers of the server, one a request: a list of what arrives, then the end; or null, a cut connection.
BROWSER = "globalThis.location = {}; globalThis.document = { documentElement: { dataset: {} } };\n"
SERVER = """
const asked = [], said = [], drawn = [];
globalThis.fetch = async (address, { body }) => {
  asked.push([address, JSON.parse(body)]);
  const parts = answers.shift();
  if (!parts) throw new TypeError("cut");
  const bytes = parts.map((part) => new TextEncoder().encode(part));
  return { ok: true, body: new ReadableStream({
    pull(stream) { bytes.length ? stream.enqueue(bytes.shift()) : stream.close(); } }) };
};
const root = { isConnected: true };
const page = { address: "/a/stream", secret: "s", run: 1, count: 1, going: true, chips: ["a"], answers: 0 };
const paint = () => drawn.push(root.live.chips.join(""));
const draw = (data) => followText(root, data, (...sent) => said.push(sent), paint);
const wait = (ms) => new Promise((then) => setTimeout(then, ms));
"""


def followed(answers, act: str) -> dict:
    """What is asked of the server, said to the page, and drawn."""
    code = f"const answers = {json.dumps(answers)};{SERVER}{act}\n"
    code += "console.log(JSON.stringify({ asked, said, drawn })); process.exit();"
    return json.loads(run(BROWSER + module("widgets/follower.js"), code))


def event(**news) -> str:
    return f"data: {json.dumps(news)}\n\n"


EVERYTHING = event(run=1, count=1, going=True, chips=["a"], at=0)


def test_news_are_joined_and_the_page_is_asked_once_the_text_stops():
    end = event(count=3, going=False, chips=["x", "c"], at=1)
    parts = [": open\n\n", EVERYTHING, event(count=2, chips=["b"], at=1) + end[:9], end[9:]]
    got = followed([parts], "draw(page); await wait(100); draw({ ...page, answers: 1 });")
    assert got["asked"] == [["/a/stream", {"secret": "s", "run": 1, "press": ""}]]
    assert got["drawn"] == ["a", "a", "ab", "axc", "axc"], "a page that is behind takes nothing back"
    assert got["said"][0] == ["more", {"run": 1, "count": 3, "answers": 0}]


def test_after_a_cut_it_is_followed_again_and_a_press_is_sent_until_it_has_arrived():
    begun = event(run=2, count=1, going=True, chips=["d"], at=0)
    again = [begun, event(count=2, going=False, chips=["e"], at=1)]
    act = "draw(page); await wait(20); root.press('Stop'); await wait(1200);"
    got = followed([[EVERYTHING], None, again], act)
    assert [body["press"] for _, body in got["asked"]] == ["", "Stop", "Stop"]
    assert got["drawn"][-1] == "de" and got["said"] == [["more", {"run": 2, "count": 2, "answers": 0}]]


def test_where_nothing_arrives_the_page_is_told_and_asked_until_it_has_another_secret():
    act = "draw(page); root.press('Stop'); await wait(1200);"
    act += "draw({ ...page, button: 'Continue', answers: 1 }); await wait(20);"
    act += "draw({ ...page, secret: 't', answers: 1 }); await wait(20);"
    got = followed([None, None, None, [EVERYTHING]], act)
    assert [body["secret"] for _, body in got["asked"]] == ["s", "s", "s", "t"]
    assert got["said"] == [["turn", "Stop"], ["more", {"run": 1, "count": 1, "answers": 1}]]
