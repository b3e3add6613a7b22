"""`devportal conformance init`: writes a first settings file for a contract."""

import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from devportal.command_line import ALLOW_OUTSIDE_REFERENCES_OPTION, ContractFile, Number, ReportFile
from devportal.extras import Extra, require_extra

DEFAULT_SETTINGS_FILE = Path("conformance.yaml")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUESTIONS = (
    ("main", "Environment variable of the token or key", "DEVPORTAL_TOKEN"),
    ("other-tenant", "Environment variable of another account's token (empty: none)", ""),
    ("limited", "Environment variable of a token that lacks a scope (empty: none)", ""),
    ("expired", "Environment variable of an expired token (empty: none)", ""),
)
"""The roles, what is asked about each, and the usual answer."""
_SCOPES_QUESTION = "Scopes of that token, with spaces between them (empty: unknown)"


@click.command()
@click.option(
    "--contract",
    type=ContractFile(),
    help="The OpenAPI file. Default: the contract of mkdocs.yml, else openapi/openapi.yaml.",
)
@ALLOW_OUTSIDE_REFERENCES_OPTION
@click.option(
    "--output",
    type=ReportFile(),
    default=DEFAULT_SETTINGS_FILE,
    show_default=True,
    metavar="FILE",
    help="The file to write. An existing one is never overwritten.",
)
@click.option("--token-variable", metavar="NAME", help="Environment variable of the token or key.")
@click.option(
    "--other-tenant-variable", metavar="NAME", help="Environment variable of another account's token."
)
@click.option(
    "--limited-variable", metavar="NAME", help="Environment variable of a token that lacks a scope."
)
@click.option(
    "--limited-scope",
    "limited_scopes",
    multiple=True,
    metavar="SCOPE",
    help="A scope that this token has. Can be repeated.",
)
@click.option("--expired-variable", metavar="NAME", help="Environment variable of an expired token.")
@click.option("--p95", type=Number(min=1), metavar="MS", help="Slowest 95th percentile of an operation.")
@click.option("--no-input", is_flag=True, help="Ask nothing. Questions are only asked on a terminal.")
def init(
    *,
    contract: Path | None,
    allow_outside_references: bool,
    output: Path,
    token_variable: str | None,
    other_tenant_variable: str | None,
    limited_variable: str | None,
    limited_scopes: tuple[str, ...],
    expired_variable: str | None,
    p95: float | None,
    no_input: bool,
) -> None:
    """Write a settings file for a contract.

    Each line explains itself and names the checks that need it. What you do not answer becomes a comment.
    The schema beside the file lets editors complete and check it.
    Exits with 2 if the file exists.
    """
    require_extra(Extra.CONFORMANCE, needed_by="devportal conformance init")
    from devportal.conformance.deployment.credentials import Role, is_secured  # noqa: PLC0415
    from devportal.conformance.new_settings import (  # noqa: PLC0415 - slow to import
        SettingsAnswers,
        new_settings_text,
    )
    from devportal.conformance.run.options import Gate, Options  # noqa: PLC0415
    from devportal.conformance.run.run import load_subject  # noqa: PLC0415
    from devportal.conformance.settings import editor_schema_text  # noqa: PLC0415
    from devportal.errors import InvalidSettings  # noqa: PLC0415
    from devportal.project.settings_file import contract_here  # noqa: PLC0415
    from devportal.reporting.output import write_file  # noqa: PLC0415

    if output.exists():
        raise InvalidSettings(f"{output} already exists", help="choose another name with --output")
    file = contract_here(contract)
    subject, _ = load_subject(
        Options(
            url="http://127.0.0.1",
            contract=file,
            allow_outside_references=allow_outside_references,
            gate=Gate.ALL,
        )
    )
    given = {
        "main": token_variable,
        "other-tenant": other_tenant_variable,
        "limited": limited_variable,
        "expired": expired_variable,
    }
    asks = not no_input and sys.stdin.isatty() and sys.stdout.isatty()
    is_asked = any(map(is_secured, subject.operations))
    variables = dict(_read_variables(given, asks=asks)) if is_asked else {}
    if asks and "limited" in variables and not limited_scopes:
        limited_scopes = tuple(click.prompt(_SCOPES_QUESTION, default="", show_default=False).split())
    answers = SettingsAnswers(
        variables={Role(role): name for role, name in variables.items()},
        limited_scopes=limited_scopes,
        slowest_p95_ms=p95,
    )
    schema_file = output.with_suffix(".schema.json")
    write_file(schema_file, editor_schema_text())
    write_file(output, new_settings_text(subject, answers, schema_file=schema_file.name))
    click.echo(output.as_posix())
    click.echo(schema_file.as_posix())
    options = [f"--contract {shlex.quote(str(file))}"] if contract is not None else []
    options += ["--allow-outside-references"] if allow_outside_references else []
    options += [] if output == DEFAULT_SETTINGS_FILE else [f"--settings {shlex.quote(str(output))}"]
    click.echo(" ".join(("Next: devportal conformance URL", *options)), err=True)


def _read_variables(given: Mapping[str, str | None], *, asks: bool) -> Iterator[tuple[str, str]]:
    """Yield the roles with their variables, from the options, from answers, or as usual."""
    from devportal.errors import InvalidSettings  # noqa: PLC0415 - slow to import

    for role, question, usual in _QUESTIONS:
        name = given[role]
        if name is None:
            name = click.prompt(question, default=usual, show_default=bool(usual)) if asks else usual
        if name and not _VARIABLE.fullmatch(name):
            # It is not quoted: it may be the secret.
            raise InvalidSettings(
                f"the credential {role!r} needs the name of an environment variable, such as DEVPORTAL_TOKEN",
                help="give the name of the variable, not the secret in it",
            )
        if name:
            yield role, name
