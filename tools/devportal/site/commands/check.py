"""All checks of a project or a contract without building the site, and what a git revision proves."""

from importlib.metadata import version
from pathlib import Path

from mkdocs.structure.files import get_files, set_exclusions

from devportal.catalog import check_catalog, load_catalog
from devportal.catalog.review.lock import read_lock
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
from devportal.extras import Extra, missing_packages
from devportal.findings import Finding, in_order
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import redirects_beside, today
from devportal.project.settings import Settings
from devportal.reference.reference import reference_of
from devportal.site.hand_written.inserting import insert_problems_of_site
from devportal.site.output.redirects import read_redirects
from devportal.site.portal import load_inputs
from devportal.site.project_file import load_project
from devportal.site.versions.older_editions import unreadable_releases_in


def check_contract_file(
    contract: Path, *, allow_outside_references: bool = False, cache: Path | None = None
) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract. Raises PortalError if it cannot be read.

    What openapi-spec-validator says of it is kept in the folder `cache`, if there is one.
    """
    read = load_contract(contract, allow_outside_references=allow_outside_references)
    findings = list(_contract_findings(read, cache))
    redirects = redirects_beside(contract)
    if redirects is not None:
        findings += _redirect_findings(redirects, read.api)
    return in_order(findings)


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
    reference = reference_of(api, Settings(overview="index.md"))
    return read_redirects(redirects, name=str(redirects), reference=reference, is_strict=False)[1]


def check_records(folder: Path) -> tuple[Finding, ...]:
    """Return everything that is wrong with records and their log. Raises PortalError if there are none."""
    with read_lock(folder):
        catalog, load_findings = load_catalog(folder, name=folder.as_posix())
    return in_order([*load_findings, *check_catalog(catalog, today=today())])


def check_project(config_file: Path, *, cache: Path | None = None) -> tuple[Finding, ...]:
    """Return everything that is wrong with a project's inputs. Raises PortalError."""
    config, inputs = load_project(config_file, cache=cache)
    material = load_inputs(inputs)
    findings = [*material.findings, *unreadable_releases_in(material.earlier, material.findings)]
    if material.contract is not None:
        findings += _contract_findings(material.contract, cache)
    files = get_files(config)
    set_exclusions(files, config)
    findings += insert_problems_of_site(files, material.inserts(inputs), inputs)
    return in_order(findings)
