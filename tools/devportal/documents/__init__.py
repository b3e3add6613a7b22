"""YAML and JSON documents with the position of each node.

All hand-written files (contract, records, front matter) are read here, so that scalars, duplicate keys, size
limits and error positions mean the same everywhere.
"""

from devportal.documents.document import Document, NotUtf8, parse_document, read_document, read_text
from devportal.documents.pointer import (
    Pointer,
    child,
    format_pointer,
    member_at,
    parse_pointer,
    value_at,
    with_member_at,
    with_value,
)
from devportal.documents.regular_file import real_path, why_irregular
from devportal.documents.shape import Shape, ShapeProblem
from devportal.documents.writing import to_json, to_yaml
from devportal.documents.yaml_nodes import Scalars

__all__ = [
    "Document",
    "NotUtf8",
    "Pointer",
    "Scalars",
    "Shape",
    "ShapeProblem",
    "child",
    "format_pointer",
    "member_at",
    "parse_document",
    "parse_pointer",
    "read_document",
    "read_text",
    "real_path",
    "to_json",
    "to_yaml",
    "value_at",
    "why_irregular",
    "with_member_at",
    "with_value",
]
