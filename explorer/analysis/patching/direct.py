"""Direct logit attribution: the logit of an answer as a sum over what each part of the network has written.

The last state is a sum: the embedding, what every head has added, what every feed-forward layer has added.
Each normalisation divides that sum by its own size; with this size held, it is linear, and so is the product
with the answer's vector. Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021); Wang et
al. 2023, section 3.1. A masked-word head is not linear, nor is a cap: the slope at the last state is taken,
and `rest` is what that leaves out.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Float
from torch import Tensor

from explorer.analysis.patching.contrast import Contrast, read_prompt, typed_answers
from explorer.analysis.patching.runs import Sites, answers, last_norm, local, record, scores
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.models.language_model import LanguageModel
from explorer.models.parameters import LayerParameters, Norm
from explorer.short_text import WithShortText
from explorer.trace import Encoding

SITES = ("embedding", "head_output", "attention_output", "mlp_output", "hidden")


@dataclass(frozen=True, eq=False, repr=False)
class DirectLogits(WithShortText):
    """The parts of a logit, or of the difference of two, in logits.

    `biases` are those of each layer's attention, `constant` the shifts of the norms. `logit` is what the
    model computes, `rest` what the parts do not add up to: rounding, and the curvature of a masked-word head
    or of a cap.
    """

    encoding: Encoding
    position: int
    answer: int
    instead: int | None
    embedding: float
    heads: Float[Tensor, "layer head"]
    biases: Float[Tensor, "layer"]
    mlp: Float[Tensor, "layer"]
    constant: float
    logit: float
    notes: tuple[str, ...] = ()

    @property
    def parts(self) -> Float[Tensor, "part"]:
        """All parts: the embedding, the heads, the biases, the feed-forward layers, the constant."""
        ends = torch.tensor([self.embedding]), torch.tensor([self.constant])
        return torch.cat([ends[0], self.heads.flatten(), self.biases, self.mlp, ends[1]])

    @property
    def rest(self) -> float:
        """The logit minus the sum of the parts."""
        return self.logit - float(self.parts.double().sum())

    def by_layer(self) -> Float[Tensor, "layer"]:
        """What each layer writes in all."""
        return self.heads.sum(1) + self.biases + self.mlp


def direct_logits(
    model: Model, text: str, answer: str = "", instead: str = "", limit: int | None = None
) -> DirectLogits:
    """The parts of the logit of `answer` (by default the likeliest), or of it minus that of `instead`.

    Of answers of several tokens one is taken as in `contrast`, which `notes` say. Raises TextError for an
    empty text, for one without a blank if the model fills blanks, and if both answers are the same;
    AbilityError for a model that predicts no words, or whose weights are on another machine.

    >>> gpt = explorer.load("gpt")
    >>> result = direct_logits(gpt, "The dogs in the garden")
    >>> float(result.parts.sum()) - result.logit < 1e-3
    True
    """
    own = local(model)
    encoding, position = read_prompt(own, text, limit)
    logits = [answers(own, encoding, position)[0]] * 2
    ids, start, notes = typed_answers(own, [encoding] * 2, position, (answer, instead), logits)
    if start:
        encoding, position = read_prompt(own, text + start, limit)
    return replace(_split(own, encoding, position, ids[0], ids[1]), notes=notes)


def direct_logits_of(model: Model, contrast: Contrast, alone: bool = False) -> DirectLogits:
    """The parts of the answer's lead over the other one after the first prompt, or of its own logit `alone`.

    Raises AbilityError as `direct_logits` does.

    >>> from explorer.analysis.patching.contrast import contrast
    >>> gpt = explorer.load("gpt")
    >>> pair = contrast(gpt, "The dogs in the garden", "The dog in the garden", "were", "was")
    >>> abs(direct_logits_of(gpt, pair).logit - pair.high) < 1e-3
    True
    """
    instead = None if alone else contrast.instead
    return _split(local(model), contrast.first, contrast.position, contrast.answer, instead)


def _split(
    own: LanguageModel, encoding: Encoding, position: int, answer: int | None, instead: int | None
) -> DirectLogits:
    """The parts of a logit, by default of the likeliest token, or of it minus another."""
    states = record(own, encoding, SITES)
    with torch.no_grad():
        vectors, kinds = _vectors(own, states, position)
    state = vectors.sum(0).requires_grad_()
    with torch.enable_grad():
        logits = scores(own, state)
        first = int(logits.argmax()) if answer is None else answer
        if first == instead:
            raise TextError(_("Both answers are the same."), _("Compare with another one, or with none."))
        logit = logits[first] if instead is None else logits[first] - logits[instead]
        (slope,) = torch.autograd.grad(logit, state)
    values = (vectors @ slope).float().cpu()
    if (bias := getattr(own.network, "decoder_bias", None)) is not None:
        values[1] += float(bias[first] - (0.0 if instead is None else bias[instead]))
    layers, heads = own.config.layers, own.config.heads
    split = {kind: values[[i for i, one in enumerate(kinds) if one == kind]] for kind in set(kinds)}
    return DirectLogits(
        encoding=encoding,
        position=position,
        answer=first,
        instead=instead,
        embedding=float(split["embedding"]),
        heads=split["head"].view(layers, heads),
        biases=split["bias"],
        mlp=split["mlp"],
        constant=float(split["constant"]),
        logit=float(logit.detach()),
    )


def _vectors(
    model: LanguageModel, states: Sites, position: int
) -> tuple[Float[Tensor, "part d_model"], list[str]]:
    """What each part has written into the last state, as the head reads it, and the kind of each part."""
    embedding = states["embedding", 0][0, position]
    vectors, kinds = torch.stack([embedding, torch.zeros_like(embedding)]), ["embedding", "constant"]
    for layer in range(model.config.layers):
        parameters = model.layer_parameters(layer)
        mixed = states["head_output", layer][0, :, position]
        output = parameters.output.weight.unflatten(0, (parameters.heads, -1))
        heads = torch.einsum("h d, h d m -> h m", mixed, output)
        bias = parameters.output.bias
        attention = torch.cat([heads, torch.zeros_like(embedding)[None] if bias is None else bias[None]])
        attention = _added(attention, parameters.attention_after, parameters)
        vectors, kinds = torch.cat([vectors, attention]), [*kinds, *["head"] * parameters.heads, "bias"]
        if not parameters.norm_first and parameters.attention_norm is not None:
            vectors = _normed(vectors, parameters.attention_norm)
        update = _added(states["mlp_output", layer][:1, position], parameters.mlp_after, parameters)
        vectors = torch.cat([vectors, update])
        kinds = [*kinds, "mlp"]
        if not parameters.norm_first and parameters.mlp_norm is not None:
            vectors = _normed(vectors, parameters.mlp_norm)
    norm = last_norm(model)
    return vectors if norm is None else _normed(vectors, norm), kinds


def _added(
    parts: Float[Tensor, "part d_model"], after: Norm | None, parameters: LayerParameters
) -> Float[Tensor, "part d_model"]:
    """What is added of a sub-layer's parts; the shift of a norm after them goes to the last part."""
    return (parts if after is None else _normed(parts, after, -1)) * parameters.residual_scale


def _normed(
    vectors: Float[Tensor, "part d_model"], norm: Norm, constant: int = 1
) -> Float[Tensor, "part d_model"]:
    """The parts of a normalised sum, with its size held; the shift goes to the part `constant`."""
    total = vectors.sum(0)
    if not norm.rms:
        vectors, total = vectors - vectors.mean(-1, keepdim=True), total - total.mean()
    vectors = vectors / (total.square().mean() + norm.eps).sqrt()
    vectors = vectors if norm.gain is None else vectors * norm.gain
    if norm.shift is not None:
        vectors[constant] += norm.shift
    return vectors
