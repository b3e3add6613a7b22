"""The files that requests to a mock upload: their content, and what representations say of it."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from devportal.contract import Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import is_json, is_xml, media_type_essence
from devportal.contract.wire_format.deserialisation import parse_multipart
from devportal.mock.http.representation import Representations
from devportal.mock.http.requests import MULTIPART
from devportal.mock.operations.call import Call
from devportal.mock.resources.store import CONTENT, content_of_part


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """A file of a request. `member` is where a record has its content; `name` is empty if the request has none."""

    member: str
    content: bytes
    name: str = ""
    media_type: str = ""


def uploaded_files(call: Call) -> tuple[UploadedFile, ...]:
    """Return the files of a form, or the body of a request that is the content of a resource instead of its
    description, such as a picture.
    """
    media_type, content = call.read.media_type, call.request.body
    if media_type is None or not content:
        return ()
    given = call.request.header("content-type") or ""
    if media_type_essence(media_type.name) == MULTIPART:
        return tuple(
            UploadedFile(
                member=content_of_part(part.name),
                content=part.file,
                name=part.file_name,
                media_type=media_type_essence(part.media_type),
            )
            for part in parse_multipart(given, content)
            if part.file is not None
        )
    if isinstance(call.read.body, dict | list) or is_json(media_type.name) or is_xml(media_type.name):
        return ()
    return (UploadedFile(member=CONTENT, content=content, media_type=media_type_essence(given)),)


def stored_files(files: Iterable[UploadedFile]) -> dict[str, str]:
    """Return the members of a record that hold files, in Base64."""
    return {file.member: base64.b64encode(file.content).decode("ascii") for file in files}


def file_members(
    files: Sequence[UploadedFile], shape: Mapping[str, Schema], representations: Representations
) -> dict[str, Any]:
    """Return what the members of a representation say of the only file of a request: its name, size, media type and
    digest. None of a request without a file, or with several.
    """
    return dict(_described_file(files[0], shape, representations)) if len(files) == 1 else {}


def _described_file(
    file: UploadedFile, shape: Mapping[str, Schema], representations: Representations
) -> Iterator[tuple[str, Any]]:
    for name, schema in shape.items():
        fact = _fact(file, name)
        if fact not in (None, "") and representations.is_valid(schema, fact):
            yield name, fact


def _fact(file: UploadedFile, name: str) -> Any:
    """Return what a member with this name says of a file, None if nothing. No digest is made that nobody shows."""
    if matches_any_name(name, ("file_name", "original_file_name", "original_name")):
        return file.name
    if matches_any_name(
        name, ("size", "size_bytes", "size_in_bytes", "file_size", "byte_size", "content_length")
    ):
        return len(file.content)
    if matches_any_name(name, ("content_type", "mime_type", "media_type")):
        return file.media_type
    if matches_any_name(name, ("sha256", "checksum_sha256")):
        return hashlib.sha256(file.content).hexdigest()
    if matches_any_name(name, ("md5", "checksum_md5")):
        return hashlib.md5(file.content, usedforsecurity=False).hexdigest()
    return None
