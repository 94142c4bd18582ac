"""What needs a term explained stands behind “More”, one click away; the row stays as it is."""

from streamlit.testing.v1 import AppTest

from tests.views.opening import said


def script():
    from explorer.views.frame.choice_row import choice_row
    from explorer.views.settings.setting import Setting
    from explorer.views.settings.settings import Settings

    shape = Setting("shape", "line")
    settings = Settings("page", shape)
    settings.open()
    labels = {"line": "Line", "ring": "Ring", "knot": "Knot", "braid": "Braid"}
    choice_row(settings, shape, "Shape", labels, {"knot": "For sailors <b>.", "braid": ""})
    settings.close()


def opened(**link: str) -> AppTest:
    at = AppTest.from_function(script, default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    at.run(timeout=300)
    assert not at.exception
    return at


def row(at: AppTest) -> tuple[list[str], str | None]:
    """The options of the row, and the chosen one."""
    (control,) = at.segmented_control
    return control.options, control.value


def more(at: AppTest) -> tuple[str, str]:
    """The label of “More”, and its identity: a new one is closed."""
    (popover,) = at.get("popover")
    return popover.proto.popover.label, popover.proto.id


def press(at: AppTest, value: str) -> None:
    at.button(key=f"page/more/shape/{value}").click().run()
    assert not at.exception


def test_what_is_chosen_from_more_is_named_there_and_the_row_stays():
    at = opened()
    assert row(at) == (["Line", "Ring"], "line")
    label, opener = more(at)
    assert label == "More" and "For sailors &lt;b&gt;." in said(at)
    press(at, "knot")
    assert at.session_state["page.shape"] == "knot" and at.query_params["shape"] in ("knot", ["knot"])
    assert row(at) == (["Line", "Ring"], None)
    assert more(at)[0] == "More: Knot" and more(at)[1] != opener, "a new one, which is closed"
    press(at, "braid")
    assert more(at)[0] == "More: Braid"
    at.segmented_control[0].set_value("ring").run()
    assert not at.exception
    assert row(at) == (["Line", "Ring"], "ring") and more(at)[0] == "More"
    press(at, "knot")
    assert row(at) == (["Line", "Ring"], None), "of the last choice in the row nothing is left"


def test_a_link_opens_what_is_behind_more():
    at = opened(shape="knot")
    assert row(at) == (["Line", "Ring"], None) and more(at)[0] == "More: Knot"


def test_presenter_mode_has_the_whole_row_at_hand_if_it_fits():
    at = opened(present="1")
    assert row(at) == (["Line", "Ring", "Knot", "Braid"], "line") and not at.get("popover")
