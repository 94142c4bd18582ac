"""SmolLM2's network on its real weights: the logits that `transformers` computes, and what it says."""

import pytest
import torch

from explorer.analysis import prediction
from explorer.analysis.generation.steps import Sampling, generate
from explorer.catalogue.manifest import manifests
from explorer.checkpoints import bundled, packaged
from explorer.checkpoints.gguf.file import GgufFile
from explorer.trace import Capture, Checkpoint, captured
from tests.shared_models import model

NAME = "smollm2"
pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(
        not manifests()[NAME].is_available(), reason=f"its package is not installed: {packaged.INSTALL}"
    ),
]
TEXTS = [
    "The capital of France is", "In 1969 the first man to walk on the moon was",
    "The boat left the shore before the storm came.", "She put 12,345 coins on the table, and then 6 more.",
    "def area(width, height):\n    return width *", "Roses are red,\nviolets are",
    "Why do cats purr? Nobody knows for", "hot -> cold\nbig -> small\nfast ->",
    "<|im_start|>user\nName a river.<|im_end|>\n<|im_start|>assistant\n", "café, naïve, Zürich",
    "東京 is the capital of", "🙂 means that somebody is", "</script> ends a", "It rains, it rained, it will",
    "   spaces   and\ttabs\n\n\nlines", "A", "The keys to the old wooden cabinet",
    "my brother and his wife have three children, and", "x = [1, 2, 3]\nprint(len(",
    "To be, or not to be, that is the",
]  # fmt: skip
# Greedy, with the command that writes them anew: python -m tests.checkpoints.test_smollm2_network
CONTINUED = {
    "The capital of France is": " Paris.\n\nThe answer is: 201",
    "In 1969 the first man to walk on the moon was": " Neil Armstrong.\n\nThe first person to walk on the",
    "The boat left the shore before the storm came.": "\n\nThe ship's captain, Captain Blackwood, was",
    "She put 12,345 coins on the table, and then 6 more.": " The total number of coins is 12 + 6",
    "def area(width, height):\n    return width *": " height\n```\n\nThis function takes two arguments, `",
    "Roses are red,\nviolets are": " blue,\nlarks are white,\nlarks are",
    "Why do cats purr? Nobody knows for": " sure, but it's a myth.\n\nThe answer",
    "hot -> cold\nbig -> small\nfast ->": " slow\n\n#\n#\n#\n#\n#",
    TEXTS[8]: "The Red River is a beautiful and ancient river that runs through",
    "café, naïve, Zürich": ", 2012, 2013",
}


@pytest.fixture(scope="module")
def theirs():
    """The reference network with the numbers of the same file (about ten seconds)."""
    import transformers

    file = GgufFile.open(bundled.locate(Checkpoint.parse(NAME)))
    config = transformers.LlamaConfig(**file.config, attn_implementation="eager")
    with torch.device("meta"):
        network = transformers.LlamaForCausalLM(config)
    network = network.to_empty(device="cpu")
    network.model.rotary_emb = type(network.model.rotary_emb)(config)  # its angles are no weights
    tensors = file.tensors()
    network.load_state_dict(tensors | {"lm_head.weight": tensors["model.embed_tokens.weight"]})
    return network.eval()


def test_logits_are_those_of_the_reference(theirs):
    """By the same sums, pattern by pattern: the fused kernel's differ from them by up to 2e-4 of 30."""
    for text in TEXTS:
        trace = model(NAME).trace(text, capture=Capture.ALL)
        with torch.no_grad():
            expected = theirs(trace.encoding.ids[None]).logits[0]
        torch.testing.assert_close(captured(trace.logits), expected, atol=1e-4, rtol=0)


def greedy(text: str) -> str:
    writing = generate(model(NAME), text, Sampling(greedy=True, max_new_tokens=12), candidates=1)
    list(writing)
    return writing.continuation


@pytest.mark.parametrize("text", sorted(CONTINUED))
def test_it_goes_on_as_it_did(text):
    assert greedy(text) == CONTINUED[text]


def test_it_knows_common_facts():
    assert prediction.next_tokens(model(NAME), TEXTS[0], top=1)[0][0] == " Paris"
    assert greedy(TEXTS[1]).startswith(" Neil Armstrong")


def test_it_answers_by_the_template_of_its_file_and_stops():
    prompt = model(NAME).tokenizer.chat.render([("user", "What is the capital of Germany?")])
    writing = generate(model(NAME), prompt, Sampling(greedy=True, max_new_tokens=30), candidates=1)
    list(writing)
    assert "Berlin" in writing.continuation and len(writing.ids) < 30
