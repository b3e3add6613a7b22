"""All checks of a project or a contract without building the site, and what a git revision proves.

What only a project or redirects need is imported for those: a check of a contract alone starts twice as fast.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from devportal.atomic_files import FileWrite, remove_files, write_atomically
from devportal.contract import Api, Contract, check_contract, load_contract
from devportal.contract.validate.second_opinion import RULE as SECOND_OPINION
from devportal.contract.validate.second_opinion import (
    is_worth_asking,
    remarks_from_json,
    remarks_to_json,
    second_findings,
    second_opinion,
)
from devportal.derived_cache import Memory
from devportal.errors import InvalidSettings
from devportal.extras import Extra, missing_packages
from devportal.findings import Finding, in_order
from devportal.project.baseline import FILE_NAME, Baseline, acceptable_findings, baseline_text, read_baseline
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import Inputs, load_project_contract, redirects_beside, today
from devportal.project.settings import Settings
from devportal.reporting.printable import count_noun


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineFile:
    """Where the baseline of a contract is, or would be: what it holds, and the problems it is about."""

    path: Path
    baseline: Baseline
    findings: tuple[Finding, ...]
    """All findings that it can accept, known or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """Everything that is wrong."""

    findings: tuple[Finding, ...]
    """The findings that no baseline can accept: in records, changelog and pages, and those of a contract that
    cannot be built as it is.
    """
    acceptable: BaselineFile | None = None
    """The other findings of the contract, beside its baseline; None without a contract."""

    def all_findings(self, *, use_baseline: bool = True) -> tuple[Finding, ...]:
        """Return all findings in order: without the known ones, unless the baseline is not used."""
        if self.acceptable is None:
            return in_order(self.findings)
        others, baseline = self.acceptable.findings, self.acceptable.baseline
        return in_order([*self.findings, *(baseline.apply(others) if use_baseline else others)])


_ACCEPTED_BY_HAND = "Accepted with devportal check --update-baseline."


def check_contract_file(
    contract: Path,
    *,
    allow_outside_references: bool = False,
    overlays: Sequence[Path] = (),
    cache: Path | None = None,
) -> CheckResult:
    """Return everything that is wrong with a contract. Raises PortalError if it cannot be read.

    What openapi-spec-validator says of it is kept in the folder `cache`, if there is one.
    """
    read = load_contract(
        contract,
        overlays={str(one): one for one in overlays},
        allow_outside_references=allow_outside_references,
    )
    redirects = redirects_beside(contract)
    others = _redirect_findings(redirects, read.api) if redirects is not None else ()
    path = contract.parent / FILE_NAME
    return CheckResult(
        findings=(*read.findings, *others), acceptable=_baseline_file(path, str(path), read, cache)
    )


def _baseline_file(path: Path, name: str, contract: Contract, cache: Path | None) -> BaselineFile:
    """Check a contract, and read its baseline if there is one. Raises PortalError."""
    baseline = read_baseline(path, name=name) if path.is_file() else Baseline(name=name)
    findings = acceptable_findings(contract, _contract_findings(contract, cache))
    return BaselineFile(path=path, baseline=baseline, findings=tuple(findings))


def _contract_findings(contract: Contract, cache: Path | None) -> tuple[Finding, ...]:
    """Return the findings of our checks, and those of openapi-spec-validator if its extra is installed."""
    findings = check_contract(contract)
    if missing_packages(Extra.VALIDATE) or not is_worth_asking(findings):
        return findings
    cached_remarks = Memory(cache, toolkit=f"{toolkit_digest()} {version('openapi-spec-validator')}")
    cached_text = cached_remarks.get(SECOND_OPINION, contract.digest)
    remarks = remarks_from_json(cached_text) if cached_text is not None else second_opinion(contract)
    if cached_text is None:
        cached_remarks.put(remarks_to_json(remarks), SECOND_OPINION, contract.digest)
    return (*findings, *second_findings(contract, remarks, findings))


def _redirect_findings(redirects: Path, api: Api) -> tuple[Finding, ...]:
    """Return what is wrong with the redirects beside a contract, for a site of it alone."""
    from devportal.reference.reference import reference_of  # noqa: PLC0415 - see above
    from devportal.site.output.redirects import read_redirects  # noqa: PLC0415

    reference = reference_of(api, Settings(overview="index.md"))
    return read_redirects(redirects, name=str(redirects), reference=reference, is_strict=False)[1]


def check_records(folder: Path) -> CheckResult:
    """Return everything that is wrong with records and their log. Raises PortalError if there are none."""
    from devportal.catalog import check_catalog, load_catalog  # noqa: PLC0415 - see above
    from devportal.catalog.review.lock import read_lock  # noqa: PLC0415

    with read_lock(folder):
        catalog, load_findings = load_catalog(folder, name=folder.as_posix())
    return CheckResult(findings=(*load_findings, *check_catalog(catalog, today=today())))


def check_audiences(
    config_file: Path, *, audience: str | None = None, cache: Path | None = None
) -> CheckResult:
    """Return everything that is wrong with a project's inputs as each of its audiences, or one, gets them.

    Raises PortalError, and InvalidSettings for an unknown name.
    """
    from devportal.site.project_file import load_project  # noqa: PLC0415 - see above

    _, inputs = load_project(config_file, cache=cache, audience=audience)
    names = [one.name for one in inputs.audiences if audience in (None, one.name)]
    if not names:
        return check_project(config_file, cache=cache)
    results = [check_project(config_file, audience=one, cache=cache) for one in names]
    return _join_results([*results, _check_sections(replace(inputs, audience=""))])


def _check_sections(inputs: Inputs) -> CheckResult:
    """Check records, releases and entries with what everybody sees: an entry may be about what an audience does
    not.
    """
    from devportal.site.sections.registry import read_sections  # noqa: PLC0415 - see above
    from devportal.site.sections.section import SectionContext  # noqa: PLC0415

    contract = load_project_contract(inputs) if inputs.contract is not None else None
    sections = read_sections(SectionContext(inputs=inputs, contract=contract))
    return CheckResult(findings=tuple(finding for one in sections for finding in one.findings))


def _join_results(results: Sequence[CheckResult]) -> CheckResult:
    """Return what several checks of the same files found, each finding once."""
    findings = dict.fromkeys(finding for one in results for finding in one.findings)
    files = [one.acceptable for one in results if one.acceptable is not None]
    acceptable = dict.fromkeys(finding for file in files for finding in file.findings)
    return CheckResult(
        findings=tuple(findings),
        acceptable=replace(files[0], findings=tuple(acceptable)) if files else None,
    )


def check_project(
    config_file: Path, *, audience: str | None = None, cache: Path | None = None
) -> CheckResult:
    """Return everything that is wrong with a project's inputs, for an audience. Raises PortalError."""
    from mkdocs.structure.files import get_files, set_exclusions  # noqa: PLC0415 - see above

    from devportal.site.audiences.pages import remove_pages_of_others  # noqa: PLC0415
    from devportal.site.hand_written.inserting import insert_problems_of_site  # noqa: PLC0415
    from devportal.site.portal import load_inputs  # noqa: PLC0415
    from devportal.site.project_file import load_project  # noqa: PLC0415
    from devportal.site.versions.older_editions import unreadable_releases_in  # noqa: PLC0415

    config, inputs = load_project(config_file, cache=cache, audience=audience)
    material = load_inputs(inputs)
    findings = [*material.findings, *unreadable_releases_in(material.earlier, material.findings)]
    files = get_files(config)
    set_exclusions(files, config)
    findings += remove_pages_of_others(files, config, inputs)
    findings += insert_problems_of_site(files, material.inserts(inputs), inputs)
    if material.contract is None or inputs.contract is None:
        return CheckResult(findings=tuple(findings))
    path = inputs.baseline or inputs.contract.parent / FILE_NAME
    acceptable = _baseline_file(path, inputs.name(path), material.contract, cache)
    return CheckResult(findings=tuple(findings), acceptable=acceptable)


def update_baseline(result: CheckResult) -> tuple[CheckResult, str]:
    """Accept every error of the contract that can be accepted: write its baseline, or remove an empty one.

    Returns the check with that baseline, and a line about what was written. Raises PortalError.
    """
    file = result.acceptable
    if file is None:
        raise InvalidSettings("this project has no contract", help="there is nothing that a baseline accepts")
    before = file.baseline.compare(file.findings)
    problems = file.baseline.accept(file.findings, day=today(), reason=_ACCEPTED_BY_HAND)
    if problems:
        write_atomically([FileWrite(path=file.path, content=baseline_text(problems).encode())])
    elif file.path.is_file():
        remove_files([file.path])
    updated = replace(file, baseline=replace(file.baseline, problems=problems))
    added = len(problems) - len(before.known)
    written = f"{file.baseline.name}: {count_noun(len(problems), 'known problem')}"
    return replace(result, acceptable=updated), f"{written}, {added:,} added, {len(before.stale):,} removed"
