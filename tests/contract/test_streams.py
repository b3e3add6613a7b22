"""Bodies that are a sequence of items."""

from typing import Any

import pytest

from devportal.contract import check_contract
from devportal.contract.streams import UnreadableItem, stream_items, stream_text
from tests.contract.inline import contract

SSE, LINES, SEQUENCE = "text/event-stream", "application/jsonl", "application/json-seq"
CONTRACT = """\
paths:
  /logs:
    get:
      responses:
        '200':
          description: OK
          content:
            {media_type}:
              itemSchema:
                type: object
                required: [data]
                properties: {{data: {{type: string}}, retry: {{type: integer}}}}
              example: {example}
"""


@pytest.mark.parametrize(
    ("media_type", "text", "items"),
    [
        (LINES, '{"a": 1}\n\n[2]\r\n', [{"a": 1}, [2]]),
        (SEQUENCE, '\x1e{"a": 1}\n\x1e2\n', [{"a": 1}, 2]),
        (SSE, ": hello\nevent: add\ndata: one\ndata:two\n\nid: 7\nretry: 5\nother: x\r\n\r\n\n",
         [{"event": "add", "data": "one\ntwo"}, {"id": "7", "retry": 5}]),
        (SSE, [{"data": "x"}], [{"data": "x"}]),
        (LINES, {"a": 1}, [{"a": 1}]),
    ],
)  # fmt: skip
def test_items_of_a_stream_are_read(media_type: str, text: Any, items: list[Any]) -> None:
    """From the text that is sent, from a list, and from one item alone."""
    assert stream_items(media_type, text) == items


def test_a_line_that_is_no_json_is_named() -> None:
    """The author of a long example learns which line is wrong."""
    with pytest.raises(UnreadableItem, match="line 2 is not JSON"):
        stream_items(LINES, "{}\n{a}\n")


@pytest.mark.parametrize(
    ("media_type", "value", "text"),
    [
        (LINES, [{"a": "é"}, 2], '{"a": "é"}\n2\n'),
        (SEQUENCE, 1, "\x1e1\n"),
        (SSE, [{"event": "a", "data": "x\ny"}, {"data": {"n": 1}}], 'event: a\ndata: x\ndata: y\n\ndata: {"n": 1}\n'),
        (SSE, {"delta": "x"}, None),
        ("application/json", [1], None),
    ],
)  # fmt: skip
def test_items_are_written_as_they_are_sent(media_type: str, value: Any, text: str | None) -> None:
    """What is no event of a stream stays a value."""
    assert stream_text(media_type, value, has_separators=True) == text


@pytest.mark.parametrize(
    ("media_type", "example", "message"),
    [
        (SSE, '"data: x\\n\\nid: 7\\n"', 'this example breaks its schema: "data" is missing'),
        (SSE, "[{data: x}, {data: 5}]", "this example breaks its schema: 5 must be a string"),
        (LINES, '"{\\"data\\": \\"x\\", \\"retry\\": []}"', "this example breaks its schema: [] must be an integer"),
        (LINES, "{data: 5}", "this example breaks its schema: 5 must be a string"),
        (LINES, '"{}{}"', "this example is not application/jsonl: line 1 is not JSON"),
        (SSE, '"data: x\\nretry: 5\\n"', ""),
        (LINES, "[{data: x}, {data: y, retry: 1}]", ""),
    ],
)  # fmt: skip
def test_each_item_of_an_example_is_validated(media_type: str, example: str, message: str) -> None:
    """Against `itemSchema`, however the example is written."""
    checked = contract(CONTRACT.format(media_type=media_type, example=example), version="3.2.0")

    assert [finding.message for finding in check_contract(checked)] == ([message] if message else [])
