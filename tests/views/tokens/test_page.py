"""The page of tokens: what its pictures get is what the tokenizers and the learning say."""

from functools import partial

import pytest

import explorer
from explorer.analysis import pieces
from explorer.text.byte_letters import readable
from explorer.views.frame import picker
from explorer.views.tokens import cut, learning, tokenizers, vocabulary
from explorer.views.tokens.settings import FABLE
from tests import tiny
from tests.views import opening
from tests.views.opening import printed_result, sent, told

run = partial(opening.opened, "tokens")


def test_each_row_has_a_box_for_each_token():
    at = run(text="An unbelievable café.")
    (data,) = sent(at, "cut")
    assert "".join(data["cells"]) == "An␣unbelievable␣café."
    names = {"word2vec": "word2vec", "BERT": "bert", "GPT": "gpt", "ELMo": "elmo"}
    for row in data["rows"]:
        if (name := names.get(row["name"])) is None:
            continue
        tokens = pieces.cut(explorer.load_tokenizer(name), "An unbelievable café.").pieces
        assert [box["tip"].split("  ·")[0] for box in row["boxes"]] == [piece.token for piece in tokens]
        assert row["count"] == len(tokens)
    changed = [box for row in data["rows"] if row["name"] == "BERT" for box in row["boxes"] if box["state"]]
    assert [(box["from"], box["to"]) for box in changed] == [(0, 2), (16, 20)]  # a capital and an accent


def test_a_line_ends_where_the_box_ends_it_and_nowhere_else():
    (data,) = sent(run(text="We sat\u2028on the bank.\x85It rained.\x0c"), "cut")
    assert "".join(data["cells"]).count("sat") == 1 and "rained" in "".join(data["cells"])


def test_a_tokenizer_whose_files_were_written_again_is_read_again(tmp_path, monkeypatch):
    monkeypatch.setattr(picker, "admit", lambda name: None)
    tiny.write_gpt(tmp_path)
    name = f"folder:{tmp_path}"
    first = tokenizers.load(name)
    assert tokenizers.load(name) is first
    (tmp_path / "added_tokens.json").write_text('{"[NEW]": 293}', encoding="utf-8")
    assert tokenizers.load(name) is not first


def test_pieces_of_one_character_share_its_cell():
    text = "a 👩‍🚀"
    line = pieces.cut(explorer.load_tokenizer("gpt"), text)
    data = cut.grid(text, {"gpt": line})
    assert data["cells"] == ["a", "␣", "👩‍🚀"] and data["widths"][2] > data["widths"][0]
    boxes = data["rows"][0]["boxes"]
    edges = [edge for box in boxes for edge in (box["from"], box["to"])]
    assert edges == sorted(edges) and edges[0] == 0 and edges[-1] == 3
    assert "bytes F0" in boxes[2]["tip"]


def test_what_no_token_has_is_marked():
    (data,) = sent(run(text="the glockenspiel"), "cut")
    rows = {row["name"]: row for row in data["rows"]}
    assert rows["word2vec"]["lost"] == [[4, 16]] and rows["GPT"]["lost"] == []
    assert cut.cut_line("word2vec", "你好").pieces == ()


def test_several_lines_are_counted_and_one_can_be_opened():
    at = run(text="The river.\n\nLa rivière.")
    (data,) = sent(at, "cut")
    assert data["texts"] == ["The river.", "La rivière."]
    gpt = data["names"].index("GPT")
    assert data["counts"][1][gpt]["tokens"] == len(cut.cut_line("gpt", "La rivière.").pieces)
    (data,) = sent(run(text="The river.\nLa rivière.", line=1), "cut")
    assert "".join(data["cells"]) == "La␣rivière." and data["lines"] == 2


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ({"text": "  "}, "There is nothing to cut."),
        ({"text": "a", "other": "no-such-model"}, "No checkpoint called"),
        ({"view": "learning", "way": "word-pieces", "learn_text": " "}, "The text has no words."),
        ({"view": "vocabulary", "vocabulary": "no-such-model"}, "No checkpoint called"),
    ],
)
def test_what_cannot_be_shown_is_told(link, message):
    assert message in told(run(**link))


def test_a_link_alone_reads_no_folder(monkeypatch):
    monkeypatch.setattr(picker, "was_chosen", lambda name: False)
    assert "The link asks for a model from /etc" in told(run(text="a", other="folder:/etc"))


def test_the_text_is_merged_in_the_order_that_is_sent():
    at = run(view="learning", merges=30, learn_word="slowest <b>")
    (data,) = sent(at, "learning")
    learnt = pieces.byte_pairs(FABLE, 30)
    names = data["names"]
    for k, merge in enumerate(learnt.merges):
        left, right = data["pairs"][k]
        assert (names[left], names[right]) == tuple(map(readable, merge.pair))
        assert data["candidates"][k][0][:2] == [left, right] and data["candidates"][k][0][2] == merge.count
    assert data["curve"] == learnt.characters_per_token()
    assert data["word"][-1] == [">"], "the fable has no such sign"
    assert printed_result(at)["slowest"] == learnt.cut("slowest")


@pytest.mark.parametrize(("way", "reads"), [("word-pieces", "by chance"), ("gpt", "model’s own tokenizer")])
def test_other_ways_to_merge(way, reads):
    (data,) = sent(at := run(view="learning", way=way, merges=20), "learning")
    assert len(data["pairs"]) == 20 and data["single"] + 20 == len(data["names"])
    assert reads in told(at) and "most often" not in told(at)


def test_following_a_tokenizer_cuts_as_it_does():
    tokenizer = explorer.load_tokenizer("gpt")
    text = "the ferryman rowed slowly home"
    own = pieces.follow(text, tokenizer, 10_000)
    cuts = [piece for word in learning.split(text, "gpt") for piece in own.cut(word)]
    assert cuts == [piece.token for piece in pieces.cut(tokenizer, text).pieces]


def test_every_token_has_a_cell_and_a_colour():
    (data,) = sent(run(view="vocabulary", vocabulary="gpt", beside="bert"), "vocabulary")
    tokenizer = explorer.load_tokenizer("gpt")
    assert len(data["texts"]) == len(data["colours"]) == tokenizer.size
    assert all(0 <= colour < len(data["legend"]) for colour in data["colours"])
    other = vocabulary.vocabulary_of("bert")
    lacking = {data["texts"][id].lstrip("␣") for id in data["lacking"]}
    assert not lacking & {text for text in other.texts if not text.startswith("##")}


@pytest.mark.parametrize("colour", ["begins", "length", "vector"])
def test_other_colours(colour):
    (data,) = sent(run(view="vocabulary", vocabulary="gpt", colour=colour), "vocabulary")
    assert len(set(data["colours"])) > 1 and len(data["legend"]) == 2
    if colour == "vector":
        lengths = vocabulary.vector_lengths("gpt")
        assert data["list"][0]["id"] == min(range(len(lengths)), key=lengths.__getitem__)
