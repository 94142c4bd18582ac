"""SmolLM2's own file, where its package is installed: its tokenizer, its sizes, and how long it takes.

The ids are those of `transformers`, whose reader takes ten seconds, with the splitting of the published
tokenizer.json, which it does not take over from the file (it matters where several spaces stand before a
digit, and for digits of other scripts):

    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name)
    tokenizer.backend_tokenizer.pre_tokenizer = Sequence(
        [Digits(individual_digits=True), ByteLevel(add_prefix_space=False)]
    )
    tokenizer(text, add_special_tokens=False).input_ids
"""

import math

import pytest

import explorer
from explorer.catalogue.manifest import manifests
from explorer.checkpoints import bundled, packaged
from explorer.checkpoints.gguf.file import GgufFile
from explorer.trace import Checkpoint

NAME = "smollm2"
IDS = {
    "She sat on the river bank and counted her money.": "8113 2643 335 260 4626 5461 284 17288 874 2478 30",
    "It isn't, they've said, what WE'LL do; I'd go.": (
        "1589 3247 982 28 502 3543 1137 28 732 26587 23 16421 536 43 339 6737 685 30"
    ),
    "1969 and 12345": "33 41 38 41 284 216 33 34 35 36 37",
    "in 1,000.50 dollars, 3/4 of 100%": (
        "254 216 33 28 32 32 32 30 37 32 8358 28 216 35 31 36 282 216 33 32 32 21"
    ),
    "two  spaces   three    four, and   7 after three": (
        "11355 216 5600 256 1296 333 1876 28 284 333 39 990 1296"
    ),
    "  begins and ends with two  ": "216 5634 284 6947 351 827 256",
    "a line\nanother\n\nand one after an empty one\n": (
        "81 1761 198 30378 198 198 397 582 990 354 7964 582 198"
    ),
    "tab\there\r\nand there": "15999 197 1531 201 198 397 665",
    "def f(x: int) -> int:\n    return x ** 2  # squared\n": (
        "1604 275 24 104 42 464 25 4722 464 42 472 1003 1792 1903 216 34 216 907 27402 198"
    ),
    "</script><b>bold</b> &amp; \"quoted\" 'single'": (
        "9617 13164 21198 82 46 30471 9617 82 46 1456 1613 43 476 385 5036 18 637 18536 23"
    ),
    "https://example.org/a_b?c=d&e=f#g": "4687 1742 7434 30 2295 31 81 79 82 47 83 45 84 22 85 45 86 19 87",
    "caf\u00e9 na\u00efve \u00fcber \u0153uvre": "83 1939 2756 15486 46494 5549 137 593 18811 237 36874",
    "cafe\u0301 with its accent apart": "83 9980 151 219 351 624 20047 5215",
    "\u6771\u4eac\u3067\u672c\u3092\u8cb7\u3046": (
        "30679 126 16736 122 7365 117 40993 34771 179 127 132 7365 224"
    ),
    "\u4ed6\u5750\u5728\u6cb3\u8fb9\u3002": "15076 240 46846 234 32632 177 127 128 35529 134 19076",
    "\U0001f642 \U0001f469\u200d\U0001f680 \U0001f1eb\U0001f1f7": (
        "10813 38887 15107 235 119 321 231 10813 244 218 15107 225 121 10813 225 132"
    ),
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u03ba\u03cc\u03c3\u03bc\u03b5": (
        "155 249 46879 16464 32547 28 31953 36180 18751 16674 14240"
    ),
    "x\u00a0y\u2028z \u201cquotes\u201d \u2014 dash\u2026": (
        "104 15442 105 321 118 106 619 385 2346 573 1841 20740 2829"
    ),
    "<|im_start|>user\nHello<|im_end|>\n<|endoftext|>": "1 4093 198 19556 2 198 0",
    "antidisestablishmentarianism supercalifragilistic": (
        "403 17889 30834 358 35050 2076 5020 342 1808 301 1847"
    ),
    "\u00b2\u00b3 \u0661\u0662 \u2167": "19133 39050 216 164 111 164 112 216 173 223 117",
}
pytestmark = pytest.mark.skipif(
    not manifests()[NAME].is_available(), reason=f"its package is not installed: {packaged.INSTALL}"
)


@pytest.fixture(scope="module")
def file() -> GgufFile:
    return GgufFile.open(bundled.locate(Checkpoint.parse(NAME)))


@pytest.fixture(scope="module")
def tokenizer(file):
    return file.tokenizer()


@pytest.mark.parametrize("text", IDS)
def test_ids_are_those_of_the_published_tokenizer(text, tokenizer):
    encoding, ids = tokenizer.encode(text), [int(id) for id in IDS[text].split()]
    assert encoding.ids.tolist() == ids
    assert encoding.dropped_characters == 0 and max((end for _, end in encoding.spans), default=0) == len(
        text
    )
    special = tokenizer.special_ids & set(ids)
    assert tokenizer.decode(ids) == text or special


def test_a_text_begins_with_the_mark_between_documents(tokenizer):
    assert tokenizer.special_id("start") == 0 and tokenizer.token(0) == "<|endoftext|>"
    assert [tokenizer.token(id) for id in (1, 2)] == ["<|im_start|>", "<|im_end|>"]
    assert tokenizer.special_ids >= {0, 1, 2} and tokenizer.size == 49_152
    assert "<|im_start|>" in tokenizer.chat.source


def test_the_sizes_are_the_published_ones(file):
    config = file.config
    assert {key: config[key] for key in ("model_type", "hidden_size", "num_hidden_layers")} == {
        "model_type": "llama",
        "hidden_size": 576,
        "num_hidden_layers": 30,
    }
    assert (config["num_attention_heads"], config["num_key_value_heads"]) == (9, 3)
    assert (config["rope_theta"], config["rms_norm_eps"]) == (100_000.0, 1e-5)
    assert config["tie_word_embeddings"] and config["vocab_size"] == 49_152
    assert sum(math.prod(tensor.shape) for tensor in file.shapes().values()) == 134_515_008


@pytest.mark.weights
def test_it_goes_on_with_a_sentence():
    model = explorer.load(NAME)
    logits = model.trace("The capital of France is").logits
    assert model.tokenizer.token(int(logits[-1].argmax())) == "\u0120Paris"
