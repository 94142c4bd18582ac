"""Other second prompts with as many tokens as the first, if two cannot be compared token by token."""

from difflib import SequenceMatcher

import streamlit as st

from explorer.views.frame.lecture.lecturing import plain
from explorer.views.frame.presets import presets
from explorer.views.frame.view import OpenPage
from explorer.views.types import LanguageModel
from explorer.views.why.prompts import RESETS
from explorer.views.why.settings import FIRST, SECOND

MOST = 3


def offer(page: OpenPage[None]) -> None:
    """Draw a button for each of the nearest prompts that fit, if these two have different lengths."""
    settings = page.settings
    first, second = (settings[one].strip() for one in (FIRST, SECOND))
    if not first or not second or len(page.model.encode(first)) == len(page.model.encode(second)):
        return
    texts = nearest(page.model, first, second)
    with st.container(horizontal=True, key="why-fixes"):
        for text in texts:
            st.button(
                f"Try “{plain(text)}”",
                key=f"why/fix/{text}",
                on_click=lambda text=text: settings.set(SECOND.to(text), *RESETS),
            )


def nearest(model: "LanguageModel", first: str, second: str) -> list[str]:
    """The second prompt with single spaces, or with another word where it differs, nearest words first."""
    length = len(model.encode(first))
    words, others = first.split(), second.split()
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    texts = [" ".join(others)]
    if len(changes) == 1 and changes[0][0] == "replace":
        _, i, j, k, m = changes[0]
        first_word = " ".join(words[i:j])  # a word of the same kind is near that of the first prompt
        texts += [
            " ".join([*others[:k], word, *others[m:]])
            for word in sorted(preset_words(), key=lambda word: -_likeness(model, word, first_word))
            if word != first_word
        ]
    fitting = [text for text in dict.fromkeys(texts) if text != second and len(model.encode(text)) == length]
    return fitting[:MOST]


def preset_words() -> list[str]:
    """The words in which the prompts of this page's presets differ."""
    words: dict[str, None] = {}
    for preset in presets("why"):
        pair = [str(preset.values.get(str(one), one.default)).split() for one in (FIRST, SECOND)]
        if len(pair[0]) == len(pair[1]):
            words |= dict.fromkeys(word for a, b in zip(*pair, strict=True) if a != b for word in (a, b))
    return list(words)


def _likeness(model: "LanguageModel", word: str, other: str) -> float:
    """The cosine of two words' vectors, each the mean of its pieces."""
    import torch

    table = model.table
    if table is None:
        return 0.0
    a, b = (table[model.tokenizer.pieces(f" {one}")].float().mean(0) for one in (word, other))
    return float(torch.cosine_similarity(a, b, dim=0))
