"""The tokens of a typed word are those that can stand at its place, with every tokenizer."""

from types import SimpleNamespace

import pytest
import torch

import explorer
from explorer.analysis.attribution.prediction import word_prediction
from explorer.analysis.patching import contrast, direct_logits
from explorer.analysis.patching.contrast import word_of
from explorer.analysis.prediction import blanks, logit_lens, probe, reading_on, top
from explorer.analysis.prediction.answers import first_tokens, ids_after, ids_in_blank
from explorer.analysis.prediction.masking import fill
from explorer.text.spacing import space_before
from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.prompt import encode_prompt
from tests import encoders, tiny
from tests.tokenizers import small

# What stands before a word, and the space that people write after it.
GAPS = {
    "the bank": " ", "": "", "the bank ": "", "it is\n": "", 'he said, "': "", '"old" he said, "': "",
    'he said "the bank"': " ", "“": "", "“the”": " ", "«": "", "« oui »": " ", "»ja«": " ", "„ja“": " ",
    "see (": "", "(see)": " ", "[": "", "well-": "", "the bank -": " ", "it costs $": "", "5€": " ",
    "don'": "", "'": "", "said 'the'": " ", "and/": "", "@": "", "x=": "", "x =": " ", "the end.": " ",
    "the,": " ", "why?": " ", "¿": "", "我去": "", "银行。": "", "1,000": " ", "the 🙂": " ",
}  # fmt: skip
WORDS = ["bank", "the", "known", "4", "1969", "Hello", "isn't", "东京"]


@pytest.mark.parametrize(
    ("text", "word", "gap"),
    [
        ("The dogs'", "owner", " "), ("James’", "car", " "), ("the 1980s'", "music", " "),
        ("It is James'", "s", ""), ("the 'dogs'", "owner", " "), ("he said '", "dogs", ""),
        ("Qu’est-ce que c’", "est", ""), ("s'", "il", ""), ("It wasn'", "t", ""), ("O'", "Brien", ""),
        ("dell'", "acqua", ""), ("lorsqu'", "elle", ""), ("mesdames, l'", "eau", ""),
        ("She is 5'", "tall", " "), ("She is 5'", "10", ""), ("the 1980'", "s", ""),
    ],
)  # fmt: skip
def test_after_an_apostrophe_that_ends_a_word_a_space_follows(text, word, gap):
    assert space_before(text, word) == gap


@pytest.mark.parametrize(("text", "gap"), GAPS.items())
def test_a_space_stands_where_people_write_one(text, gap):
    assert space_before(text, "5") == gap
    assert space_before(text, ".") == ""


def flat(tokenizer):
    """A model of these tokens that finds all of them as likely."""
    size = tokenizer.size
    run = lambda ids: SimpleNamespace(last=torch.zeros(*ids.shape, 1))  # noqa: E731
    config = SimpleNamespace(positions=200)
    unembed = lambda states: torch.zeros(*states.shape[:-1], size)  # noqa: E731
    return SimpleNamespace(tokenizer=tokenizer, run=run, unembed=unembed, config=config, causal=True)


@pytest.mark.parametrize("kind", small.LEFT_TO_RIGHT)
def test_an_answer_is_the_end_of_text_and_answer(kind, tmp_path):
    small.LEFT_TO_RIGHT[kind](tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    model, compared = flat(tokenizer), 0
    for text in GAPS:
        for word in WORDS:
            ids, whole = ids_after(model, text, word), text + space_before(text, word) + word
            assert (
                tokenizer.decode([*encode_prompt(tokenizer, text).ids.tolist(), *ids]).strip()
                == whole.strip()
            )
            own, full = (encode_prompt(tokenizer, one).ids.tolist() for one in (text, whole))
            if full[: len(own)] == own:
                assert ids == full[len(own) :], (text, word)
                compared += 1
    assert compared > 0.7 * len(GAPS) * len(WORDS)


@pytest.mark.parametrize("kind", ["bert", *sorted(encoders.TOKENIZERS)])
def test_a_word_in_a_blank_is_what_the_text_has_there(kind, tmp_path):
    if kind == "bert":
        tiny.write_vocab(tmp_path)
    else:
        encoders.write(kind, tmp_path)
    tokenizer, compared = read_tokenizer(tmp_path), 0
    for text in GAPS:
        for word in WORDS:
            encoding = tokenizer.encode(f"{text}[MASK] by the river")
            position = encoding.ids.tolist().index(tokenizer.mask)
            ids = ids_in_blank(SimpleNamespace(tokenizer=tokenizer), encoding, position, word)
            start, end = len(text), len(text + word)
            whole = tokenizer.encode(f"{text}{word} by the river")
            there = [i for i, span in enumerate(whole.spans) if span[0] < end and span[1] > start]
            if there and whole.ids[: there[0]].equal(encoding.ids[:position]):
                assert ids == whole.ids[there].tolist(), (text, word)
                compared += 1
    assert compared > 0.5 * len(GAPS) * len(WORDS)


def test_what_fits_is_read_without_a_mark_and_a_space_that_does_not_is_shown(tmp_path):
    encoders.write("roberta", tmp_path)
    model = explorer.load(tmp_path)
    tokenizer = model.tokenizer
    the, spaced = (tokenizer.backend.token_to_id(token) for token in ("the", "Ġthe"))
    for text in ("[MASK] bank by the river", '"[MASK] bank" by the river', "the old-[MASK] bank"):
        found = blanks(model, text)
        row, names = found.probabilities[0], {c.id: c.token for c in top(model, found, k=10**4)}
        assert names[the] == "the" and names[spaced] == "␣the"
        assert probe(model, found, "the").probability == float(row[the])
        assert probe(model, found, "␣the").probability == float(row[spaced])
        assert (probe(model, found, "the").pieces, probe(model, found, "␣the").pieces) == (["the"], ["␣the"])
        assert logit_lens.tracked_word(model, "the", text.partition("[MASK]")[0]).id == the
        assert word_prediction(model, text, "the").answer == the
    inside = {c.id: c.token for c in top(model, blanks(model, "a [MASK] bank"), k=10**4)}
    assert inside[the] == "##the" and inside[spaced] == "the"
    assert fill("a([MASK] bank", 0, "␣the") == "a( the bank"


def test_a_space_that_is_a_token_is_put_behind_the_prompt(tmp_path):
    small.write_smollm(tmp_path)
    model = flat(read_tokenizer(tmp_path))
    token = model.tokenizer.token
    one = first_tokens(model, ["it is"], ["4"], [None])
    assert (one.start, token(one.ids[0]), one.lengths) == (" ", "4", [1]) and "space" in one.note
    two = first_tokens(model, ["the war began in"] * 2, ["1914", "1918"], [None] * 2)
    assert (two.start, [token(id) for id in two.ids], two.lengths) == (" 191", ["4", "8"], [1, 1])
    assert "“191”" in two.note
    assert first_tokens(model, ["it is"] * 2, ["4", "4"], [None] * 2).start == ""


def test_whoever_types_a_space_or_two_hashes_decides_and_so_does_a_sure_model(tiny_gpt):
    tokenizer = tiny_gpt.tokenizer
    typed = [ids_after(tiny_gpt, text, word) for text, word in (('he "', " the"), ("he", "##the"))]
    assert [tokenizer.token(ids[0]) for ids in typed] == ["Ġthe", "the"]
    scores = torch.zeros(tokenizer.size)
    for lead, token in ((6.8, "Ġthe"), (7.0, "the")):
        scores[tokenizer.id("the")] = lead
        assert tokenizer.token(ids_after(tiny_gpt, "he", "the", scores)[0]) == token


def test_a_label_says_where_a_space_is_not_as_expected(tiny_gpt):
    ids = [tiny_gpt.tokenizer.id(token) for token in ("Ġthe", "the")]
    assert [word_of(tiny_gpt, id, "he") for id in ids] == ["the", "##the"]
    assert [word_of(tiny_gpt, id, "he (") for id in ids] == ["␣the", "the"]


def test_a_blank_inside_a_word_goes_on_with_what_was_read(tiny_gpt):
    side = reading_on.LeftSide(tiny_gpt, "the old ban")
    ids, _ = side.log_joint("k", " by")
    assert tiny_gpt.tokenizer.decode([*side.own, *ids]) == "the old bank"


@pytest.mark.weights
@pytest.mark.parametrize(
    ("text", "word", "token"),
    [
        ('She said, "', "Hello", "Hello"), ("It is well-", "known", "known"), ("The price is $", "5", "5"),
        ("The capital of Fr", "ance", "ance"), ("The capital of France is", "Paris", "ĠParis")
    ],
)  # fmt: skip
def test_what_follows_is_what_the_model_expects(text, word, token):
    model = explorer.load("smollm2")
    assert model.tokenizer.token(word_prediction(model, text, word).answer) == token


@pytest.mark.weights
def test_numbers_are_compared_by_the_digit_that_differs():
    model = explorer.load("smollm2")
    pair = contrast(model, "2 + 2 =", "2 + 3 =", "4", "5")
    assert pair.words == ("4", "5") and pair.first.text.endswith("= ")
    direct = direct_logits(model, "He was born in", "1969")
    assert model.tokenizer.token(direct.answer) == "1" and direct.notes
