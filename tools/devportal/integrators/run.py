"""Runs the commands for integrators: reads their files, and writes results."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from devportal.command_line import print_findings
from devportal.documents import read_document, to_yaml
from devportal.documents.document import read_text
from devportal.errors import InvalidSettings
from devportal.findings import Finding, in_order
from devportal.integrators.affected import find_affected, unknown_operations
from devportal.integrators.changes_file import read_changes
from devportal.integrators.contract_names import unknown_names
from devportal.integrators.derive import derive_uses, uses_data
from devportal.integrators.exchanges import read_recording
from devportal.integrators.output import AffectedFormat, render_affected, summary
from devportal.integrators.uses import Uses, read_uses
from devportal.project.named_contract import load_named_contract
from devportal.reporting.checkout import checkout_path, github_workspace
from devportal.reporting.output import print_bytes, print_text, refuse_overwriting, write_file
from devportal.reporting.printable import count_noun


@dataclass(frozen=True, slots=True, kw_only=True)
class AffectedOptions:
    """The options of `devportal affected`."""

    uses: Path
    since: str | None
    changes: str
    api: str
    contract: Path | None
    allow_outside_references: bool = False
    form: str
    output: Path | None


_NO_USES_HELP = (
    "list in it what your code uses, or write it with 'devportal uses RECORDING --contract FILE --output uses.yaml'. "
    "--uses names another file"
)


def run_affected(options: AffectedOptions) -> int:
    """Print which changes touch what is used; return the exit code. Raises PortalError."""
    if options.output is not None:
        refuse_overwriting([options.output], inputs=_inputs(options))
    uses, findings = read_uses(read_document(options.uses, missing_help=_NO_USES_HELP))
    if _print_problems(findings):
        return 2
    since = options.since or uses.since
    if not since:
        raise InvalidSettings(
            "--since is missing, and the file of uses names no release",
            help=f"write --since VERSION, or 'since: VERSION' in {options.uses}",
        )
    changes = read_changes(options.changes, api=options.api)
    if _print_problems((*unknown_operations(uses, changes), *_contract_problems(uses, options))):
        return 2
    result = find_affected(uses, changes, since=since)
    form = AffectedFormat(options.form)
    file = checkout_path(str(options.uses), workspace=github_workspace())
    text = render_affected(result, uses, form, file=file)
    if options.output is not None:
        write_file(options.output, text)
    elif form is AffectedFormat.TEXT:
        print_text(text)
    else:
        print_bytes(text)
    if form is not AffectedFormat.TEXT or options.output is not None:
        click.echo(summary(result), err=True)
    return 1 if result.changes else 0


def _inputs(options: AffectedOptions) -> list[Path]:
    paths = [options.uses, *([options.contract] if options.contract else [])]
    if "://" not in options.changes and not Path(options.changes).is_dir():
        paths.append(Path(options.changes))
    return paths


def _contract_problems(uses: Uses, options: AffectedOptions) -> tuple[Finding, ...]:
    if options.contract is None:
        return ()
    contract = load_named_contract(
        options.contract, allow_outside_references=options.allow_outside_references
    )
    return tuple(unknown_names(uses, contract.api))


def _print_problems(findings: tuple[Finding, ...]) -> bool:
    """Print problems of a file, and return whether there are any."""
    print_findings(in_order(findings))
    return bool(findings)


@dataclass(frozen=True, slots=True, kw_only=True)
class UsesOptions:
    """The options of `devportal uses`."""

    recordings: tuple[Path, ...]
    contract: Path
    allow_outside_references: bool = False
    output: Path | None
    merge: bool


def run_uses(options: UsesOptions) -> None:
    """Print or write what recordings use of a contract, and count what did not match. Raises PortalError."""
    existing = _existing_uses(options)
    contract = load_named_contract(
        options.contract, allow_outside_references=options.allow_outside_references
    )
    recordings = [
        read_recording(read_text(path, name=str(path)), name=str(path)) for path in options.recordings
    ]
    exchanges = [exchange for recording in recordings for exchange in recording.exchanges]
    derivation = derive_uses(exchanges, contract.api)
    text = _USES_HEAD + to_yaml(uses_data(derivation, existing))
    if options.output is not None:
        write_file(options.output, text)
    else:
        print_bytes(text)
    unreadable = sum(recording.unreadable for recording in recordings)
    unmatched = {
        **derivation.unmatched,
        **({"record other than a request": unreadable} if unreadable else {}),
    }
    click.echo(
        f"{count_noun(derivation.matched, 'request')} of {count_noun(len(derivation.operations), 'operation')}",
        err=True,
    )
    for kind, count in unmatched.items():
        click.echo(f"not matched: {count_noun(count, kind)}", err=True)


_USES_HEAD = "# What our code uses of the API. Remove what it sends or receives, but does not use.\n"


def _existing_uses(options: UsesOptions) -> Mapping[str, Any] | None:
    """Return the data of the file to add to, if there is one. Raises PortalError."""
    output = options.output
    if output is None or not output.exists():
        return None
    refuse_overwriting([output], inputs=(options.contract, *options.recordings))
    if not options.merge:
        raise InvalidSettings(
            f"{output}: this file exists", help="add to it with --merge, remove it, or name another one"
        )
    document = read_document(output)
    _, findings = read_uses(document)
    if findings:
        raise InvalidSettings(str(in_order(findings)[0]), help="fix the file before you add to it")
    data: Mapping[str, Any] = document.data
    return data
