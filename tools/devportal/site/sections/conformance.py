"""The section of deployments that were tested: the pages of their status, and marks at operations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from devportal.conformance.verification import (
    INDEX,
    STATUS,
    ApiRuns,
    Guide,
    Run,
    api_status_uri,
    conformance_pages,
    conformance_pages_of_apis,
    operation_marks,
    operation_results,
    read_runs,
)
from devportal.markup import Page
from devportal.project.caches import files_digest
from devportal.project.inputs import Inputs
from devportal.reference.pages.pages import operation_uris
from devportal.site.sections.section import ApiSection, MarksByPart, Section, SectionContext, SectionRecords
from devportal.translation import gettext_noop

_CHECKS = "conformance/checks.md"
_GUIDES = (
    Guide(
        "conformance/running.md",
        gettext_noop("Run the tests"),
        gettext_noop("Test a deployment from your laptop, in CI or every night."),
    ),
    Guide(
        "conformance/results.md",
        gettext_noop("Read the results"),
        gettext_noop("Reports, what counts as a failure, and known failures."),
    ),
    Guide(
        "conformance/webhooks.md",
        gettext_noop("Webhooks"),
        gettext_noop("Test that events arrive, signed and in order."),
    ),
    Guide(
        _CHECKS,
        gettext_noop("Checks"),
        gettext_noop("What every check promises, how it is tested, and how to fix a failure."),
    ),
)
"""Hand-written pages about conformance runs, if a portal has them."""


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
        inputs = context.inputs
        setting = inputs.setting_name("results")
        return cls(runs=read_runs(results, name=inputs.name(results), setting=setting))

    @classmethod
    def read_causes(cls, context: SectionContext) -> object | None:
        """Return the files of the reports."""
        results, inputs = context.inputs.results, context.inputs
        files = sorted(results.rglob("*")) if results is not None else []
        return (
            results,
            inputs.root,
            inputs.setting_name("results"),
            files_digest((str(file), file) for file in files),
        )

    def pages(self, context: SectionContext) -> Iterable[Page]:
        """Return the pages of the deployments that were tested."""
        contract, inputs = context.contract, context.inputs
        if contract is None:
            return ()
        guides = [guide for guide in _GUIDES if _is_written(guide.uri, inputs)]
        return conformance_pages(
            self.runs,
            contract,
            operations=operation_uris(contract.api, inputs),
            checks=_CHECKS if _is_written(_CHECKS, inputs) else "",
            guides=guides,
            has_index=not _is_written(INDEX, inputs),
        )

    @classmethod
    def pages_of_apis(cls, inputs: Inputs, sections: Sequence[ApiSection]) -> Iterable[Page]:
        """Return the page of the status of several APIs, and those of the deployments of each."""
        return conformance_pages_of_apis(
            tuple(
                _api_runs(section.section.runs, section.context)
                for section in sections
                if isinstance(section.section, ConformanceSection)
            ),
            checks=_CHECKS if _is_written(_CHECKS, inputs) else "",
            guides=[guide for guide in _GUIDES if _is_written(guide.uri, inputs)],
            has_index=not _is_written(INDEX, inputs),
        )

    def marks(self, context: SectionContext) -> MarksByPart:
        """Return a mark for each operation that a run tested."""
        if context.contract is None:
            return {}
        return operation_marks(self.runs, context.contract, status=_status_uri(context.inputs))

    def records(self, context: SectionContext) -> SectionRecords:
        """Return the newest result of each operation on each deployment."""
        if context.contract is None:
            return SectionRecords()
        results = operation_results(self.runs, context.contract, status=_status_uri(context.inputs))
        return SectionRecords(test_results=results)


def _api_runs(runs: tuple[Run, ...], context: SectionContext) -> ApiRuns:
    inputs, contract = context.inputs, context.contract
    assert inputs.portal_api is not None and contract is not None  # noqa: S101, PT018 - it is one of several
    return ApiRuns(
        title=inputs.portal_api.title,
        status=_status_uri(inputs),
        runs=runs,
        contract=contract,
        operations=operation_uris(contract.api, inputs),
    )


def _status_uri(inputs: Inputs) -> str:
    """Return the uri of the page with the results of a contract."""
    return api_status_uri(inputs.portal_api.name) if inputs.portal_api is not None else STATUS


def _is_written(uri: str, inputs: Inputs) -> bool:
    """Return whether a page is written by hand."""
    return inputs.docs is not None and (inputs.docs / uri).is_file()
