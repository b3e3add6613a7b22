"""Patches of JSON values, as their RFCs show them."""

from typing import Any

import pytest

from devportal.contract.wire_format.strict_json import read_json
from devportal.mock.json_values import UnusablePatch, json_patch, merge_patch, write_json


@pytest.mark.parametrize(
    ("value", "patch", "result"),
    [
        ({"a": "b"}, {"a": "c"}, {"a": "c"}),
        ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
        ({"a": "b"}, {"a": None}, {}),
        ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
        ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
        ({"a": "foo"}, "bar", "bar"),
        ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
        ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
        ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
    ],
)
def test_a_merge_patch(value: Any, patch: Any, result: Any) -> None:
    """The cases of RFC 7396, Appendix A."""
    assert merge_patch(value, patch) == result


@pytest.mark.parametrize(
    ("value", "operations", "result"),
    [
        ({"foo": "bar"}, [{"op": "add", "path": "/baz", "value": "qux"}], {"foo": "bar", "baz": "qux"}),
        ({"foo": ["bar", "baz"]}, [{"op": "add", "path": "/foo/1", "value": "qux"}], {"foo": ["bar", "qux", "baz"]}),
        ({"foo": ["bar"]}, [{"op": "add", "path": "/foo/-", "value": ["abc"]}], {"foo": ["bar", ["abc"]]}),
        ({"baz": "qux", "foo": 1}, [{"op": "remove", "path": "/baz"}], {"foo": 1}),
        ({"foo": ["a", "b", "c"]}, [{"op": "remove", "path": "/foo/1"}], {"foo": ["a", "c"]}),
        ({"baz": "qux"}, [{"op": "replace", "path": "/baz", "value": "boo"}], {"baz": "boo"}),
        ({"foo": ["a", "b"]}, [{"op": "replace", "path": "/foo/0", "value": 1}], {"foo": [1, "b"]}),
        ({"a": {"b": 1}, "c": {}}, [{"op": "move", "from": "/a/b", "path": "/c/d"}], {"a": {}, "c": {"d": 1}}),
        ({"a": [1]}, [{"op": "copy", "from": "/a", "path": "/b"}], {"a": [1], "b": [1]}),
        ({"/": 9, "~1": 10}, [{"op": "test", "path": "/~01", "value": 10}], {"/": 9, "~1": 10}),
    ],
)  # fmt: skip
def test_a_json_patch(value: Any, operations: Any, result: Any) -> None:
    """The cases of RFC 6902, Appendix A."""
    assert json_patch(value, operations) == result


@pytest.mark.parametrize(
    "operations",
    [
        {}, [7], [{"op": "add", "path": "baz", "value": 1}], [{"op": "add", "path": "/baz/bat", "value": 1}],
        [{"op": "remove", "path": "/none"}], [{"op": "remove", "path": ""}],
        [{"op": "replace", "path": "/none", "value": 1}], [{"op": "test", "path": "/foo", "value": "1"}],
        [{"op": "spam", "path": "/foo"}], [{"op": "add", "path": "/foo"}],
        [{"op": "add", "path": "/foo/7", "value": 1}], [{"op": "move", "path": "/x", "from": "/none"}],
    ],
)  # fmt: skip
def test_a_json_patch_that_cannot_be_applied_changes_nothing(operations: Any) -> None:
    """It says why."""
    value = {"foo": 1}

    with pytest.raises(UnusablePatch, match=r"\w"):
        json_patch(value, operations)
    assert value == {"foo": 1}


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"\xff",
        b"\xef\xbb\xbf1",
        b"NaN",
        b"-Infinity",
        b"1e999",
        b"[" * 101 + b"]" * 101,
        b"1" * 401,
    ],
)
def test_what_is_no_json_is_refused(text: bytes) -> None:
    """With a reason."""
    with pytest.raises(ValueError, match=r"\w"):
        read_json(text)


def test_json_is_read_and_written() -> None:
    """Brackets in texts are no nesting, and half of a surrogate pair survives."""
    text = b'{"a":"' + b"[" * 500 + b'","b":"\\ud800","c":1.5}'

    assert write_json(read_json(text)) == text
