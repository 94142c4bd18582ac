"""The first five guesses of the shipped checkpoints, so that no change moves them unnoticed.

After training new weights, look at the differences, and write the file anew:

    python -m tests.training.test_golden
"""

import json
from pathlib import Path

import pytest
import torch

import explorer
from explorer.analysis import translation
from explorer.trace import Ability, Capture

pytestmark = pytest.mark.weights

GOLDEN = Path(__file__).parent / "golden.json"

TEXTS = {
    "bert": [
        "The capital of France is [MASK].",
        "The nurse took the patient to the [MASK].",
        "We bought bread and [MASK] at the shop.",
        "The river flows into the [MASK].",
        "She plays the [MASK] in a small orchestra.",
        "The farmer gave the horse some [MASK].",
        "He put his money in the [MASK].",
        "In winter the lake is covered with [MASK].",
    ],
    "bert-mini": [
        "She opened the [MASK] and looked out.",
        "He was [MASK] in 1832.",
        "The king and the [MASK] had a son.",
        "They went to the [MASK] to buy some bread.",
        "The boys [MASK] playing in the garden.",
        "I have never [MASK] such a thing.",
    ],
    "bert-zh": [
        "法國的首都是巴[MASK]。",
        "他出生於一[MASK]二三年。",
        "她坐在窗边看[MASK]。",
        "這座城市[MASK]於河的北岸。",
        "我们坐飞[MASK]去北京。",
        "他畢業於臺灣[MASK]學。",
    ],
    "bert-en-zh": [
        "She opened the [MASK] and looked out.",
        "I have never [MASK] such a thing.",
        "他在大[MASK]教物理。",
        "我们明天去北[MASK]。",
    ],
    "electra-generator": [
        "She opened the [MASK] and looked out.",
        "He was [MASK] in 1832.",
        "They went to the [MASK] to buy some bread.",
        "The boys [MASK] playing in the garden.",
    ],
    "gpt": [
        "The old man looked at the",
        "Once upon a time, there was a little",
        "She opened the door and",
        "“I do not know,” said",
        "He was born in the city of",
        "They went to the bank of the",
    ],
    "translator": [
        "I don't know where she lives.",
        "My brother bought a red car.",
        "Are you hungry?",
        "There is a book on the table.",
        "We were late again.",
        "What time is it?",
    ],
}
HERE = [name for name in TEXTS if name in map(str, explorer.available())]


def guesses(name: str) -> dict[str, list[str]]:
    """The five likeliest tokens: at the mask, after the text, or first in its translation."""
    model = explorer.load(name)
    result = {}
    if Ability.TRANSLATE in model.abilities:
        first = {
            text: next(translation.steps(model, text, candidates=5)).candidates[0] for text in TEXTS[name]
        }
        return {text: [model.tokenizer.readable(c.id) for c in found] for text, found in first.items()}
    for text in TEXTS[name]:
        trace = model.trace(text, capture=Capture.LOGITS)
        place = trace.tokens.index("[MASK]") if "[MASK]" in trace.tokens else -1
        result[text] = [model.tokenizer.readable(int(i)) for i in trace.logits[place].topk(5).indices]
    return result


@pytest.mark.parametrize("name", HERE)
def test_the_first_five_guesses_are_as_recorded(name):
    torch.manual_seed(0)
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    found = guesses(name)
    assert list(found) == list(recorded)
    for text, words in found.items():
        # Near ties may swap on another machine: the first four of one are among the five of the other.
        assert set(words[:4]) <= set(recorded[text]) and set(recorded[text][:4]) <= set(words), text


if __name__ == "__main__":
    golden = {name: guesses(name) for name in HERE}
    GOLDEN.write_text(json.dumps(golden, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
