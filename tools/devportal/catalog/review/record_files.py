"""Changes to record files that keep the rest of a file byte for byte.

A status is replaced in place, a draft as a whole item, and new versions are appended to the file of their
market. The result is parsed and compared before anything is written. A file whose form does not allow such a
change is refused, never rewritten.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from devportal.catalog.audit.lifecycle import State
from devportal.catalog.book.book import Book
from devportal.catalog.records.text import AnyVersion, record_fields, yaml_text
from devportal.catalog.review.write_ahead import RecordChange
from devportal.documents import Document, Scalars, parse_document
from devportal.errors import Place, RefusedWrite, UnreadableInput

_BOM = b"\xef\xbb\xbf"
_BREAK = re.compile(r"\r\n|\r|\n")
_STATUS = re.compile(r"""(?:status|"status"|'status')[ \t]*:[ \t]+(["']?)([a-z]+)\1(?=[\s,}]|\Z)""")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(?:#.*)?")


class RecordFiles:
    """The files of a folder that one write changes."""

    def __init__(self, folder: Path, book: Book, *, name: str) -> None:
        """Take the folder, its rate book, and its name in messages."""
        self._book = book
        self._folder = folder
        self._name = name
        self._edited: dict[str, _EditedFile] = {}

    def set_status(self, version: AnyVersion, status: State) -> None:
        """Change the status of a version. Raises RefusedWrite if the form of its file does not allow it."""
        self._file_of(version).set_status(version.source.pointer, status)

    def replace(self, version: AnyVersion, replacement: AnyVersion) -> None:
        """Replace the text of a version; comments inside the old text are removed with it."""
        self._file_of(version).replace(version.source.pointer, replacement)

    def add(self, version: AnyVersion) -> None:
        """Append a new version to the file of its market, or write a new file."""
        terms = version.terms
        stem = f"{terms.kind}/{terms.market.lower()}"
        for path in (f"{stem}.yaml", *(f"{stem}-{number}.yaml" for number in range(2, 1000))):
            if self._file(path).add(version):
                return
        raise RefusedWrite(f"no file of {stem}*.yaml takes {terms.ref}", help="put the version in by hand")

    def changes(self) -> tuple[RecordChange, ...]:
        """Return the changes, ordered by name. Raises RefusedWrite as the steps do."""
        changes = (edited.change() for _, edited in sorted(self._edited.items()))
        return tuple(change for change in changes if change.before != change.after)

    def _file_of(self, version: AnyVersion) -> "_EditedFile":
        document = version.source.document
        edited = self._file(document.name.removeprefix(f"{self._name}/"))
        edited.compare(document)
        return edited

    def _file(self, path: str) -> "_EditedFile":
        if path not in self._edited:
            target = self._folder / path
            before = target.read_bytes() if target.exists() else None
            self._edited[path] = _EditedFile(path, before, self._book, display_name=f"{self._name}/{path}")
        return self._edited[path]


class _EditedFile:
    """One file: its original text, and its edits."""

    def __init__(self, path: str, before: bytes | None, book: Book, *, display_name: str) -> None:
        self._path = path
        self._book = book
        self._before = before
        self._display_name = display_name
        self._text = (before or b"").removeprefix(_BOM).decode()
        self._document = self._parse(self._text) if before is not None else None
        self._expected: Any = _deep_copy(self._document) if self._document else None
        breaks = [match.span() for match in _BREAK.finditer(self._text)]
        self._starts = [0, *(end for _, end in breaks)]
        self._ends = [*(start for start, _ in breaks), len(self._text)]
        self._edits: dict[tuple[int, int], str] = {}
        self._new_versions: list[AnyVersion] = []

    def compare(self, document: Document) -> None:
        """Raise RefusedWrite if the file has changed since it was read."""
        if document.text != self._text:
            message = "somebody changed this file while it was being read"
            raise RefusedWrite(message, place=Place(file=self._display_name), help="repeat the command")

    def set_status(self, pointer: tuple[str, ...], status: State) -> None:
        document = self._read_before()
        kind, position = pointer
        place = document.place((*pointer, "status"))
        match = _STATUS.match(self._text, self._offset(place))
        if match is None:
            raise self._refused_write(place, "the status is not written as one word behind its key")
        self._edits[match.span(2)] = str(status)
        self._expected[kind][int(position)]["status"] = str(status)

    def replace(self, pointer: tuple[str, ...], replacement: AnyVersion) -> None:
        document = self._read_before()
        kind, position = pointer
        place = document.place(pointer)
        start, end = self._item_span(pointer, len(document.data[kind]))
        if self._text[start : self._offset(place)].strip(" ") != "-":
            raise self._refused_write(place, "the version does not start with its dash on the same line")
        self._edits[start, end] = self._item_text(replacement, place.column - 3)
        self._expected[kind][int(position)] = record_fields(replacement, self._book)

    def add(self, version: AnyVersion) -> bool:
        """Append a version, and return whether that is possible."""
        kind = str(version.terms.kind)
        if self._expected is None:
            self._expected = {kind: []}
        self._new_versions.append(version)
        self._expected[kind].append(record_fields(version, self._book))
        if self._before is None or len(self._new_versions) > 1 or self._matches_expected():
            return True
        self._new_versions.pop()
        self._expected[kind].pop()
        return False

    def change(self) -> RecordChange:
        if not self._matches_expected():
            message = "this file is written in a form that cannot be changed in place"
            raise self._refused_write(Place(file=self._display_name), message)
        bom = _BOM if (self._before or b"").startswith(_BOM) else b""
        return RecordChange(path=self._path, before=self._before, after=bom + self._edited_text().encode())

    def _edited_text(self) -> str:
        chunks, at = [], 0
        for (start, end), new_text in sorted(self._edits.items()):
            chunks += [self._text[at:start], new_text]
            at = end
        text = "".join([*chunks, self._text[at:]])
        if not self._new_versions:
            return text
        if self._document is None:
            return yaml_text(self._new_versions, self._book)
        items = (self._item_text(version, self._indent(version)) for version in self._new_versions)
        return "".join(
            [text.rstrip(), *(f"{self._line_break * 2}{item}" for item in items), self._line_break]
        )

    def _matches_expected(self) -> bool:
        try:
            return bool(self._parse(self._edited_text()).data == self._expected)
        except UnreadableInput:
            return False

    def _item_text(self, version: AnyVersion, indent: int) -> str:
        """Return a version as a list item whose dash has this many spaces before it, without its last line
        break.
        """
        _, _, lines = yaml_text([version], self._book).rstrip("\n").partition("\n")
        dedent = len(lines) - len(lines.lstrip(" "))
        shifted = (f"{' ' * indent}{line[dedent:]}" if line else "" for line in lines.split("\n"))
        return self._line_break.join(shifted)

    def _indent(self, version: AnyVersion) -> int:
        """Return the indentation of the dashes in the file."""
        document = self._read_before()
        return max(document.place((str(version.terms.kind), "0")).column - 3, 0)

    @property
    def _line_break(self) -> str:
        return "\r\n" if "\r\n" in self._text else "\n"

    def _item_span(self, pointer: tuple[str, ...], count: int) -> tuple[int, int]:
        """Return where the lines of an item start and end, without comments above the next item."""
        kind, position = pointer
        first = self._read_before().place(pointer).line
        following = (kind, str(int(position) + 1))
        is_last = int(position) + 1 == count
        end = len(self._starts) + 1 if is_last else self._read_before().place(following).line
        last = max(number for number in self._content_lines(first, end))
        return self._starts[first - 1], self._ends[last - 1]

    def _content_lines(self, first: int, end: int) -> Iterator[int]:
        """Yield the lines that are neither blank nor a comment."""
        for number in range(first, end):
            if not _BLANK_OR_COMMENT.fullmatch(self._text, self._starts[number - 1], self._ends[number - 1]):
                yield number

    def _offset(self, place: Place) -> int:
        return self._starts[place.line - 1] + place.column - 1

    def _read_before(self) -> Document:
        if self._document is None:
            raise self._refused_write(Place(file=self._display_name), "this file is not there any more")
        return self._document

    def _parse(self, text: str) -> Document:
        return parse_document(text, name=self._display_name, scalars=Scalars.TEXT)

    def _refused_write(self, place: Place, message: str) -> RefusedWrite:
        return RefusedWrite(
            message, place=place, help="write each version as a block of lines, 'status: draft' one of them"
        )


def _deep_copy(document: Document) -> Any:
    """Return the data of a document as a deep copy: an alias shares its data, and only one place may change."""
    return json.loads(json.dumps(document.data))
