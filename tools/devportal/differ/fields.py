"""How a place within a contract is written: `request.to`, `response.202.items[].status`, `query.limit`.

Steps are texts that are put together: a property is `.name`, an item `[]`, an item by position `[0]`, any
further property `.*`, a branch of a union `|name`, and what stands under a rarer keyword `:keyword`.
"""

import json
import re
from collections.abc import Callable

from devportal.contract import Location

ITEMS = "[]"
FURTHER = ".*"


def member(name: str) -> str:
    """Return the step to a property; a name that looks like steps is quoted: `."a.b"`."""
    return f".{name}" if _PLAIN_NAME.fullmatch(name) else f".{json.dumps(name, ensure_ascii=False)}"


_PLAIN_NAME = re.compile(r'[^.\[\]|:*"]+')


def position(number: int) -> str:
    """Return the step to an item by its position, from 0."""
    return f"[{number}]"


def branch(name: str) -> str:
    """Return the step to a branch of a union."""
    return f"|{name}"


def under(keyword: str) -> str:
    """Return the step to the schema under a rarer keyword."""
    return f":{keyword}"


def component_of(location: Location) -> tuple[str, str, tuple[str, ...]] | None:
    """Return section and name of the component that a place is in, and the way on from there."""
    pointer = location.pointer
    if len(pointer) > 2 and pointer[0] == "components":
        return pointer[1], pointer[2], tuple(pointer[3:])
    return None


def way_within(section: str, pointer: tuple[str, ...]) -> str:
    """Return the way through a component of a section; requests of a path item or callback go by method."""
    requests = pointer[1:] if section == "callbacks" else pointer
    if section in _OF_REQUESTS and requests:
        return member(requests[0]) + steps(requests[1:])
    return steps(pointer)


_OF_REQUESTS = frozenset({"callbacks", "pathItems"})


def steps(pointer: tuple[str, ...]) -> str:
    """Return the way through a component that a JSON pointer describes, as steps."""
    found: list[str] = []
    tokens = list(pointer)
    while tokens:
        keyword = tokens.pop(0)
        step = _NAMED.get(keyword)
        if step is not None and tokens:
            found.append(step(tokens.pop(0)))
        elif keyword not in _PLAIN:
            found.append(under(keyword))
        else:
            found.append(_PLAIN[keyword])
    return "".join(found)


_NAMED: dict[str, Callable[[str], str]] = {
    "properties": member,
    "patternProperties": member,
    "prefixItems": "[{}]".format,
    "oneOf": branch,
    "anyOf": branch,
    "allOf": lambda _: "",
    "content": lambda _: "",
    "headers": ".header.{}".format,
    "links": ".link.{}".format,
    "responses": ".response.{}".format,
    "parameters": ".parameter[{}]".format,
}
_PLAIN = {"items": ITEMS, "additionalProperties": FURTHER, "schema": "", "requestBody": ".request"}
