"""Rules of security: which credentials callers of an operation show."""

from typing import Any

import pytest

from devportal.contract import Api
from devportal.differ import Change, Verdict, compare
from tests.differ.building import api_with


def changes(old: Any, new: Any) -> tuple[Change, ...]:
    """Return the changes between two `security` of an operation."""
    return compare(api_of(old), api_of(new)).changes


def api_of(security: Any) -> Api:
    """Return a contract with one operation."""
    operation = {"operationId": "a", "security": security, "responses": {"200": {"description": "d"}}}
    return api_with({}, paths={"/a": {"get": operation}})


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ([{}, {"key": []}], [{"key": []}], "key"),
        ([{}, {"login": ["admin"]}], [{"login": ["admin"]}], "login (scope admin)"),
        ([], [{"key": [], "login": ["read", "admin"]}], "key and login (scopes admin and read)"),
        ([], [{"key": []}, {"login": []}], "key or login"),
    ],
)
def test_credentials_that_are_now_required_are_named(before: Any, after: Any, words: str) -> None:
    """Also those that were optional before."""
    required = changes(before, after)
    dropped = changes(after, before)

    assert [change.message for change in required] == [f"authentication is now required: {words}"]
    assert [change.message.partition(":")[0] for change in dropped] == [
        f"authentication by {words} is no longer required"
    ]


def test_another_credential_is_another_change() -> None:
    """An acknowledgement of one that was optional accepts no other one."""
    (key,) = changes([{}, {"key": []}], [{"key": []}])
    (login,) = changes([{}, {"login": ["admin"]}], [{"login": ["admin"]}])
    (stronger,) = changes([{}, {"login": ["read", "admin"]}], [{"login": ["read", "admin"]}])

    assert len({key.fingerprint, login.fingerprint, stronger.fingerprint}) == 3


@pytest.mark.parametrize(
    ("apart", "together", "parts", "whole"),
    [
        ([{"key": []}, {"code": []}], [{"code": [], "key": []}], "code or key", "code and key"),
        ([{"a": []}, {"b": []}, {"c": []}], [{"a": [], "b": [], "c": []}], "a, b or c", "a, b and c"),
        (
            [{"login": ["read"]}, {"login": ["admin"]}],
            [{"login": ["read", "admin"]}],
            "login (scope admin) or login (scope read)",
            "login (scopes admin and read)",
        ),
    ],
)
def test_either_of_several_credentials_becomes_all_of_them(
    apart: Any, together: Any, parts: str, whole: str
) -> None:
    """One change with both sides of it, which breaks callers with one of them; the reverse breaks nobody."""
    (joined,) = changes(apart, together)
    (split,) = changes(together, apart)

    assert (joined.verdict, joined.message) == (
        Verdict.BREAKING,
        f"authentication now needs {whole} together; {parts} was enough before",
    )
    assert (split.verdict, split.message) == (
        Verdict.COMPATIBLE,
        f"authentication by {parts} is now enough; it needed {whole} together before",
    )
    assert (joined.old, joined.new) == (split.new, split.old)
