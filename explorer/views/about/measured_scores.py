"""The stored scores of Measured: what each comparison has, by what is compared and where it was measured.

A score is a share of 1. There is one for each draw of training examples or seed, and none where a model was
not tested.
"""

OURS = ", ours"  # ends the name of a bundled model among those of the papers


def by_size() -> dict[str, dict[int, list[float]]]:
    """Zero-shot accuracy on LAMBADA by the number of parameters, for each paper; ours were not tested."""
    from explorer.views.about import families

    published = {
        family.name: {
            one.parameters: [] if one.lambada is None else [one.lambada / 100] for one in family.members
        }
        for family in families.published()
    }
    return published | {f"{one.name}, ours": {one.parameters: []} for one in families.own()}


def by_part() -> dict[str, dict[str, list[float]]]:
    """For each training with a part left out, what it was trained for, and heads on its frozen vectors."""
    from explorer.analysis import ablations

    return {
        kind: {name: [share] for name, share in row.pretraining.items()}
        | {name: list(draws) for name, draws in row.heads.items()}
        for kind, row in ablations.stored().rows.items()
    }


def by_test_set() -> dict[str, dict[str, list[float]]]:
    """For each way of learning, the scores of the heads that ship, by test set and measure."""
    from explorer.finetuning import library

    sets = {name: library.measured(name)["scores"] for name in library.heads()}
    return {
        way: {f"{name}, {measure}": [score] for name in sets for measure, score in sets[name][way].items()}
        for way in ("majority", "bag of words", "frozen", "tuned")
    }


def by_examples(name: str) -> dict[str, dict[int, list[float]]]:
    """For each way of learning, the scores on a test set after so many examples, one for each draw."""
    from explorer.finetuning import library

    cells = library.curve(name)["cells"]
    return {way: {int(size): scores for size, scores in sizes.items()} for way, sizes in cells.items()}
