"""Paths of operations in one form, however a framework writes formats, keys and custom methods."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from devportal.contract import Operation
from devportal.contract.path_templates import last_segment, parent_path

_SUFFIX = re.compile(r"\.(?:json|xml)$")
_FORMAT_SUFFIX = re.compile(r"(?<=\})\.(?:[a-z][a-z0-9]{1,4}|\{(?:format|ext|extension)\})$")
"""The name of a format behind an identifier: `/reports/{id}.pdf`."""
_ODATA_KEY = re.compile(r"(?<=[^/{}])\('?(?:\w+=)?'?\{([^{}]+)\}'?\)")
"""A key behind the name of its collection: `/Products({id})` (OData 4.01 URL Conventions §4.3.1)."""
_CUSTOM_METHOD = re.compile(r"\}:(?=[A-Za-z][\w-]*$)")


@lru_cache(maxsize=4096)
def plain_path(path: str) -> str:
    """Return a path without the name of a format at its end: `/calls/{id}.json` → `/calls/{id}`, and with a custom
    method or a key as a segment: `/calls/{id}:end` → `/calls/{id}/end`, `/Products({id})` → `/Products/{id}`.
    """
    bare = _FORMAT_SUFFIX.sub("", _SUFFIX.sub("", path))
    return _CUSTOM_METHOD.sub("}/", _ODATA_KEY.sub(r"/{\1}", bare))


def with_plain_paths(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Yield operations with plain paths; one keeps the name of its format if another has that path already."""
    own = {(operation.method, operation.path) for operation in operations}
    for operation in operations:
        plain = plain_path(operation.path)
        has_format = _FORMAT_SUFFIX.search(_SUFFIX.sub("", operation.path)) is not None
        yield operation if has_format and (operation.method, plain) in own else replace(operation, path=plain)


def bulk_method(path: str) -> tuple[str, str]:
    """Return the collection and the name of a method on it: `/things` and `batchDelete` for `/things:batchDelete`
    (AIP-136) and for `/things/batchDelete`.
    """
    segment = last_segment(path)
    if ":" in segment and "{" not in segment:
        return path.rstrip("/").rpartition(":")[0], segment.rpartition(":")[2]
    return parent_path(path), "" if "{" in segment else segment
