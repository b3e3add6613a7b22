"""What MkDocs says of a project in its log and its errors, as errors of ours."""

import logging
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click
import yaml
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort

from devportal.errors import InvalidSettings, Place, PortalError, UnreadableInput
from devportal.findings import Finding, error_finding
from devportal.project.settings_file import SETTINGS_FILE
from devportal.site.wrong_settings import (
    find_setting,
    relative_to_cwd,
    settings_error,
    wrong_settings,
)
from devportal.suggestions import closest_name

_UNKNOWN = "Unrecognised configuration name: "
_SETTING_ERROR = re.compile(r"Config value '(?P<name>[^']+)': (?P<reason>.+)", re.DOTALL)
"""How MkDocs reports a wrong setting."""


class MkDocsMessages(logging.Handler):
    """Collects what the site builder warns of; findings come by their own way."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self.errors: list[str] = []
        self.settings: list[tuple[str, str]] = []
        """The settings that it warns of, with the reason."""

    def emit(self, record: logging.LogRecord) -> None:
        """Keep what a record says, unless it is a finding."""
        if record.name != "mkdocs.plugins.devportal":
            if setting := _SETTING_ERROR.fullmatch(record.getMessage()):
                self.settings.append((setting["name"], setting["reason"]))
            heard = self.messages if record.levelno < logging.ERROR else self.errors
            heard.append(record.getMessage())


def _meant_setting(path: Sequence[str]) -> str:
    """Return the setting of MkDocs that is closest to one that does not exist, empty if none is close."""
    schema = dict(MkDocsConfig._schema)  # noqa: SLF001 - nothing else has the names of members
    for name in path[:-1]:
        schema = dict(getattr(getattr(schema.get(name), "config_class", None), "_schema", ()))
    return closest_name(path[-1], schema)


def setting_findings_of(name: str, reason: str, files: Sequence[Path]) -> Iterator[Finding]:
    """Yield the problems of a setting that MkDocs warns of, with places in the settings files of a project."""
    for wrong in wrong_settings(name, reason):
        message, help_text = (
            f"the setting {wrong.name}: {wrong.reason}",
            "correct this setting: the build fails for it",
        )
        if wrong.reason.startswith(_UNKNOWN):
            meant = "" if wrong.plugin else _meant_setting(wrong.path)
            message = (
                f"the plugin {wrong.plugin!r} has no setting {wrong.path[-1]!r}"
                if wrong.plugin
                else f"there is no setting {wrong.name}"
            )
            help_text = f"did you mean {meant!r}?" if meant else "remove it"
        yield error_finding("project-setting", find_setting(wrong.path, files)[1], message, help_text)


def setting_warnings(message: str, files: Sequence[Path]) -> Iterator[str]:
    """Yield what a message of MkDocs says of settings, with places and what to do; nothing for any other message."""
    if setting := _SETTING_ERROR.fullmatch(message):
        yield from map(warning_text, setting_findings_of(setting["name"], setting["reason"], files))


def warning_text(finding: Finding) -> str:
    """Return a problem as a message in the log of MkDocs, which has its own levels."""
    return f"{finding.place}: {finding.message}\n  help: {finding.help}"


@contextmanager
def capture_mkdocs_log() -> Iterator[MkDocsMessages]:
    """Hear what MkDocs logs instead of having it printed. What plugins warn of as Python does is printed as ours is."""
    logger = logging.getLogger("mkdocs")
    messages = MkDocsMessages()
    propagate, logger.propagate = logger.propagate, False
    logger.addHandler(messages)
    show_warning, warnings.showwarning = warnings.showwarning, _print_warning
    try:
        yield messages
    finally:
        warnings.showwarning = show_warning
        logger.removeHandler(messages)
        logger.propagate = propagate


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,  # noqa: ARG001 - part of the interface
    lineno: int,  # noqa: ARG001
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    """Print a warning without the line of the package that it comes from, which a reader cannot change."""
    click.echo(f"warning: {category.__name__}: {message}", err=True)


@contextmanager
def without_warning_of_partial_builds() -> Iterator[None]:
    """Keep MkDocs from warning, in the block, of a build that writes only what has changed: ours writes all of that."""
    logger = logging.getLogger("mkdocs.commands.build")

    def is_of_something_else(record: logging.LogRecord) -> bool:
        return "'dirty' build" not in record.getMessage()

    logger.addFilter(is_of_something_else)
    try:
        yield
    finally:
        logger.removeFilter(is_of_something_else)


def to_portal_error(
    error: Exception, logged: Sequence[str] = (), *, files: Sequence[Path] = (Path(SETTINGS_FILE),)
) -> PortalError:
    """Return the error of ours that stopped the builder, or what it logged or raised itself, in our form.

    `files` are those of the settings: the project's own, and those it inherits from.
    """
    message = str(error)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, PortalError):
            return cause
        if isinstance(cause, yaml.YAMLError):
            return _yaml_error(cause)
        message = str(cause) or message
        cause = cause.__cause__ or cause.__context__
    reported = logged if isinstance(error, Abort) and logged else (message,)
    settings = [setting for text in reported if (setting := _SETTING_ERROR.fullmatch(text))]
    if len(settings) < len(reported):
        return InvalidSettings(
            f"the site cannot be built: {'; '.join(reported)}", help="fix it and run this again"
        )
    return settings_error(
        [wrong for setting in settings for wrong in wrong_settings(setting["name"], setting["reason"])], files
    )


def _yaml_error(error: yaml.YAMLError) -> PortalError:
    """Return where a `mkdocs.yml` is not YAML, and why."""
    place: Place | None = None
    message = str(error)
    match error:
        case yaml.MarkedYAMLError(problem_mark=yaml.Mark() as mark):
            place = Place(file=relative_to_cwd(mark.name), line=mark.line + 1, column=mark.column + 1)
            message = ": ".join(filter(None, (error.context, error.problem)))
            if "'\\t'" in message:
                return UnreadableInput(
                    "YAML cannot be indented with tabs", place=place, help="indent with spaces"
                )
        case yaml.reader.ReaderError():
            place, message = (
                Place(file=relative_to_cwd(error.name)),
                f"this file is not text: {error.reason}",
            )
    return UnreadableInput(message, place=place, help="fix it and run this again")
