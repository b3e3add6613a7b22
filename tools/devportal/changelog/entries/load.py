"""A folder of entry files, `YYYY-MM-DD-slug.md` each with YAML front matter, into entries and findings."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from devportal.changelog.entries.body import read_body
from devportal.changelog.entries.entry import (
    TO_WRITE,
    Amendment,
    Audience,
    Cover,
    Entry,
    Impact,
    Kind,
    Link,
    Section,
    newest_first,
)
from devportal.documents import Document, Pointer, Shape, child, parse_document, read_text, why_irregular
from devportal.errors import Place, UnreadableInput
from devportal.findings import Finding, error_finding, in_order
from devportal.markup.feeds import NOT_XML

_FENCE = re.compile(r"---[ \t]*")
_NAMING_ADVICE = "name it `YYYY-MM-DD-slug.md`"


def load_changelog(folder: Path, *, name: str) -> tuple[tuple[Entry, ...], tuple[Finding, ...]]:
    """Return the entries of a folder, newest first, and what is wrong in it, by place.

    `name` is what messages call the folder. An entry whose file has an error is not among the entries.
    Raises UnreadableInput if the folder cannot be listed.
    """
    entries: list[Entry] = []
    findings: list[Finding] = []
    for path in _list_files(folder, name):
        file = f"{name}/{path.name}"
        if path.suffix != ".md" or why_irregular(folder, path.name):
            findings.append(_not_an_entry(file))
            continue
        entry, entry_findings = _load_entry(path, file)
        findings.extend(entry_findings)
        if entry is not None:
            entries.append(entry)
    return newest_first(entries), in_order(findings)


def parse_entry(text: str, *, name: str) -> tuple[Entry | None, tuple[Finding, ...]]:
    """Return the entry of one file's text, or None if it has errors, and its findings.

    `name` is the file as messages call it; its stem is the entry's id.
    """
    parts = _split_front_matter(text.replace("\r\n", "\n"))
    if parts is None:
        return None, (_no_front_matter(name, text),)
    try:
        document = parse_document(parts.head, name=name, first_line=2)
    except UnreadableInput as error:
        return None, (_unreadable(error, name),)
    sections, body_findings = read_body(parts.body, name=name, first_line=parts.body_line)
    shape_findings = tuple(
        misfit.finding
        for misfit in _front_matter_shape().misfits(document)
        if not _is_placeholder(document, misfit.pointer)
    )
    findings = (*shape_findings, *_check_characters(document), *body_findings)
    if shape_findings:
        return None, findings
    findings = (*findings, *_check_name(document, name))
    return (None if findings else _build_entry(document, sections)), findings


def _is_placeholder(document: Document, pointer: Pointer) -> bool:
    """Return whether an item of `audience` is what a draft has there: `check_changelog` asks for something else."""
    field, *position = pointer or ("",)
    return field == "audience" and bool(position) and document.data[field][int(position[0])] == TO_WRITE


@dataclass(frozen=True, slots=True, kw_only=True)
class _EntryFile:
    """A file cut at its second fence; the front matter begins in line 2."""

    head: str
    body: str
    body_line: int


def _split_front_matter(text: str) -> _EntryFile | None:
    lines = text.split("\n")
    if not _FENCE.fullmatch(lines[0]):
        return None
    end = next((n for n, line in enumerate(lines) if n and _FENCE.fullmatch(line)), None)
    if end is None:
        return None
    return _EntryFile(
        head="\n".join(lines[1:end]) + "\n", body="\n".join(lines[end + 1 :]), body_line=end + 2
    )


@lru_cache(maxsize=1)
def _front_matter_shape() -> Shape:
    text = files("devportal.changelog").joinpath("schemas", "entry.schema.json").read_text("utf-8")
    return Shape(json.loads(text), rule="changelog-front-matter", root="the front matter")


def _list_files(folder: Path, name: str) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError as error:
        raise UnreadableInput(
            f"the folder of the changelog cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help="check the path, or leave the changelog out of the settings",
        ) from error


def _load_entry(path: Path, file: str) -> tuple[Entry | None, tuple[Finding, ...]]:
    try:
        return parse_entry(read_text(path, name=file), name=file)
    except UnreadableInput as error:
        return None, (_unreadable(error, file),)


def _build_entry(document: Document, sections: tuple[Section, ...]) -> Entry:
    """Build the entry from front matter that fits the schema."""
    data = document.data
    return Entry(
        id=data["id"],
        title=data["title"],
        date=date.fromisoformat(data["date"]),
        effective=_parse_day(data.get("effective")),
        sunset=_parse_day(data.get("sunset")),
        apis=tuple(data["apis"]),
        impact=Impact(data["impact"]),
        kind=Kind(data["kind"]),
        action_required=data["action_required"],
        audience=tuple(Audience(name) for name in data.get("audience", ()) if name != TO_WRITE),
        only_for=tuple(data.get("only_for", ())),
        covers=tuple(Cover(**cover) for cover in data.get("covers", ())),
        deprecates=tuple(data.get("deprecates", ())),
        replaces=tuple(data.get("replaces", ())),
        links=tuple(Link(**link) for link in data.get("links", ())),
        amended=tuple(
            Amendment(date=date.fromisoformat(item["date"]), note=item["note"])
            for item in data.get("amended", ())
        ),
        spec_from=data.get("spec_from", ""),
        spec_to=data.get("spec_to", ""),
        is_beside_contract="contract" in data,
        asks_audience=TO_WRITE in data.get("audience", ()),
        sections=sections,
        document=document,
    )


def _parse_day(text: str | None) -> date | None:
    return date.fromisoformat(text) if text is not None else None


def _check_name(document: Document, name: str) -> Iterator[Finding]:
    """The id is the file's stem, and begins with the day of publication."""
    stem = name.rsplit("/", 1)[-1].removesuffix(".md")
    data = document.data
    if data["id"] != stem:
        yield error_finding(
            "changelog-id",
            document.place(("id",)),
            f"`id` is {data['id']!r}, but the file is {stem + '.md'!r}",
            "make them the same; a published id never changes, so rename the file",
        )
    if not data["id"].startswith(data["date"]):
        yield error_finding(
            "changelog-id",
            document.place(("date",)),
            f"`date` is {data['date']!r}, but `id` begins with {data['id'][:10]!r}",
            "make them the same day",
        )


def _check_characters(document: Document) -> Iterator[Finding]:
    """Control characters that YAML lets through as escapes, and no feed can carry."""
    for pointer, text in _walk_texts((), document.data):
        if match := NOT_XML.search(text):
            yield error_finding(
                "changelog-front-matter",
                document.place(pointer),
                f"`{'.'.join(pointer)}` has the control character U+{ord(match.group()):04X}",
                "remove it: no feed can carry it",
            )


def _walk_texts(pointer: Pointer, node: object) -> Iterator[tuple[Pointer, str]]:
    match node:
        case str():
            yield pointer, node
        case dict():
            for key, value in node.items():
                yield from _walk_texts(child(pointer, key), value)
        case list():
            for position, value in enumerate(node):
                yield from _walk_texts(child(pointer, position), value)
        case _:
            return


def _no_front_matter(name: str, text: str) -> Finding:
    opened = bool(_FENCE.fullmatch(text.split("\n", 1)[0].rstrip("\r")))
    return error_finding(
        "changelog-front-matter",
        Place(file=name, line=1, column=1),
        "the front matter has no end" if opened else "this file has no front matter",
        "end it with a line `---`"
        if opened
        else "begin the file with a line `---`, the fields, and a line `---`",
    )


def _not_an_entry(file: str) -> Finding:
    message = f"{file.rsplit('/', 1)[-1]!r} is not an entry: only Markdown files in this folder are, no links"
    return error_finding(
        "changelog-file", Place(file=file), message, f"{_NAMING_ADVICE}, or move it out of the folder"
    )


def _unreadable(error: UnreadableInput, file: str) -> Finding:
    return error_finding("changelog-unreadable", error.place or Place(file=file), error.message, error.help)
