"""All checks of a project or a contract without building the site, and what a git revision proves.

What only a project or redirects need is imported for those: a check of a contract alone starts twice as fast.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import chain
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
from devportal.errors import InvalidSettings, PortalError
from devportal.extras import Extra, missing_packages
from devportal.findings import Finding, in_order
from devportal.project.baseline import FILE_NAME, Baseline, acceptable_findings, baseline_text, read_baseline
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import Inputs, load_project_contract, redirects_beside, today, watched_paths
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
    acceptable: tuple[BaselineFile, ...] = ()
    """The other findings of each contract, beside its baseline; none without a contract."""
    errors: tuple[PortalError, ...] = ()
    """Why contracts of several could not be checked."""
    sources: frozenset[Path] = frozenset()
    """The files and folders that were read, the pages apart."""

    def all_findings(self, *, use_baseline: bool = True) -> tuple[Finding, ...]:
        """Return all findings in order: without the known ones, unless the baseline is not used."""
        findings = list(self.findings)
        for baseline_file in self.acceptable:
            findings += (
                baseline_file.baseline.apply(baseline_file.findings)
                if use_baseline
                else baseline_file.findings
            )
        return in_order(findings)


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
        overlays={str(overlay): overlay for overlay in overlays},
        allow_outside_references=allow_outside_references,
    )
    redirects = redirects_beside(contract)
    others = _redirect_findings(redirects, read.api) if redirects is not None else ()
    path = contract.parent / FILE_NAME
    return CheckResult(
        findings=(*read.findings, *others),
        acceptable=(_baseline_file(path, str(path), read, cache),),
        sources=frozenset((*read.files_at(contract), *overlays, path, *((redirects,) if redirects else ()))),
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
    findings = (*load_findings, *check_catalog(catalog, today=today()))
    return CheckResult(findings=findings, sources=frozenset({folder}))


def check_audiences(
    config_file: Path, *, audience: str | None = None, cache: Path | None = None
) -> CheckResult:
    """Return everything that is wrong with a project's inputs as each of its audiences, or one, gets them.

    Raises PortalError, and InvalidSettings for an unknown name.
    """
    from devportal.site.project_file import load_project  # noqa: PLC0415 - see above

    _, inputs = load_project(config_file, cache=cache, audience=audience)
    names = [choice.name for choice in inputs.audiences if audience in (None, choice.name)]
    if not names:
        return check_project(config_file, cache=cache)
    results = [check_project(config_file, audience=name, cache=cache) for name in names]
    return _join_results([*results, _check_sections(replace(inputs, audience=""))])


def _check_sections(inputs: Inputs) -> CheckResult:
    """Check records, releases and entries with what everybody sees: an entry may be about what an audience does
    not.
    """
    from devportal.site.sections.registry import read_sections  # noqa: PLC0415 - see above
    from devportal.site.sections.section import SectionContext  # noqa: PLC0415

    findings: list[Finding] = []
    for project in (inputs, *inputs.apis):
        try:
            contract = load_project_contract(project) if project.contract is not None else None
        except PortalError:
            if project is inputs:
                raise
            continue  # the check of the site reports it
        for section in read_sections(SectionContext(inputs=project, contract=contract)):
            findings += section.findings
    return CheckResult(findings=tuple(findings))


def _join_results(results: Sequence[CheckResult]) -> CheckResult:
    """Return what several checks of the same files found, each finding once."""
    findings = dict.fromkeys(finding for result in results for finding in result.findings)
    by_path: dict[Path, list[BaselineFile]] = {}
    for file in chain.from_iterable(result.acceptable for result in results):
        by_path.setdefault(file.path, []).append(file)
    return CheckResult(
        findings=tuple(findings),
        acceptable=tuple(
            replace(files[0], findings=tuple(dict.fromkeys(chain(*(file.findings for file in files)))))
            for files in by_path.values()
        ),
        errors=tuple({str(error): error for result in results for error in result.errors}.values()),
        sources=frozenset(chain.from_iterable(result.sources for result in results)),
    )


def check_project(
    config_file: Path, *, audience: str | None = None, cache: Path | None = None
) -> CheckResult:
    """Return everything that is wrong with a project's inputs, for an audience. Raises PortalError."""
    from mkdocs.structure.files import get_files, set_exclusions  # noqa: PLC0415 - see above

    from devportal.site.audiences.pages import remove_pages_of_others  # noqa: PLC0415
    from devportal.site.build_problems import build_problems  # noqa: PLC0415
    from devportal.site.hand_written.file_names import remove_unaddressable_pages  # noqa: PLC0415
    from devportal.site.hand_written.inserting import insert_problems_of_site  # noqa: PLC0415
    from devportal.site.load_inputs import load_inputs  # noqa: PLC0415
    from devportal.site.project_file import load_project, setting_findings  # noqa: PLC0415
    from devportal.site.versions.older_editions import unreadable_releases_in  # noqa: PLC0415
    from devportal.site.wrong_settings import settings_files_of  # noqa: PLC0415

    config, inputs = load_project(config_file, cache=cache, audience=audience)
    material = load_inputs(inputs)
    findings = [*setting_findings(config), *material.findings]
    for loaded_inputs in (material, *(api.material for api in material.apis)):
        findings += unreadable_releases_in(loaded_inputs.earlier, material.findings)
    files = get_files(config)
    set_exclusions(files, config)
    findings += remove_unaddressable_pages(files, inputs)
    findings += remove_pages_of_others(files, config, inputs)
    if not material.errors:  # an insert may be of a contract that cannot be read
        findings += insert_problems_of_site(files, material.inserts(inputs), inputs)
    findings += build_problems(config, inputs, material, files)
    loaded = [(api.inputs, api.material.contract) for api in material.apis]
    acceptable = tuple(
        _baseline_file(baseline_path(api_inputs), api_inputs.name(baseline_path(api_inputs)), contract, cache)
        for api_inputs, contract in loaded or [(inputs, material.contract)]
        if contract is not None
    )
    sources = (*settings_files_of(config), *watched_paths(inputs, *material.contracts))
    return CheckResult(
        findings=tuple(findings),
        acceptable=acceptable,
        errors=material.errors,
        sources=frozenset((*sources, *(file.path for file in acceptable))),
    )


def check_api(config_file: Path, name: str, *, cache: Path | None = None) -> CheckResult:
    """Return everything that is wrong with one of several APIs of a project, for any audience: with its contract,
    and with the files that only it has. Raises PortalError.
    """
    from devportal.site.project_file import load_project  # noqa: PLC0415 - see above

    _, inputs = load_project(config_file, cache=cache)
    inputs.api(name)
    audiences: list[str | None] = [*(audience.name for audience in inputs.audiences)]
    return _join_results(
        [_check_api_for(audience, config_file, name, cache) for audience in audiences or [None]]
    )


def _check_api_for(audience: str | None, config_file: Path, name: str, cache: Path | None) -> CheckResult:
    """Return everything that is wrong with one of several APIs as an audience gets it."""
    from devportal.site.load_inputs import load_inputs  # noqa: PLC0415 - see above
    from devportal.site.project_file import load_project  # noqa: PLC0415
    from devportal.site.versions.older_editions import unreadable_releases_in  # noqa: PLC0415

    _, inputs = load_project(config_file, cache=cache, audience=audience)
    material = load_inputs(inputs)
    api = next((loaded for loaded in material.apis if loaded.name == name), None)
    if api is None:  # the only reason is that it cannot be read
        return CheckResult(findings=(), errors=material.errors)
    own = frozenset(api.material.findings)
    findings = [finding for finding in material.findings if finding in own]
    findings += unreadable_releases_in(api.material.earlier, material.findings)
    path = baseline_path(api.inputs)
    assert api.material.contract is not None  # noqa: S101 - one that cannot be read is left out
    baseline = _baseline_file(path, api.inputs.name(path), api.material.contract, cache)
    return CheckResult(findings=tuple(findings), acceptable=(baseline,))


def baseline_path(inputs: Inputs) -> Path:
    """Return the baseline of the contract of a project or of one of its APIs, or where it would be.

    That of an API whose contract shares its folder with others has the name of the API before its own.
    """
    assert inputs.contract is not None  # noqa: S101 - asked for after that is known
    if inputs.baseline is not None:
        return inputs.baseline
    shares = inputs.portal_api is not None and inputs.shares_folder
    name = f"{inputs.portal_api.name}.{FILE_NAME}" if shares and inputs.portal_api else FILE_NAME
    return inputs.contract.parent / name


def update_baselines(result: CheckResult) -> tuple[CheckResult, tuple[str, ...]]:
    """Accept every error of the contracts that can be accepted: write their baselines, or remove empty ones.

    Returns the check with those baselines, and a line about each that was written. Raises PortalError.
    """
    if not result.acceptable:
        raise InvalidSettings("this project has no contract", help="there is nothing that a baseline accepts")
    updated = [_update_baseline(baseline_file) for baseline_file in result.acceptable]
    return replace(result, acceptable=tuple(file for file, _ in updated)), tuple(line for _, line in updated)


def _update_baseline(file: BaselineFile) -> tuple[BaselineFile, str]:
    before = file.baseline.compare(file.findings)
    problems = file.baseline.accept(file.findings, day=today(), reason=_ACCEPTED_BY_HAND)
    if problems:
        write_atomically([FileWrite(path=file.path, content=baseline_text(problems).encode())])
    elif file.path.is_file():
        remove_files([file.path])
    updated = replace(file, baseline=replace(file.baseline, problems=problems))
    added = len(problems) - len(before.known)
    written = f"{file.baseline.name}: {count_noun(len(problems), 'known problem')}"
    return updated, f"{written}, {added:,} added, {len(before.stale):,} removed"
