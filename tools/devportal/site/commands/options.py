"""The options that `devportal build`, `check` and `serve` share, and which of them exclude each other."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from devportal.command_line import PROJECT_OPTION, ContractFile, with_options
from devportal.errors import InvalidSettings

_FIRST_BYTES = 1_000_000
_VERSION_KEY = re.compile(rb"""^(?:\{\s*)?["']?(?:openapi|swagger)["']?\s*:""", re.MULTILINE)


_CONTRACT_OPTION = click.option(
    "--contract",
    type=ContractFile(),
    help="An OpenAPI file to use instead of a project. Cannot be combined with --config-file.",
)

_ALLOW_OUTSIDE_REFERENCES_OPTION = click.option(
    "--allow-outside-references",
    is_flag=True,
    help="With --contract: allow references to files outside its folder. A project has a setting for "
    "this. Nothing is ever read from the network.",
)
_OVERLAYS_OPTION = click.option(
    "--overlay",
    "overlays",
    type=click.Path(path_type=Path, dir_okay=False),
    multiple=True,
    metavar="FILE",
    help="With --contract: an OpenAPI Overlay (1.0 or 1.1) that changes the contract before it is read. Can be "
    "repeated; they are applied in order. A project has a setting for this.",
)


def _audience_option(default: str) -> Callable[[Any], Any]:
    """Return the option for one audience of a project; `default` says which ones there are without it."""
    return click.option(
        "--audience",
        metavar="NAME",
        help=f"One audience of the project, which the setting 'audiences' declares. Default: {default}.",
    )


_LANGUAGE_OPTION = click.option(
    "--language",
    metavar="TAG",
    default="",
    help="With --contract: the language of the site as a tag (BCP 47), such as ja or pt-BR. Default: "
    "the contract's x-language, else en. A project has a setting for this.",
)


def source_options(audience_default: str, *, has_language: bool = True) -> Callable[[Any], Any]:
    """Return what adds the options that say which project or contract a command is about.

    `audience_default` says which audiences there are without the option for one.
    """
    options = (
        PROJECT_OPTION,
        _CONTRACT_OPTION,
        _ALLOW_OUTSIDE_REFERENCES_OPTION,
        _OVERLAYS_OPTION,
        *((_LANGUAGE_OPTION,) if has_language else ()),
        _audience_option(audience_default),
    )

    return partial(with_options, options=options)


def read_language_option(written: str) -> str:
    """Return the tag of a language, empty if none is given. Raises InvalidSettings."""
    from devportal.language import UnknownLanguage, read_language  # noqa: PLC0415 - keeps --help fast

    try:
        return read_language(written) if written else ""
    except UnknownLanguage as error:
        raise InvalidSettings(f"--language: {written!r} is not a language tag", help=str(error)) from error


def require_config_file(config_file: Path) -> Path:
    """Return the path of a project's `mkdocs.yml`. Raises InvalidSettings if there is none, or it is a contract."""
    if not config_file.is_file():
        from devportal.project.settings_file import (  # noqa: PLC0415 - keeps --help fast
            SETTINGS_FILE,
            advise_contract_here,
        )

        raise InvalidSettings(
            f"{config_file}: there is no such file",
            help=(advise_contract_here() if config_file == Path(SETTINGS_FILE) else "")
            or "run this in a project, name its mkdocs.yml with -f, or a contract with --contract",
        )
    if _is_contract(config_file):
        raise InvalidSettings(
            f"{config_file}: this is an OpenAPI file, not the settings of a project",
            help=f"write --contract {config_file}",
        )
    return config_file


def _is_contract(file: Path) -> bool:
    """Say whether a file has the key at its top level that says which OpenAPI it is."""
    try:
        with file.open("rb") as content:
            return _VERSION_KEY.search(content.read(_FIRST_BYTES)) is not None
    except OSError:
        return False


def reject_project_options(*, audience: str | None) -> None:
    """Raise InvalidSettings for a project, or an audience of one, beside a contract: which of them is meant?"""
    if names_project():
        raise InvalidSettings(
            "--contract and --config-file exclude each other",
            help="leave out --contract for the project, or --config-file for the contract alone",
        )
    reject_audience(audience)


def names_project() -> bool:
    """Say whether the command line names a project, be it the default one."""
    given = click.get_current_context().get_parameter_source("config_file")
    return given is not ParameterSource.DEFAULT


def reject_audience(audience: str | None) -> None:
    """Raise InvalidSettings for an audience beside a contract or records, which have none."""
    if audience is not None:
        raise InvalidSettings(
            "--audience goes with a project", help="its mkdocs.yml has the setting 'audiences'"
        )


def reject_contract_options(
    *,
    allow_outside_references: bool,
    overlays: tuple[Path, ...],
    language: str = "",
    site_url: str = "",
) -> None:
    """Raise InvalidSettings for an option that goes with a contract alone: a project has a setting for it."""
    if allow_outside_references:
        raise InvalidSettings(
            "--allow-outside-references goes with --contract",
            help="write 'allow_outside_references: true' under the plugin devportal in mkdocs.yml",
        )
    if overlays:
        raise InvalidSettings(
            "--overlay goes with --contract",
            help="write 'overlays: [FILE]' under the plugin devportal in mkdocs.yml",
        )
    if language:
        raise InvalidSettings(
            "--language goes with --contract",
            help=f"write 'language: {language}' under the plugin devportal in mkdocs.yml",
        )
    if site_url:
        raise InvalidSettings(
            "--site-url goes with --contract only", help="write 'site_url: …' in mkdocs.yml"
        )
