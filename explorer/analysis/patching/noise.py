"""Causal tracing: in place of a second prompt, the same one with the vectors of its subject disturbed.

Meng et al. 2022, section 2: noise of three times the deviation of the embeddings is added to the subject's
vectors, which makes the model forget the answer; then each state of the undisturbed run is put back. Another
seed draws other noise, so a map is the mean of several. Zhang and Nanda 2024 find that noise takes a model
further from what it has been trained on than another subject does.
"""

import torch

from explorer.analysis.patching.contrast import LEAST, Contrast, read_prompt, typed_answers, word_of
from explorer.analysis.patching.runs import answers, local, record
from explorer.errors import TextError
from explorer.locale import _
from explorer.models.base import Model
from explorer.models.family import Start

STRENGTH = 3.0  # standard deviations of the tokens' vectors


def disturb(
    model: Model, text: str, subject: str, answer: str = "", seed: int = 0, limit: int | None = None
) -> Contrast:
    """A prompt, and itself with noise on the tokens of `subject`, a part of it; measured by the probability.

    Raises TextError if the subject is not in the text, or if the noise does not change the answer's
    probability; AbilityError for a model that predicts no words, or whose weights are on another machine.

    >>> pair = disturb(explorer.load("gpt"), "The dogs in the garden", "dogs")
    >>> pair.differing, pair.measure
    ([1], 'probability')
    """
    own = local(model)
    encoding, position = read_prompt(own, text, limit)
    begin = text.find(subject.strip())
    if begin < 0 or not subject.strip():
        raise TextError(
            _("“{text}” is not in the prompt.", text=subject[:60]), _("Name a word of the prompt to disturb.")
        )
    end = begin + len(subject.strip())
    clean = answers(own, encoding, position)[0]
    (answer_token,), added, notes = typed_answers(own, [encoding], position, [answer], [clean])
    if added:
        encoding, position = read_prompt(own, text + added, limit)
        clean = answers(own, encoding, position)[0]
    places = [i for i, (a, b) in enumerate(encoding.spans) if a < end and b > begin]
    vectors = record(own, encoding, ["embedding"])["embedding", 0]
    start, deviation = own.input_parameters(), vectors.float().std()
    if own.causal and start.norm is None:
        deviation = start.tokens.float().std() * start.scale
    generator = torch.Generator().manual_seed(seed)
    noise = torch.zeros(vectors.shape[1:])
    noise[places] = torch.randn(len(places), vectors.shape[-1], generator=generator)
    noise = noise.to(vectors) * STRENGTH * deviation
    disturbed = answers(own, encoding, position, start=Start(0, vectors + noise))[0]
    id = int(clean.argmax()) if answer_token is None else answer_token
    logits, word = torch.stack([clean, disturbed]), word_of(own, id, encoding.text)
    best: list[int] = disturbed.topk(2).indices.tolist()
    pair = Contrast(
        encoding, encoding, position, id, best[best[0] == id], logits, "probability", noise, notes, (word, "")
    )
    if abs(pair.high - pair.low) < LEAST:
        raise TextError(
            _("The noise does not change how probable the answer is."),
            _("Name another word, or another seed."),
        )
    return pair
