"""Output is as shown, or it is not; `…` is the only thing that may differ."""

import pytest

from .shown import Form, find

ANSWER = (
    "HTTP/1.1 202 Accepted\n"
    "date: Sat, 21 Nov 2026 09:30:00 GMT\n"
    'ratelimit: "requests";r=5999;t=60\n'
    "\n"
    '{"id": "msg_01", "status": "queued"}\n'
)


@pytest.mark.parametrize(
    ("form", "shown", "printed"),
    [
        (Form.TEXT, "one\n", "one\n"),
        (Form.TEXT, "one\n", "zero\none\ntwo\n"),
        (Form.TEXT, "msg_… delivered\n", "msg_01 delivered"),
        (Form.TEXT, "first\n…\nlast\n", "first\nsecond\nthird\nlast\n"),
        (Form.TEXT, "a.b*\n", "a.b*\n"),
        (Form.LINES, "one\ntwo …\nthree\n", "zero\ntwo 2\nthree\none\n"),
        (Form.JSON, '{"id": "msg_…", "n": 1}', '{"n":1,"id":"msg_01"}'),
        (Form.JSON, '{"a": "…"}', '{"a": [1, 2]}'),
        (Form.JSON, '{"a": 1, "…": "…"}', '{"a": 1, "b": 2}'),
        (Form.JSON, '{"data": [{"n": 1}, "…"]}', '{"data": [{"n": 1}, {"n": 2}]}'),
        (Form.JSON, "[]", "a note\n[]\n"),
        (Form.JSON, '{"a": 1}', '{"b": 1}\n{"a": 1}\n'),
        (Form.HTTP, "HTTP/1.1 202 Accepted\n", ANSWER),
        (Form.HTTP, "HTTP/1.1 422 Unprocessable Entity\n", "HTTP/1.1 422 Unprocessable Content\n\n"),
        (Form.HTTP, 'HTTP/1.1 202 Accepted\nRateLimit: "requests";r=…;t=…\n', ANSWER),
        (Form.HTTP, 'HTTP/1.1 202 Accepted\n…\n\n{"id": "msg_…", "status": "queued"}\n', ANSWER),
    ],
)
def test_output_that_is_as_shown_is_found(form: Form, shown: str, printed: str) -> None:
    """It may stand anywhere in what was printed."""
    assert find(form, shown, printed) is not None


@pytest.mark.parametrize(
    ("form", "shown", "printed"),
    [
        (Form.TEXT, "one\n", ""),
        (Form.TEXT, "one\n", "one more\n"),
        (Form.TEXT, "one\ntwo\n", "one\nand\ntwo\n"),
        (Form.TEXT, "a.b\n", "acb\n"),
        (Form.LINES, "one\ntwo\n", "two\nand\none\n"),
        (Form.LINES, "one\none\n", "one\n"),
        (Form.JSON, '{"a": 1}', '{"a": 1, "b": 2}'),
        (Form.JSON, '{"a": 1, "b": 2}', '{"a": 1}'),
        (Form.JSON, '{"a": 1}', '{"a": "1"}'),
        (Form.JSON, '{"a": 1}', '{"a": true}'),
        (Form.JSON, '{"a": 1}', '{"b": {"a": 1}}'),
        (Form.JSON, "[1]", "[1, 2]"),
        (Form.JSON, '[1, 2, "…"]', "[1]"),
        (Form.JSON, '{"a": "msg_…"}', '{"a": "call_1"}'),
        (Form.JSON, '{"a": 1}', '{"a": 1'),
        (Form.HTTP, "HTTP/1.1 200 OK\n", ANSWER),
        (Form.HTTP, "HTTP/1.1 202 In other words\n", ANSWER),
        (Form.HTTP, "HTTP/1.1 422 Unprocessable Content\n", "HTTP/1.1 422 Unprocessable Entity\n\n"),
        (Form.HTTP, "HTTP/1.1 202 Accepted\nretry-after: …\n", ANSWER),
        (Form.HTTP, 'HTTP/1.1 202 Accepted\nratelimit: "other";…\n', ANSWER),
        (Form.HTTP, 'HTTP/1.1 202 Accepted\n\n{"id": "msg_…"}\n', ANSWER),
    ],
)
def test_output_that_differs_is_not_found(form: Form, shown: str, printed: str) -> None:
    """Another value, a missing member, one too many: all of it counts."""
    assert find(form, shown, printed) is None


def test_what_follows_is_looked_for_behind() -> None:
    """The offset divides two blocks of output of one command."""
    printed = '{"id": "msg_01"}msg_01 delivered\n'

    end = find(Form.JSON, '{"id": "…"}', printed)

    assert end is not None
    assert find(Form.TEXT, "msg_… delivered\n", printed[end:]) is not None
