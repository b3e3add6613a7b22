"""The files that requests to a mock upload: their content, and what representations say of it."""

import base64
import hashlib
from collections.abc import Iterator, Mapping
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


def stored_files(call: Call) -> dict[str, str]:
    """Return the members of a record that hold the files of a request, in Base64."""
    return {file.member: base64.b64encode(file.content).decode("ascii") for file in uploaded_files(call)}


def file_members(call: Call, shape: Mapping[str, Schema], representations: Representations) -> dict[str, Any]:
    """Return what the members of a representation say of the only file of a request: its name, size, media type and
    digest. None of a request without a file, or with several.
    """
    files = uploaded_files(call)
    return dict(_described_file(files[0], shape, representations)) if len(files) == 1 else {}


def _described_file(
    file: UploadedFile, shape: Mapping[str, Schema], representations: Representations
) -> Iterator[tuple[str, Any]]:
    facts: tuple[tuple[tuple[str, ...], Any], ...] = (
        (("file_name", "original_file_name", "original_name"), file.name),
        (
            ("size", "size_bytes", "size_in_bytes", "file_size", "byte_size", "content_length"),
            len(file.content),
        ),
        (("content_type", "mime_type", "media_type"), file.media_type),
        (("sha256", "checksum_sha256"), hashlib.sha256(file.content).hexdigest()),
        (("md5", "checksum_md5"), hashlib.md5(file.content, usedforsecurity=False).hexdigest()),
    )
    for name, schema in shape.items():
        for names, fact in facts:
            if fact != "" and matches_any_name(name, names) and representations.is_valid(schema, fact):
                yield name, fact
