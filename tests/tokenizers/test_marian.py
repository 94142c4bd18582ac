"""Marian's pieces: the ids of `transformers`, and the place of each piece in what was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.errors import FormatError
from explorer.tokenizers import complete, read_tokenizer
from tests import tiny

TEXTS = [
    "the bank by the river", "  the   old bank ", ">>fr<< the bank", ">>fr<<", ">> not a language",
    "x🙂 東京", "THE Bank!", "",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pieces")
    tiny.write_pieces(folder)
    return folder


@pytest.fixture(scope="module")
def tokenizer(folder):
    return read_tokenizer(folder)


@pytest.fixture(scope="module")
def theirs(folder):
    from transformers import MarianTokenizer

    return MarianTokenizer.from_pretrained(folder)


@pytest.mark.filterwarnings("ignore:Recommended")
@pytest.mark.parametrize("text", TEXTS)
def test_ids_are_those_of_transformers(tokenizer, theirs, text):
    assert tokenizer.encode(text).ids.tolist() == theirs(text)["input_ids"]
    assert tokenizer.encode_target(text).ids.tolist() == theirs(text_target=text)["input_ids"]


@pytest.mark.filterwarnings("ignore:Recommended")
def test_a_target_is_decoded_as_by_transformers(tokenizer, theirs):
    for text in ("la banque près de l'eau", "l'argent", ""):
        ids = tokenizer.encode_target(text).ids.tolist()
        assert tokenizer.decode(ids) == theirs.decode(ids, skip_special_tokens=True) == text


def test_each_piece_knows_what_was_typed(tokenizer):
    encoding = tokenizer.encode("the  bank by the river")
    surfaces = [encoding.surface(i) for i in range(len(encoding))]
    assert "".join(surfaces[:-1]) == "thebankbytheriver" and surfaces[-1] == "</s>"
    assert encoding.special.tolist() == [False] * (len(encoding) - 1) + [True]


@given(st.text(max_size=40))
def test_any_text_has_pieces_in_order_within_it(tokenizer, text):
    encoding = tokenizer.encode(text)
    assert encoding.tokens[-1] == "</s>"
    ends = 0
    for start, end in encoding.spans[:-1]:
        assert ends <= start <= end <= len(encoding.text)
        ends = end


def test_a_long_text_is_cut_before_its_end_token(tokenizer):
    whole, cut = tokenizer.encode("the bank " * 9), tokenizer.encode("the bank " * 9, limit=5)
    assert len(cut) == 5 and cut.tokens[-1] == "</s>" and cut.truncated == len(whole) - 5
    assert cut.tokens[:-1] == whole.tokens[:4]


def test_all_three_files_are_needed():
    assert complete(["source.spm", "target.spm", "vocab.json"])
    assert not complete(["source.spm", "vocab.json"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("vocab.json", b'{"</s>": 0}'),
        ("vocab.json", b'{"</s>": 0, "<unk>": -1}'),
        ("vocab.json", b"[1, 2]"),
        ("source.spm", b"\x00\xff damaged"),
        ("target.spm", b""),
    ],
)
def test_damaged_files_are_refused(folder, tmp_path, name, content):
    for path in folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FormatError):
        read_tokenizer(tmp_path)


def test_pieces_as_people_read_them(tokenizer):
    id = next(id for token, id in tokenizer.ids.items() if token.startswith("▁") and len(token) > 2)
    word = tokenizer.token(id)[1:]
    assert tokenizer.readable(id) == f" {word}" and tokenizer.raw(id) == f" {word}".encode()
    assert tokenizer.raw(tokenizer.end) == b""
    assert tokenizer.token(10**6).startswith("<unused") and tokenizer.id("no such piece") is None
    assert tokenizer.pieces("the") == tokenizer.encode("the").ids[:-1].tolist()
