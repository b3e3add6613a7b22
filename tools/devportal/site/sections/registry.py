"""The list of all sections, in the order of their pages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pkgutil import resolve_name

from devportal.site.sections.section import Section, SectionContext


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRow:
    """A section: the settings that name what it is read from, and its class, imported when it is needed.

    `append_only` are the settings of folders in which what was published stays as it is.
    """

    settings: tuple[str, ...]
    append_only: tuple[str, ...] = ()
    section: str

    def load(self) -> type[Section]:
        """Import the class."""
        section_class: type[Section] = resolve_name(self.section)
        return section_class


SECTIONS = (
    SectionRow(
        settings=("records",),
        append_only=("records",),
        section="devportal.site.sections.rates:RatesSection",
    ),
    SectionRow(
        settings=("changelog", "releases"),
        append_only=("releases", "changelog"),
        section="devportal.site.sections.changelog:ChangelogSection",
    ),
    SectionRow(settings=("results",), section="devportal.site.sections.conformance:ConformanceSection"),
)


Read = Callable[[SectionContext], Section]
"""Reads a section."""


def _read_anew(section_class: type[Section], context: SectionContext, read: Read) -> Section:  # noqa: ARG001
    return read(context)


def read_sections(
    context: SectionContext,
    read_section: Callable[[type[Section], SectionContext, Read], Section] = _read_anew,
) -> Iterator[Section]:
    """Yield each section that a project has, from `read_section`, which may return a cached one. Raises PortalError."""
    for row in SECTIONS:
        if any(getattr(context.inputs, name) is not None for name in row.settings):
            section_class = row.load()
            yield read_section(section_class, context, section_class.read)
