"""Tests of the pages of all sections of a portal."""

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import ClassVar, Self

import pytest

from devportal.markup import Artefact, Page
from devportal.project.inputs import Inputs
from devportal.site.sections.rendering import section_pages
from devportal.site.sections.section import Section, SectionContext

pytestmark = [
    pytest.mark.usefixtures("one_thread"),
    pytest.mark.skipif(sys.platform != "linux", reason="other systems render in one process"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf(Section):
    """A section that one process renders."""

    name: str

    @classmethod
    def read(cls, context: SectionContext) -> Self:  # noqa: ARG003
        """Return a section of one name."""
        return cls(name="shelf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Warehouse(Shelf):
    """A section that uses several processes."""

    uses_processes: ClassVar[bool] = True


SECTIONS = (Warehouse(name="a"), Shelf(name="b"), Shelf(name="c"))


def render(section: Section, context: SectionContext) -> Iterator[Page]:  # noqa: ARG001
    """Yield two pages, each of which says which process made it."""
    assert isinstance(section, Shelf)
    for number in (1, 2):
        yield Page(
            uri=f"{section.name}/{number}.md", title="", description="", body=str(os.getpid()), markdown=""
        )


def fail_elsewhere(section: Section, context: SectionContext) -> Iterator[Page]:
    """Yield the pages of a section, in this process only."""
    for page in render(section, context):
        if page.body != str(HERE):
            raise ValueError("not here")
        yield page


HERE = os.getpid()
URIS = ["a/1.md", "a/2.md", "b/1.md", "b/2.md", "c/1.md", "c/2.md"]


def context_with(processes: int) -> SectionContext:
    """Return a context that allows so many processes."""
    inputs = Inputs(root=Path(), today=date(2026, 12, 1))
    return SectionContext(inputs=inputs, contract=None, processes=processes)


def makers_of(pages: Iterable[Page | Artefact]) -> set[str]:
    """Return the processes that have made pages."""
    return {page.body for page in pages if isinstance(page, Page)}


@pytest.mark.parametrize(("processes", "makers"), [(1, 1), (2, 2)])
def test_another_process_renders_what_one_process_can(processes: int, makers: int) -> None:
    """The pages are the same, in the same order."""
    pages = list(section_pages(SECTIONS, context_with(processes), render))

    assert [page.uri for page in pages] == URIS
    assert len(makers_of(pages)) == makers
    assert makers_of(pages[:2]) == {str(os.getpid())}


def test_what_fails_elsewhere_is_rendered_here() -> None:
    """Exceptions and their tracebacks are whole."""
    pages = section_pages(SECTIONS, context_with(2), fail_elsewhere)

    assert [page.uri for page in pages] == URIS


def test_a_section_alone_is_rendered_here() -> None:
    """Another process would have nothing to run beside."""
    pages = section_pages(SECTIONS[1:], context_with(2), render)

    assert makers_of(pages) == {str(os.getpid())}
