"""The layers of the package hold: each imports only what lies below it."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.sources import parse

ROOT = Path(__file__).parents[1]
# A layer, and what it may import of `explorer` besides itself.
ALLOWED = {
    "assets": "errors",
    "errors": "",
    "short_text": "",
    "text": "locale",
    "system": "errors",
    "catalogue": "assets errors locale",
    "trace": "catalogue short_text",
    "data_frame": "errors",
    "files": "errors locale",
    "tokenizers": "errors locale text trace",
    "models": "errors system tokenizers trace",
    "generation": "errors locale models tokenizers trace",
    "checkpoints": "assets catalogue errors files models system tokenizers trace",
    "fetch": "checkpoints errors system trace",
    "analysis": "assets catalogue errors files generation locale models short_text system text "
    "tokenizers trace",
    "corpus": "analysis checkpoints errors files locale models system text tokenizers trace",
    "finetuning": "analysis assets checkpoints errors files locale models system text trace",
    "locale": "assets",
    "room": "errors locale system text",
    "server": "analysis catalogue checkpoints errors locale model_server models room system trace",
    "workers": "assets errors files system",
    "commands": "assets catalogue errors files locale system workers",
    "model_server": "checkpoints errors files generation models system tokenizers trace",
    "views": "analysis assets catalogue checkpoints commands corpus errors fetch files finetuning "
    "generation locale model_server models room server system text tokenizers trace",
    "notebook": "analysis catalogue locale models short_text text trace views",
    "__init__": "checkpoints data_frame model_server models notebook tokenizers trace",
}
FILES = sorted((ROOT / "explorer").rglob("*.py"))
MEASURING = sorted((ROOT / "measuring").rglob("*.py"))


@cache
def imports(path: Path, types: bool = True) -> set[str]:
    """Dotted names of all modules that a file imports, wherever that stands, `import_module` too.

    Without `types`, those that only a type checker reads are left out.
    """
    nodes = list(ast.walk(parse(path)))
    if not types:
        checks = [each for each in nodes if isinstance(each, ast.If)]
        checks = [each for each in checks if "TYPE_CHECKING" in ast.unparse(each.test)]
        left_out = {inner for each in checks for inner in ast.walk(each)}
        nodes = [node for node in nodes if node not in left_out]
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    froms = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert not any(node.level for node in froms), f"{path.name} has a relative import"
    calls = [node for node in nodes if isinstance(node, ast.Call) and "import" in name_of(node.func)]
    named = {
        argument.value
        for call in calls
        for argument in call.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }
    return plain | named | {f"{node.module}.{alias.name}" for node in froms for alias in node.names}


def name_of(function: ast.expr) -> str:
    """The last part of the name by which a function is called."""
    return str(getattr(function, "attr", "") or getattr(function, "id", ""))


def test_a_file_imports_only_from_below():
    wrong = {str(path.relative_to(ROOT)): names for path in FILES if (names := imports_from_above(path))}
    assert not wrong


def imports_from_above(path: Path) -> set[str]:
    """The layers and packages that a file imports and may not: only views and server know of Streamlit."""
    layer = path.relative_to(ROOT / "explorer").parts[0].removesuffix(".py")
    names = imports(path)
    layers = {name.split(".")[1] for name in names if name.startswith("explorer.")}
    packages = {name.split(".")[0] for name in names}
    kept_out = {"transformers"} if layer in ("views", "server") else {"transformers", "streamlit"}
    return (layers - {*ALLOWED[layer].split()} - {layer, "load", "available", "__version__"}) | (
        packages & kept_out
    )


# The rooms of `views` below its pages, and what each may import of the others and of `types`.
ROOMS = {"settings": set(), "look": set(), "widgets": {"settings", "look", "types"}}
ROOMS["frame"] = {*ROOMS, "types"}


def test_rooms_of_views_import_only_from_below():
    for room, below in ROOMS.items():
        for path in (ROOT / "explorer" / "views" / room).rglob("*.py"):
            names = {name.split(".")[2] for name in imports(path) if name.startswith("explorer.views.")}
            assert names <= below | {room}, path


def test_measuring_uses_the_package_and_the_package_does_not_use_measuring():
    inside = {"__init__", "load", "available", "assets", "errors", "text", "trace", "tokenizers", "models"}
    inside |= {"checkpoints", "analysis", "finetuning"}
    for path in FILES:
        assert not any(name.split(".")[0] == "measuring" for name in imports(path)), path
    for path in MEASURING:
        names = imports(path)
        assert {name.split(".")[1] for name in names if name.startswith("explorer.")} <= inside, path
        assert not {name.split(".")[0] for name in names} & {"streamlit", "transformers"}, path


# What analyses need of a network itself, each behind an ability (see `explorer.models.base.Model`).
REACH_IN = {
    "attribution/prediction.py",
    "characters.py",
    "patching/runs.py",
    "reach/segments.py",
    "translation/search.py",
}


def test_views_and_analyses_leave_a_models_network_alone():
    packages = {name: ROOT / "explorer" / name for name in ("analysis", "views")}
    found = {
        name: {
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*.py")
            if "model.network" in path.read_text(encoding="utf-8")
        }
        for name, folder in packages.items()
    }
    assert found == {"analysis": REACH_IN, "views": set()}


# Colours by number, thousands a picture: too many for a lock each.
CACHED_BY_VIEWS = {"look/theme.py": {"functools.lru_cache"}}
CACHES = {"functools.cache", "functools.lru_cache", "st.cache_data", "st.cache_resource"}
EMPTY = {"dict", "list", "set", "OrderedDict", "defaultdict", "Counter", "deque"}
EMPTY |= {"WeakKeyDictionary", "WeakValueDictionary"}


def caches(tree: ast.Module) -> set[str]:
    """What a module keeps by itself: functions with a cache, and names of its own that begin empty."""
    nodes = list(ast.walk(tree))
    uses = {ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)}
    uses |= {
        f"functools.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module == "functools"
        for alias in node.names
    }
    assigned = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    return uses & CACHES | {
        ast.unparse(node) for node in assigned if node.value is not None and begins_empty(node.value)
    }


def begins_empty(value: ast.expr) -> bool:
    """Whether an expression makes a container that is there to be filled."""
    if isinstance(value, ast.Call):
        return name_of(value.func) in EMPTY and not value.args
    return isinstance(value, ast.Dict | ast.List | ast.Set) and not ast.unparse(value).strip("{}[]")


def test_views_keep_nothing_by_themselves():
    """What is computed is kept by `explorer.server.kept`, and what ships is read by `assets.read_once`."""
    views = ROOT / "explorer" / "views"
    found = {str(path.relative_to(views)): caches(parse(path)) for path in views.rglob("*.py")}
    assert {name: kept for name, kept in found.items() if kept} == CACHED_BY_VIEWS
    planted = ["from functools import cache", "f = functools.lru_cache(8)(g)", "x = st.cache_data(g)"]
    planted += ["_rows: 'dict[str, int]' = {}", "_rows = OrderedDict()", "_all = []"]
    assert all(caches(ast.parse(line)) for line in planted)


def test_pages_see_the_views_alone():
    for path in [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]:
        inside = {name.split(".")[1] for name in imports(path) if name.startswith("explorer.")}
        assert inside <= {
            "views", "server", "analysis", "checkpoints", "errors", "trace", "load", "available",
        }, path.name  # fmt: skip


def waited_for(path: Path) -> set[str]:
    """The modules whose end a module's own import waits for."""
    names = set()
    for node in at_import(parse(path).body):
        if isinstance(node, ast.Import):  # `import a.b as b` asks a for b, and so waits for a too
            parts = [alias.name.split(".") for alias in node.names]
            names |= {".".join(some[: i + 1]) for some in parts for i in range(len(some))}
        else:
            names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def at_import(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements that run when a module is imported."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from at_import(node.orelse)
        else:
            for inner in ("body", "orelse") if isinstance(node, ast.If | ast.Try | ast.With) else ():
                yield from at_import(getattr(node, inner, []))


def test_no_module_waits_for_a_package_that_waits_for_it():
    """Two threads that enter a circle at its two ends see half a module, and a page fails."""
    assert_no_circle({name: waited_for(path) for name, path in modules().items()})


def test_no_views_import_each_other_even_for_types_or_in_functions():
    """Modules in a circle can only be read together; what both need belongs into a third below them."""
    views = {name: path for name, path in modules().items() if name.startswith("explorer.views")}
    assert_no_circle({name: imports(path) | parents(imports(path)) for name, path in views.items()})


def test_no_modules_need_each_other_wherever_they_import():
    """What a module needs can be read before it; the door `explorer` itself is above all."""
    needs = {name: imports(path, types=False) for name, path in modules().items()}
    assert_no_circle({name: (some | parents(some)) - {"explorer"} for name, some in needs.items()})


def modules() -> dict[str, Path]:
    """The files of the package by the dotted names of their modules."""
    parts = {path: path.relative_to(ROOT).with_suffix("").parts for path in (*FILES, *MEASURING)}
    return {".".join(names[:-1] if names[-1] == "__init__" else names): path for path, names in parts.items()}


def parents(names: set[str]) -> set[str]:
    """The modules of imported names."""
    return {name.rpartition(".")[0] for name in names}


def assert_no_circle(graph: dict[str, set[str]]) -> None:
    """Raises CycleError, which names the circle."""
    TopologicalSorter({name: (edges & set(graph)) - {name} for name, edges in graph.items()}).prepare()


def test_a_circle_is_found():
    with pytest.raises(CycleError):
        assert_no_circle({"a": {"b"}, "b": {"a", "elsewhere"}})
