"""Whether an SVG image is only a drawing, also if somebody opens its file on its own.

A browser runs a file with the rights of the site that it comes from, so the image is parsed as a browser parses
it: names have namespaces, values have their entities replaced, and defaults of a DTD are attributes.
"""

import re
from xml.parsers import expat

_SVG = "http://www.w3.org/2000/svg"
_ACTIVE_NAMESPACES = frozenset({"http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML"})
_ACTIVE_ELEMENTS = frozenset({"script", "foreignObject", "handler", "listener"})
"""Elements of SVG 1.1, SVG 2 and SVG Tiny 1.2 that run scripts, or hold something other than SVG."""
_ADDRESSES = frozenset({"href", "src", "base"})
_OWN_ADDRESS = re.compile(r"\s*(?:#|data:image/)", re.IGNORECASE)
_FOREIGN_STYLE = re.compile(
    r"""@import|\\|url\(\s*(?!["']?\s*(?:#|data:image/))|image(?:-set)?\(|src\(""", re.IGNORECASE
)
"""What loads a file in CSS, and what escapes the letters of it (CSS Syntax 3 §4.3.7)."""


def is_plain_svg(content: bytes) -> bool:
    """Say whether an image is well-formed SVG that runs nothing and loads nothing from elsewhere."""
    reader = _Reader()
    try:
        reader.parser.Parse(content, True)  # noqa: FBT003 - it has no name
    except (expat.ExpatError, LookupError, ValueError):
        return False
    return reader.is_plain and not _FOREIGN_STYLE.search("".join(reader.style))


class _Reader:
    """What a parser met. `is_plain` is False as soon as there is something active."""

    def __init__(self) -> None:
        self.is_plain = True
        self.style = list[str]()
        self._elements = list[str]()
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._read_text
        self.parser.ProcessingInstructionHandler = self._read_instruction
        self.parser.EntityDeclHandler = self._refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local_name = name.rpartition(" ")
        is_known = bool(self._elements) or (namespace, local_name) == (_SVG, "svg")
        self._elements.append(local_name)
        is_active = namespace in _ACTIVE_NAMESPACES or local_name in _ACTIVE_ELEMENTS
        if is_active or not is_known or not all(map(_is_plain_attribute, attributes, attributes.values())):
            self.is_plain = False

    def _end(self, _: str) -> None:
        self._elements.pop()

    def _read_text(self, text: str) -> None:
        if self._elements[-1] == "style":
            self.style.append(text)

    def _read_instruction(self, target: str, _: str) -> None:
        """Refuse style sheets: XSLT can make any element."""
        if target == "xml-stylesheet":
            self.is_plain = False

    def _refuse(self, *_: object) -> None:
        self.is_plain = False


def _is_plain_attribute(name: str, value: str) -> bool:
    local_name = name.rpartition(" ")[2]
    if local_name in _ADDRESSES:
        return bool(_OWN_ADDRESS.match(value))
    if local_name == "attributeName":  # of an animation, which sets it
        return value.rpartition(":")[2].strip() not in _ADDRESSES and not _is_event(value.strip())
    return not _is_event(local_name) and not _FOREIGN_STYLE.search(value)


def _is_event(attribute: str) -> bool:
    return attribute.lower().startswith("on")
