"""The HTML of hand-written pages, kept from one build of a served site to the next, or made by another process."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as SitePage
from mkdocs.utils import CountHandler

from devportal.site.reload.digests import digest_of

_BACKLINKS = "<backlinks"
"""Stands in a page that mkdocstrings fills when all others have been rendered."""
_OBJECT = "object"
_MISSING = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Registration:
    """A call by which mkdocstrings makes known what is on a page: to itself, and to the links of other pages."""

    function: str
    arguments: tuple[Any, ...]
    options: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class _LinkedFile:
    """A file that a page links to, by its name: the object of MkDocs is another one in each build and process."""

    src_uri: str


_Target = tuple[str, str, str] | None
"""What a link depends on: the name of a file, its address, and whether it is part of the site; None without a file."""


def _target(file: File | None) -> _Target:
    return (file.src_uri, file.url, file.inclusion.name) if file is not None else None


class _RecordedFiles(Files):
    """The files of a site, which note where a page looks for files that it links to."""

    def __init__(self, files: Files) -> None:
        super().__init__(files)
        self.targets: dict[str, _Target] = {}

    def get_file_from_path(self, path: str) -> File | None:
        file = super().get_file_from_path(path)
        self.targets[path] = _target(file)
        return file


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPage:
    """What rendering the Markdown of a page made."""

    causes: tuple[str, ...]
    """Everything that the HTML depends on besides the files that the page links to."""
    targets: Mapping[str, _Target]
    """The files that it links to, by the paths where it looked for them."""
    attributes: Mapping[str, Any]
    """What the page of MkDocs has from its rendering."""
    registrations: tuple[_Registration, ...]

    @property
    def objects(self) -> tuple[_Registration, ...]:
        """Return the objects of the page that affect later pages, because their names are taken."""
        return _objects_among(self.registrations)

    def finds_same_targets(self, files: Files) -> bool:
        """Return whether all links lead where they led."""
        return all(_target(files.get_file_from_path(path)) == target for path, target in self.targets.items())


class KeptPages:
    """Renders the Markdown of pages, unless it was rendered before and all that it depends on is the same.

    A page about which MkDocs had anything to say is rendered each time, so that it says it again.
    """

    def __init__(self) -> None:
        """Start with no page."""
        self._kept: dict[str, KeptPage] = {}
        self._context = ""
        self._has_new_objects = False

    def begin(self, settings: str, files: Files) -> None:
        """Begin a build with a digest of what all pages depend on, and with the files of the site."""
        before, self._context = self._context, digest_of(settings)
        self._has_new_objects = False
        kept = self._kept if self._context == before else {}
        self._kept = {uri: page for uri, page in kept.items() if files.get_file_from_path(uri)}

    def attach(self, page: SitePage, markdown: str) -> None:
        """Have a page take what is kept when MkDocs renders this Markdown of it, which is next."""
        page.render = partial(self._render, page, markdown)  # type: ignore[method-assign]

    def pages(self) -> Mapping[str, KeptPage]:
        """Return what is kept, by uri; when a build begins, of the build before it with the same settings."""
        return self._kept

    def keep(self, pages: Mapping[str, KeptPage]) -> None:
        """Keep what another process rendered in this build."""
        self._kept |= pages

    def _render(self, page: SitePage, markdown: str, config: MkDocsConfig, files: Files) -> None:
        del page.render
        uri, causes = page.file.src_uri, (self._context, page.file.url, markdown)
        kept = self._kept.pop(uri, None)
        if kept is not None and kept.causes == causes and self._is_current(kept, files):
            self._restore(page, kept, config, files)
            self._kept[uri] = kept
            return
        before = dict(vars(page))
        registrations: list[_Registration] = []
        recorded = _RecordedFiles(files)
        with _recording(config, registrations), _counting_messages() as problems:
            page.render(config, recorded)
        if _objects_among(registrations) != (kept.objects if kept is not None else ()):
            self._has_new_objects = True
        if not problems.counts and _BACKLINKS not in (page.content or ""):
            self._kept[uri] = KeptPage(
                causes=causes,
                targets=recorded.targets,
                attributes={
                    name: _with_names_of_files(value)
                    for name, value in vars(page).items()
                    if before.get(name, _MISSING) is not value
                },
                registrations=tuple(registrations),
            )

    def _is_current(self, kept: KeptPage, files: Files) -> bool:
        return kept.finds_same_targets(files) and not self._is_overtaken(kept)

    def _is_overtaken(self, kept: KeptPage) -> bool:
        """Return whether a page registers names that a page before it may have taken in this build."""
        return self._has_new_objects and bool(kept.objects)

    def _restore(self, page: SitePage, kept: KeptPage, config: MkDocsConfig, files: Files) -> None:
        for name, value in kept.attributes.items():
            setattr(page, name, _with_files_of(value, files))
        functions = dict(_functions_to_record(config))
        for registration in kept.registrations:
            owner, name = functions[registration.function]
            arguments = (page if argument is SitePage else argument for argument in registration.arguments)
            getattr(owner, name)(*arguments, **dict(registration.options))


def _with_names_of_files(value: Any) -> Any:
    """Return a value of a page with the names of files in place of files; see `_with_files_of`."""
    if isinstance(value, dict) and value and all(isinstance(key, File) for key in value):
        return {_LinkedFile(file.src_uri): member for file, member in value.items()}
    return value


def _with_files_of(value: Any, files: Files) -> Any:
    """Return a value of a page with the files of this build in place of their names."""
    if isinstance(value, dict) and value and all(isinstance(key, _LinkedFile) for key in value):
        targets = ((files.get_file_from_path(linked.src_uri), member) for linked, member in value.items())
        return {file: member for file, member in targets if file is not None}
    return value


def _objects_among(registrations: Iterable[_Registration]) -> tuple[_Registration, ...]:
    return tuple(registration for registration in registrations if registration.function == _OBJECT)


@contextmanager
def _counting_messages() -> Iterator[CountHandler]:
    """Count what MkDocs and its plug-ins log in the block, from the level that a server shows."""
    counter, logger = CountHandler(level=logging.INFO), logging.getLogger("mkdocs")
    logger.addHandler(counter)
    try:
        yield counter
    finally:
        logger.removeHandler(counter)


def _functions_to_record(config: MkDocsConfig) -> Iterator[tuple[str, tuple[Any, str]]]:
    """Yield the functions that mkdocstrings calls for what is on a page, each with its owner and its name there."""
    plugin = config.plugins.get("mkdocstrings")
    if plugin is not None and getattr(plugin, "plugin_enabled", False):
        handlers: Any = getattr(plugin, "handlers")  # noqa: B009 - a plug-in that is not always installed
        yield "handler", (handlers, "get_handler")
        yield _OBJECT, (handlers.inventory, "register")
    if "autorefs" in config.plugins:
        yield "anchor", (config.plugins["autorefs"], "register_anchor")


@contextmanager
def _recording(config: MkDocsConfig, registrations: list[_Registration]) -> Iterator[None]:
    """Note what mkdocstrings registers in the block."""
    with ExitStack() as recording:
        for function, (owner, name) in _functions_to_record(config):
            setattr(owner, name, _recorder(function, getattr(owner, name), registrations))
            recording.callback(delattr, owner, name)
        yield


def _recorder(
    name: str, function: Callable[..., Any], registrations: list[_Registration]
) -> Callable[..., Any]:
    def record(*arguments: Any, **options: Any) -> Any:
        of_page = tuple(SitePage if isinstance(argument, SitePage) else argument for argument in arguments)
        registration = _Registration(function=name, arguments=of_page, options=tuple(options.items()))
        if registration not in registrations:
            registrations.append(registration)
        return function(*arguments, **options)

    return record
