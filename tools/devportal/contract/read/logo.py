"""The logo that a contract brings (`x-logo`): an image in its folder, or in a `data:` address.

Images at other addresses are not read: a page makes no request to another host.
"""

import base64
import binascii
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, unquote_to_bytes, urlsplit

from devportal.contract.read.source import Node
from devportal.contract.read.svg_content import is_plain_svg
from devportal.documents import real_path

_SUFFIXES = {
    "image/svg+xml": ".svg",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
}
_MAX_BYTES = 512 * 1024
_DATA = re.compile(
    r"data:(?P<type>[a-z]+/[a-z+.-]+)(?:;[a-z0-9-]+=[^;,]*)*(?P<base64>;base64)?,(?P<data>.*)", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Logo:
    """An image; `file` is its path from the contract's folder, empty if the contract contains it."""

    suffix: str
    content: bytes = field(repr=False)
    file: str = ""


def read_logo(info: Node | None, folder: Path | None) -> Logo | None:
    """Return the logo of a contract, None without one that a site can show."""
    value = info.value.get("x-logo") if info is not None else None
    url = value.get("url") if isinstance(value, dict) else None
    if not isinstance(url, str):
        return None
    logo = _logo_in_url(url) or _logo_in_folder(url, folder)
    if logo is None or len(logo.content) > _MAX_BYTES:
        return None
    return logo if logo.suffix != ".svg" or is_plain_svg(logo.content) else None


def logo_file(info: Node | None) -> str:
    """Return the path below the contract's folder at which a logo is looked for, empty if it is not a file."""
    value = info.value.get("x-logo") if info is not None else None
    url = value.get("url") if isinstance(value, dict) else None
    try:
        address = urlsplit(url) if isinstance(url, str) else None
    except ValueError:
        return ""
    if address is None or address.scheme or address.netloc:
        return ""
    path = posixpath.normpath(unquote(address.path))
    return "" if path.startswith(("/", "..")) or path == "." else path


def _logo_in_url(url: str) -> Logo | None:
    found = _DATA.fullmatch(url.strip())
    suffix = _SUFFIXES.get(found["type"]) if found else None
    if found is None or suffix is None:
        return None
    try:
        data = unquote_to_bytes(found["data"])
        return Logo(suffix=suffix, content=base64.b64decode(data) if found["base64"] else data)
    except binascii.Error:
        return None


def _logo_in_folder(url: str, folder: Path | None) -> Logo | None:
    try:
        address = urlsplit(url)
    except ValueError:
        return None
    suffix = Path(address.path).suffix.lower().replace(".jpeg", ".jpg")
    if folder is None or address.scheme or address.netloc or suffix not in _SUFFIXES.values():
        return None
    try:
        root = real_path(folder)
        path = real_path(root / unquote(address.path))
        is_inside = path.is_relative_to(root) and path.is_file()
        if not is_inside or path.stat().st_size > _MAX_BYTES:
            return None
        return Logo(suffix=suffix, content=path.read_bytes(), file=path.relative_to(root).as_posix())
    except (OSError, ValueError):
        return None
