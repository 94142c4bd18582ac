"""What the presets of “In parallel” promise."""

from explorer.analysis.reach import waiting


def is_finished_after(words: int, lstm: int, attention: int) -> bool:
    """ELMo's two layers, and BERT's six."""
    steps = int(waiting.recurrent(words, 2).max()), int(waiting.attention(words, 6).max())
    return steps == (lstm, attention)
