"""Values at JSON Pointers: reading one, and replacing one in a copy."""

from typing import Any

import pytest

from devportal.documents import value_at, with_value

DOCUMENT = {"a/b": {"m~n": [1, {"~1": 2}]}, "text": "x"}


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("", DOCUMENT),
        ("/a~1b/m~0n/0", 1),
        ("/a~1b/m~0n/1/~01", 2),
        ("/a~1b/m~0n/2", None),
        ("/a~1b/m~0n/-", None),
        ("/text/0", None),
        ("/none/of/it", None),
    ],
)
def test_a_pointer_leads_to_a_value_or_nowhere(pointer: str, value: Any) -> None:
    """Escapes and positions are those of RFC 6901 §4; a deployment may lack what settings name."""
    assert value_at(DOCUMENT, pointer) == value


@pytest.mark.parametrize("pointer", ["/filter/event~1types", "/new/event~1types"])
def test_a_changed_member_is_where_its_pointer_leads(pointer: str) -> None:
    """The rest of the document, and the document itself, stay as they were."""
    document = {"filter": {"event/types": [], "other": 1}}

    changed = with_value(document, pointer, ["x"])

    assert value_at(changed, pointer) == ["x"]
    assert value_at(changed, "/filter/other") == 1
    assert document == {"filter": {"event/types": [], "other": 1}}
