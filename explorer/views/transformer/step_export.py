"""Step by step: what there is to save, the code of all steps and the numbers of one."""

from explorer import analysis
from explorer.analysis.transformer.tensors import LABELS
from explorer.views import kit
from explorer.views.transformer.step_data import tokens_of
from explorer.views.types import Walk


def program(walk: "Walk") -> str:
    """The code of all steps as one text, with its inputs named at the top."""
    results = {name for step in walk.steps for name in step.gives}
    inputs = dict.fromkeys(name for step in walk.steps for name in step.takes if name not in results)
    imports = "import math\n\nimport torch\nimport torch.nn.functional as F"
    parts = [imports, f"# Given: {', '.join(inputs)}"]
    return "\n\n".join([*parts, *(f"# {step.title}\n{step.code}" for step in walk.steps)]) + "\n"


def table_of(walk: "Walk", step: "analysis.transformer.operation.Step") -> str:
    """The results of a step as a table, with a line for each row."""
    own, source = ([token["name"] for token in some] for some in tokens_of(walk))
    rows = [
        [name, token, *row]
        for name in step.gives
        for token, row in zip(source if of_source(name) else own, walk.value(name).tolist())
    ]
    widest = max(len(row) for row in rows) - 2
    return kit.table(["tensor", "token", *map(str, range(1, widest + 1))], rows)


def of_source(name: str) -> bool:
    """Whether a tensor's rows are tokens of the encoder's text."""
    return name in LABELS and LABELS[name].rows == "source"  # a link may name anything
