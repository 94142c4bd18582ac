"""Conversion of parameters from the hub's names to ours, by the families' rename tables."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

import torch
from torch import Tensor

from explorer.errors import FormatError
from explorer.models import Family
from explorer.models.family import LM_HEAD, Rule

DEEPEST = 5  # parts of a name that may precede a parameter's own
SHARE = 0.9  # of the names, at least, have the prefix; the others belong to added heads


def canonical(tensors: dict[str, Tensor], family: Family) -> dict[str, Tensor]:
    """The same tensors under the names that the family's rules use.

    If a file has both spellings of a name, `transformers` uses the one that needs renaming
    (an untied decoder's own bias), so it is written last.
    """
    prefix = wrapping(tensors, family, canonical_name)
    names = {name: canonical_name(name.removeprefix(prefix), family) for name in tensors}
    return {names[name]: tensors[name] for name in sorted(tensors, key=lambda name: names[name] != name)}


def settle_tie(tensors: dict[str, Tensor], raw: dict[str, Any], family: Family) -> bool:
    """Whether the output matrix is the embedding, as `transformers` decides; removes the copy from `tensors`.

    The configuration decides, unless the files have two different matrices. A file may have
    the shared matrix under either name.
    """
    tied = bool(raw.get("tie_word_embeddings", True))
    if not tied or family.tied is None or family.tied[0] not in tensors:
        return tied
    output, embedding = family.tied
    shared = tensors.setdefault(embedding, tensors[output])
    if not torch.equal(shared, tensors[output]):
        return False
    del tensors[output]
    return True


def heads_of(tensors: Iterable[str], family: Family, tied: bool) -> frozenset[str]:
    """The heads of a checkpoint, by the parameters in its files; a tied output matrix needs none."""
    names = set(tensors)
    heads = (rule.head for rule in family.rules if rule.head and not names.isdisjoint(rule.theirs))
    return frozenset([*heads, *[LM_HEAD] * tied])


def to_ours(
    tensors: dict[str, Tensor], shapes: dict[str, Tensor], family: Family, config: Any, name: str
) -> tuple[dict[str, Tensor], tuple[str, ...]]:
    """Our state dict from hub tensors, and the names of those that belong to heads for other tasks.

    `shapes` has the names and shapes of ours.

    Each tensor is removed from `tensors` once it is copied: a large model must not be in memory twice.
    Raises FormatError with every missing, unexpected and mis-shaped parameter of `name`.
    """
    hub_names, state, missing, misshaped = list(tensors), {}, [], []
    rules = [
        (ours, rule, [theirs.format(i=i) for theirs in rule.theirs])
        for ours, rule, i in rules_of(family, shapes)
    ]
    uses = Counter(source for _, _, sources in rules for source in sources)
    used = set(uses)
    for ours, rule, sources in rules:
        if absent := [source for source in sources if source not in tensors]:
            missing += absent
            continue
        pieces = [tensors[source] for source in sources]
        for source in sources:
            uses[source] -= 1
            if not uses[source]:
                del tensors[source]
        for source, piece in zip(sources, pieces, strict=True):
            if not piece.is_floating_point():
                kind = str(piece.dtype).removeprefix("torch.")
                raise FormatError(
                    f"{source} of {name} holds numbers of type {kind}, not floating-point ones.",
                    "Choose a checkpoint that is not quantised: float32, float16 or bfloat16.",
                )
        if len({piece.shape[1:] for piece in pieces}) == 1 and all(piece.ndim for piece in pieces):
            tensor = _stack(pieces)
            # Transposed without a copy: by column, a product of 20 to 60 rows takes two thirds of the time.
            state[ours] = tensor.T if rule.transpose and tensor.ndim == 2 else tensor
            if rule.by_column and tensor.ndim == 2 and tensor.dtype == torch.float32:
                state[ours] = tensor.T.contiguous().T
        if ours not in state or state[ours].shape != shapes[ours].shape:
            actual = " + ".join(str(tuple(piece.shape)) for piece in pieces)
            needed = tuple(reversed(shapes[ours].shape)) if rule.transpose else tuple(shapes[ours].shape)
            misshaped.append(f"{sources[0]} {actual}, not {needed}")
            continue
        if rule.rows is not None:
            state[ours] = state[ours][rule.rows(config)]
        if rule.plus:
            state[ours] = state[ours] + rule.plus
    spare = [n for n in hub_names if n not in used and not any(re.fullmatch(p, n) for p in family.ignored)]
    fits = not missing and not misshaped
    left_out = [n for n in spare if _is_of_another_head(n, family, whole=fits)]
    unexpected = [n for n in spare if n not in left_out]
    problems = [
        f"{label}: {', '.join(names[:5])}{' …' if len(names) > 5 else ''}"
        for label, names in (("missing", missing), ("unexpected", unexpected), ("mis-shaped", misshaped))
        if names
    ]
    if problems:
        hint = "It may be another architecture under the same name, or a damaged copy."
        if fits:
            hint = (
                "config.json may give fewer layers than there are; or it is a variant with parts of its own."
            )
        raise FormatError(
            f"The weights of {name} do not fit its configuration ({'; '.join(problems)}).", hint
        )
    return state, tuple(sorted(left_out))


def _is_of_another_head(name: str, family: Family, whole: bool) -> bool:
    """Whether an unused parameter belongs to a head on top of the network, not to a layer.

    A head for another task (a classifier, a CRF) changes nothing below it; a parameter in a layer may.
    If the network is not `whole`, only the family's known heads count.
    """
    if any(re.fullmatch(pattern, name) for pattern in family.other_heads):
        return True
    own = {_module(theirs) for rule in family.rules for theirs in rule.theirs}
    return whole and _module(name) not in own


def _module(name: str) -> str:
    """The outermost module of a parameter: `encoder` of encoder.layer.0, `CNN` of CNN/W_cnn_0."""
    return re.split("[./]", name, maxsplit=1)[0]


def _stack(pieces: list[Tensor]) -> Tensor:
    """The pieces stacked by rows, as a copy: the originals are still mapped to the file."""
    if pieces[0].is_meta:  # there `torch.cat` would import all of torch's compiler, for seconds
        return torch.empty(sum(map(len, pieces)), *pieces[0].shape[1:], device="meta")
    return torch.cat(pieces)


def canonical_name(name: str, family: Family) -> str:
    """A name without the family's prefixes, in the spelling of its rules."""
    for prefix in family.prefixes:
        name = name.removeprefix(prefix)
    for old, new in family.renames:
        if name.endswith(old):
            name = name.removesuffix(old) + new
    return name


def rules_of(family: Family, shapes: dict[str, Tensor]) -> list[tuple[str, Rule, int]]:
    """Every parameter of the network with its rule and its layer (0 if it has none)."""
    by_name = {rule.ours: rule for rule in family.rules}
    result = []
    for ours in shapes:
        layer = re.search(r"\.(\d+)\.", ours)
        pattern = re.sub(r"\.\d+\.", ".{i}.", ours, count=1)
        result.append((ours, by_name[pattern], int(layer[1]) if layer else 0))
    return result


def wrapping(names: Collection[str], family: Family, own_name: Callable[[str, Family], str]) -> str:
    """The prefix without which the names are the family's; "" if that is not certain.

    Other programs put them before the names: `module.` (torch.nn.DataParallel), `_orig_mod.` (torch.compile),
    `0.auto_model.` (sentence-transformers). `own_name` removes the prefix in the family's own files.
    """
    hub_names = {theirs for rule in family.rules for theirs in rule.theirs}

    def count(prefix: str) -> int:
        rest = (own_name(name[len(prefix) :], family) for name in names if name.startswith(prefix))
        return len({name for name in rest if re.sub(r"\.\d+\.", ".{i}.", name, count=1) in hub_names})

    shared = Counter(prefix for name in names for prefix in _prefixes(name))
    common = [prefix for prefix, number in shared.items() if number >= SHARE * len(names)]
    counts = {prefix: count(prefix) for prefix in sorted(["", *common], key=len)}
    return max(counts, key=lambda prefix: counts[prefix])


def _prefixes(name: str) -> list[str]:
    """The possible prefixes of a name: its first parts, with the dot after them."""
    parts = name.split(".")
    return [".".join([*parts[:depth], ""]) for depth in range(1, min(DEEPEST + 1, len(parts)))]
