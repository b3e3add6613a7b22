"""Contracts broken at random, in the ways that people, generators and foes break them."""

import copy
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) <b style='x'>"
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, 1e308, float("inf"), float("-inf"), float("nan")),
    *(
        "",
        " ",
        "x",
        "#/nowhere",
        EVIL,
        "\u202e",
        "\U0001f980",
        "日本",
        "\ud800",
        "\0",
        "a" * 10_000,
        "/",
        "__proto__",
    ),
    *("string", "object", "array", "null", "query", "path", "header", "default", "2XX", "deepObject"),
    *([], [None], [{}], [[]], {}, {"": {}}, {"x": 1}, {"type": "object"}, {"type": ["null"]}),
    *({"not": {}}, {"allOf": []}, {"oneOf": [False]}, {"items": True}, {"enum": []}, {"x-internal": True}),
)
"""What stands where something else should."""
NAMES = (
    *("", " ", "/", "//", ".", "..", "#", "?", "%", "%2F", "~", "~1", "__proto__", "constructor", "$ref"),
    *(
        "schemas",
        "errors",
        "events",
        "authentication",
        "index",
        "CON",
        "a\nb",
        "\t",
        "\u202e",
        "\U0001f980",
        "ﬁ",
    ),
    *("x-", "{", "{}", "{a}{a}", "a" * 10_000, EVIL, '"', "'", "`", "]", "<!--", "-->", "]]>"),
)
"""What keys are called."""
REFERENCES = (
    *(
        "#",
        "#/",
        "",
        "#/components",
        "#/components/schemas",
        "#/paths",
        "other.yaml",
        "../up.yaml",
        "//host/a",
    ),
    *(
        "https://example.com/a",
        "#/components/schemas/~2",
        "#/components/schemas/%",
        "#/info/title",
        "file:///a",
    ),
)
VERSIONS = (*("3.0.0", "3.0.99", "3.1.0", "3.1.7", "3.2.0") * 3, "3.9.0", "2.0", "3", "")
_MOST_STEPS = 4


def places(node: Any, pointer: tuple[Any, ...] = ()) -> list[tuple[Any, Any, tuple[Any, ...]]]:
    """Return every container of a document with each of its keys, and the pointer of what is there."""
    found = []
    keys = [*node] if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for key in keys:
        found.append((node, key, (*pointer, key)))
        found += places(node[key], (*pointer, key))
    return found


def _replace(draw: st.DrawFn, document: Any) -> None:
    container, key, _ = _place(draw, document)
    container[key] = copy.deepcopy(draw(st.sampled_from(VALUES)))


def _remove(draw: st.DrawFn, document: Any) -> None:
    container, key, _ = _place(draw, document)
    del container[key]


def _copy(draw: st.DrawFn, document: Any) -> None:
    """Put one part where another stands: a parameter for a schema, a path item into itself."""
    container, key, _ = _place(draw, document)
    other, its, _ = _place(draw, document)
    container[key] = copy.deepcopy(other[its])


def _rename(draw: st.DrawFn, document: Any) -> None:
    container, key, _ = _place(draw, document)
    name = draw(st.sampled_from(NAMES))
    if isinstance(container, dict):
        members = [
            (name if other_value == key else other_value, value) for other_value, value in container.items()
        ]
        container.clear()
        container.update(members)
    else:
        container[key] = {name: container[key]}


def _repeat(draw: st.DrawFn, document: Any) -> None:
    container, key, _ = _place(draw, document)
    if isinstance(container, list):
        container.insert(key, copy.deepcopy(container[key]))
    else:
        container[f"{key}".upper()] = copy.deepcopy(container[key])
        container[f"{key}/"] = copy.deepcopy(container[key])


def _point(draw: st.DrawFn, document: Any) -> None:
    """Put a reference to any part, above, below, beside or nowhere."""
    container, key, _ = _place(draw, document)
    _, _, target = _place(draw, document)
    escaped = [str(step).replace("~", "~0").replace("/", "~1") for step in target]
    reference = draw(st.sampled_from(["#/" + "/".join(escaped), *REFERENCES]))
    if draw(st.booleans()) and isinstance(container[key], dict):
        container[key]["$ref"] = reference
    else:
        container[key] = {"$ref": reference}


def _nest(draw: st.DrawFn, document: Any) -> None:
    """Wrap a part many times into what may hold one of its kind."""
    container, key, _ = _place(draw, document)
    depth = draw(st.sampled_from([2, 30, 150]))
    wrap = draw(st.sampled_from(["items", "not", "allOf", "oneOf", "properties", "additionalProperties"]))
    for _ in range(depth):
        inner = container[key]
        container[key] = {
            wrap: [inner] if wrap.endswith("Of") else {"a": inner} if wrap == "properties" else inner
        }


def _age(draw: st.DrawFn, document: Any) -> None:
    document["openapi"] = draw(st.sampled_from(VERSIONS))


_STEPS: tuple[Callable[[st.DrawFn, Any], None], ...] = (
    _replace, _replace, _remove, _copy, _rename, _rename, _repeat, _point, _point, _nest, _age,
)  # fmt: skip


def _place(draw: st.DrawFn, document: Any) -> tuple[Any, Any, tuple[Any, ...]]:
    found = places(document)
    if not found:
        document["x"] = {}
        found = places(document)
    return found[draw(st.integers(0, len(found) - 1))]


@st.composite
def mutants(draw: st.DrawFn, document: Any) -> Any:
    """Draw a document with one to four things wrong in it."""
    made = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, _MOST_STEPS))):
        draw(st.sampled_from(_STEPS))(draw, made)
    return made
