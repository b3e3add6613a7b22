"""Bodies that are one text or one file: valid ones of the media types that servers read, and others like them."""

import base64
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping

from devportal.contract import Api, Operation
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.path_templates import last_segment, parent_path
from devportal.contract.wording import name_words

OCTET_STREAM = "application/octet-stream"
PNG = "image/png"
_CONCRETE = {"image/*": PNG, "text/*": "text/plain"}
"""What is sent for a range (RFC 9110 §12.5.1)."""
_CONTENT_WORDS = frozenset(
    {
        "binary",
        "blob",
        "body",
        "bytes",
        "content",
        "contents",
        "data",
        "download",
        "file",
        "media",
        "original",
        "raw",
    }
)
"""What the path of the content of a resource ends with, unlike that of its preview or its log."""
_JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBk"
    "eFxlZ2P/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP3//2Q=="
)
"""One black pixel."""


def is_text(media_type: str) -> bool:
    """Return whether bodies of a media type are texts that no other format describes, such as `text/plain`."""
    return media_type_essence(media_type).startswith("text/") and not (
        is_json(media_type) or is_xml(media_type)
    )


def is_file_type(media_type: str) -> bool:
    """Return whether bodies of a media type are files that `sample_file` makes."""
    return concrete_type(media_type) in _FILES


def concrete_type(media_type: str) -> str:
    """Return a media type without its parameters; for a range of images or texts, the most common of them."""
    essence = media_type_essence(media_type)
    return _CONCRETE.get(essence, essence)


def returns_raw(operation: Operation) -> bool:
    """Return whether all successes of an operation are texts or files."""
    names = [media_type.name for response in operation.successes for media_type in response.content]
    return bool(names) and all(
        is_text(name) or is_file_type(name) or media_type_essence(name) == "*/*" for name in names
    )


def content_download(api: Api, path: str) -> Operation | None:
    """Return what downloads the content that a creation gave to the resource at a path, by a path below it: by its
    name, if there is one such operation and none that stores another content there. None without.
    """
    changed = {operation.path for operation in api.operations if operation.method in ("PUT", "PATCH")}
    downloads = [
        operation
        for operation in api.operations
        if operation.method == "GET"
        and parent_path(operation.path) == path
        and operation.path not in changed
        and not _CONTENT_WORDS.isdisjoint(name_words(last_segment(operation.path)))
        and returns_raw(operation)
    ]
    return downloads[0] if len(downloads) == 1 else None


def sample_file(media_type: str, number: int = 0) -> bytes:
    """Return a small valid file of a media type, another one for each number from 0 to 255."""
    return _FILES[concrete_type(media_type)](number)


def other_texts(text: str) -> Iterator[str]:
    """Yield texts that differ from one, and are likely to be valid if it is."""
    yield from (f"{text} {text}", f"{text}{text[-1:]}", text[:-1], text.swapcase())


def _octets(number: int) -> bytes:
    """Return all bytes: one that reads them as text changes some."""
    return bytes((number + value) % 256 for value in range(256))


def _png(number: int) -> bytes:
    """Return one grey pixel (PNG, Third Edition §11.2)."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes((0, number)))),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def _jpeg(number: int) -> bytes:
    """Return one pixel with a comment (ITU-T T.81 §B.2.4.5)."""
    return _JPEG[:2] + b"\xff\xfe" + struct.pack(">HB", 3, number) + _JPEG[2:]


def _pdf(number: int) -> bytes:
    """Return one empty page with a comment."""
    objects = (
        "1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj",
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj",
        "3 0 obj<</Type/Page/MediaBox[0 0 9 9]/Parent 2 0 R>>endobj",
    )
    offsets, text = [], f"%PDF-1.4\n%{number:03}\n"
    for object_ in objects:
        offsets.append(len(text))
        text += f"{object_}\n"
    entries = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    start = len(text)
    text += (
        f"xref\n0 4\n0000000000 65535 f \n{entries}trailer<</Size 4/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n"
    )
    return text.encode()


_FILES: Mapping[str, Callable[[int], bytes]] = {
    OCTET_STREAM: _octets,
    PNG: _png,
    "image/jpeg": _jpeg,
    "application/pdf": _pdf,
}
