"""The check of segments on a contract of another shape: the settings say where text and number are."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.settings import parse_settings
from devportal.documents import parse_document
from telecom.conformance.segments import FAMILY
from telecom.segments import Segmentation, split_into_segments

CONTRACT = """\
openapi: 3.0.3
info: {title: Texts, version: 1.0.0, license: {name: MIT}}
servers: [{url: https://texts.example.com}]
paths:
  /texts:
    post:
      operationId: sendText
      summary: Send a text
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [recipient, message]
              properties: {recipient: {type: string}, message: {type: object, properties: {content: {type: string}}}}
            example: {recipient: '+12025550123', message: {content: Hello}}
      responses:
        '200':
          description: Sent.
          content:
            application/json:
              schema: {type: object, properties: {parts: {type: integer}, coding: {type: string}}}
"""
SETTINGS = """\
plugins:
  devportal-telecom:
    segments:
      operation: sendText
      text: /message/content
      count: /parts
      encoding: /coding
      encodings: {GSM-7: gsm, UCS-2: unicode}
"""


def texts(count: Callable[[Segmentation, str], int], unicode_word: str = "unicode") -> Starlette:
    """Return a server that counts in a way of its own."""

    async def send(request: Request) -> JSONResponse:
        body: Any = await request.json()
        text = body["message"]["content"]
        split = split_into_segments(text)
        word = "gsm" if split.encoding == "GSM-7" else unicode_word
        return JSONResponse({"parts": count(split, text), "coding": word})

    return Starlette(routes=[Route("/texts", send, methods=["POST"])])


@pytest.fixture
def mapped_subject(tmp_path: Path) -> Subject:
    """Return what is tested, with the settings above."""
    (tmp_path / "texts.yaml").write_text(CONTRACT)
    settings = parse_settings(parse_document(SETTINGS, name="conformance.yaml"), folder=tmp_path)
    return replace(subject_of(tmp_path / "texts.yaml"), plugins=settings.plugins)


def titles(app: Starlette, subject: Subject) -> list[str]:
    """Return the titles of what is found."""
    log = run_family(FAMILY, app, subject)
    assert log.tallies
    return [failure.title for failure in log.failures if failure.fails]


def test_a_server_that_counts_by_the_standard_is_clean(mapped_subject: Subject) -> None:
    """Its words for encodings are its own."""
    assert titles(texts(lambda split, _: len(split.segments)), mapped_subject) == []


def test_wrong_counts_and_encodings_are_found(mapped_subject: Subject) -> None:
    """One counts characters, one calls an encoding by a word that nobody declared."""
    by_characters = texts(lambda _, text: -(-len(text) // 160))
    another_word = texts(lambda split, _: len(split.segments), unicode_word="utf-16")

    assert titles(by_characters, mapped_subject) == ["a message has another number of segments"]
    assert titles(another_word, mapped_subject) == ["a message has another encoding"]
