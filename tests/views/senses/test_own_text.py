"""One's own text on the word senses page: its way in, its draw, its privacy, what it says when it cannot."""

import gc
import io
import weakref

import pytest
import torch
from streamlit.testing.v1 import AppTest

from explorer.corpus.index import build
from explorer.corpus.inspection import inspect
from explorer.corpus.lookup import Occurrence
from explorer.corpus.rows import Report, read
from explorer.errors import TextError
from explorer.server import memory
from explorer.views.senses import own_text, text_sample
from explorer.views.senses.own_text import OwnText
from tests.views.opening import at_link, told, unopened

TEXT = "".join(f"Boat number {i} lay at the bank of the {'Elm' if i % 2 else 'Ash'}.\n" for i in range(90))
TABLE = "note,sense\n" + "".join(
    f"We met at the bank on day {i},{'river' if i % 2 else 'money'}\n" for i in range(40)
)
SECRET = "zanzibar"


def own(text: str, name: str = "notes.txt") -> OwnText:
    file, report = io.BytesIO(text.encode()), Report()
    contents = inspect(name, file)
    return OwnText(contents, build(name, read(contents, file, report)), report.notes(contents))


def run(text: str | None = None, name: str = "notes.txt", **settings) -> AppTest:
    at = unopened("pages/senses.py")
    if text is not None:
        at.session_state[own_text.STATE] = own(text, name)
    return at_link(at, settings | {"own": True})


def found(at: AppTest):
    """The occurrences that the page shows."""
    return next(v for k, v in at.session_state[own_text.STATE].recent.items() if k[0] == "word")


def test_a_draw_is_shown_and_said(tiny):
    at = run(TEXT, model=tiny)
    assert "<b>60 of 90</b> occurrences, drawn at random, seed 0." in told(at)
    assert "notes.txt" in told(at) and "90 sentences" in told(at)
    at.button(key="own/again").click().run()
    assert "drawn at random, seed 1." in told(at)
    at.session_state["senses.drawn"] = 120
    at.run()
    assert "<b>All 90</b> occurrences." in told(at)


def test_a_files_name_is_text(tiny):
    name = '"><s>evil</s>.txt'
    at = run(TEXT, name, model=tiny)
    assert "<s>evil" not in told(at) and "&quot;&gt;&lt;s&gt;evil" in told(at)


@pytest.mark.slow
def test_more_than_a_live_view_takes_is_offered(tiny):
    at = run("".join(f"Bank {i} is shut.\n" for i in range(400)), model=tiny)
    assert "60 of 400" in told(at)
    at.session_state["senses.drawn"] = 2000
    at.run()
    assert not at.exception and "<b>All 400</b> occurrences." in told(at)
    at.button_group(key="own/try").set_value("shut").run()
    assert at.session_state["senses.drawn"] == text_sample.LIVE, "another word begins small again"


@pytest.mark.slow
@pytest.mark.parametrize("shown", ["matrix", "layers"])
def test_every_picture_shows_ones_own_text(tiny, shown):
    at = run(TABLE, "notes.csv", word="bank", model=tiny, shown=shown)
    keys = at.session_state[own_text.STATE].recent
    models = {key[1] for key in keys if key[0] == "word"}
    assert models == ({tiny, "word2vec", "elmo", "bert", "gpt"} if shown == "layers" else {tiny})
    assert "senses.view" in at.session_state and "day 7," not in at.query_params.get("locked", "")


def test_senses_of_a_table_colour_the_map_and_are_judged(tiny):
    at = run(TABLE, "t.csv", model=tiny)
    occurrences = found(at)
    assert set(occurrences.senses) == {"river", "money"} and occurrences.separation.judged == 40
    assert "the sense that your text gives" in told(at)


def test_word_forms_are_counted(tiny):
    text = "A bank. Two banks. Banking. The bank again. " + TEXT
    at = run(text, model=tiny)
    assert "bank 92" not in told(at)
    at.toggle(key="senses.forms").set_value(True).run()
    assert "bank 92 · banks 1 · banking 1" in told(at)
    assert not any(
        t.key == "senses.forms" for t in run("他去银行。我们去银行。", word="银行", model=tiny).toggle
    )


@pytest.mark.parametrize(
    ("text", "word", "says"),
    [
        ("은행에서 돈을 찾았다.\n은행이 열렸다.\n은행 앞에 섰다.\n중앙은행", "은행", "begins with it"),
        ("ไปธนาคารแล้ว\nธนาคารเปิด\nหน้าธนาคาร", "ธนาคาร", "without spaces"),
        ("I don’t know.\nDon't go.\nWe DON’T know the bank.\nDone.", "don't", ""),
    ],
)
def test_a_word_is_found_as_its_script_writes_it(tiny, text, word, says):
    occurrences = found(run(text, word=word, model=tiny))
    assert len(occurrences.matches) == 3 and says in " ".join(occurrences.notes)


def test_a_word_that_is_not_there_names_some_that_are(tiny):
    at = run(TEXT, model=tiny, word="ferry")
    assert "“ferry” does not occur in your text." in told(at) and "Words that occur: bank" in told(at)
    assert at.button_group(key="own/try").options[0] == "bank 90"
    at.button_group(key="own/try").set_value("bank").run()
    assert at.session_state["senses.word"] == "bank" and "60 of 90" in told(at)
    assert "There is no word yet." in told(run(TEXT, model=tiny, word=" "))


def test_a_link_does_not_carry_the_text(tiny):
    at = run(model=tiny)
    assert "which links do not carry" in told(at)
    at.button(key="own/forget").click().run()
    assert not at.exception and at.session_state["senses.own"] is False
    assert "which links do not carry" not in told(at)


def test_nothing_of_the_text_is_in_the_link_or_the_dots_names(tiny):
    at = run(f"The {SECRET} bank is shut.\nA bank {SECRET} here.\n", model=tiny)
    occurrences = found(at)
    assert sorted(map(occurrences.name, range(2))) == ["1:13", "2:2"]
    at.session_state["senses.locked"] = occurrences.name(0)
    at.run()
    assert at.query_params["locked"] == occurrences.name(0)
    assert SECRET not in str(dict(at.query_params))
    assert SECRET not in occurrences.key


def test_a_preset_and_reset_go_back_to_the_sentences_and_the_text_stays(tiny):
    at = run(TEXT, model=tiny)
    at.button(key="senses/preset/Bank").click().run()
    assert not at.exception and at.session_state["senses.own"] is False
    at.button(key="own/back").click().run()
    assert "notes.txt" in told(at)


def test_deleting_a_text_removes_every_trace(tiny):
    at = run(TEXT, model=tiny)
    mine = at.session_state[own_text.STATE]
    assert mine.index.read() and mine.cache._entries
    at.button(key="own/forget").click().run()
    assert own_text.STATE not in at.session_state
    assert not mine.recent and not mine.cache._entries
    with pytest.raises(TextError, match="no longer here"):
        own_text_draw(mine)


def test_a_text_goes_with_the_last_that_knew_of_it():
    other = own("A bank.")
    index = weakref.ref(other.index)
    del other
    gc.collect()
    assert index() is None


def test_two_visitors_see_their_own(tiny):
    one, two = run(f"My bank is {SECRET}.", model=tiny), run("Her bank is shut.\nA bank.", model=tiny)
    assert "The only occurrence" in told(one) and "Both</b> occurrences" in told(two)
    first, second = (at.session_state[own_text.STATE] for at in (one, two))
    assert first.key != second.key
    assert SECRET not in told(two)
    one.button(key="own/forget").click().run()
    two.run()
    assert "Both</b> occurrences" in told(two)
    assert "which links do not carry" in told(run(model=tiny)), "a third has none"


def test_vectors_and_looks_are_computed_once(tiny, monkeypatch):
    from explorer.corpus import embedding

    runs, real = [], embedding.senses.occurrences
    monkeypatch.setattr(
        embedding.senses, "occurrences", lambda *args: runs.append(len(args[1])) or real(*args)
    )
    at = run(TEXT, model=tiny)
    assert sum(runs) == 60
    at.session_state["senses.layer"] = 1
    at.run()
    at.session_state["senses.drawn"] = 120
    at.run()
    assert sum(runs) == 90, "the others alone"


def test_chinese_needs_a_model_that_knows_it():
    at = run("他去银行取钱。我们在河岸上。银行关门了。", word="银行")
    assert "need a model that knows Chinese; bert does not" in told(at)
    assert "Choose bert-zh as the model" in told(at)


def test_more_senses_than_a_map_tells_apart_are_said():
    senses = [f"s{i}" for i in range(20) for _ in range(20 - i)] + [None]
    sentences, notes = text_sample.sentences_with_senses([Occurrence(0, "", s, (0, 0)) for s in senses])
    assert {sentence.sense for sentence in sentences} == {f"s{i}" for i in range(12)} | {None}
    assert notes == ["Of 20 senses the 12 most frequent are named."]
    assert text_sample.sentences_with_senses([Occurrence(0, "", "a", (0, 0))])[1] == []


def test_an_interrupted_embedding_goes_on_where_it_stopped(tiny):
    class Rerun(BaseException):
        pass

    def stop(done: int, total: int) -> None:
        if done:
            raise Rerun

    mine = own(TEXT)
    drawn = own_text_draw(mine)
    with pytest.raises(Rerun):
        text_sample.embed_sample(memory.fetch(tiny), drawn, "k", stop, mine.cache)
    kept = len(mine.cache._entries)
    assert kept > 0 and not mine.recent
    occurrences = text_sample.embed_sample(
        memory.fetch(tiny), drawn, "k", lambda done, total: None, mine.cache
    )
    assert len(occurrences.matches) == 60 and torch.isfinite(occurrences.matches.vectors).all()


def own_text_draw(mine: OwnText):
    from explorer.corpus.lookup import draw, lookup

    return draw(mine.index, lookup(mine.index, "bank"), 60)
