"""The modules of Python packages that pages need, where mkdocstrings would read all modules of a package.

What is shown of an object is in the module that defines it, in the packages through which a page imports it, and in
the modules that define the bases of a class. Each module that exports it with `__all__` gives it another name, which
links can use. Modules that only annotations and links name are not read.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path

from griffe import Module, ModuleFinder

_DIRECTIVE = re.compile(r"^[ \t>]*(?:#{1,6} *)?::: ?(\S.*?) *$", re.MULTILINE)
"""Where mkdocstrings describes a module, class or function; perhaps in another block."""
_READS_MORE = re.compile(
    r"backlinks|extensions|external_modules|force_inspection|inherit|preload|stubs|submodules|summary"
)
"""Options with which pages show what other modules have."""


@contextmanager
def only_modules(names: frozenset[str] | None) -> Iterator[None]:
    """Have mkdocstrings read only the modules with these names while the block runs; without names all, as always.

    It is for processes that render only the pages that need them.
    """
    find = ModuleFinder.submodules

    def find_needed(finder: ModuleFinder, module: Module) -> list[tuple[tuple[str, ...], Path]]:
        found = find(finder, module)
        return [part for part in found if names is None or ".".join((module.path, *part[0])) in names]

    ModuleFinder.submodules = find_needed  # type: ignore[assignment,method-assign]  # mkdocstrings takes no finder
    try:
        yield
    finally:
        ModuleFinder.submodules = find  # type: ignore[method-assign]


def needed_modules(texts: Sequence[str], settings: object, folders: Iterable[Path]) -> frozenset[str] | None:
    """Return the names of the modules that pages with these texts need, found in these folders, with their packages.

    `settings` are those of mkdocstrings. None if it is not known what the pages need: with options that show more,
    and where modules are not plain Python files that name what they import.
    """
    if any(map(_READS_MORE.search, (repr(settings), *texts))):
        return None
    names = [name for text in texts for name in _DIRECTIVE.findall(text)]
    modules = _Modules({name.partition(".")[0] for name in names}, folders)
    try:
        whole = {*map(modules.find, names), *modules.with_exports()}
        needed, left = set(whole), list(whole)
        while left:
            module = left.pop()
            further = modules.find_imported(module, only_bases=module not in whole) - needed
            needed |= further
            left += further
    except _NotKnown:
        return None
    return frozenset(
        package for module in needed for package in accumulate(module.split("."), "{}.{}".format)
    )


class _NotKnown(Exception):
    """It is not known which modules are needed."""


class _Modules:
    """The modules of packages, by their dotted names. Raises `_NotKnown`."""

    def __init__(self, packages: Iterable[str], folders: Iterable[Path]) -> None:
        """Take the packages, and the folders in which they can be, the first that is read first."""
        self._files: dict[str, Path | None] = {
            package: next(filter(None, (_module_file(folder, package) for folder in folders)), None)
            for package in packages
        }

    def find(self, name: str) -> str:
        """Return the module that a dotted name leads into: its own or that of the object."""
        module = name
        while self._file(module) is None:
            module = module.rpartition(".")[0]
            if not module:
                raise _NotKnown
        return module

    def with_exports(self) -> Iterator[str]:
        """Yield the modules that list what they export."""
        for package, path in tuple(self._files.items()):
            if path is None or path.name != "__init__.py":
                continue
            for module in sorted(path.parent.rglob("*.py")):
                if b"__all__" in module.read_bytes():
                    parts = module.relative_to(path.parent).with_suffix("").parts
                    yield self.find(".".join((package, *parts)).removesuffix(".__init__"))

    def _file(self, name: str) -> Path | None:
        if name not in self._files:
            package, _, last = name.rpartition(".")
            parent = self._file(package) if package else None
            is_package = parent is not None and parent.name == "__init__.py"
            self._files[name] = (
                _module_file(parent.parent, last) if parent is not None and is_package else None
            )
        return self._files[name]

    def find_imported(self, module: str, *, only_bases: bool) -> set[str]:
        """Return the modules of the packages from which a module imports anywhere; with `only_bases`, if it is not a
        package, those from which it has bases of its classes.
        """
        path = self._file(module)
        is_package = path is not None and path.name == "__init__.py"
        try:
            nodes = list(ast.walk(ast.parse(path.read_bytes()))) if path is not None else []
        except (OSError, SyntaxError, ValueError) as error:
            raise _NotKnown from error
        package = module if is_package else module.rpartition(".")[0]
        bases = {
            name.id
            for node in nodes
            if isinstance(node, ast.ClassDef)
            for base in node.bases
            for name in ast.walk(base)
            if isinstance(name, ast.Name)
        }
        return {
            self.find(origin)
            for node in nodes
            for name, origin in _imported_names(node, package)
            if origin.partition(".")[0] in self._files and (is_package or not only_bases or name in bases)
        }


def _module_file(folder: Path, name: str) -> Path | None:
    """Return the file of a module or package in a folder, None if there is none."""
    package = folder / name / "__init__.py"
    found = [package] if package.is_file() else list(folder.glob(f"{name}.*"))
    if any(
        path.suffix in {".pyi", ".so", ".pyd", ".pyc"}
        for path in (*found, *package.parent.glob("__init__.pyi"))
    ):
        raise _NotKnown
    return next((path for path in found if path.suffix == ".py"), None)


def _imported_names(node: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Yield each name that a statement of a module of a package imports, and the dotted name of what it is."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0], alias.name
    elif isinstance(node, ast.ImportFrom):
        try:
            origin = resolve_name("." * node.level + (node.module or ""), package)
        except ImportError as error:  # beyond the package
            raise _NotKnown from error
        for alias in node.names:
            if alias.name == "*":
                raise _NotKnown
            yield alias.asname or alias.name, f"{origin}.{alias.name}"
