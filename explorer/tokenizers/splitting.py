"""How a byte-level tokenizer splits a text before its merges: published patterns, by llama.cpp's names.

A GGUF file holds the name alone, in `tokenizer.ggml.pre`; names and patterns are those of llama.cpp's
`src/llama-vocab.cpp`, the patterns as each model's own tokenizer.json writes them. GPT-2's is from Radford et
al. 2019.
"""

from tokenizers import Regex, decoders, normalizers, pre_tokenizers, processors
from tokenizers import Tokenizer as Backend

_LLAMA = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN = _LLAMA.replace(r"\p{N}{1,3}", r"\p{N}")
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_BY_CASE = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+ENDING|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*ENDING"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_TEKKEN = _BY_CASE.replace("ENDING", "").replace(r"\p{N}{1,3}", r"\p{N}")
_GPT_4O = _BY_CASE.replace("ENDING", "(?i:'s|'t|'re|'ve|'m|'ll|'d)?")
_GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# Each of several patterns splits the pieces of the one before.
PATTERNS = {
    **dict.fromkeys(("gpt-2", "gpt2", "phi-2", "olmo", "mpt", "jais"), (_GPT2,)),
    **dict.fromkeys(("smollm", "starcoder", "command-r", "refact"), (r"\p{N}", _GPT2)),
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "falcon3", "smaug-bpe", "dbrx"), (_LLAMA,)),
    **dict.fromkeys(("qwen2", "deepseek-r1-qwen", "stablelm2"), (_QWEN,)),
    "tekken": (_TEKKEN,),
    "bloom": (r" ?[^(\s|.,!?…。，、।۔،)]+",),
    "gpt-4o": (_GPT_4O,),
    "falcon": (r"[\p{P}\$\+<=>\^~\|`]+", _GPT2, "[0-9][0-9][0-9]"),
    "default": (r"[\p{P}\$\+<=>\^~\|]+", _GPT2, r"\p{N}+", "[0-9][0-9][0-9]"),
}
# These use a whole word that is a token, even if no merges produce it, and put their start token before a
# text where the file says nothing of it.
WHOLE_WORDS_FIRST = ("llama-bpe", "llama3", "llama-v3", "falcon3", "tekken")
COMPOSED = ("qwen2", "deepseek-r1-qwen")  # accents are joined to their letters first (NFC)


def split_as(backend: Backend, name: str, prefix_space: bool = False) -> None:
    """Set how a backend splits a text before merging, how it decodes ids, and what a span covers.

    `name` is one of `PATTERNS`; `prefix_space` puts a space before a text.
    """
    pieces = [pre_tokenizers.Split(Regex(pattern), behavior="isolated") for pattern in PATTERNS[name]]
    bytewise = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space, use_regex=False)
    if PATTERNS[name] == (_GPT2,):  # the library's own, which is faster
        backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix_space)
    else:
        backend.pre_tokenizer = pre_tokenizers.Sequence([*pieces, bytewise])
    if name in COMPOSED:
        backend.normalizer = normalizers.NFC()
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
