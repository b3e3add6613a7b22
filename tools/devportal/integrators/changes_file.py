"""Reads the changes of an API (`changelog/changes.json`) from a file, a built portal or its address."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from jsonschema_rs import Draft202012Validator

from devportal.changelog.pages.change_list import (
    CHANGES,
    VERSION,
    VERSION_OF_SEVERAL,
    changes_uri,
)
from devportal.documents import parse_document, read_document
from devportal.errors import EnvironmentProblem, InvalidSettings, Place, UnreadableInput
from devportal.web_requests import origin_of

Data = Mapping[str, Any]
IMPACTS = ("breaking", "breaking-beta", "risky", "deprecation", "additive", "fix", "docs")
"""The impacts of the changes of a portal, the most severe first."""
_API_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_BYTES = 64 * 1024 * 1024
_TIMEOUT_S = 30
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The changes of an API; `name` is what messages call their file.

    The members of `releases`, which are in their order, and of `entries` are as the published schema says.
    """

    name: str
    title: str
    site: str
    operations: tuple[str, ...]
    releases: tuple[Data, ...] = field(repr=False)
    entries: Mapping[str, Data] = field(repr=False)

    @property
    def versions(self) -> tuple[str, ...]:
        """Return the versions of the releases, the oldest first."""
        return tuple(release["version"] for release in self.releases if release["version"] is not None)


def read_changes(source: str, *, api: str = "") -> Changes:
    """Read the changes from a file, the folder of a built portal, or the https address of a portal or file.

    Of a portal of several APIs, those of the one of a name. An address reads only from its origin. Raises
    UnreadableInput, InvalidSettings or EnvironmentProblem.
    """
    if "://" in source and not _exists(Path(source)):
        address = changes_address(source)
        data = _download_data(address)
        if names := _api_names(data):
            address = urljoin(address, f"../{changes_uri(_choose_api(api, names, address))}")
            data = _download_data(address)
        elif api:
            _refuse_api(api, data, address)
        root = "../../../" if isinstance(data, dict) and data.get("api") else "../"
        return parse_changes(data, name=address, site=urljoin(address, root))
    path = _changes_path(Path(source))
    data = read_document(path).data
    if names := _api_names(data):
        path = path.parent.parent / changes_uri(_choose_api(api, names, str(path)))
        data = read_document(path).data
    elif api:
        _refuse_api(api, data, str(path))
    return parse_changes(data, name=str(path))


def _download_data(address: str) -> Any:
    text = download_text(address)
    return parse_document(text, name=address if address.endswith(".json") else f"{address}#.json").data


def _api_names(data: Any) -> tuple[str, ...]:
    """Return the names of several APIs in the file that lists them; none of any other file."""
    if not isinstance(data, dict) or data.get("version") != VERSION_OF_SEVERAL:
        return ()
    listed = data.get("apis")
    names = (item.get("api") for item in listed if isinstance(item, dict)) if isinstance(listed, list) else ()
    return tuple(name for name in names if isinstance(name, str) and _API_NAME.fullmatch(name))


def _choose_api(api: str, names: tuple[str, ...], file: str) -> str:
    """Return the name of the API that is asked for. Raises InvalidSettings."""
    if api in names:
        return api
    raise InvalidSettings(
        f"{file}: this portal has no API {api!r} with a changelog"
        if api
        else f"{file}: this portal has several APIs",
        help=f"name one of {', '.join(names)} with --api, or give its file, such as {changes_uri(names[0])}",
    )


def _refuse_api(api: str, data: Any, file: str) -> None:
    """Raise InvalidSettings if a file has the changes of another API than is asked for."""
    if isinstance(data, dict) and data.get("api") != api:
        raise InvalidSettings(f"{file}: these are not the changes of an API {api!r}", help="leave out --api")


def parse_changes(data: Any, *, name: str, site: str = "") -> Changes:
    """Return the changes of JSON data. Raises UnreadableInput for another shape or version of it.

    `site` is the address of the portal, if it was read from there.
    """
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION:
        is_newer = isinstance(version, int) and version > VERSION
        raise UnreadableInput(
            f"this list of changes has version {version}, not {VERSION}"
            if is_newer
            else "this is not a list of changes",
            place=Place(file=name),
            help="install a newer devportal"
            if is_newer
            else f"give {CHANGES} of a portal, or the portal's folder",
        )
    for error in _validator().iter_errors(data):
        where = "/".join(map(str, error.instance_path)) or "the file"
        raise UnreadableInput(
            f"{where} does not have the shape of a list of changes",
            place=Place(file=name),
            help=f"give {CHANGES} as the portal publishes it",
        )
    return Changes(
        name=name,
        title=data["title"],
        site=data["site"] or site,
        operations=tuple(data["operations"]),
        releases=tuple(data["releases"]),
        entries=data["entries"],
    )


@lru_cache(maxsize=1)
def _validator() -> Draft202012Validator:
    text = files("devportal.changelog").joinpath("schemas", "changes.schema.json").read_text("utf-8")
    return Draft202012Validator(json.loads(text), validate_formats=True)


def _exists(path: Path) -> bool:
    """Return whether a file or folder exists; a name that none can have is none."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _changes_path(path: Path) -> Path:
    """Return the file at a path, or that of the portal built there."""
    if not _exists(path):
        raise UnreadableInput(
            "there is no such file or folder",
            place=Place(file=str(path)),
            help=f"give {CHANGES}, the folder of a built portal or its address",
        )
    if path.suffix in (".html", ".htm"):
        raise UnreadableInput(
            "this is a page, not a list of changes",
            place=Place(file=str(path)),
            help=f"give {CHANGES}, the folder of a built portal or its address",
        )
    if not path.is_dir():
        return path
    candidates = (path / CHANGES, path / Path(CHANGES).name)
    there = next((candidate for candidate in candidates if candidate.is_file()), None)
    if there is None:
        raise UnreadableInput(
            f"this folder has no {CHANGES}",
            place=Place(file=str(path)),
            help="give the folder of a built portal whose API has releases",
        )
    return there


def changes_address(source: str) -> str:
    """Return the address of the changes of a portal. Raises InvalidSettings for one that is not https.

    Addresses of this machine may be http.
    """
    try:
        parts = urlsplit(source)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise _unusable_address("it is not a valid address") from None
    if not host:
        raise _unusable_address("it has no host")
    if parts.username is not None or parts.password is not None:
        raise _unusable_address("it has a user name or password")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in _LOOPBACK):
        raise _unusable_address(f"its scheme is {parts.scheme!r}, not 'https'")
    if parts.path.endswith(".json"):
        return parts._replace(fragment="").geturl()
    folder = parts.path.removesuffix("/index.html")
    path = folder if folder.endswith("/") else f"{folder}/"
    return urljoin(parts._replace(path=path, query="", fragment="").geturl(), CHANGES)


def _unusable_address(why: str) -> InvalidSettings:
    return InvalidSettings(
        f"--changes: this address cannot be used: {why}",
        help="write the https address of a portal, such as https://developer.example.com/",
    )


class _OneOrigin(urllib.request.HTTPRedirectHandler):
    """Follows redirects within an origin (RFC 6454 §4) only."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """Return the next request, or raise for one that leaves the origin."""
        if origin_of(newurl) != origin_of(req.full_url):
            raise EnvironmentProblem(
                f"{req.full_url}: it redirects to another origin, {origin_of(newurl)}",
                help="give the address that it redirects to, if you trust it",
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download_text(address: str) -> str:
    """Return the text at an address of a portal. Raises EnvironmentProblem or UnreadableInput."""
    request = urllib.request.Request(address, headers={"Accept": "application/json"})  # noqa: S310 - https only
    try:
        with urllib.request.build_opener(_OneOrigin).open(request, timeout=_TIMEOUT_S) as response:
            content = response.read(_MAX_BYTES + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise EnvironmentProblem(
                f"{address}: the server returned {error.code}",
                help="check the address: the portal of an API with releases has this file",
            ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise EnvironmentProblem(
            f"{address}: it cannot be read: {reason}", help="check the address and the network"
        ) from error
    if len(content) > _MAX_BYTES:
        raise UnreadableInput(
            f"this file has more than {_MAX_BYTES:,} bytes",
            place=Place(file=address),
            help="check the address",
        )
    try:
        return str(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableInput(
            "this file is not UTF-8 text", place=Place(file=address), help="check the address"
        ) from error
