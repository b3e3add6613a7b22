"""One parsed document: its data, and on demand the place of any node in its text."""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from devportal.documents import json_text, yaml_text
from devportal.documents.missing_file import missing_file_help
from devportal.documents.pointer import LineIndex, MalformedDocument, ParsedText, Pointer, RepeatedKey
from devportal.documents.yaml_nodes import Scalars
from devportal.errors import Place, UnreadableInput

PositionLookup = Callable[[str, Pointer], tuple[int, int]]
"""Finds the line and column of a pointer in the text of a document."""

MAX_BYTES = 64 * 1024 * 1024
"""The largest file that is read, in bytes. The largest public contract known has 13 MB."""
_ESCAPED_LETTER = re.compile(r"\\(?:\r?\n|(?:u00|x|U000000)(?:2[4dD]|[46][1-9a-fA-F]|[57][0-9aA]))")
"""An escape, in JSON or YAML, of what keys are made of: letters, `$` and `-`; or one of a line's end."""
MISSING_HELP = "check the path and its permissions"
"""What to do about a file that cannot be read."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_OTHER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # it begins as the mark of UTF-16 does
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
"""The byte order marks of encodings that are not read."""
_OTHER_FORMATS = (
    (b"\x1f\x8b", "compressed with gzip", "unpack it"),  # RFC 1952 §2.3.1
    (b"PK\x03\x04", "a ZIP archive, as .xlsx and .docx are too", "unpack it, or export its content as text"),
    (b"%PDF-", "a PDF", "export its content as text"),
)
"""How files of other formats begin, what they are, and what to do about them."""
_MARKUP = re.compile(r"\s*<(?:!doctype\s|html[\s>]|\?xml\s)", re.IGNORECASE)
"""How HTML and XML begin, and no YAML or JSON that is of use."""


class NotUtf8(UnreadableInput):
    """A file in another encoding than UTF-8, or that is not text."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """A parsed file. `data` holds plain dicts (keys are text), lists and scalars."""

    name: str
    text: str = field(repr=False)
    data: Any = field(repr=False)
    first_line: int = 1
    repeated_keys: tuple[RepeatedKey, ...] = ()
    """The keys that occur again in a mapping, if that is allowed: the last one counts."""
    locate: PositionLookup = field(default=yaml_text.locate, repr=False)

    @cached_property
    def has_escaped_letters(self) -> bool:
        """Whether a key of the text may be written with escapes, such as `"x\\u002dinternal"`: a search for keys in
        the text can miss them then.
        """
        return _ESCAPED_LETTER.search(self.text) is not None

    def place(self, pointer: Pointer = ()) -> Place:
        """Return the place of the node at `pointer`, or of its nearest ancestor that exists.

        For a member of a mapping that is the place of its key. The index of places is built at the first
        call, so that it costs nothing until a finding needs a place.
        """
        line, column = self.locate(self.text, pointer)
        return Place(file=self.name, line=line + self.first_line - 1, column=column)


def with_changed_data(document: Document, data: Any, *, added_text: str) -> Document:
    """Return a document with other data, whose places stay those of its file; what is new in it is placed at the
    nearest part that the file has.

    `added_text` is what changed it: digests and searches for keywords read that beside the text of the file.
    """
    return replace(
        document,
        data=data,
        text=f"{document.text}\n{added_text}",
        locate=partial(_locate_in_text_of, document),
    )


def _locate_in_text_of(original: Document, text: str, pointer: Pointer) -> tuple[int, int]:  # noqa: ARG001
    return original.locate(original.text, pointer)


def read_document(
    path: Path,
    *,
    name: str | None = None,
    scalars: Scalars = Scalars.CORE,
    allow_repeated_keys: bool = False,
    missing_help: str = MISSING_HELP,
) -> Document:
    """Read a YAML or JSON file; `name` is what messages call it (by default the path as given), and `missing_help` says
    what to do if there is none.

    Raises UnreadableInput if the file is missing, too large, not UTF-8, or does not parse.
    """
    name = name if name is not None else str(path)
    text = read_text(path, name=name, missing_help=missing_help)
    return parse_document(text, name=name, scalars=scalars, allow_repeated_keys=allow_repeated_keys)


def read_text(
    path: Path, *, name: str, max_bytes: int | None = MAX_BYTES, missing_help: str = MISSING_HELP
) -> str:
    """Return the text of a UTF-8 file without a byte order mark; raises UnreadableInput.

    If `max_bytes` is None the file may have any size: for files that grow and cannot be split.
    """
    try:
        if max_bytes is not None and path.stat().st_size > max_bytes:
            raise UnreadableInput(
                f"this file has {path.stat().st_size:,} bytes, more than {max_bytes:,}",
                place=Place(file=name),
                help="split it",
            )
        content = path.read_bytes()
        _refuse_other_encodings(content, name)
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _not_utf8(name, error) from error
    except IsADirectoryError as error:
        raise UnreadableInput(
            "this is a folder, not a file", place=Place(file=name), help="give the path of a file"
        ) from error
    except OSError as error:
        raise UnreadableInput(
            f"this file cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help=missing_file_help(path, otherwise=missing_help)
            if isinstance(error, FileNotFoundError)
            else MISSING_HELP,
        ) from error


def _refuse_other_encodings(content: bytes, name: str) -> None:
    """Raise NotUtf8 for files of other formats, and for UTF-16 and UTF-32: text with their marks, or whose first two
    bytes are an ASCII character in UTF-16 (RFC 4627 §3).
    """
    for start, kind, advice in _OTHER_FORMATS:
        if content.startswith(start):
            raise NotUtf8(f"this file is {kind}, not text", place=Place(file=name), help=advice)
    found = next((encoding for mark, encoding in _OTHER_MARKS if content.startswith(mark)), None)
    if found is None and content[:2].count(0) == 1:
        found = "UTF-16"
    if found is not None:
        raise NotUtf8(
            f"this file is {found} text, not UTF-8", place=Place(file=name), help="save it as UTF-8"
        )


def _not_utf8(name: str, error: UnicodeDecodeError) -> NotUtf8:
    """Return the error for a file in another encoding, with the place of the first byte that is not UTF-8."""
    lines = _LINE_END.split(error.object[: error.start].decode("utf-8-sig"))
    return NotUtf8(
        f"this file is not UTF-8 text: it has the byte {error.object[error.start]:#04x} here",
        place=Place(file=name, line=len(lines), column=len(lines[-1]) + 1),
        help="save it as UTF-8",
    )


def parse_document(
    text: str,
    *,
    name: str,
    scalars: Scalars = Scalars.CORE,
    first_line: int = 1,
    allow_repeated_keys: bool = False,
) -> Document:
    """Parse YAML or JSON text. `first_line` is its line in the file, for text from within a larger one.

    Text whose name ends in `.json`, or that starts as JSON and parses as it, is JSON; other text is YAML.
    Raises UnreadableInput with the place of the syntax error.
    """
    try:
        _refuse_surrogates(text)
        _refuse_lfs_pointer(text)
        _refuse_markup(text)
        parsed, locate = _parse(text, name, scalars, allow_repeated_keys=allow_repeated_keys)
    except MalformedDocument as error:
        malformed = _conflict_in(text) or error
        raise UnreadableInput(
            malformed.message,
            place=Place(file=name, line=malformed.line + first_line - 1, column=malformed.column),
            help=malformed.help,
        ) from error
    return Document(
        name=name,
        text=text,
        data=parsed.data,
        first_line=first_line,
        repeated_keys=tuple(
            sorted(parsed.repeated_keys, key=lambda repeated_key: (repeated_key.line, repeated_key.column))
        ),
        locate=locate,
    )


_CONFLICT = re.compile(r"^<{7} .*\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7} ", re.MULTILINE)
"""The marks that git puts around the two versions of a conflict."""
_LFS_POINTER = "version https://git-lfs.github.com/spec/"
"""How the files begin that Git LFS has in place of large ones."""


def _refuse_lfs_pointer(text: str) -> None:
    if text.startswith(_LFS_POINTER):
        advice = "run 'git lfs pull', or in CI check out with Git LFS"
        raise MalformedDocument("this is a pointer of Git LFS, not the file itself", 1, 1, advice)


def _refuse_markup(text: str) -> None:
    """Raise MalformedDocument for HTML and XML, which may parse as one long YAML text. A server that asks for a login
    sends a page in place of a file.
    """
    if match := _MARKUP.match(text):
        kind = "XML" if match[0].lstrip().startswith("<?") else "HTML"
        advice = (
            "give a YAML or JSON file; if you downloaded this one, open its address: it may ask you to log in"
        )
        raise MalformedDocument(f"this is {kind}, not YAML or JSON", 1, 1, advice)


def _conflict_in(text: str) -> MalformedDocument | None:
    """Return the error for a conflict that git left in text that does not parse, None if there is none."""
    conflict = _CONFLICT.search(text)
    if conflict is None:
        return None
    advice = "resolve the conflict, and remove the lines with <<<<<<<, ======= and >>>>>>>"
    return MalformedDocument("git left a conflict here", *LineIndex(text).at(conflict.start()), advice)


def _refuse_surrogates(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as error:
        place = LineIndex(text).at(error.start)
        raise MalformedDocument("this text has an unpaired surrogate", *place) from error


def _parse(
    text: str, name: str, scalars: Scalars, *, allow_repeated_keys: bool
) -> tuple[ParsedText, PositionLookup]:
    if scalars is Scalars.CORE and name.endswith(".json"):
        return json_text.load(text, allow_repeated_keys=allow_repeated_keys), json_text.locate
    if scalars is Scalars.CORE and _starts_as_json(text):
        try:
            return json_text.load(text, allow_repeated_keys=allow_repeated_keys), json_text.locate
        except MalformedDocument as not_json:
            try:
                parsed = yaml_text.load(text, scalars, allow_repeated_keys=allow_repeated_keys)
            except MalformedDocument:
                raise not_json from None
            return parsed, yaml_text.locate
    return yaml_text.load(text, scalars, allow_repeated_keys=allow_repeated_keys), yaml_text.locate


def _starts_as_json(text: str) -> bool:
    """Say whether the first characters are those of a JSON object or array: parsing that first is faster."""
    head = text.lstrip()[:2048]
    return head.startswith(("{", "[")) and head[1:].lstrip().startswith(('"', "{", "[", "}", "]"))
