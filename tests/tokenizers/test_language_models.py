"""Tokenizers of today's language models, beside `transformers`: ids, spans, text, start and ends."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.words import words
from explorer.tokenizers import read_tokenizer
from explorer.tokenizers.prompt import encode_prompt
from explorer.trace import Ability
from tests.tokenizers import small

FALLBACK = ("llama 2", "mistral")
TEXTS = [
    "", "the bank", "  the  bank\n\n by ", "🙂 é e\u0301x", "1,000 it isn't", "\u1112\u1161\u11ab", "Xyz",
]  # fmt: skip
ANY = st.text(st.characters(codec="utf-8", exclude_characters="<>[|]"), max_size=30)


@pytest.fixture(scope="module", params=[*small.LEFT_TO_RIGHT])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def folder(kind, tmp_path_factory):
    folder = tmp_path_factory.mktemp("small")
    small.LEFT_TO_RIGHT[kind](folder)
    return folder


@pytest.fixture(scope="module")
def theirs(folder, kind):
    import transformers

    if kind == "converted":
        return transformers.GPT2Tokenizer.from_pretrained(folder)
    return transformers.PreTrainedTokenizerFast.from_pretrained(folder)


@pytest.fixture(scope="module")
def ours(folder):
    return read_tokenizer(folder)


def check(ours, theirs, kind, text: str) -> None:
    encoding, ids = ours.encode(text), theirs(text)["input_ids"]
    assert encoding.ids.tolist() == ids
    assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=True)
    own = encoding.without_frame()
    covered = {i for start, end in own.spans for i in range(start, end)}
    assert covered == set(range(len(text))) and encoding.dropped_characters == 0
    assert all(start < end or own.tokens[i] == "▁" for i, (start, end) in enumerate(own.spans))
    written = b"".join(ours.raw(id) for id in ids).decode("utf-8")
    assert ours.decode(ids) == (written.removeprefix(" ") if kind in FALLBACK else written)
    if kind in ("qwen", "pythia"):  # these join accents to their letters
        text = normalize("NFC", text)
    if kind != "mistral" or not text.startswith((" ", "▁")):  # it puts no second space before a text
        assert ours.decode(ids) == (text.replace("▁", " ") if kind in FALLBACK else text)


@pytest.mark.parametrize("text", TEXTS)
def test_texts_are_read_as_transformers_does(ours, theirs, kind, text):
    check(ours, theirs, kind, text)


@given(text=ANY)
def test_any_text_is_read_as_transformers_does(ours, theirs, kind, text):
    check(ours, theirs, kind, text)


def test_what_stands_before_a_text_stands_there_once(ours, kind):
    start = {"llama 3": "<|begin_of_text|>", "converted": "<s>", "llama 2": "<s>", "mistral": "<s>"}
    assert ours.token(ours.start) == start.get(kind, "<|endoftext|>")
    encoding = ours.encode("the bank")
    assert ours.adds_start == (kind in start) == bool(encoding.special[0])
    own = encoding.without_frame()
    assert ours.with_start(encoding.ids).tolist() == ours.with_start(own.ids).tolist()
    assert ours.with_start(own.ids).tolist() == [ours.start, *own.ids.tolist()]
    assert [word.text for word in words(own)] == ["the", "bank"]


def test_the_tokens_that_end_a_text(ours, kind):
    ends = {"llama 3": {1, 2}, "qwen": {0, 2}, "smollm": {0}, "pythia": {0}, "converted": {1}}
    assert ours.ends == ends.get(kind, {2})
    assert all(ours.raw(id) == b"" and id in ours.special_ids for id in ours.ends)


def test_a_prompt_keeps_its_start_and_its_end(ours):
    whole = encode_prompt(ours, "the bank by the river")
    cut = encode_prompt(ours, "the bank by the river", 3)
    lead = 1 if ours.adds_start else 0
    assert cut.ids.tolist() == [*whole.ids[:lead].tolist(), *whole.ids[lead - 3 :].tolist()]
    assert cut.truncated == len(whole) - 3 and whole.truncated == 0


def test_a_space_before_a_word_is_read_and_written(ours):
    ids = ours.encode("we saw the bank").without_frame().ids.tolist()
    pieces = ours.pieces(" the bank")
    assert ids[-len(pieces) :] == pieces and ours.decode(pieces) == " the bank"
    assert "".join(map(ours.readable, pieces)) == " the bank"
    assert ours.decode(ours.pieces("bank")) == "bank"
    assert not ours.allows() & Ability.FILL


def test_bytes_that_are_tokens(tmp_path):
    small.write_llama_2(tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    line, part = tokenizer.id("<0x0A>"), tokenizer.id("<0xF0>")
    assert (tokenizer.raw(line), tokenizer.readable(line)) == (b"\n", "\n")
    assert (tokenizer.raw(part), tokenizer.readable(part)) == (b"\xf0", "�")
    assert tokenizer.encode("🙂").tokens[1:] == ["▁", "<0xF0>", "<0x9F>", "<0x99>", "<0x82>"]
    assert tokenizer.unknown == 0 and tokenizer.bytewise


def test_a_frame_at_both_ends(tmp_path):
    small.write_converted(tmp_path)
    config = tmp_path / "tokenizer_config.json"
    config.write_text(config.read_text().replace("{", '{"add_eos_token": true, ', 1), encoding="utf-8")
    tokenizer = read_tokenizer(tmp_path)
    assert tokenizer.encode("the bank").tokens == ["<s>", "the", "Ġbank", "</s>"]
    assert encode_prompt(tokenizer, "the bank").tokens == ["<s>", "the", "Ġbank"]
    assert tokenizer.encode("the bank").without_frame().tokens == ["the", "Ġbank"]


def test_modernbert_is_an_encoder(tmp_path):
    import transformers

    small.write_modernbert(tmp_path)
    tokenizer = read_tokenizer(tmp_path)
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(tmp_path)
    for text in ("the bank", "a [MASK] by the river.", " x\u0301 🙂"):
        assert tokenizer.encode(text).ids.tolist() == theirs(text)["input_ids"]
        assert tokenizer.encode(text, "the").ids.tolist() == theirs(text, "the")["input_ids"]
    encoding = tokenizer.encode("the [MASK] bank")
    assert encoding.tokens == ["[CLS]", "the", "[MASK]", "Ġbank", "[SEP]"]
    assert [encoding.surface(i) for i in (1, 2, 3)] == ["the", "[MASK]", "bank"]
    assert tokenizer.allows() & Ability.FILL and tokenizer.readable(tokenizer.id("bank")) == "bank"
    names = [tokenizer.token(id) for id in (tokenizer.unknown, tokenizer.padding, tokenizer.start)]
    assert names == ["[UNK]", "[PAD]", "[CLS]"]
