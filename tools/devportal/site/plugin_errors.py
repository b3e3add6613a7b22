"""Errors of plugins and Markdown extensions of a project, which MkDocs runs: which of them failed, where and why."""

import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from devportal.errors import EnvironmentProblem, Place
from devportal.site.wrong_settings import OF_THEME, find_setting, relative_to_cwd, settings_files_of

_LIBRARIES = sys.stdlib_module_names | {"jinja2", "yaml"}
"""What MkDocs calls that is not a plugin or extension."""
_LONGEST_REASON = 200
"""How many characters of the text of an error that is not ours a message has."""
_PAGE_ERROR = re.compile(r"Error (?:reading|building) page '(?P<page>[^']+)': ?(?P<reason>.*)", re.DOTALL)
"""How MkDocs logs an error of a page, before it raises it."""


def error_of_plugin(
    error: Exception,
    config: MkDocsConfig | None,
    *,
    logged: Sequence[str] = (),
    warned: Sequence[str] = (),
) -> EnvironmentProblem | None:
    """Return the error for a plugin or extension that raised another, None if the error is not one of theirs.

    `logged` and `warned` are the errors and warnings in the log before. What a plugin warned of, such as a file that
    it could not download, is often the reason.
    """
    module = _module_of_plugin(error)
    if not module:
        return None
    page = _PAGE_ERROR.fullmatch(logged[-1]) if logged else None
    who, place = _find_plugin(module, config)
    name, reason = page.group("page", "reason") if page is not None else ("", "")
    source = Path(config.docs_dir, name) if name and config is not None else None
    is_generated = source is not None and not source.is_file()
    where = f" on the generated page {name!r}" if is_generated else ""
    if name and not is_generated:
        place = Place(file=relative_to_cwd(str(source)) if source is not None else name)
    return EnvironmentProblem(
        f"{who} failed{where}: {reason or _describe(error)}{list_last_warning(warned)}",
        place=place,
        help=f"{_advise(error, name, is_generated=is_generated)}; DEVPORTAL_DEBUG=1 shows the traceback",
    )


def list_last_warning(warned: Sequence[str]) -> str:
    """Return the last of some warnings as a line below an error, nothing if there are none."""
    return "".join(f"\n  warned before: {message[:_LONGEST_REASON]}" for message in warned[-1:])


def _advise(error: Exception, page: str, *, is_generated: bool) -> str:
    if is_generated:  # many plugins read the file of each page, such as its history in git
        return f"have its settings leave out generated pages such as {page!r}, or remove it from mkdocs.yml"
    if page:
        return "fix this page"
    network = ", such as its access to the network" if isinstance(error, OSError) else ""
    return f"fix that{network}, or remove it from mkdocs.yml"


def _describe(error: Exception) -> str:
    if not isinstance(error, OSError):
        return f"{type(error).__name__}: {str(error)[:_LONGEST_REASON]}".removesuffix(": ")
    file = f"{relative_to_cwd(str(error.filename))}: " if error.filename else ""
    return f"{file}{(error.strerror or str(error))[:_LONGEST_REASON]}"


def _find_plugin(module: str, config: MkDocsConfig | None) -> tuple[str, Place | None]:
    """Return what messages call a plugin or an extension, and its place in `mkdocs.yml`."""
    if config is not None:
        files = settings_files_of(config)
        package = module.partition(".")[0]
        modules = {name: type(plugin).__module__ for name, plugin in config.plugins.items()}
        for name, its in modules.items():
            if its == module or (package != "material" and its.partition(".")[0] == package):
                _, place = find_setting(("plugins", name), files)
                return f"the plugin {name.removeprefix(OF_THEME)!r}", place
        if module in config.markdown_extensions:
            _, place = find_setting(("markdown_extensions", module), files)
            return f"the extension {module!r}", place
    return f"{module}, which mkdocs.yml names as a plugin or extension,", None


def _module_of_plugin(error: Exception) -> str:
    """Return the module that MkDocs ran, and that raised an error: libraries for the network raise OSError too, without
    a number of the system. Empty if it is one of ours.
    """
    module, is_run = "", False
    for frame, _ in traceback.walk_tb(error.__traceback__):
        name = str(frame.f_globals.get("__name__") or "")  # templates have no name
        package = name.partition(".")[0]
        if package == "devportal":
            module, is_run = "", False
        elif package == "mkdocs":
            is_run = True
        elif is_run and not module and name and _is_of_plugin(name):
            module = name
    return module


def _is_of_plugin(module: str) -> bool:
    package = module.partition(".")[0]
    return package not in _LIBRARIES and (package != "markdown" or module.startswith("markdown.extensions."))
