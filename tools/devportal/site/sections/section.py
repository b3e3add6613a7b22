"""A section of a site: what it was read from, its problems, its pages and files, and what it must not show."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from devportal.contract import Api, Contract
from devportal.findings import Finding
from devportal.last_results import LastResults
from devportal.markup import Artefact, Page
from devportal.project.inputs import Inputs

if TYPE_CHECKING:
    from devportal.catalog import Published
    from devportal.reference.history_marks import (  # a build often renders nothing
        HistoryMark,
        PartLocation,
    )
    from devportal.site.leaks.searched_files import SearchedFiles

MarksByPart = Mapping["PartLocation", "tuple[HistoryMark, ...]"]
"""The marks of a section for parts of the contract; the reference shows them beside the parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionContext:
    """What sections are read and rendered with."""

    inputs: Inputs
    contract: Contract | None = field(default=None, repr=False)
    references: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The uri of the reference of each release that has one, by its version; empty while sections are read."""
    processes: int = 1
    """How many processes may read and render."""
    last: LastResults | None = field(default=None, repr=False, compare=False)
    """Parts of the pages of the section as they were made for the last build of a served portal."""

    @property
    def api(self) -> Api | None:
        """Return what the contract describes, None without a contract."""
        return self.contract.api if self.contract is not None else None


@dataclass(frozen=True, slots=True)
class SideLink:
    """A page in the left column of its area."""

    title: str
    uri: str


@dataclass(frozen=True, slots=True)
class SideGroup:
    """Pages that stand together in the left column, below a title or without one."""

    title: str
    links: tuple[SideLink, ...]


@dataclass(frozen=True, slots=True)
class SideNavigation:
    """The left column of an area: its name for those who do not see it, and its pages."""

    title: str
    groups: tuple[SideGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedFolder:
    """A folder of what was published, and what messages call it."""

    path: Path
    name: str


PublishedFolders = Mapping[str, PublishedFolder]
"""The folders of a section that a revision of the project has, by their settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedComparison:
    """What differs from what a revision had published, and how much was compared: `release` → 3."""

    findings: tuple[Finding, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRecords:
    """What a section adds to `docs.json`, as JSON data; `docs/toolkit/commands/docs.md` describes the members."""

    releases: tuple[Mapping[str, Any], ...] = ()
    first_versions: Mapping[str, str] = field(default_factory=dict)
    """The version that added an operation (`POST /v1/orders`) or an event."""
    test_results: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """The newest result of each deployment, by operation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(ABC):
    """A section as it was read. `findings` are the problems of what it was read from."""

    findings: tuple[Finding, ...] = field(default=(), repr=False)

    uses_processes: ClassVar[bool] = False
    """Whether several processes render the pages if the context allows it."""

    @classmethod
    @abstractmethod
    def read(cls, context: SectionContext) -> Self:
        """Read and check the section. Raises PortalError."""

    @classmethod
    def read_causes(cls, context: SectionContext) -> object | None:  # noqa: ARG003 - for those that tell
        """Return all that `read` depends on, to be compared, such as times of files; None if that is not known."""
        return None

    def pages(self, context: SectionContext) -> Iterable[Page | Artefact]:  # noqa: ARG002 - for those that have any
        """Return the pages, and the files that belong to them: downloads, feeds. Raises MissingExtra."""
        return ()

    def page_causes(self, context: SectionContext) -> object | None:  # noqa: ARG002
        """Return what the pages are made from besides settings, to be compared; None if that is not known.

        Pages made from the same are the same, so that a served portal keeps them.
        """
        return None

    @classmethod
    def pages_of_apis(
        cls,
        inputs: Inputs,  # noqa: ARG003 - for those that are read for each API
        sections: "Sequence[ApiSection]",  # noqa: ARG003
    ) -> Iterable[Page | Artefact]:
        """Return the pages of the section of several APIs together, and their files. `inputs` are of the project."""
        return ()

    def navigation(self) -> Mapping[str, SideNavigation]:
        """Return the left column of each area that has one, by its folder: `rates`."""
        return {}

    def marks(self, context: SectionContext) -> MarksByPart:  # noqa: ARG002
        """Return the marks of the section for parts of the contract."""
        return {}

    def records(self, context: SectionContext) -> SectionRecords:  # noqa: ARG002
        """Return what the section adds to `docs.json`."""
        return SectionRecords()

    @property
    def published_records(self) -> "Published | None":
        """What is public of the records of the section, if it has any."""
        return None

    @property
    def can_be_searched_for(self) -> bool:
        """Whether the search for leaks works: not if the input of the section is unreadable."""
        return True

    def find_leaks(
        self,
        site: Path,  # noqa: ARG002
        public: Iterable[Path],  # noqa: ARG002
        processes: int,  # noqa: ARG002
        searched: "SearchedFiles[Any] | None" = None,  # noqa: ARG002
    ) -> Iterable[Finding]:
        """Return a finding for each file of a built site that shows what is not public of the section.

        `public` are the files in which the project says by itself what anybody may read. Up to this many `processes`
        search, those files only that were not `searched` before.
        """
        return ()

    @classmethod
    def compare_published(
        cls,
        before: PublishedFolders,  # noqa: ARG003 - for those that publish anything
        now: PublishedFolders,  # noqa: ARG003
        *,
        base: str,  # noqa: ARG003
    ) -> PublishedComparison:
        """Compare what the revision `base` had published with what there is now."""
        return PublishedComparison()


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiSection:
    """A section of one of several APIs, and what it is rendered with."""

    section: Section
    context: SectionContext
