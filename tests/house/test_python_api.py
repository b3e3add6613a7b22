"""The public Python API is what its page lists. A golden file holds the shape of each name."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module

import griffe
import pytest

from .repository import ROOT, fenced_blocks, tracked_files

PAGES = ROOT / "docs" / "toolkit"
_IMPORT = re.compile(r"^from (devportal[a-z_.]*) import (?:\(([^)]+)\)|(.+))$", re.MULTILINE)


def public_modules() -> tuple[str, ...]:
    """Return the modules that the pages list, sorted; a name of the same module shown apart is none."""
    pages = (PAGES / "python-api.md", *(PAGES / "python-api").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    found = re.findall(r"^::: ([a-z._]+)$", text, re.MULTILINE)
    return tuple(sorted({name for name in found if name.count(".") == 1}))


@pytest.fixture(scope="module")
def package() -> griffe.Object | griffe.Alias:
    return griffe.load("devportal", search_paths=[ROOT / "tools"], resolve_aliases=True)


def shape(package: griffe.Object | griffe.Alias) -> Iterator[str]:
    """Yield a line for each public name, and for each attribute and method of a public class."""
    for module in public_modules():
        found = package[module.removeprefix("devportal.")]
        for name in sorted(map(str, found.exports or ())):
            member = found[name]
            yield f"{module}.{name}{describe_member(member)}"
            if member.is_class:
                yield from (
                    f"  .{inner}{describe_member(value)}"
                    for inner, value in sorted(member.members.items())
                    if not inner.startswith("_")
                )


def describe_member(member: griffe.Object | griffe.Alias) -> str:
    """Return a member's signature or annotation, as its source has it."""
    match member.final_target if isinstance(member, griffe.Alias) else member:
        case griffe.Function() as function:
            return function.signature(return_type=True).removeprefix(function.name)
        case griffe.Class() as found:
            return f"({', '.join(map(str, found.bases))}): class"
        case griffe.Attribute() as attribute:
            return f": {attribute.annotation or attribute.value}"
        case griffe.Module() as module:  # a function that is called as the module that defines it
            return describe_member(module[module.name])
        case other:
            raise AssertionError(other.path)


def test_every_public_module_declares_its_names() -> None:
    """`__all__` is sorted, and every name in it exists and says what it is."""
    modules = [import_module(name) for name in public_modules()]

    assert len(modules) > 8
    for module in modules:
        assert list(module.__all__) == sorted(module.__all__), module.__name__
        assert [name for name in module.__all__ if not hasattr(module, name)] == []


def test_pages_with_chosen_members_have_all_of_them() -> None:
    """The contract takes two pages, and each of its public names is on one of them."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((PAGES / "python-api").glob("*.md"))]
    lists = [found for text in texts for found in re.findall(r"members: \[(.*)\]", text)]

    shown = sorted(name for names in lists for name in names.split(", "))
    assert shown == sorted(import_module("devportal.contract").__all__)


def test_the_public_api_has_its_shape(
    package: griffe.Object | griffe.Alias, golden: Callable[[str, str], None]
) -> None:
    """A change of this file is a change for callers: the changelog of the toolkit has a line for it."""
    golden("python-api.txt", "".join(f"{line}\n" for line in shape(package)))


def test_the_documents_import_public_names_only() -> None:
    """Whoever copies an example uses nothing that may change without a word."""
    pages = [path.relative_to(ROOT).as_posix() for path in tracked_files() if path.suffix == ".md"]
    blocks = [(page, block) for page in pages for block in fenced_blocks(page, "python")]
    imports = [
        (page, module, name.strip())
        for page, block in blocks
        for module, wrapped, names in _IMPORT.findall(block)
        for name in (wrapped or names).split(",")
        if name.strip()
    ]

    assert imports
    assert [import_ for import_ in imports if not is_public(*import_[1:])] == []


def is_public(module: str, name: str) -> bool:
    return module in public_modules() and name in import_module(module).__all__
