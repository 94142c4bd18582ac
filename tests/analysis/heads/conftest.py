"""Encodings by hand, and a model whose heads are known."""

from collections.abc import Callable

import pytest
import torch

from explorer.models import LanguageModel
from explorer.trace import Encoding
from tests.analysis.heads import known


def encoding(*tokens: str) -> Encoding:
    """Words as tokens, a space between two; [CLS], [SEP] are special, ## goes on with a word."""
    text, spans, seen = "", [], {}
    for token in tokens:
        if token.startswith("["):
            spans.append((0, 0))
            continue
        text += "" if token.startswith("##") or not text else " "
        start = len(text)
        text += token.removeprefix("##")
        spans.append((start, len(text)))
    return Encoding(
        text,
        list(tokens),
        torch.tensor([seen.setdefault(token, len(seen)) for token in tokens]),
        spans,
        torch.tensor([token.startswith("[") for token in tokens]),
        torch.zeros(len(tokens), dtype=torch.long),
    )


@pytest.fixture(scope="session")
def encode() -> Callable[..., Encoding]:
    return encoding


@pytest.fixture(scope="session")
def known_gpt(tmp_path_factory) -> LanguageModel:
    return known.build(tmp_path_factory.mktemp("known"))
