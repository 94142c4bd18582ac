"""The phone's page by itself, without a server: what it does when nothing is heard any more."""

from explorer.room.page import View, document

STREAM = """
window.streams = 0;
window.EventSource = class {
  constructor() {
    window.streams += 1;
    if (window.streams === 1) setTimeout(() => this.onmessage({ data: JSON.stringify(window.first) }), 10);
  }
  addEventListener(name, heard) {
    if (name === "alive") setInterval(() => window.alive && heard(), 15000);
  }
  close() {}
};
"""
WAITS = View("0", "<h1>You are in.</h1>", "").event()
ASKED = View("1/open/0", "<h1>Which word?</h1>", "").event()


def opened(browser, alive):
    """The page, whose stream has said that no question is open yet, and from then on nothing."""
    page = browser.new_context().new_page()
    asked = []

    def state(route):
        asked.append(route.request.url)
        route.fulfill(json=ASKED)

    page.route(
        "**/join/FRAK",
        lambda route: route.fulfill(body=document(View("0", "", ""), "n"), content_type="text/html"),
    )
    page.route("**/state", state)
    page.add_init_script(f"window.first = {WAITS}; window.alive = {int(alive)};{STREAM}")
    page.clock.install(time=0)
    page.clock.pause_at(1_000)  # only the test moves it
    page.goto("http://class/join/FRAK")
    page.clock.run_for(1_000)
    return page, asked


def test_a_phone_that_hears_nothing_for_forty_seconds_asks_and_connects_again(browser):
    page, asked = opened(browser, alive=False)
    page.clock.run_for(34_000)
    assert not asked and page.evaluate("streams") == 1
    page.clock.run_for(12_000)
    page.get_by_text("Which word?").wait_for()
    page.wait_for_function("streams === 2")
    assert len(asked) == 1
    page.context.close()


def test_a_sign_of_life_is_enough(browser):
    page, asked = opened(browser, alive=True)
    page.clock.run_for(120_000)
    assert not asked and page.evaluate("streams") == 1
    page.context.close()
