"""Which module of a source tree imports which, whenever it does: at its start, for types, in a function."""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

Graph = Mapping[str, Set[str]]
_LOADED = re.compile(r"(\w+(?:\.\w+)+):\w+")
"""How tables name what is imported once it is needed: `package.module:attribute`."""


def module_graph(root: Path) -> Graph:
    """Return the modules below a folder, each with those of them that it imports."""
    files = {_module_name(path.relative_to(root)): path for path in root.rglob("*.py")}
    return {
        name: {
            imported_name
            for imported_name in _imported_names(name, path, files.keys())
            if imported_name in files
        }
        - {name}
        for name, path in files.items()
    }


def _module_name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported_names(name: str, path: Path, modules: Set[str]) -> Iterator[str]:
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (other_name.name for other_name in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                above = package[: len(package) - level + 1] if level else []
                base = ".".join((*above, *([module] if module else [])))
                for other_name in names:
                    member = f"{base}.{other_name.name}"
                    yield member if member in modules else base
            case ast.Constant(value=str(text)):
                loaded = _LOADED.fullmatch(text)
                if loaded is not None:
                    yield loaded[1]


def import_cycles(graph: Graph) -> list[list[str]]:
    """Return the groups of modules that all reach each other, each sorted."""
    reached = {name: _reachable(name, graph) for name in graph}
    groups = {
        frozenset(text for text in reached[name] if name in reached[text])
        for name in graph
        if name in reached[name]
    }
    return sorted(map(sorted, groups))


def rooms_of_each_other(graph: Graph) -> list[tuple[str, str]]:
    """Return the pairs of packages beside each other of which each has a module that imports the other."""
    packages = {name.rpartition(".")[0] for name in graph}
    edges = {
        (_room(name, packages), _room(target, packages))
        for name, targets in graph.items()
        for target in targets
    }
    return sorted(
        (first, other)
        for first, other in edges
        if first < other and (other, first) in edges and not other.startswith(f"{first}.")
    )


def _room(module: str, packages: Set[str]) -> str:
    return module if module in packages else module.rpartition(".")[0]


def _reachable(start: str, graph: Graph) -> set[str]:
    """Return what a module imports, and what that imports, and so on."""
    found: set[str] = set()
    waiting = [*graph[start]]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += graph[name]
    return found
