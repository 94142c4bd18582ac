"""Three searches and a draw on one prompt, and whether a loop ends."""

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations import decoders, page
from explorer.views.look import blocklist
from explorer.views.widgets import growing_rows
from tests.views.continuations.opening import component_data, followed, open_
from tests.views.opening import defaults, said

DEFAULTS = defaults(page.PAGE)


def test_each_way_writes_its_own_text():
    at = open_("ways", length="8")
    greedy = generate(
        explorer.load(DEFAULTS["model"]), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=8)
    )
    list(greedy)
    _, outputs = at.session_state[decoders.OUTPUTS]
    assert len(outputs) == 4 and all(len(way.ids) == 8 for way in outputs)
    assert outputs[0].ids == greedy.ids and outputs[1].log_probability >= outputs[0].log_probability - 1e-3
    assert all(name in said(at) for name in ("Greedy", "Beam", "Contrastive", "Drawn"))
    assert at.run() and at.session_state[decoders.OUTPUTS][1] is outputs, "nothing is written again"


def test_rows_grow_past_the_page_which_then_has_the_same(monkeypatch):
    _, at_once = open_("ways", length="5").session_state[decoders.OUTPUTS]
    monkeypatch.setattr(growing_rows, "FIRST_SECONDS", 0.0)
    at = open_("ways", length="5")
    page = component_data(at, "growing_rows")
    assert page["going"] and page["count"] == 1 and len(page["chips"]) == 6
    assert "The four texts · CSV" in [download.label for download in at.get("download_button")]
    *_, last, end = followed(page)
    assert growing_rows.as_html(last["chips"][1]) in decoders_rows(at.run()) and end == {"going": False}
    assert [o.ids for o in at.session_state[decoders.OUTPUTS][1]] == [o.ids for o in at_once]


def decoders_rows(at) -> list[str]:
    return [body for body in (e.proto.body for e in at.get("html")) if 'class="rb-way"' in body]


def test_a_listed_word_is_dots_in_every_row(monkeypatch):
    greedy = generate(
        explorer.load(DEFAULTS["model"]), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=4)
    )
    word = "".join(step.text for step in greedy).split()[0].strip(".,").casefold()
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset([word]))
    at = open_("ways", length="4")
    rows = decoders_rows(at)
    assert any(blocklist.DOTS in row for row in rows) and not any(f" {word} " in row for row in rows)
    assert word in at.session_state[decoders.OUTPUTS][1][0].text.casefold()


def test_a_prompt_with_a_script_in_it_is_text():
    assert "<script>" not in said(open_("ways", length="2", text="<script>alert(1)</script>"))


def test_what_a_model_writes_is_text():
    output = decoders.Output([1, 2], " <b>two</b>\nlines", -3.0)
    nothing, decoder = blocklist.Blocklist(False, frozenset()), decoders.Decoder("Greedy", "", 1)
    parts = decoders._row(decoder, output, "", nothing)
    row = growing_rows.as_html(parts)
    assert ">&lt;b&gt;two&lt;/b&gt;↵ lines</div>" in row


def test_a_loop_is_written_on_and_asked_about():
    link = {"model": "gpt", "text": "In a small town there lived a doctor"}
    at = open_("ways", **link, length="40")
    greedy = at.session_state[decoders.OUTPUTS][1][0]
    twice = decoders.greedy_output(explorer.load("gpt"), link["text"], 80)
    assert greedy.text + greedy.further.text == twice.text and greedy.further.ids == twice.ids
    row = decoders_rows(at)[0]
    assert row.count('class="further"') == 1 and row.split("as much again: ")[1].startswith("</small><u>")
    assert not open_("ways", **link, length="4").session_state[decoders.OUTPUTS][1][0].further


def test_a_loop_ends_or_does_not():
    """Five tokens again and again, then others."""
    loop, other = [1, 2, 3, 4, 5] * 4, [*range(10, 30)]
    assert decoders.is_loop(loop) and decoders.is_loop(other + loop)
    assert not decoders.is_loop(loop + other) and not decoders.is_loop(loop[:5])
