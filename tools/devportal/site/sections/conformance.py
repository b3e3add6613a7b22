"""The section of deployments that were tested: the page of their status, and marks at operations."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from devportal.conformance.verification import Run, operation_marks, read_runs, status_pages
from devportal.markup import Page
from devportal.reference.pages.pages import operation_uris
from devportal.site.sections.section import MarksByPart, Section, SectionContext

_CHECKS = "conformance/checks.md"
"""The page written by hand that explains the checks of conformance runs, where a portal has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceSection(Section):
    """Runs of the conformance tests, the newest first."""

    runs: tuple[Run, ...] = field(repr=False)

    @classmethod
    def read(cls, context: SectionContext) -> Self:
        """Read the reports of runs. Raises UnreadableInput."""
        results = context.inputs.results
        if results is None:
            raise AssertionError("a project without results has no section of them")
        return cls(runs=read_runs(results, name=context.inputs.name(results)))

    def pages(self, context: SectionContext) -> Iterable[Page]:
        """Return the page of the deployments that were tested."""
        contract, inputs = context.contract, context.inputs
        if contract is None:
            return ()
        explained = inputs.docs is not None and (inputs.docs / _CHECKS).is_file()
        return status_pages(
            self.runs,
            contract,
            operations=operation_uris(contract.api, inputs),
            checks=_CHECKS if explained else "",
        )

    def marks(self, context: SectionContext) -> MarksByPart:
        """Return a mark for each operation that a run tested."""
        return operation_marks(self.runs, context.contract) if context.contract is not None else {}
