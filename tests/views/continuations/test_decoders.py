"""Five decoders on one prompt."""

import explorer
from explorer.analysis.generation.steps import Sampling, generate
from explorer.views.continuations import decoders, page
from explorer.views.look import blocklist
from tests.views.continuations.opening import open_
from tests.views.opening import defaults, said

DEFAULTS = defaults(page.PAGE)


def test_each_way_writes_its_own_text():
    at = open_("ways", length="8")
    greedy = generate(
        explorer.load(DEFAULTS["model"]), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=8)
    )
    list(greedy)
    _, outputs = at.session_state[decoders.OUTPUTS]
    assert len(outputs) == 5 and all(len(way.ids) == 8 for way in outputs)
    assert outputs[0].ids == greedy.ids and outputs[1].log_probability >= outputs[0].log_probability - 1e-3
    assert all(name in said(at) for name in ("Greedy", "Beam", "Top-k", "Nucleus", "Contrastive"))
    assert at.run() and at.session_state[decoders.OUTPUTS][1] is outputs, "nothing is written again"


def test_a_listed_word_is_dots_in_every_row(monkeypatch):
    greedy = generate(
        explorer.load(DEFAULTS["model"]), DEFAULTS["text"], Sampling(greedy=True, max_new_tokens=4)
    )
    word = "".join(step.text for step in greedy).split()[0].strip(".,").casefold()
    monkeypatch.setattr(blocklist, "listed", lambda: frozenset([word]))
    at = open_("ways", length="4")
    rows = [body for body in (e.proto.body for e in at.get("html")) if 'class="rb-way"' in body]
    assert any(blocklist.DOTS in row for row in rows) and not any(f" {word} " in row for row in rows)
    assert word in at.session_state[decoders.OUTPUTS][1][0].text.casefold()


def test_a_prompt_with_a_script_in_it_is_text():
    assert "<script>" not in said(open_("ways", length="2", text="<script>alert(1)</script>"))


def test_what_a_model_writes_is_text():
    output = decoders.Output([1, 2], " <b>two</b>\nlines", -3.0)
    row = decoders._row(decoders.Decoder("Greedy", ""), output, "", blocklist.Blocklist(False, frozenset()))
    assert ">&lt;b&gt;two&lt;/b&gt;↵ lines</div>" in row
