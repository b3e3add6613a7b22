"""Resources that a form of a description and files creates, as `@RequestPart` of Spring and upload APIs have them."""

import json

import pytest

from tests.contract.inline import api
from tests.mock.contracts import Client

TRACKS = """\
paths:
  /tracks:
    post:
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [details, audio]
              properties:
                details: {type: object, required: [title], properties: {title: {type: string, minLength: 1}}}
                audio: {type: string, format: binary}
                cover: {type: string, format: binary}
            encoding: {audio: {contentType: 'audio/mpeg, audio/ogg'}, cover: {contentType: 'image/*'}}
      responses:
        '201': {description: A track, content: {application/json: {schema: {$ref: '#/components/schemas/Track'}}}}
        '400': {description: Wrong}
        '415': {description: Wrong file}
  /tracks/{id}:
    parameters: &id [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      responses:
        '200': {description: A track, content: {application/json: {schema: {$ref: '#/components/schemas/Track'}}}}
        '404': {description: None}
    delete:
      responses:
        '200': {description: Deleted, content: {application/json: {schema: {type: object}}}}
        '404': {description: None}
  /tracks/{id}/audio:
    parameters: *id
    get: {responses: {'200': {description: Sound, content: {audio/mpeg: {}}}, '404': {description: None}}}
  /tracks/{id}/cover:
    parameters: *id
    get: {responses: {'200': {description: Picture, content: {image/png: {}}}, '404': {description: None}}}
components:
  schemas:
    Track: {type: object, required: [id, title], properties: {id: {type: string}, title: {type: string}}}
"""


def form(title: str, audio: str = "audio/mpeg") -> bytes:
    """Return a form with a description in JSON and two files."""
    parts = (
        ('name="details"', "application/json", json.dumps({"title": title})),
        ('name="audio"; filename="a.mp3"', audio, "ID3"),
        ('name="cover"; filename="c.png"', "image/png", "PNG"),
    )
    written = "".join(
        f"--b\r\nContent-Disposition: form-data; {name}\r\nContent-Type: {kind}\r\n\r\n{text}\r\n"
        for name, kind, text in parts
    )
    return f"{written}--b--\r\n".encode()


@pytest.fixture(name="tracks")
def _tracks() -> Client:
    return Client(api(TRACKS))


def create(tracks: Client, body: bytes) -> tuple[int, str]:
    """Return the status of a creation and the body of its response."""
    response = tracks.call("POST", "/tracks", raw=body, content_type="multipart/form-data; boundary=b")
    return response.status, response.body.decode()


def test_a_part_describes_the_resource_and_others_are_its_files(tracks: Client) -> None:
    """Each file is downloaded by the path with the name of its part."""
    status, shown = create(tracks, form("Blue"))
    path = f"/tracks/{json.loads(shown)['id']}"

    assert (status, json.loads(shown)["title"]) == (201, "Blue")
    assert [tracks.call("GET", f"{path}/{part}").body for part in ("audio", "cover")] == [b"ID3", b"PNG"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (form("Blue", "text/plain"), 415),
        (form("Blue", "application/octet-stream"), 201),
        (form("Blue", "Audio/Ogg"), 201),
        (form(""), 400),
    ],
    ids=["another kind", "kind unknown", "second kind", "wrong description"],
)
def test_the_parts_of_a_form_are_validated(tracks: Client, body: bytes, status: int) -> None:
    """By their schemas, and files by the media types that the contract names (OAS 3.0.3 §4.7.15.1)."""
    assert create(tracks, body)[0] == status


def test_a_part_of_any_bytes_takes_all_files() -> None:
    """`application/octet-stream` says nothing of what a file is."""
    tracks = Client(api(TRACKS.replace("'audio/mpeg, audio/ogg'", "application/octet-stream")))

    assert create(tracks, form("Blue", "text/plain"))[0] == 201


def test_an_object_without_members_shows_nothing_of_what_was_deleted(tracks: Client) -> None:
    """`{}` is what the contract describes."""
    path = f"/tracks/{json.loads(create(tracks, form('Blue'))[1])['id']}"

    assert tracks.json("DELETE", path) == {}
    assert tracks.call("GET", path).status == 404
