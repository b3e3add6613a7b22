"""Files within files: archives, compressed data, the search index."""

import bz2
import json
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import zip_longest
from typing import Any, Final, Protocol
from xml.etree import ElementTree

from devportal.site.leaks.file_bytes import View, view_of
from devportal.site.leaks.pdf_content import without_drawing
from devportal.site.search.columns import lines_of
from devportal.site.search.index import DETAILS_NAME as DETAILS
from devportal.site.search.index import INDEX_NAME as INDEX

_TEXT_COLUMNS = 5
"""The first columns hold texts, the last one numbers."""


def unpacked_index(data: bytes) -> list[tuple[str, bytes]] | None:
    """Return names and bytes of the texts in a search index, one line for each entry; None for any other
    file.
    """
    try:
        index = json.loads(data)
        return [(f"{kind}.tsv", _index_table(columns)) for kind, columns in index["pages"].items()] + [
            ("fields.txt", "\n".join(lines_of(index["fields"])).encode()),
            ("rest.json", json.dumps({**index, "pages": {}, "fields": ""}, ensure_ascii=False).encode()),
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _index_table(columns: list[Any]) -> bytes:
    """Return the columns of a kind of page as lines, followed by the columns of other types."""
    texts = [list(lines_of(text)) for text in columns[:_TEXT_COLUMNS]]
    rows = ["\t".join(row) for row in zip_longest(*texts, fillvalue="")]
    return "\n".join((*rows, *map(str, columns[_TEXT_COLUMNS:]))).encode()


MEMBER_BYTES = 256 * 1024 * 1024
"""How many bytes one packed file may unpack to."""
TOTAL_BYTES = 1024 * 1024 * 1024
"""How many bytes all packed files of a site may unpack to."""
_MAX_DEPTH = 5
_ARCHIVE_START = 1024
"""How many bytes may precede a PDF (ISO 32000-1, implementation note 13)."""
_ARCHIVE_END = 65_557
"""How far before its end a zip archive marks its end: the longest comment follows the mark."""
_STREAM = re.compile(rb"stream(?<!endstream)\r?\n(?=[\x08\x18\x28\x38\x48\x58\x68\x78])")
"""The start of a stream of a PDF that begins as Flate does."""
_CODED_TEXT = re.compile(rb"/(?:FontFile|Type0|Type3|Differences|Encrypt)|\]\s*[Tt][Jj]\s|>\s*[Tt][Jj]\s")
"""What a PDF contains whose text is in codes of embedded fonts, or in pieces: otherwise it can be searched."""
_CHUNK = 1 << 20
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_UNSUPPORTED: Final = (
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"Rar!\x1a\x07", "RAR"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"\x1f\x9d", "compress"),
    (b"MSCF", "cabinet"),
)
_UNSUPPORTED_SUFFIXES: Final = (".br", ".zst", ".7z", ".rar", ".lz4", ".z", ".cab", ".lzo", ".lz")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableFile:
    """A packed file that could not be read, and why."""

    name: str
    why: str
    is_partial: bool = False
    """Whether everything readable was searched: the rest can only be checked by eye."""


@dataclass(slots=True, kw_only=True)
class Budget:
    """How many bytes may still be unpacked."""

    member: int = MEMBER_BYTES
    total: int = field(default=TOTAL_BYTES)


class _UnpackLimitError(Exception):
    """A file unpacks to more bytes than the budget allows."""


def views_of(name: str, data: bytes, budget: Budget, *, depth: int = 0) -> Iterator[View | UnreadableFile]:
    """Yield the bytes of a file if they may hold text, and everything it unpacks to."""
    kind = _find_reader(name, data)
    if kind is None:
        yield view_of(name, data)
        return
    if isinstance(kind, str):
        yield UnreadableFile(name=name, why=f"it is packed as {kind}, which cannot be unpacked here")
        return
    if depth == _MAX_DEPTH:
        yield UnreadableFile(name=name, why=f"it is packed more than {_MAX_DEPTH} times")
        return
    try:
        is_coded = False
        for inner, content, offset in kind(data, budget):
            is_coded = is_coded or _CODED_TEXT.search(content) is not None
            if offset is None:
                yield from views_of(f"{name}!{inner}", content, budget, depth=depth + 1)
            else:
                yield view_of(name, content, offset=offset)
        if kind is pdf_parts and is_coded:
            yield UnreadableFile(
                name=name, why="a PDF stores text in the codes of its fonts", is_partial=True
            )
    except _UnpackLimitError:
        limit = f"{budget.member >> 20} MB, or the whole site to more than {TOTAL_BYTES >> 20} MB"
        yield UnreadableFile(name=name, why=f"it unpacks to more than {limit}")
    except RuntimeError:
        yield UnreadableFile(name=name, why="it is encrypted")
    except (zipfile.BadZipFile, NotImplementedError, EOFError, OSError, lzma.LZMAError, zlib.error) as error:
        yield UnreadableFile(name=name, why=f"it cannot be unpacked: {error}")


_Parts = Iterator[tuple[str, bytes, int | None]]
"""Names and bytes of unpacked parts. The offset is set if the bytes are in the file as they are."""
_Reader = Callable[[bytes, Budget], _Parts]


def _unpack_index(data: bytes, budget: Budget) -> _Parts:
    """Yield the entries of the search index, or the file as it is if it has another format."""
    entries = unpacked_index(data)
    for name, content in entries or ():
        _use_budget(budget, len(content))
        yield name, content, None
    if entries is None:
        yield "", data, 0


def _find_reader(name: str, data: bytes) -> "_Reader | str | None":
    """Return the reader that unpacks a file, the name of an unsupported format, or None."""
    if name in (INDEX, DETAILS):
        return _unpack_index
    for start, reader in _READERS:
        if data.startswith(start):
            return reader
    if data[:_ARCHIVE_START].find(b"%PDF-") >= 0:
        return pdf_parts
    if data.rfind(b"PK\5\6", max(0, len(data) - _ARCHIVE_END)) >= 0 and zipfile.is_zipfile(BytesIO(data)):
        return _prefixed_zip
    for start, format_name in _UNSUPPORTED:
        if data.startswith(start):
            return format_name
    if name.lower().endswith(_UNSUPPORTED_SUFFIXES):
        return name.rpartition(".")[2]
    return None


def _use_budget(budget: Budget, size: int) -> None:
    budget.total -= size
    if budget.total < 0 or size > budget.member:
        raise _UnpackLimitError


def _stream_reader(make_decompressor: Callable[[], "_Decompressor"]) -> _Reader:
    """Return a reader for files that are one compressed stream, or several in a row."""

    def read(data: bytes, budget: Budget) -> _Parts:
        out, rest, size = [], data, 0
        while rest:
            decompressor = make_decompressor()
            chunk = decompressor.decompress(rest, _CHUNK)
            while True:
                size += len(chunk)
                if size > min(budget.member, budget.total):
                    raise _UnpackLimitError
                out.append(chunk)
                if decompressor.eof:
                    break
                unconsumed = getattr(decompressor, "unconsumed_tail", b"")
                if not chunk and not unconsumed:
                    raise EOFError("it ends too early")
                chunk = decompressor.decompress(unconsumed, _CHUNK)
            rest = decompressor.unused_data.lstrip(b"\0")
            if rest and not rest.startswith(data[:2]):
                yield "", rest, len(data) - len(rest)
                break
        _use_budget(budget, size)
        yield "", b"".join(out), None

    return read


class _Decompressor(Protocol):
    """What the decompressors of the standard library have in common."""

    eof: bool
    unused_data: bytes

    def decompress(self, data: bytes, max_length: int, /) -> bytes:
        """Return at most `max_length` bytes."""
        ...


def _zip(data: bytes, budget: Budget) -> _Parts:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        yield "", archive.comment, 0
        yield "", "\n".join(archive.namelist()).encode(errors="replace"), 0
        strings: tuple[str, ...] = ()
        for member in sorted(
            archive.infolist(), key=lambda item: not item.filename.endswith("sharedStrings.xml")
        ):
            if member.is_dir():
                continue
            with archive.open(member) as file:
                content = file.read(min(budget.member, budget.total) + 1)
            _use_budget(budget, len(content))
            yield member.filename, content, None
            if member.filename.endswith("xl/sharedStrings.xml"):
                strings = _shared_strings(content)
            elif strings and re.match(r"xl/worksheets/.*\.xml$", member.filename):
                yield f"{member.filename} (as a table)", _sheet_with_texts(content, strings), None


def _prefixed_zip(data: bytes, budget: Budget) -> _Parts:
    """Yield the bytes before an archive, such as a self-extracting program, and the archive."""
    yield "", data, 0
    yield from _zip(data, budget)


def pdf_parts(data: bytes, budget: Budget) -> _Parts:
    """Yield a PDF as it is, and its streams that are packed with Flate (ISO 32000-1, 7.4.4), those of pages without
    drawing operators and their numbers.
    """
    yield "", data, 0
    for number, match in enumerate(_STREAM.finditer(data)):
        limit = min(budget.member, budget.total)
        try:
            content = zlib.decompressobj().decompress(data[match.end() :], limit + 1)
        except zlib.error:
            continue  # a font, an image, or a stream with another compression
        _use_budget(budget, len(content))
        yield f"stream {number}", without_drawing(content), None


def _shared_strings(content: bytes) -> tuple[str, ...]:
    """Return the texts that the cells of a workbook name by number."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        return ()
    try:
        root = ElementTree.fromstring(content)  # noqa: S314 - no entities, see above
    except ElementTree.ParseError:
        return ()
    return tuple("".join(item.itertext()) for item in root)


_CELL = re.compile(rb'<c\b[^>]*\bt="s"[^>]*>\s*<v>(\d{1,9})</v>')


def _sheet_with_texts(sheet: bytes, strings: tuple[str, ...]) -> bytes:
    """Return a sheet of a workbook with its texts in their cells."""

    def text(match: re.Match[bytes]) -> bytes:
        number = int(match[1])
        return b"<c><t>" + (strings[number].encode() if number < len(strings) else b"") + b"</t>"

    return _CELL.sub(text, sheet)


def _png(data: bytes, budget: Budget) -> _Parts:
    """Yield the texts in an image, and what follows its end."""
    position = len(_PNG)
    while position + 12 <= len(data):
        length, kind = struct.unpack(">I4s", data[position : position + 8])
        body = data[position + 8 : position + 8 + length]
        if kind in {b"tEXt", b"iTXt", b"zTXt", b"eXIf"}:
            yield "", body.replace(b"\0", b"\n"), position + 8
            yield from _packed_text(kind, body, budget)
        position += 12 + length
        if kind == b"IEND":
            break
    if position < len(data):
        yield "", data[position:], position


def _packed_text(kind: bytes, body: bytes, budget: Budget) -> _Parts:
    """Yield the compressed text of a chunk (PNG, 11.3.3)."""
    keyword, _, rest = body.partition(b"\0")
    if kind == b"zTXt":
        packed = rest[1:]
    elif kind == b"iTXt" and rest[:1] == b"\1":
        packed = rest[2:].split(b"\0", 2)[-1]
    else:
        return
    text = zlib.decompressobj().decompress(packed, budget.member + 1)
    _use_budget(budget, len(text))
    yield keyword.decode("latin-1"), text, None


_READERS: tuple[tuple[bytes, _Reader], ...] = (
    (b"\x1f\x8b", _stream_reader(lambda: zlib.decompressobj(wbits=31))),  # type: ignore[arg-type,return-value]
    (b"BZh", _stream_reader(bz2.BZ2Decompressor)),  # type: ignore[arg-type]
    (b"\xfd7zXZ\0", _stream_reader(lzma.LZMADecompressor)),  # type: ignore[arg-type]
    (b"\x5d\0\0", _stream_reader(lambda: lzma.LZMADecompressor(lzma.FORMAT_ALONE))),  # type: ignore[arg-type,return-value]
    (b"PK\3\4", _zip),
    (b"PK\5\6", _zip),
    (_PNG, _png),
)
