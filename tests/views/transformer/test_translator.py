"""Translator: what the page sends to its pictures, what a click does, and odd input."""

import shutil

import pytest
import torch

from explorer import assets
from explorer.analysis import translation
from explorer.analysis.translation import Doubt
from explorer.assets import CHECKPOINTS
from explorer.catalogue import manifest
from explorer.server import memory
from explorer.views.transformer import translator, translator_bertviz, translator_search
from explorer.views.transformer.translator_data import branches, picture_data, score_text, warnings
from explorer.views.transformer.translator_search import TranslatorSearch
from tests.views import opening
from tests.views.opening import opened, printed_result, read_data, said, sending, sent, told, unmarked
from tests.views.transformer.test_steps import Chosen

TEXT = "the bank by the old river"


@pytest.fixture
def open_at(marian_folder):
    def open_(**link):
        plain = {"view": "translator", "model": f"folder:{marian_folder}", "translator_text": TEXT}
        return opened(
            "transformer", **(plain | {f"translator_{name}": value for name, value in link.items()})
        )

    return open_


def found(tiny_marian, branch: int = 0) -> TranslatorSearch:
    return translator_search.search(tiny_marian, TEXT, branch)


def test_the_picture_gets_the_traces_own_numbers(open_at, tiny_marian):
    (data,) = sent(open_at(layer="1", head="3"), "translator")
    result = translation.translate(tiny_marian, TEXT)
    trace = translation.trace(tiny_marian, TEXT, result.ids)
    for name, pattern in (
        ("cross", trace.cross.pattern),
        ("own", trace.target.attention.pattern),
        ("encoder", trace.source.attention.pattern),
    ):
        torch.testing.assert_close(torch.tensor(data[name]), pattern[1, 3], atol=1e-4, rtol=0)
    assert data["text"] == result.text and len(data["written"]) == len(result.ids)
    assert data["selection"] == "layer 2, head 4"


def test_the_mean_is_over_layers_and_heads(tiny_marian):
    data = picture_data(tiny_marian, found(tiny_marian), None, None, 4)
    trace = found(tiny_marian).trace
    wanted = trace.cross.pattern.mean((0, 1))
    torch.testing.assert_close(torch.tensor(data["cross"]), wanted, atol=1e-4, rtol=0)
    assert all(abs(sum(row) - 1) < 0.01 for row in (*data["cross"], *data["own"], *data["encoder"]))


def test_a_layer_that_one_side_lacks_is_its_last(tiny_marian):
    data = picture_data(tiny_marian, found(tiny_marian), 2, 0, 4)
    assert "decoder’s last layer" in data["selection"]
    torch.testing.assert_close(
        torch.tensor(data["cross"]), found(tiny_marian).trace.cross.pattern[1, 0], atol=1e-4, rtol=0
    )


def test_candidates_and_ranks_are_those_of_each_step(tiny_marian):
    shown = found(tiny_marian)
    data = picture_data(tiny_marian, shown, None, None, 5)
    logits = shown.trace.target.logits
    for step, id in enumerate(shown.translation.ids):
        probabilities = logits[step].softmax(-1)
        assert data["ranks"][step]["probability"] == pytest.approx(float(probabilities[id]), abs=1e-4)
        best = [candidate["probability"] for candidate in data["candidates"][step]]
        assert len(best) == 5 and best == sorted(best, reverse=True)


def test_the_tree_holds_every_hypothesis_once_and_the_best_first(tiny_marian):
    shown = found(tiny_marian)
    paths = [shown.tree.path(branch.number) for branch in shown.tree.branches]
    assert paths[0] == shown.translation.ids and len(set(paths)) == len(paths)
    for hypothesis in shown.translation.hypotheses:
        assert any(path[: len(hypothesis.ids)] == hypothesis.ids for path in paths)
    data = branches(tiny_marian, shown)
    assert data["here"] == 0 and data["fixed"]
    for branch in data["branches"]:
        assert all(0 < width <= 1 for width in branch["widths"]), branch
    first = next(branch for branch in data["branches"] if branch["number"] == 0)
    total = torch.tensor(first["widths"]).log().sum().item()
    assert total == pytest.approx(shown.translation.log_probability, abs=0.05)


def test_another_hypothesis_can_be_looked_at(tiny_marian, open_at):
    other = found(tiny_marian).tree.branches[-1].number
    shown = found(tiny_marian, branch=other)
    assert shown.trace.target.encoding.ids.tolist()[1:] == list(shown.tree.path(other)[:-1])
    assert len(sent(open_at(part="beams", road=other), "tree")) == 1
    assert found(tiny_marian, branch=999).branch == 0


def test_clicks_choose_a_token_and_a_hypothesis(tiny_marian, monkeypatch):
    chosen = Chosen({"translator_token": -1, "translator_road": 0})
    tree = found(tiny_marian).tree
    clicks = {"choose": 2, "act": {"what": "walk", "number": tree.branches[-1].number, "at": 1}}
    monkeypatch.setattr(translator.kit, "component_value", sending(clicks))
    translator._choose(chosen)
    assert chosen["translator_token"] == 2
    translator._walk(chosen, tree)
    assert (chosen["translator_road"], chosen["translator_token"]) == (tree.branches[-1].number, 1)
    clicks["act"] = {"what": "walk", "number": 999}
    translator._walk(chosen, tree)
    assert chosen["translator_road"] == tree.branches[-1].number


def test_a_link_to_a_token_or_a_head_that_is_not_there(open_at):
    at = open_at(token=500, layer="77", head="x", part="nothing")
    (data,) = sent(at, "translator")
    assert data["chosen"] == len(data["written"]) - 1 and data["part"] == "words"
    assert "mean of all layers" in data["selection"]


@pytest.mark.parametrize(("text", "line"), [("", "Type a sentence above"), ("  ", "Type a sentence above")])
def test_an_empty_text_asks_for_one(open_at, text, line):
    assert line in said(open_at(text=text))


def test_a_long_text_is_cut_and_flagged(open_at):
    at = open_at(text="the old bank " * 200)
    assert "more tokens are not translated" in said(
        at
    ) and "longer than the sentences that this translator" in said(at)


def test_doubts_in_words():
    doubts = [Doubt("long", tokens=24), Doubt("rare", words=("<b>", "oud")), Doubt("low", score=-1.2)]
    long, rare, low = warnings(doubts)
    assert "24 tokens" in long and "“&lt;b&gt;”, “oud”" in unmarked(rare) and "−1.20" in low


def test_the_code_gives_the_translation(open_at, tiny_marian):
    result = translation.translate(tiny_marian, TEXT)
    assert printed_result(open_at()) == (result.text, round(result.score, 3))


def test_bertviz_gets_the_attention_of_encoder_decoder_and_across(tiny_marian):
    shown = found(tiny_marian)
    written = len(shown.trace.written)
    for side, pattern, read in (
        ("encoder", shown.trace.source.attention.pattern, len(shown.trace.source.tokens)),
        ("decoder", shown.trace.target.attention.pattern, written),
        ("cross", shown.trace.cross.pattern, len(shown.trace.source.tokens)),
    ):
        drawn = translator_bertviz.attention(shown, side)
        assert drawn.pattern is pattern
        assert pattern.shape[2:] == (len(drawn.reading), len(drawn.read)) and len(drawn.read) == read
    assert translator_bertviz.attention(shown, "decoder").read[0] == "start"


def test_bertviz_draws_a_layers_heads_or_all_of_them(tiny_marian, open_at):
    (frame,) = open_at(part="bertviz", side="cross", layer="1").get("iframe")
    drawn = translator_bertviz.attention(found(tiny_marian), "cross")
    told = opening.bertviz_data(frame.proto.srcdoc)
    (block,) = told["attention"]
    assert (block["left_text"], block["right_text"]) == (drawn.reading, drawn.read)
    torch.testing.assert_close(torch.tensor(block["attn"][0]), drawn.pattern[1], atol=6e-5, rtol=0)
    (frame,) = open_at(part="bertviz", side="encoder").get("iframe")
    told = opening.bertviz_data(frame.proto.srcdoc)
    assert told["include_layers"] == [1, 2, 3] and told["include_heads"] == [1, 2, 3, 4, 5]


def test_bertviz_is_given_no_more_than_it_can_draw(tiny_marian):
    long = translator_bertviz.Shown(torch.rand(3, 8, 90, 40), ["x"] * 90, ["y"] * 40)
    assert len(translator_bertviz.fitting(long, None).tokens) == 40  # floor(sqrt(40000 / 24))
    assert len(translator_bertviz.fitting(long, 2).tokens) == 48


def test_the_score_of_a_hypothesis_is_its_mean_log_probability(tiny_marian):
    shown = found(tiny_marian)
    for hypothesis in shown.translation.hypotheses:
        branch = next(b.number for b in shown.tree.branches if shown.tree.path(b.number) == hypothesis.ids)
        wanted = f"Score: {hypothesis.score:.2f} nats per token".replace("-", "−")
        assert score_text(shown._replace(branch=branch)) == wanted


def test_a_saved_picture_names_its_choices(open_at):
    at = open_at(layer="1", head="3", part="map")
    mounts = (read_data(mount) for mount in at.get("bidi_component") if mount.proto.json)
    lines = next(data["caption"] for data in mounts if data.get("caption"))
    assert lines[-1].endswith("Picture: Map · Layer: 1 · Head: 3") and TEXT in lines[-1]


def test_without_a_translator_one_line_says_how_to_get_one(monkeypatch, tmp_path):
    for folder in CHECKPOINTS.iterdir():
        if folder.name != "translator":
            (tmp_path / folder.name).symlink_to(folder)
    (tmp_path / "translator").mkdir()
    shutil.copy(CHECKPOINTS / "translator" / manifest.FILE, tmp_path / "translator")
    monkeypatch.setattr(assets, "CHECKPOINTS", tmp_path)
    monkeypatch.delitem(memory._models, "translator", raising=False)
    at = opened("transformer", view="translator")
    assert not sent(at, "translator")
    assert "The checkpoint “translator” is not in this copy of Riverbank." in told(at)
    assert "Translator" in next(row for row in at.button_group if row.key == "transformer.view").options


def test_a_model_that_does_not_translate_says_so(bert_folder):
    at = opened("transformer", view="translator", model=f"folder:{bert_folder}")
    assert "cannot translate" in told(at) and not sent(at, "translator")
