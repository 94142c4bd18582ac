"""What the presets of “Layer by layer” promise."""

from functools import cache

from explorer.analysis import prediction
from explorer.analysis.prediction import logit_lens, text_lens
from tests.shared_models import model

GPT = "gpt"


@cache
def lens(text: str) -> logit_lens.Lens:
    return logit_lens.at_mask(model("bert"), text)


def first(name: str, lens: logit_lens.Lens, layer: int) -> str:
    return prediction.ranked(model(name), lens.probabilities[layer], 1)[0].token.strip()


def gpt_reads(text: str) -> logit_lens.Lens:
    return logit_lens.at_end(model(GPT), text.split("[MASK]")[0].rstrip())


def is_first_only_at_the_end(text: str, accepted: str) -> bool:
    """The right word comes first after the last layer or not at all."""
    firsts = [first("bert", lens(text), layer) for layer in range(len(lens(text).probabilities) - 1)]
    return not set(firsts) & set(accepted.split(","))


def repeats_first(text: str, before: str) -> bool:
    """The word just read ranks higher before the first layer than half-way up, and is not the answer."""
    reader = gpt_reads(text)
    ranks = reader.ranks(logit_lens.tracked_word(model(GPT), before).id)
    return ranks[0] < ranks[len(ranks) // 2] and first(GPT, reader, -1) != before


def is_overtaken_by_are(text: str) -> bool:
    ids = (logit_lens.tracked_word(model("bert"), word).id for word in ("are", "is"))
    are, is_ = (lens(text).probabilities[:, id] for id in ids)
    return bool(is_[3] > are[3] and (are[4:] > is_[4:]).all())


def changes_at_the_end(text: str, *words: str, name: str) -> bool:
    """The first words after the last layers, at the end of a text."""
    ids = text_lens.over_text(model(name), text).ids[-len(words) :, -1, 0].tolist()
    return [model(name).tokenizer.readable(id).strip() for id in ids] == [*words]


def begins_to_fall_and_is_last(text: str, layer: int, name: str) -> bool:
    """The answer comes first after the last layer, and after `layer` its rank is less than ever before."""
    ranks = text_lens.over_text(model(name), text).rank[:, -1].tolist()
    return min(ranks[:-1]) > 1 and ranks[layer] < min(ranks[:layer])
