"""The first five guesses of the shipped checkpoints, so that no change moves them unnoticed.

After training new weights, look at the differences, and write the file anew:

    python -m tests.measuring.test_golden
"""

import json
from pathlib import Path

import pytest
import torch

import explorer
from explorer.analysis import translation, vectors
from explorer.analysis.prediction.replacing import judge
from explorer.catalogue.manifest import manifests
from explorer.trace import Ability, Capture
from tests.command import parser, size, store

pytestmark = pytest.mark.weights

GOLDEN = Path(__file__).parent / "golden.json"

HERE = [model for model in manifests().values() if model.is_available()]
TEXTS = {model.name: model.guesses for model in HERE if model.guesses}


def guesses(name: str) -> dict[str, list[str]]:
    """The five likeliest tokens: at the mask, after the text, or first in its translation.

    Of a discriminator the most suspicious tokens, of word vectors the nearest words.
    """
    model = explorer.load(name)
    result = {}
    if Ability.DETECT in model.abilities:
        odd = {text: judge(model, model.encode(text), []) for text in TEXTS[name]}
        return {
            text: [each.encoding.tokens[int(i)] for i in each.probabilities.topk(5).indices]
            for text, each in odd.items()
        }
    if Ability.VECTORS in model.abilities and not model.abilities & Ability.CONTEXT:
        table = vectors.of(model)
        return {text: [each.word for each in vectors.nearest(table, text, 5)] for text in TEXTS[name]}
    if Ability.NEXT_WORD in model.abilities:
        states = {text: model.trace(text).hidden_states[-1][-2:-1] for text in TEXTS[name]}
        return {
            text: [model.tokenizer.readable(int(i)) for i in model.next_word(each)[0].topk(5).indices]
            for text, each in states.items()
        }
    if Ability.TRANSLATE in model.abilities:
        first = {text: translation.trace(model, text, [0]).target.logits[0] for text in TEXTS[name]}
        return {
            text: [model.tokenizer.readable(int(i)) for i in logits.topk(5).indices]
            for text, logits in first.items()
        }
    for text in TEXTS[name]:
        trace = model.trace(text, capture=Capture.LOGITS)
        place = trace.tokens.index("[MASK]") if "[MASK]" in trace.tokens else -1
        result[text] = [model.tokenizer.readable(int(i)) for i in trace.logits[place].topk(5).indices]
    return result


@pytest.mark.parametrize("name", TEXTS)
def test_the_first_five_guesses_are_as_recorded(name):
    torch.manual_seed(0)
    recorded = json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    found = guesses(name)
    assert list(found) == list(recorded)
    for text, words in found.items():
        # Near ties may swap on another machine: the first four of one are among the five of the other.
        assert set(words[:4]) <= set(recorded[text]) and set(recorded[text][:4]) <= set(words), text


if __name__ == "__main__":
    parser("tests.measuring.test_golden", __doc__).parse_args()
    golden = {name: guesses(name) for name in list(TEXTS)[: size(None, 1)]}
    store(GOLDEN, json.dumps(golden, indent=2, ensure_ascii=False) + "\n")
