"""The list of sections, and what it says of each."""

from datetime import date
from pathlib import Path

import pytest

from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.project.settings import path_settings
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.portal import render_portal
from devportal.site.sections.registry import SECTIONS, SectionRow, read_sections
from devportal.site.sections.section import Section, SectionContext

DAY = date(2026, 12, 1)


@pytest.mark.parametrize("row", SECTIONS, ids=lambda row: row.settings[0])
def test_each_section_can_be_loaded(row: SectionRow) -> None:
    """Its settings are paths: those of the project, which are watched and may hold no site."""
    assert issubclass(row.load(), Section)
    assert row.settings
    assert {*row.append_only} <= {*row.settings} <= path_settings().keys()


def test_a_project_without_sections_reads_none(tmp_path: Path) -> None:
    """Nor imports them."""
    assert [*read_sections(SectionContext(inputs=Inputs(root=tmp_path, today=DAY)))] == []


def test_one_more_section_is_a_class_and_a_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its problems are among those of the project, its pages are in the portal."""
    row = SectionRow(settings=("results",), section=f"{__name__}:Notices")
    monkeypatch.setattr("devportal.site.sections.registry.SECTIONS", (row,))
    inputs = Inputs(root=tmp_path, results=tmp_path, today=DAY)

    material = load_inputs(inputs)
    portal = render_portal(material, inputs, PageStore())

    assert material.sections == (Notices(),)
    assert [head.uri for head in portal.heads] == ["notices/index.md"]


class Notices(Section):
    """The smallest section there is: a page."""

    @classmethod
    def read(cls, context: SectionContext) -> "Notices":  # noqa: ARG003
        """Read nothing."""
        return cls()

    def pages(self, context: SectionContext) -> tuple[Page]:  # noqa: ARG002
        """Return a page."""
        return (Page(uri="notices/index.md", title="Notices", description="", body="", markdown=""),)
