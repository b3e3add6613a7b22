"""All checks of a project, or of a contract alone, without building the site."""

from pathlib import Path

from mkdocs.config import load_config
from mkdocs.exceptions import Abort, ConfigurationError

from devportal.contract import check_contract, load_contract
from devportal.findings import Finding, in_order
from devportal.site.build import explained, listening, plugin_of
from devportal.site.portal import read_material


def check_contract_file(contract: Path, *, cache: Path | None) -> tuple[Finding, ...]:
    """Return everything that is wrong with a contract. Raises PortalError where it cannot be read."""
    return check_contract(load_contract(contract), cache=cache)


def check_project(config_file: Path, *, cache: Path | None) -> tuple[Finding, ...]:
    """Return everything that is wrong with a project's inputs. Raises PortalError."""
    with listening() as heard:
        try:
            config = load_config(str(config_file))
        except (Abort, ConfigurationError) as error:
            raise explained(error, heard.errors) from error
    material = read_material(plugin_of(config).inputs(config))
    findings = list(material.findings)
    if material.contract is not None:
        findings += check_contract(material.contract, cache=cache)
    return in_order(findings)
