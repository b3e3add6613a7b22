"""Drawings of a project, put into its pages: there they have the colours of the page, in light and in dark."""

import re
from pathlib import Path
from xml.etree import ElementTree

from devportal.documents import read_text, real_path
from devportal.errors import UnreadableInput
from devportal.markup.page import InsertProblem

_SVG = "http://www.w3.org/2000/svg"
_SHAPES = frozenset(
    "svg g path rect circle ellipse line polyline polygon text tspan title desc".split()  # noqa: SIM905
)
"""The elements that a drawing may have: none that loads, links, moves or runs anything."""
_REFUSED = re.compile(r"id|style|on.*|.*href|\{.*", re.IGNORECASE)
"""The attributes that a drawing may not have: an `id` would not be the only one on its page, and a content
security policy forbids `style`."""
_MOST_BYTES = 20_000


def read_picture(docs: Path, uri: str, *, words: str) -> str | InsertProblem:
    """Return the drawing in a file below `docs` as HTML; `words` describe it to those who do not see it."""
    path = real_path(docs / uri)
    if path.suffix != ".svg" or not path.is_relative_to(real_path(docs)):
        return InsertProblem(
            message=f"{uri!r} is not an SVG file below the folder of the pages",
            help="write its path from that folder on, such as 'assets/pictures/parcel.svg'",
        )
    try:
        root = ElementTree.fromstring(read_text(path, name=uri, max_bytes=_MOST_BYTES))  # noqa: S314 - the project's own file, of limited size
    except UnreadableInput as error:
        return InsertProblem(message=str(error), help="add the file, or fix its path")
    except ElementTree.ParseError as error:
        return InsertProblem(message=f"{uri!r} is not XML: {error}", help="export the drawing again")
    problem = _first_problem(root)
    if problem:
        return InsertProblem(
            message=f"the drawing {uri!r} has {problem}",
            help=f"use only {', '.join(sorted(_SHAPES))}, with presentation attributes",
        )
    return _picture_html(root, words)


def _first_problem(root: ElementTree.Element) -> str:
    for element in root.iter():
        if element.tag.removeprefix(f"{{{_SVG}}}") not in _SHAPES:
            return f"an element {element.tag.rpartition('}')[2]!r}"
        for name, value in element.attrib.items():
            if _REFUSED.fullmatch(name) or "url(" in value:
                return f"an attribute {name.rpartition('}')[2]!r}"
    return ""


def _picture_html(root: ElementTree.Element, words: str) -> str:
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{_SVG}}}")
    root.set("class", f"dp-picture {root.get('class', '')}".strip())
    root.attrib |= {"role": "img", "aria-label": words} if words else {"aria-hidden": "true"}
    return re.sub(r">\s+<", "><", ElementTree.tostring(root, encoding="unicode").strip())
