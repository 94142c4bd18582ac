"""What is saved and opened on this page: what a head says, the examples, and heads themselves."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.views.frame.saving import Export, table

if TYPE_CHECKING:
    from explorer.finetuning.examples import Example
    from explorer.finetuning.task_head import TaskHead


def written(examples: "Sequence[Example]") -> Callable[[], str]:
    """What writes the examples as lines that can be pasted again."""

    def make() -> str:
        from explorer.finetuning import parsing

        return parsing.format_lines(examples) + "\n"

    return make


def table_of(columns: Sequence[str], rows: Sequence[Sequence[Any]], name: str) -> Export:
    """What the head says, as a table."""
    return Export("What the head says", f"{name}-said.csv", lambda: table(columns, rows))


def head_file(head: "TaskHead", name: str) -> list[Export]:
    """The head itself, which opens again where it is dropped."""

    def make() -> bytes:
        from explorer.finetuning import store

        return store.dumps(head)

    return [Export("The head", f"{name}-head.safetensors", make, "application/octet-stream")]
