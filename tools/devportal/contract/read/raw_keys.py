r"""Searches in the text of documents, before anything of them is read.

Marks, names and references to other files are rare, and searching the text is cheap. A key may be written
with escapes, such as `"x\u002dinternal"`: if the text has such escapes, the keys are checked one by one.
"""

import re
from collections.abc import Iterator
from typing import Any

from devportal.contract.validate.oas_objects import discriminator_reference
from devportal.documents import Document

_EXTERNAL_REF = re.compile(r"""\$ref(?!["']?\s*:\s*["']?#)""")
_DISCRIMINATOR_MAPPING = re.compile(
    r"""apping(?<=[mM]apping)["']?\s*:(?!\s*(?:"#|\{(?>(?:\s*"[^"\\]*+"\s*:\s*"#[^"\\]*+"\s*,?)*)\s*\}))"""
)
"""A mapping, but for those that are written as JSON and lead to the file itself alone. A pattern that begins with the
same letters in all texts is found ten times as fast."""
_OPERATION_REF = "operationRef"


def may_have_key(document: Document, *keys: str) -> bool:
    """Say whether any object of a document may have one of these keys."""
    if any(key in document.text for key in keys):
        return True
    return document.has_escaped_letters and any(
        not item.keys().isdisjoint(keys) for item in _every_mapping(document.data)
    )


def possible_keys(document: Document, *keys: str) -> frozenset[str]:
    """Return those of the keys that some object of a document may have: its objects are looked at once for all."""
    found = frozenset(key for key in keys if key in document.text)
    if len(found) == len(keys) or not document.has_escaped_letters:
        return found
    return found.union(*(item.keys() & keys for item in _every_mapping(document.data)))


def external_references(document: Document) -> Iterator[str]:
    """Yield possible references to other files in the order of the document, each once. Examples may contain
    false ones.
    """
    text = document.text
    if not (
        _EXTERNAL_REF.search(text)
        or _OPERATION_REF in text
        or _DISCRIMINATOR_MAPPING.search(text)
        or document.has_escaped_letters
    ):
        return
    seen = set()
    for item in _every_mapping(document.data):
        for reference in _references_in(item):
            if isinstance(reference, str) and reference[:1] != "#" and reference not in seen:
                seen.add(reference)
                yield reference


def _references_in(item: dict[str, Any]) -> Iterator[Any]:
    yield item.get("$ref")
    yield item.get(_OPERATION_REF)
    discriminator = item.get("discriminator")
    if isinstance(discriminator, dict):
        targets = discriminator.get("mapping")
        mapping_targets = [*targets.values()] if isinstance(targets, dict) else []
        yield from (
            discriminator_reference(mapping_target)
            for mapping_target in (*mapping_targets, discriminator.get("defaultMapping"))
            if isinstance(mapping_target, str)
        )


def _every_mapping(value: Any) -> Iterator[dict[str, Any]]:
    """Yield each mapping in a value once, those that aliases of YAML share too."""
    pending, seen = [value], {id(value)}
    while pending:
        node = pending.pop()
        if isinstance(node, dict):
            yield node
        members = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        for member in members:
            if isinstance(member, (dict, list)) and id(member) not in seen:
                seen.add(id(member))
                pending.append(member)
