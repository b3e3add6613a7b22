"""The files that settings of MkDocs name for every page: logo, favicon, style sheets and scripts."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs.config.defaults import MkDocsConfig

from devportal.findings import Finding, error_finding
from devportal.site.wrong_settings import find_value, settings_files_of
from devportal.suggestions import closest_name

_CLOSE = 0.6
"""How alike the name of another file is that a message suggests, as `difflib` measures it."""


def missing_theme_files(config: MkDocsConfig, has_file: Callable[[str], bool]) -> Iterator[Finding]:
    """Yield a problem for each file of a setting that a site does not have; `has_file` takes a path in it.

    MkDocs does not check them: it would publish pages without their colours, or with a broken logo. Addresses of
    other sites, and those from the root of the host, are not checked.
    """
    for setting, address in _named_files(config):
        parts = urlsplit(address)
        if not parts.path or parts.scheme or parts.netloc or parts.path.startswith("/"):
            continue
        if not any(has_file(path) for path in (parts.path, unquote(parts.path))):
            yield error_finding(
                "project-setting",
                find_value(setting.split("."), address, settings_files_of(config)),
                f"'{setting}' names {address!r}, but the site has no such file",
                _advice(parts.path, Path(config.docs_dir)),
            )


def _advice(path: str, docs: Path) -> str:
    """Return what to do about a file that is missing in the folder of pages."""
    suffix = Path(path).suffix
    files = (file.relative_to(docs).as_posix() for file in sorted(docs.rglob(f"*{suffix}")) if file.is_file())
    close = closest_name(path, files, likeness=_CLOSE) if suffix else ""
    return f"write {close!r}" if close else f"put it into {docs.name}/, or remove it"


def _named_files(config: MkDocsConfig) -> Iterator[tuple[str, str]]:
    """Yield each setting with an address that it names."""
    for setting in ("logo", "favicon"):
        if address := config.theme.get(setting):
            yield f"theme.{setting}", str(address)
    for style in config.extra_css:
        yield "extra_css", str(style)
    for script in config.extra_javascript:
        yield "extra_javascript", str(script)
