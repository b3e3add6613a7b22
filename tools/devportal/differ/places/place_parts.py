"""The place of a change in an operation or event, taken apart: for programs that do not parse our places."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

ITEM = "[]"
"""The step to the items of an array, whatever their position."""
ANY_NAME = "*"
"""The step to properties that the contract does not name."""


class MessageSide(StrEnum):
    """The part of an operation or event that a place lies in."""

    OPERATION = "operation"
    PARAMETER = "parameter"
    REQUEST = "request"
    RESPONSE = "response"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceParts:
    """A place such as `response.200(application/json).data[].id` in its parts.

    `path` has the names of properties, `ITEM` and `ANY_NAME`; it ends where a place goes on within a rarer
    keyword. `parameter` is what follows the location of a parameter; steps within its value follow its name.
    `header` is the name of a header of a response. Without a media type in the place, a property of the body
    may also be called `header`, so `path` has both names.
    """

    side: MessageSide
    status: str = ""
    media_type: str = ""
    location: str = ""
    parameter: str = ""
    header: str = ""
    path: tuple[str, ...] = ()


def parse_place(field: str) -> PlaceParts:
    """Return the parts of a place in an operation or event; what cannot be parsed is the whole operation."""
    message = _MESSAGE.match(field)
    if message is not None:
        rest = field[message.end() :]
        header = _HEADER.match(rest) if message["status"] and not message["media"] else None
        return PlaceParts(
            side=MessageSide.RESPONSE if message["status"] else MessageSide.REQUEST,
            status=message["status"] or "",
            media_type=message["media"] or "",
            header=header["name"] if header else "",
            path=parse_path(rest),
        )
    parameter = _PARAMETER.fullmatch(field)
    if parameter is not None:
        return PlaceParts(
            side=MessageSide.PARAMETER, location=parameter["location"], parameter=parameter["name"]
        )
    return PlaceParts(side=MessageSide.OPERATION)


def parse_path(steps: str, *, has_patterns: bool = True) -> tuple[str, ...]:
    """Return the steps of a path within a body or schema; the first name may lack its dot.

    With `has_patterns`, a name that looks like a pattern (`patternProperties`) stands for any name.
    """
    text = steps if not steps or steps[0] in _STARTS else f".{steps}"
    return tuple(
        ANY_NAME if has_patterns and step not in (ITEM, ANY_NAME) and _PATTERN.search(step) else step
        for step in _path_steps(text)
    )


def _path_steps(text: str) -> Iterator[str]:
    position = 0
    while (step := _STEP.match(text, position)) is not None:
        position = step.end()
        match step.lastgroup:
            case "quoted":
                yield str(json.loads(step["quoted"]))
            case "name":
                yield step["name"]
            case "item":
                yield ITEM
            case "any":
                yield ANY_NAME


_MESSAGE = re.compile(r"(?:request|response\.(?P<status>[^.(\[|:]+))(?:\((?P<media>[^)]*)\))?(?=[.\[|:]|$)")
_HEADER = re.compile(r"\.header\.(?P<name>.+)")
_PARAMETER = re.compile(r"(?P<location>path|query|header|cookie|querystring)\.(?P<name>.+)", re.DOTALL)
STEP_STARTS = (".", "[", "|", ":", "(")
"""The characters that a further step of a place begins with."""
_STARTS = (".", "[", "|", ":")
"""Those of a step within a body or schema."""
_STEP = re.compile(
    r'\.(?P<quoted>"(?:[^"\\]|\\.)*")|\.(?P<any>\*)|\.(?P<name>[^.\[\]|:*"]+)|(?P<item>\[\d*\])'
    r"|(?P<branch>\|[^.\[\]|:]*)",
    re.DOTALL,
)
_PATTERN = re.compile(r"^\^|\$$|[*+\\]")
"""What the name of a pattern has, and hardly any other name."""
