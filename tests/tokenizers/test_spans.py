"""Where a token comes from: every span points at the characters that the token stands for."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from explorer.tokenizers import read_tokenizer

SCRIPT = "</script><script>document.title='x'</script>"
TEXTS = [
    "", " ", "the bank", "  the \t bank\n", "🙂", "👩‍🚀 🏳️‍🌈", "안녕하세요", "한국", "東京东京", "café",
    "cafe\u0301", "naïve Ångström e\u0301\u0323x", "İstanbul ﬁne ½", "a\u200bb\u00adc\x00d\ufffde\tf", SCRIPT,
    "[MASK] <|endoftext|>",
]  # fmt: skip


@pytest.fixture(scope="module", params=["bert_folder", "gpt_folder"])
def tokenizer(request):
    return read_tokenizer(request.getfixturevalue(request.param))


def pieces(tokenizer, text: str) -> list[tuple[str, str]]:
    """Each token beside the characters it stands for, without the frame of special tokens."""
    encoding = tokenizer.encode(text)
    return [(t, encoding.surface(i)) for i, t in enumerate(encoding.tokens) if not encoding.frame[i]]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Café old", [("c", "C"), ("##a", "a"), ("##f", "f"), ("##e", "é"), ("old", "old")]),
        ("cafe\u0301 old", [("c", "c"), ("##a", "a"), ("##f", "f"), ("##e", "e\u0301"), ("old", "old")]),
        ("o\u0302\u0323ld", [("old", "o\u0302\u0323ld")]),
        ("the东京!", [("the", "the"), ("东", "东"), ("京", "京"), ("!", "!")]),
        ("a 🙂 b", [("a", "a"), ("[UNK]", "🙂"), ("b", "b")]),
        ("한국", [("[UNK]", "한국")]),
        ("</by>", [("<", "<"), ("/", "/"), ("by", "by"), (">", ">")]),
        ("by [MASK].", [("by", "by"), ("[MASK]", "[MASK]"), (".", ".")]),
    ],
)
def test_wordpiece(bert_folder, text, wanted):
    assert pieces(read_tokenizer(bert_folder), text) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the bank", [("the", "the"), ("Ġbank", " bank")]),
        ("é", [("Ã", "é"), ("©", "é")]),
        ("e\u0301", [("e", "e"), ("Ì", "\u0301"), ("ģ", "\u0301")]),
        ("🙂", [(t, "🙂") for t in ("ð", "Ł", "Ļ", "Ĥ")]),
        ("<|endoftext|>", [("<|endoftext|>", "<|endoftext|>")]),
    ],
)
def test_byte_bpe(gpt_folder, text, wanted):
    assert pieces(read_tokenizer(gpt_folder), text) == wanted


def check(tokenizer, text: str, pair: str | None = None, limit: int | None = None) -> None:
    encoding = tokenizer.encode(text, pair, limit)
    n = len(encoding)
    assert len(encoding.tokens) == len(encoding.spans) == n
    for tensor, dtype in (
        (encoding.ids, torch.long),
        (encoding.special, torch.bool),
        (encoding.segments, torch.long),
    ):
        assert tensor.shape == (n,) and tensor.dtype == dtype
    last = {0: 0, 1: 0}
    for i, (start, end) in enumerate(encoding.spans):
        if encoding.frame[i]:
            assert (start, end) == (0, 0) and encoding.surface(i) == encoding.tokens[i]
            continue
        side = int(encoding.segments[i]) if pair is not None else 0
        assert 0 <= start < end <= len((encoding.text, encoding.pair)[side])
        assert start >= last[side], "tokens stand in the order of their characters"
        last[side] = start
        assert tokenizer.token(int(encoding.ids[i])) == encoding.tokens[i]


@pytest.mark.parametrize("text", TEXTS)
def test_spans_of_awkward_texts(tokenizer, text):
    check(tokenizer, text)


@given(text=st.text(max_size=30), pair=st.none() | st.text(max_size=30), limit=st.none() | st.integers(3, 20))
def test_spans_of_any_text(tokenizer, text, pair, limit):
    check(tokenizer, text, None if tokenizer.byte_level else pair, limit)


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "P", "Zs", "So"]), max_size=30))
def test_byte_bpe_leaves_no_character_out(gpt_folder, text):
    spans = read_tokenizer(gpt_folder).encode(text).spans
    covered = {i for start, end in spans for i in range(start, end)}
    assert covered == set(range(len(text)))


def test_half_a_character_is_read_as_unreadable(tokenizer):
    encoding = tokenizer.encode("the \ud83d bank")
    assert encoding.text == "the � bank"
    assert encoding.surface(len(encoding) - (1 if tokenizer.byte_level else 2)).strip() == "bank"
