"""The sources of a sandbox: the contract that it serves, and the records of the project."""

from pathlib import Path

import click

from devportal.catalog import Catalog, load_catalog
from devportal.catalog.review.lock import read_lock
from devportal.contract import Api, load_contract
from devportal.errors import InvalidContract
from devportal.findings import Level
from devportal.gc_pause import gc_paused
from devportal.reporting.printable import count_noun
from telecom.rates import rate_book


@gc_paused()
def read_api(path: Path) -> Api:
    """Return the contract's model; raises InvalidContract if it has errors."""
    contract = load_contract(path)
    errors = [finding for finding in contract.findings if finding.level is Level.ERROR]
    if errors:
        raise InvalidContract(
            errors[0].message,
            place=errors[0].place,
            help=f"run devportal check; the contract has {len(errors)} errors",
        )
    return contract.api


@gc_paused()
def read_catalog(folder: Path) -> Catalog:
    """Return the records of a folder, none if there is no such folder; report how many cannot be read."""
    if not folder.is_dir():
        return Catalog()
    with read_lock(folder):
        catalog, findings = load_catalog(folder, name=folder.name, book=rate_book())
    if findings:
        click.echo(
            f"Records:  {count_noun(len(findings), 'problem')} in {folder.name}: to list them, run devportal check",
            err=True,
        )
    return catalog


def scopes_of(api: Api) -> frozenset[str]:
    """Return the scopes that a contract has."""
    return frozenset(name for scheme in api.security_schemes for name, _ in scheme.scopes)
