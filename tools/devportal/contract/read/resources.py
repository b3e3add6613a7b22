"""What a document names beside JSON pointers: resources by `$id`, schemas by `$anchor`, itself by `$self`.

JSON Schema 2020-12 §8.2: an `$id` is the base of every reference below it, and a fragment is looked up from
there. Few contracts use any of it, so nothing is looked for in a text that does not have the words.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urldefrag, urljoin

from devportal.contract.read.raw_keys import may_have_key
from devportal.documents import Document, Pointer

_ANCHORS = ("$anchor", "$dynamicAnchor")
_IDENTIFIER_KEYWORDS = ("$id", "$self", *_ANCHORS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """The named places of one document."""

    base: str
    """The URI of the document: its `$self` (OAS 3.2.0 §4.1.2), or one made from its file name."""
    ids: Mapping[Pointer, str] = field(default_factory=dict)
    """The absolute URI of each schema with an `$id`."""
    anchors: Mapping[tuple[Pointer, str], Pointer] = field(default_factory=dict)
    """Schemas with an anchor, by the resource that they are in and the name."""

    @classmethod
    def of(cls, document: Document, uri: str) -> "Resources":
        """Return what a document names; `uri` is what it is called where it does not say so itself."""
        if not may_have_key(document, *_IDENTIFIER_KEYWORDS):
            return cls(base=uri)
        written = document.data.get("$self") if isinstance(document.data, dict) else None
        base = _base_uri(uri, written) if isinstance(written, str) else uri
        ids: dict[Pointer, str] = {}
        anchors: dict[tuple[Pointer, str], Pointer] = {}
        for keyword, name, pointer, above in _identifiers_in(document.data, (), ()):
            if keyword == "$id":
                ids.setdefault(pointer, _base_uri(ids.get(above, base), name))
            else:
                anchors.setdefault((above, name), pointer)
        return cls(base=base, ids=ids, anchors=anchors)

    def resource(self, pointer: Pointer) -> Pointer:
        """Return the nearest schema with an `$id` at or above a pointer; the document where there is none."""
        if self.ids:
            for length in range(len(pointer), 0, -1):
                if pointer[:length] in self.ids:
                    return pointer[:length]
        return ()

    def uri_at(self, pointer: Pointer) -> str:
        """Return the URI that references at a pointer are relative to."""
        return self.ids.get(self.resource(pointer), self.base)

    def anchored(self, name: str, resource: Pointer) -> Pointer | None:
        """Return the schema that an anchor names: in the resource, or else anywhere in the document, since
        authors do not mind the borders of resources as much as the specification does.
        """
        if (resource, name) in self.anchors:
            return self.anchors[resource, name]
        return next((pointer for (_, known), pointer in self.anchors.items() if known == name), None)

    def named(self, uri: str) -> Pointer | None:
        """Return the resource with an absolute URI, None where the document has none of that name."""
        if uri == self.base:
            return ()
        return next((pointer for pointer, known in self.ids.items() if known == uri), None)


def absolute_uri(base: str, reference: str) -> str:
    """Return a reference as an absolute URI without its fragment. Raises ValueError where it is no URI."""
    return urldefrag(urljoin(base, reference)).url


def _base_uri(uri: str, written: str) -> str:
    """Return the base that a document or schema sets; the one above where it sets none that can be one."""
    try:
        return absolute_uri(uri, written)
    except ValueError:
        return uri


def _identifiers_in(
    value: Any, pointer: Pointer, above: Pointer
) -> Iterator[tuple[str, str, Pointer, Pointer]]:
    """Yield keyword, text and pointer of each name, with the resource that it is in; from the root on."""
    if isinstance(value, list):
        for position, member in enumerate(value):
            yield from _identifiers_in(member, (*pointer, str(position)), above)
    elif isinstance(value, dict):
        own = value.get("$id")
        if isinstance(own, str) and pointer:
            yield "$id", own, pointer, above
            above = pointer
        for keyword in _ANCHORS:
            if isinstance(value.get(keyword), str):
                yield keyword, value[keyword], pointer, above
        for key, member in value.items():
            if isinstance(member, (dict, list)):
                yield from _identifiers_in(member, (*pointer, key), above)
