"""What a checkpoint's tokenizer does not allow is no ability of its; what it allows, works."""

import json
from math import log

import pytest
import torch

import explorer
from explorer.analysis import prediction
from explorer.analysis.attention.weights import patterns
from explorer.analysis.heads import storing
from explorer.analysis.heads.induction import induction, repeated
from explorer.analysis.prediction import shannon, surprisal
from explorer.analysis.visibility import masks
from explorer.analysis.words import words
from explorer.errors import AbilityError, TextError
from explorer.trace import Ability
from explorer.views.attention import buffer
from tests import encoders, tiny

TEXT = "we saw light on the water"


def nats(model, text) -> list[float]:
    """-log P of every token but the first, one forward pass over the text as it is."""
    ids = model.tokenizer.encode(text).ids
    rows = model.unembed(model.run(ids[None]).last[0]).log_softmax(-1)
    return (-rows[torch.arange(len(ids) - 1), ids[1:]]).tolist()


def test_a_gpt_without_a_beginning_is_scored_from_its_second_token(spelling):
    assert Ability.GENERATE in spelling.abilities and spelling.tokenizer.start is None
    expected = nats(spelling, TEXT)
    with pytest.warns(UserWarning, match="second token"):
        result = prediction.log_likelihood(spelling, TEXT)
    assert result == pytest.approx(-sum(expected), rel=1e-5)
    with pytest.warns(UserWarning):
        assert prediction.log_likelihood(spelling, "w") == prediction.log_likelihood(spelling, "") == 0
    read = surprisal.read(spelling, TEXT)
    assert read.unscored == 1 and (float(read.bits[0]), int(read.ranks[0])) == (0, 0)
    assert read.bits[1:].tolist() == pytest.approx([n / log(2) for n in expected], rel=1e-4)
    assert read.per_token == pytest.approx(sum(expected) / len(expected) / log(2), rel=1e-4)
    assert read.per_byte == pytest.approx(sum(expected) / (len(TEXT) - 1) / log(2), rel=1e-4)
    assert surprisal.pieces(read)[0].rank == 0 < surprisal.of_words(read)[1].rank
    assert surprisal.read(spelling, "").unscored == 0 and len(surprisal.read(spelling, "w").bits) == 1


def test_its_long_texts_are_read_in_windows(spelling):
    text = " ".join([TEXT] * 6)
    read = surprisal.read(spelling, text)
    assert len(read.bits) == len(text) and read.windows > 2
    assert (read.bits[1:] > 0).all() and (read.ranks[1:] > 0).all()
    context = spelling.config.positions
    first = [n / log(2) for n in nats(spelling, text[: context + 1][:context])]
    assert read.bits[1:context].tolist() == pytest.approx(first, rel=1e-3)


def test_its_heads_and_guesses(spelling):
    assert len(repeated(spelling, 10, 4, 0)) == 40
    result = induction(spelling, tokens=10, copies=4, seeds=2)
    assert result.scores.shape == (3, 3) and not result.led and bool(result.scores.isfinite().all())
    with pytest.raises(TextError, match="too few"):
        induction(spelling, tokens=28, copies=2)
    spots = shannon.spots(TEXT)
    assert shannon.next_word(spelling, TEXT, spots[1], "saw").probability > 0
    assert isinstance(shannon.next_words(spelling, TEXT, spots[1], 2), list)
    for ask in (
        lambda: shannon.next_word(spelling, TEXT, spots[0], "we"),
        lambda: shannon.next_words(spelling, TEXT, spots[0], 2),
    ):
        with pytest.raises(AbilityError, match="first word"):
            ask()


def test_what_is_drawn_without_a_beginning_reads_back(spelling):
    made = induction(spelling, tokens=10, copies=4, seeds=1)
    report = storing.Report("x", {}, made, {})
    assert not storing.read(storing.write(report)).repeated.led
    by_hand = [1 / (row + 1) for row in range(25, 100)]  # a head that looks at all it sees alike
    assert made.flat["previous"] == pytest.approx(sum(by_hand) / 75, rel=1e-5)


def bert_without(folder, *marks: str) -> None:
    vocab = (folder / "vocab.txt").read_text(encoding="utf-8")
    for mark in marks:
        vocab = vocab.replace(mark, f"<{mark[1:-1]}>")
    (folder / "vocab.txt").write_text(vocab, encoding="utf-8")


def test_a_bert_without_a_mask_fills_nothing_and_says_why(bert):
    bert_without(bert, "[MASK]")
    model = explorer.load(f"folder:{bert}")
    assert model.abilities == Ability.CONTEXT | Ability.ATTENTION | Ability.NEXT_SENTENCE
    with pytest.raises(AbilityError, match=r"no token \[MASK\]"):
        prediction.fill_mask(model, "we saw [MASK]")
    assert model.trace(TEXT).hidden_states is not None
    with pytest.raises(AbilityError, match=r"no token \[MASK\]"):
        prediction.log_likelihood(model, TEXT)


def test_a_bert_with_byte_level_tokens(bert, gpt_folder):
    for name in ("vocab.txt", "tokenizer_config.json"):
        (bert / name).unlink()
    vocab = json.loads((gpt_folder / "vocab.json").read_text(encoding="utf-8"))
    tiny.write_bert(bert, vocab_size=len(vocab))
    (bert / "vocab.txt").unlink()
    for name in ("vocab.json", "merges.txt"):
        (bert / name).write_bytes((gpt_folder / name).read_bytes())
    model = explorer.load(f"folder:{bert}")
    assert model.abilities == Ability.CONTEXT | Ability.ATTENTION
    with pytest.raises(AbilityError, match=r"\[MASK\]"):
        prediction.fill_mask(model, "we saw [MASK]")
    with pytest.raises(AbilityError, match="two sentences"):
        prediction.next_sentence(model, "we saw", "light")
    assert model.trace(TEXT).hidden_states is not None


@pytest.mark.parametrize("write", [encoders.write_xlmr, encoders.write_bytes])
def test_a_bert_with_the_tokenizer_of_a_roberta_shows_both_sentences(write, tmp_path):
    """Its segments are all 0, as in `transformers`: which sentence a token is of does not come from them."""
    import transformers

    tiny.write_bert(tmp_path, vocab_size=331)
    (tmp_path / "vocab.txt").unlink()
    write(tmp_path)
    model = explorer.load(f"folder:{tmp_path}")
    encoding = model.encode("the bank of the river", "she saw old money")
    kind = transformers.XLMRobertaTokenizer if write is encoders.write_xlmr else transformers.RobertaTokenizer
    assert encoding.ids.tolist() == kind.from_pretrained(tmp_path)(encoding.text, encoding.pair)["input_ids"]
    assert not encoding.segments.any() and model.reads_pairs
    assert not model.abilities & Ability.NEXT_SENTENCE
    grouped = [word for word in words(encoding) if not word.special]
    assert [(word.text, word.side) for word in grouped] == [
        *((word, 0) for word in encoding.text.split()),
        *((word, 1) for word in encoding.pair.split()),
    ]
    assert [word.side for word in words(encoding) if word.special] == [0, 0, 0, 1]
    cut = model.encode(encoding.text, encoding.pair, limit=9)
    assert cut.sides.tolist() == cut.at(range(9)).sides.tolist() and set(cut.sides.tolist()) == {0, 1}
    trace = model.trace(encoding.text, encoding.pair)
    rows = buffer.tokens(patterns(trace), trace)
    assert [row["side"] for row in rows] == encoding.sides.tolist()
    prefix = masks.compare(model, "the bank of the [MASK]", "she saw")[2].allowed
    assert not prefix[1, encoding.sides.tolist().index(1) :].any() and prefix[1, :4].all()


def test_without_a_frame_there_is_no_second_sentence(bert, gpt_folder):
    tiny.write_bert(bert, vocab_size=293)
    for name in ("vocab.txt", "tokenizer_config.json"):
        (bert / name).unlink()
    for name in ("vocab.json", "merges.txt"):
        (bert / name).write_bytes((gpt_folder / name).read_bytes())
    model = explorer.load(f"folder:{bert}")
    assert not model.reads_pairs
    with pytest.raises(TextError, match="reads one text, not a pair"):
        model.encode("we saw", "light")


def test_the_page_and_its_files_say_what_is_not_scored(spelling):
    from explorer.views.continuations import files, shades

    read = surprisal.read(spelling, TEXT)
    assert "first token is not scored" in shades.notes(read)
    assert "not scored" in shades.tip(surprisal.pieces(read)[0])
    assert "bits" in shades.tip(surprisal.pieces(read)[1])
    heading, first, second = files.tokens_csv(read).splitlines()[:3]
    assert first.endswith(",,") and not second.endswith(",") and heading.endswith("bits,rank")
