"""Uploaded files: what a mock says of them, and the parts of them that clients ask for."""

import hashlib
from typing import Any

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

FILES = """
paths:
  /files:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [file]
              properties: {file: {type: string, format: binary}, media_type: {type: string}}
      responses:
        '201':
          description: Created
          content: {application/json: {schema: &file {
            type: object, required: [id],
            properties: {id: {type: string}, filename: {type: string}, size: {type: integer},
              contentType: {type: string}, media_type: {type: string},
              sha256: {type: string, pattern: '^[0-9a-f]{64}$'}}}}}
  /files/{id}:
    get:
      parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A file, content: {application/json: {schema: *file}}}}
  /files/{id}/content:
    get:
      parameters: *id
      responses:
        '200': {description: All, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
        '206': {description: A part, content: {application/octet-stream: {schema: {type: string, format: binary}}}}
        '416': {description: No such part}
    put:
      parameters: *id
      requestBody: {content: {application/octet-stream: {schema: {type: string, format: binary}}}}
      responses: {'204': {description: Replaced}}
""".lstrip()
FORM = (
    b'--b\r\nContent-Disposition: form-data; name="media_type"\r\n\r\nletter\r\n'
    b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nhello world\r\n--b--\r\n"
)


@pytest.fixture(name="files")
def _files() -> Client:
    return Client(api(FILES))


def _upload(files: Client) -> Any:
    return files.json("POST", "/files", raw=FORM, content_type="multipart/form-data; boundary=b")


def test_a_resource_says_what_its_file_is(files: Client) -> None:
    """Its name, size, media type and digest, but for what the client says itself."""
    shown = _upload(files)

    assert {name: value for name, value in shown.items() if name != "id"} == {
        "filename": "a.txt",
        "size": 11,
        "contentType": "text/plain",
        "media_type": "letter",
        "sha256": hashlib.sha256(b"hello world").hexdigest(),
    }


def test_content_that_can_be_replaced_is_what_was_uploaded_before(files: Client) -> None:
    """`PUT` of the content replaces the file of the form."""
    path = f"/files/{_upload(files)['id']}/content"

    uploaded = files.call("GET", path).body
    files.call("PUT", path, raw=b"new", content_type="application/octet-stream")

    assert (uploaded, files.call("GET", path).body) == (b"hello world", b"new")


@pytest.mark.parametrize(
    ("asked", "status", "body", "content_range"),
    [
        ("bytes=0-4", 206, b"hello", "bytes 0-4/11"),
        ("bytes=6-", 206, b"world", "bytes 6-10/11"),
        ("bytes=6-99", 206, b"world", "bytes 6-10/11"),
        ("bytes=-5", 206, b"world", "bytes 6-10/11"),
        ("bytes=4-2", 200, b"hello world", None),
        ("bytes=0-1,3-4", 200, b"hello world", None),
        ("items=0-1", 200, b"hello world", None),
    ],
)
def test_a_range_is_a_part_of_the_file(
    files: Client, asked: str, status: int, body: bytes, content_range: str | None
) -> None:
    """One that cannot be read, and several, are ignored (RFC 9110 §14.2)."""
    path = f"/files/{_upload(files)['id']}/content"

    part = files.call("GET", path, Range=asked)

    assert (part.status, part.body, part.header("content-range")) == (status, body, content_range)


def test_a_range_after_the_end_is_refused(files: Client) -> None:
    """With the size of the file (RFC 9110 §15.5.17)."""
    path = f"/files/{_upload(files)['id']}/content"

    refused = files.call("GET", path, Range="bytes=11-")

    assert (refused.status, refused.header("content-range")) == (416, "bytes */11")
