"""Events of a stream whose schema describes them as an array."""

from pathlib import Path

import pytest

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.run.valid_streams import is_valid_stream
from tests.conformance.running import subject_of

CLOCK = """\
openapi: 3.1.0
info: {title: Clock, version: '1'}
paths:
  /ticks:
    get:
      responses:
        '200':
          description: Ticks
          content:
            text/event-stream:
              schema:
                type: array
                items:
                  type: object
                  required: [data]
                  properties:
                    event: {const: tick}
                    id: {type: integer}
                    data: {type: object, required: [n], properties: {n: {type: integer}}}
  /texts:
    get:
      responses: {'200': {description: Texts, content: {text/event-stream: {schema: {type: object}}}}}
"""
TICK = 'event: tick\nid: 1\ndata: {"n": 1}\n\n'


@pytest.mark.parametrize(
    ("path", "body", "is_valid"),
    [
        ("/ticks", TICK * 2, True),
        ("/ticks", TICK.replace("\n", "\r\n"), True),
        ("/ticks", f'{TICK}event: tick\ndata: {{"n"', True),
        ("/ticks", f"{TICK}data: {{}}\n\n", False),
        ("/ticks", TICK.replace("tick", "tock"), False),
        ("/texts", TICK, False),
    ],
)
def test_each_event_is_an_item(path: str, body: str, *, is_valid: bool, tmp_path: Path) -> None:
    """One that has not ended is none; another schema is not that of all events."""
    file = tmp_path / "clock.yaml"
    file.write_text(CLOCK, encoding="utf-8")
    exchange = Exchange(
        operation=f"GET {path}",
        request=Request(method="GET", url=f"http://h{path}"),
        answer=HttpResponse(status=200, headers=(("Content-Type", "text/event-stream"),), body=body.encode()),
    )

    assert is_valid_stream(subject_of(file), exchange) is is_valid
