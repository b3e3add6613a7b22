"""Builds a site: a project's own from its `mkdocs.yml`, or one around any contract with no other file."""

import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml
from jinja2 import TemplateNotFound
from mkdocs.commands.build import build as build_with_mkdocs
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, BuildError, ConfigurationError, MkDocsException

from devportal.documents import read_text
from devportal.errors import EnvironmentProblem, InvalidSettings, PortalError, UnreadableInput
from devportal.project.inputs import watched_paths
from devportal.project.setting_kinds import FROM_CONTRACT
from devportal.project.settings import path_settings
from devportal.site.cache.folder_lock import site_folder_lock
from devportal.site.cache.last_build import BuildOutcome, ContractBuild, cache_file, record_outcome
from devportal.site.cache.site_folder import (
    refuse_common_folder,
    refuse_folder_of_sources,
    refuse_foreign_folder,
)
from devportal.site.cache.store import UnusableStore
from devportal.site.hand_written.link_warnings import locate_link_warnings
from devportal.site.mkdocs_messages import (
    MkDocsMessages,
    capture_mkdocs_log,
    to_portal_error,
    without_warning_of_partial_builds,
)
from devportal.site.navigation_problems import with_places
from devportal.site.plugin import DevportalPlugin
from devportal.site.plugin_errors import error_of_plugin, list_last_warning
from devportal.site.portal import Portal
from devportal.site.project_file import load_project, plugin_of
from devportal.unexpected_errors import frame_in_user_code, is_traceback_wanted


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult(BuildOutcome):
    """A finished build: what it reports, and the portal that was rendered."""

    portal: Portal


def build_audiences(
    config_file: Path,
    *,
    audience: str | None = None,
    site_dir: Path | None = None,
    cache: Path | None = None,
    processes: int = 1,
) -> tuple[BuildResult, ...]:
    """Build a site for each audience of a project, or for one of them; just one site if it has none.

    The site of each audience is in a folder of its name below the folder of the project's site, unless both
    `audience` and `site_dir` say which folder it gets. Raises PortalError, and InvalidSettings for an unknown name.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    config, inputs = load_project(config_file, audience=audience)
    if not inputs.audiences:
        return (build_project(config_file, site_dir=site_dir, cache=cache, processes=processes),)
    folder = site_dir or Path(config.site_dir)
    if audience is None or site_dir is None:
        refuse_common_folder(folder, inputs)
    return tuple(
        build_project(
            config_file,
            audience=choice.name,
            site_dir=folder if audience is not None and site_dir is not None else folder / choice.name,
            cache=cache,
            processes=processes,
        )
        for choice in inputs.audiences
        if audience in (None, choice.name)
    )


def build_project(
    config_file: Path,
    *,
    audience: str | None = None,
    site_dir: Path | None = None,
    cache: Path | None = None,
    processes: int = 1,
) -> BuildResult:
    """Build the site of a project as `mkdocs build` does, with up to this many processes. Raises PortalError.

    `site_dir`, relative to the working folder, takes the place of the project's own, which is relative to its
    file. The site is that of an audience, by default the first. With a folder `cache`, what the last build
    rendered and wrote is used again if it is still right.
    """
    options: dict[str, Any] = {"site_dir": str(site_dir.resolve())} if site_dir else {}
    suffix = f".{audience}.sqlite3" if audience else ".sqlite3"
    store_file = cache_file(cache, config_file, suffix) if cache is not None else None
    built, _ = _build(lambda: load_config(str(config_file), **options), store_file, processes, audience)
    return built


def build_contract(asked: ContractBuild, *, cache: Path | None = None, processes: int = 1) -> BuildResult:
    """Build a reference site around a contract; nothing else is needed. Raises PortalError.

    `cache` and `processes` are as for `build_project`.
    """
    options = {"site_dir": str(asked.site_dir.resolve())}
    options |= {"site_url": asked.site_url} if asked.site_url else {}
    project = contract_project(
        asked.contract,
        allow_outside_references=asked.allow_outside_references,
        overlays=asked.overlays,
        language=asked.language,
    )
    with project as config_file:
        store_file = cache_file(cache, asked.contract, ".sqlite3") if cache is not None else None
        started_ns = time.time_ns()
        built, plugin = _build(lambda: load_config(str(config_file), **options), store_file, processes)
    if cache is not None:
        _record_build(asked, cache, built, plugin, started_ns)
    return built


def _record_build(
    asked: ContractBuild, cache: Path, built: BuildResult, plugin: DevportalPlugin, started_ns: int
) -> None:
    """Note what a build reported, so that the next one can report it again if nothing has changed.

    That is not sure if the contract names a file that was not there: it may be there the next time.
    """
    contract = built.portal.material.contract
    if contract is None or contract.names_absent_files:
        return
    beside = (
        asked.contract.resolve().parent / path_setting.beside
        for path_setting in path_settings().values()
        if path_setting.beside
    )
    record_outcome(
        asked,
        cache,
        built,
        paths=(*watched_paths(plugin.inputs, contract), *beside),
        files=plugin.output.files,
        started_ns=started_ns,
    )


@contextmanager
def contract_project(
    contract: Path,
    *,
    allow_outside_references: bool = False,
    overlays: Sequence[Path] = (),
    language: str = "",
) -> Iterator[Path]:
    """Make a project around a contract in a temporary folder; yields its `mkdocs.yml`.

    Raises UnreadableInput for a pipe, which can be read only once.
    """
    if contract.is_fifo():
        raise UnreadableInput(
            f"{contract}: this is a pipe, and a site is built from a file",
            help="save the contract as a file first",
        )
    with TemporaryDirectory(prefix="devportal-") as folder:
        (Path(folder) / "docs").mkdir()
        ours = {
            "contract": str(contract.resolve()),
            "allow_outside_references": allow_outside_references,
            "overlays": [str(overlay.resolve()) for overlay in overlays],
            "overview": "index.md",
            "contract_links": FROM_CONTRACT,  # there are no other pages that its author could mean
            "language": language,
            "name_from_contract": True,
            "strict_redirects": False,  # those beside the contract may be for a project around it
        }
        settings = {
            "site_name": contract.stem,
            "docs_dir": "docs",
            "theme": {"name": "material"},
            "plugins": ["search", {"devportal": ours}],
        }
        config_file = Path(folder) / "mkdocs.yml"
        config_file.write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
        yield config_file


def _build(
    load: Callable[[], MkDocsConfig], cache: Path | None, processes: int, audience: str | None = None
) -> tuple[BuildResult, DevportalPlugin]:
    """Build a site. If its store in the file `cache` cannot be used, the file is deleted, and the site built again."""
    try:
        return _build_once(load, cache, processes, audience)
    except UnusableStore:
        if cache is None:
            raise
    cache.unlink(missing_ok=True)
    return _build_once(load, cache, processes, audience)


def _build_once(
    load: Callable[[], MkDocsConfig], cache: Path | None, processes: int, audience: str | None
) -> tuple[BuildResult, DevportalPlugin]:
    started = time.monotonic()
    with ExitStack() as lock, capture_mkdocs_log() as heard, mkdocs_build(load, heard) as config:
        plugin_of(config).processes = processes
        plugin_of(config).audience = audience
        plugin_of(config).set_audience(config)
        inputs = plugin_of(config).read_inputs(config)
        refuse_folder_of_sources(config, inputs)
        lock.enter_context(site_folder_lock(Path(config.site_dir)))
        refuse_foreign_folder(config, inputs)
        if cache is not None:
            plugin_of(config).follow(config, cache)
        with without_warning_of_partial_builds():
            build_with_mkdocs(config, dirty=plugin_of(config).takes_over_writing(config))
    plugin = plugin_of(config)
    sizes = [size for size, _ in plugin.output.files.values()]
    contracts = plugin.portal.material.contracts
    built = BuildResult(
        site_dir=Path(config.site_dir),
        portal=plugin.portal,
        findings=plugin.findings,
        warnings=site_warnings(heard.messages, config),
        operations=sum(len(contract.api.operations) for contract in contracts) if contracts else None,
        pages=len(plugin.portal.pages),
        rendered=plugin.portal.rendered,
        files=len(sizes),
        size_bytes=sum(sizes),
        seconds=time.monotonic() - started,
    )
    return built, plugin


def site_warnings(messages: Iterable[str], config: MkDocsConfig) -> tuple[str, ...]:
    """Return what MkDocs warned of in the build of a project, with places where they are known."""
    plugin = plugin_of(config)
    generated = [head.uri for head in plugin.portal.heads]
    located = locate_link_warnings(
        messages,
        docs=Path(config.docs_dir),
        name=plugin.inputs.name,
        pages=generated,
        redirects=plugin.portal.redirects,
    )
    counts = Counter(with_places(located, config, plugin.inputs, generated))
    return tuple(
        message if count == 1 else f"{message}\n  {count:,} times" for message, count in counts.items()
    )


@contextmanager
def mkdocs_build(load: Callable[[], MkDocsConfig], heard: MkDocsMessages) -> Iterator[MkDocsConfig]:
    """Load a configuration to build it in the block: its plugins start before, and end behind it.

    What stops the builder becomes a PortalError; leaks do not, they are among the findings.
    """
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    config = None
    try:
        config = load()
        plugin_of(config).leak_search.stops_build = False
        with _named_plugin_errors(config, heard):
            config.plugins.on_startup(command="build", dirty=False)
            try:
                yield config
            finally:
                config.plugins.on_shutdown()
    except (Abort, BuildError, ConfigurationError) as error:
        raise to_portal_error(error, heard.errors) from error
    except UnicodeDecodeError:
        if config is not None:
            refuse_non_utf8_sources(config)
        raise
    except ValueError as error:
        if config is not None or frame_in_user_code(error):
            raise
        raise to_portal_error(error) from error
    except sqlite3.DatabaseError as error:
        if frame_in_user_code(error):
            raise
        raise UnusableStore.of(error) from error
    except OSError as error:
        if frame_in_user_code(error):
            raise
        raise error_of_machine(error, config, heard.messages) from error


@contextmanager
def _named_plugin_errors(config: MkDocsConfig, heard: MkDocsMessages) -> Iterator[None]:
    """Turn an unexpected error of a plugin or extension into one that names it, unless the traceback is wanted."""
    try:
        yield
    except (MkDocsException, PortalError, OSError, UnicodeDecodeError, sqlite3.DatabaseError):
        raise
    except Exception as error:
        failed = error_of_plugin(error, config, logged=heard.errors)
        if failed is None or is_traceback_wanted() or frame_in_user_code(error):
            raise
        raise failed from error


def refuse_non_utf8_sources(config: MkDocsConfig) -> None:
    """Raise UnreadableInput for a page or template that is not UTF-8; the builder does not say which."""
    templates = Path(config.theme.custom_dir).rglob("*.html") if config.theme.custom_dir else ()
    for path in (*sorted(Path(config.docs_dir).rglob("*.md")), *sorted(templates)):
        read_text(path, name=plugin_of(config).read_inputs(config).name(path), max_bytes=None)


def error_of_machine(error: OSError, config: MkDocsConfig | None, warned: Sequence[str] = ()) -> PortalError:
    """Return what the machine refused: to read a file of the project, or to write one of the site.

    `warned` is what MkDocs and its plugins warned of before.
    """
    reason = error.strerror or str(error)
    if isinstance(error, TemplateNotFound):  # for jinja2, that is an OSError
        return InvalidSettings(
            f"there is no template {error.name!r}",
            help="fix 'template' in the front matter of the page that asks for it",
        )
    if error.errno in (None, ENOENT) and (failed := error_of_plugin(error, config, warned=warned)):
        return failed
    if config is not None and error.filename and not Path(error.filename).is_relative_to(config.site_dir):
        inputs, path = plugin_of(config).read_inputs(config), Path(error.filename)
        if path.is_relative_to(inputs.root):
            before = list_last_warning(warned) if error.errno == ENOENT else ""
            return UnreadableInput(
                f"{inputs.name(path)} cannot be read: {reason}{before}",
                help="check the path and its permissions",
            )
    return EnvironmentProblem(
        f"{error.filename or 'a file of the site'} cannot be written: {reason}",
        help="check the folder of the site and its permissions",
    )
