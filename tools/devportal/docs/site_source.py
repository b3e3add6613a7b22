"""The files of a built site, read from its folder or from the address of the published one.

A site is untrusted: its files name other files. Nothing outside the folder or below another address is read.
"""

import http.client
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

from devportal import __version__
from devportal.documents import why_irregular
from devportal.errors import InvalidSettings, UnreadableInput, hide_credentials

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read."""
TIMEOUT_S = 20.0
"""How long a server may send nothing, in seconds."""
MAX_DURATION_S = 120.0
"""How long one file may take, in seconds."""
_FILES_OF_SITE = ("docs.json", "index.html", "llms.txt", "search/search_index.json", "changelog/changes.json")
"""A folder without any of them is not a site."""
_NO_SITE_HELP = "build the site with 'devportal build', or give --site its folder or an http(s) address"
_CHUNK_BYTES = 64 * 1024
_PORTS = {"http": 80, "https": 443}


class SiteSource(Protocol):
    """Where the files of a site come from."""

    @property
    def name(self) -> str:
        """What messages call the site."""

    @property
    def base_url(self) -> str:
        """The address of the site with `/` at its end; empty for a folder."""

    def read(self, uri: str) -> str | None:
        """Return the text of a file, None if there is none. Raises UnreadableInput."""


def open_site(site: str) -> SiteSource:
    """Return the source of a site, named by its folder or its address. Raises InvalidSettings, UnreadableInput."""
    if "://" in site:
        return WebSite(base_url=_base_url(site))
    folder = Path(site)
    if not folder.is_dir():
        raise UnreadableInput(
            f"{site!r} is not a folder" if folder.exists() else f"there is no folder {site!r}",
            help=_NO_SITE_HELP,
        )
    return SiteFolder(folder=folder)


def refuse_empty_site(source: SiteSource) -> None:
    """Raise UnreadableInput for a folder in which nothing can be searched and read."""
    if isinstance(source, SiteFolder) and not any(
        (source.folder / name).is_file() for name in _FILES_OF_SITE
    ):
        raise UnreadableInput(f"there is no site in the folder {source.name!r}", help=_NO_SITE_HELP)


def safe_uri(uri: str) -> str:
    """Return the uri of a file below the root of a site. Raises UnreadableInput for any other address."""
    steps = unquote(uri).split("/")
    is_plain = unquote(uri).isprintable() and not any(text in unquote(uri) for text in "\\?#:")
    if not uri or not is_plain or any(step in ("", ".", "..") for step in steps):
        raise UnreadableInput(
            f"{uri[:200]!r} is not a file of the site",
            help="name a page by its address below the root of the site",
        )
    return unquote(uri)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteFolder:
    """A site in a folder. Links are not followed."""

    folder: Path

    @property
    def name(self) -> str:
        """The path as it was given."""
        return str(self.folder)

    @property
    def base_url(self) -> str:
        """Empty: a folder has no address."""
        return ""

    def read(self, uri: str) -> str | None:
        """Return the text of a file, None if there is none. Raises UnreadableInput."""
        uri = safe_uri(uri)
        path = self.folder / uri
        try:
            reason = why_irregular(self.folder, uri)
            if reason:
                raise UnreadableInput(f"{uri!r} is not read: {reason}")
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise UnreadableInput(f"{uri[:200]!r} cannot be read: {why}") from error
        return _text(content, uri)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebSite:
    """A published site. Only files below its address are requested, with GET and without credentials."""

    base_url: str
    _files: dict[str, str | None] = field(default_factory=dict, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The address."""
        return self.base_url

    def read(self, uri: str) -> str | None:
        """Return the text of a file, None if the server has none. Each is requested once. Raises UnreadableInput."""
        uri = safe_uri(uri)
        if uri not in self._files:
            self._files[uri] = self._request(uri)
        return self._files[uri]

    def _request(self, uri: str) -> str | None:
        url = self.base_url + quote(uri)
        headers = {"Accept-Encoding": "identity", "User-Agent": f"devportal/{__version__}"}
        try:
            with _opener(self.base_url).open(Request(url, headers=headers), timeout=TIMEOUT_S) as response:  # noqa: S310 - http(s) only
                _refuse_encoding(response.headers, url)
                return _text(_read_body(response), uri)
        except HTTPError as error:
            with error:
                if error.code in (404, 410):
                    return None
                raise UnreadableInput(f"{url} responds with {error.code} {error.reason}") from error
        except (URLError, OSError, http.client.HTTPException, ValueError) as error:
            reason = error.reason if isinstance(error, URLError) else error
            raise UnreadableInput(
                f"{url} cannot be read: {reason}", help="check the address of the site"
            ) from error


class _RedirectsWithinSite(HTTPRedirectHandler):
    """Follows redirects to other files of the same site only."""

    max_redirections = 5

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: http.client.HTTPMessage, newurl: str
    ) -> Request | None:
        """Return the request that follows. Raises UnreadableInput if it leaves the site."""
        target = urljoin(req.full_url, newurl)
        if _origin(target) != _origin(self._base_url) or not target.startswith(self._base_url):
            raise UnreadableInput(
                f"{req.full_url} redirects to {target[:200]!r}, which is outside the site",
                help="give --site the address that it redirects to, if you trust it",
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _opener(base_url: str) -> OpenerDirector:
    """Return what opens addresses. Proxies of the environment are used, except for this machine."""
    is_local = urlsplit(base_url).hostname in ("localhost", "127.0.0.1", "::1")
    handlers = [_RedirectsWithinSite(base_url), *([ProxyHandler({})] if is_local else [])]
    return build_opener(*handlers)


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)


def _base_url(site: str) -> str:
    try:
        parts = urlsplit(site)
        is_usable = parts.scheme in _PORTS and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_usable = False
    if not is_usable or parts.query or parts.fragment or parts.username is not None or not site.isprintable():
        raise InvalidSettings(
            f"{hide_credentials(site)!r} is not the address of a site",
            help="write http:// or https://, the host and the path, without user name, query and fragment",
        )
    return f"{site.rstrip('/')}/"


def _refuse_encoding(headers: Mapping[str, str] | http.client.HTTPMessage, url: str) -> None:
    encoding = headers.get("Content-Encoding") or "identity"
    if encoding.lower() != "identity":
        raise UnreadableInput(f"{url} is sent as {encoding!r}, which was not asked for")


def _read_body(response: IO[bytes]) -> bytes:
    """Return a body with at most MAX_BYTES + 1 bytes."""
    until = time.monotonic() + MAX_DURATION_S
    content = bytearray()
    while len(content) <= MAX_BYTES:
        chunk = response.read(_CHUNK_BYTES)
        if not chunk:
            break
        content += chunk
        if time.monotonic() > until:
            raise TimeoutError(f"it takes longer than {MAX_DURATION_S:g} seconds")
    return bytes(content)


def _text(content: bytes, uri: str) -> str:
    if len(content) > MAX_BYTES:
        raise UnreadableInput(f"{uri!r} has more than {MAX_BYTES:,} bytes")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableInput(f"{uri!r} is not UTF-8 text") from error
