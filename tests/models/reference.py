"""What `transformers` computes for the same files, in our terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from explorer.models.language_model import LanguageModel
from explorer.trace import Encoding, Trace

TOLERANCE = 1e-5
FINAL_NORMS = (
    "transformer.ln_f", "model.norm", "model.final_norm", "model.final_layernorm",
    "model.decoder.final_layer_norm", "gpt_neox.final_layer_norm",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Expected:
    hidden_states: Tensor
    pattern: Tensor
    logits: Tensor


def load(folder: Path, head: str):
    """The reference model of a folder."""
    import transformers

    return getattr(transformers, head).from_pretrained(folder, attn_implementation="eager").eval()


@torch.no_grad()
def run(model, encodings: Sequence[Encoding], padding: int = 0) -> list[Expected]:
    """One padded batch through the reference, padding removed again.

    The last hidden state of a pre-norm network is the raw block output here too: a hook reads what goes
    into the final norm, which `transformers` applies before it stores that state.
    """
    length = max(len(e) for e in encodings)
    ids = torch.full((len(encodings), length), padding)
    segments, mask = torch.zeros_like(ids), torch.zeros_like(ids)
    for row, e in enumerate(encodings):
        ids[row, : len(e)], segments[row, : len(e)], mask[row, : len(e)] = e.ids, e.segments, 1
    final_norm = next((part for name, part in model.named_modules() if name in FINAL_NORMS), None)
    raw = []
    hook = final_norm.register_forward_pre_hook(lambda _, x: raw.append(x[0])) if final_norm else None
    token_types = {} if final_norm else {"token_type_ids": segments}
    out = model(ids, attention_mask=mask, output_hidden_states=True, output_attentions=True, **token_types)
    if hook:
        hook.remove()
    states = [*out.hidden_states[:-1], raw[0] if raw else out.hidden_states[-1]]
    logits = out.prediction_logits if "prediction_logits" in out else out.logits
    return [
        Expected(
            torch.stack([state[row, : len(e)] for state in states]),
            torch.stack([layer[row, :, : len(e), : len(e)] for layer in out.attentions]),
            logits[row, : len(e)],
        )
        for row, e in enumerate(encodings)
    ]


def same(ours: LanguageModel, theirs, *texts: str | Encoding) -> list[Trace]:
    """The traces of texts read together, once each agrees with the reference's."""
    encodings = [ours.encode(text) if isinstance(text, str) else text for text in texts]
    traces = ours.trace_encodings(encodings)
    for trace, wanted in zip(traces, run(theirs, encodings, ours.tokenizer.padding), strict=True):
        assert_same(trace, wanted)
    return traces


def assert_same(ours: Trace, theirs: Expected, tolerance: float = TOLERANCE) -> None:
    """Hidden states, every pattern and the logits agree."""
    pairs = (
        (ours.hidden_states, theirs.hidden_states),
        (ours.attention.pattern, theirs.pattern),
        (ours.logits, theirs.logits),
    )
    for got, expected in pairs:
        assert got.dtype == torch.float32
        torch.testing.assert_close(got, expected, atol=tolerance, rtol=tolerance)
