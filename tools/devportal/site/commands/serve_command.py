"""`devportal serve`: its options."""

from pathlib import Path

import click

from devportal.command_line import ContractCommand, WholeNumber
from devportal.errors import InvalidSettings
from devportal.site.commands.options import (
    read_language_option,
    reject_contract_options,
    reject_project_options,
    require_config_file,
    source_options,
)


@click.command(cls=ContractCommand)
@source_options("the first")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=WholeNumber(1, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on.",
)
@click.option(
    "--with",
    "beside",
    multiple=True,
    metavar="COMMAND",
    help="Another devportal command to run alongside, such as one of a plug-in. It stops when this one "
    "stops. Its output appears once the portal is ready. If its first line is 'Sandbox: URL', the served "
    "pages name that address in place of the contract's sandbox server. Can be repeated.",
)
@click.option(
    "--mock",
    "has_mock",
    is_flag=True,
    help="Also start `devportal mock` with the contract, on a free port: the served pages name it in place of the "
    "contract's sandbox server, or else its first server. Needs the extra 'mock'.",
)
@click.option(
    "--api",
    metavar="NAME",
    help="With --mock: the API whose contract is mocked, in a project that lists several under 'contracts'.",
)
def serve(
    config_file: Path,
    contract: Path | None,
    host: str,
    port: int,
    beside: tuple[str, ...],
    *,
    has_mock: bool,
    api: str | None,
    audience: str | None,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    language: str,
) -> None:
    """Serve the portal of a project, or the reference of any OpenAPI file, with live reload until Ctrl-C."""
    from devportal.site.commands.serve import serve as serve_portal  # noqa: PLC0415 - keeps --help fast
    from devportal.site.commands.serve import serve_contract  # noqa: PLC0415 - keeps --help fast

    if api is not None and (contract is not None or not has_mock):
        raise InvalidSettings("--api goes with --mock and a project", help="leave it out")
    if contract is not None:
        reject_project_options(audience=audience)
        serve_contract(
            contract,
            host=host,
            port=port,
            beside=beside,
            has_mock=has_mock,
            allow_outside_references=allow_outside_references,
            overlays=overlays,
            language=read_language_option(language),
        )
    else:
        reject_contract_options(
            allow_outside_references=allow_outside_references, overlays=overlays, language=language
        )
        serve_portal(
            require_config_file(config_file),
            host=host,
            port=port,
            beside=beside,
            has_mock=has_mock,
            api=api,
            audience=audience,
        )
