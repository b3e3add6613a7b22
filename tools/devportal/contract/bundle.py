"""The published contract as one document: every file in one, and nothing internal in it.

What people download has to say what the pages say. It is made from the raw documents, since only they hold
each word of the contract, and by the same rules as the model: a reference to another file leads to a
component, internal parts are gone with all that only they refer to, everything else is as it was written.
"""

from collections.abc import Iterable
from typing import Any

from devportal.contract.bundle_references import REMOVED, ROOT, BundleReferences, as_mapping
from devportal.contract.internal.redaction import (
    internal_properties,
    publish_example,
    publish_examples,
    remove_enum_values,
    remove_properties,
)
from devportal.contract.internal.withheld import UnpublishedObjects, internal_parts, is_internal
from devportal.contract.keyword_columns import Below
from devportal.contract.keywords import DATA_ROWS, keywords_below, names_of
from devportal.contract.load import Contract
from devportal.contract.read.raw_keys import may_have_key
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import (
    OBJECT_FIELDS,
    FieldShape,
    discriminator_reference,
    field_of,
)

_DATA_FIELDS = frozenset({*names_of(DATA_ROWS), "value", "dataValue"})
"""Fields whose values are data of the API: what looks like a mark in there is none."""
_KINDS_WITH_EXAMPLES = frozenset({"media type", "parameter", "header", "schema"})
_UNIONS = frozenset(keywords_below(Below.COMBINED))
"""Lists in which something has to be (JSON Schema 2020-12 §10.2.1)."""
_REQUIRED_FIELDS = frozenset({("parameter", "schema"), ("header", "schema"), ("schema", "items")})
"""Where an internal schema leaves one that says nothing, since OAS 3.0 wants one."""


def bundle(contract: Contract) -> dict[str, Any]:
    """Return the contract as one document of the same OAS version, its keys in the order written."""
    if _is_bundled(contract):
        data: dict[str, Any] = contract.source.root().value
        return data
    return _Bundler(contract.source.quiet(), contract.api.openapi).document()


_IDENTIFIER_KEYWORDS = ("$id", "$anchor", "$self", "$dynamicAnchor", "$dynamicRef")
"""What a reference may name in place of a JSON pointer."""


def _is_bundled(contract: Contract) -> bool:
    """Say whether a contract is one document already, with nothing internal in it: most are."""
    documents = contract.source.documents()
    return not (
        len(documents) > 1
        or contract.source.has_internal
        or may_have_key(documents[""], *_IDENTIFIER_KEYWORDS)
        or any(one.rule.startswith("contract-ref") for one in contract.findings)
    )


class _Bundler:
    """Copies objects as they are published. A method returns GONE for what is not."""

    def __init__(self, source: Source, version: str) -> None:
        self._source = source
        self._hidden = internal_parts(source)
        self._withheld = UnpublishedObjects(source, self._hidden.operations)
        self._links = BundleReferences(source, version, self._withheld)
        self._open: list[Location] = []
        self._shared: dict[str, list[Node | None]] = {}

    def document(self) -> dict[str, Any]:
        """Return the whole."""
        written: dict[str, Any] = self._source.root().value
        made: Any = self._fields("document", written, ROOT)
        components = made.setdefault("components", {})
        for section, name, location in self._links.pulled_components():
            kind = OBJECT_FIELDS["components"][section][1]
            components.setdefault(section, {})[name] = self._at(kind, location)
        self._redact_shared(as_mapping(as_mapping(components).get("examples")))
        if not components and "components" not in written:
            del made["components"]
        return self._without_hidden_tags(made)

    def _without_hidden_tags(self, made: dict[str, Any]) -> dict[str, Any]:
        tags, groups = made.get("tags"), made.get("x-tagGroups")
        if self._hidden.tags and isinstance(tags, list):
            made["tags"] = [one for one in tags if not self._is_hidden_tag(as_mapping(one).get("name"))]
        if self._hidden.tags and isinstance(groups, list):
            left = (
                {**one, "tags": self._public_tags(one["tags"])} if as_mapping(one).get("tags") else one
                for one in groups
            )
            made["x-tagGroups"] = [one for one in left if as_mapping(one).get("tags") != []]
        return made

    def _public_tags(self, tags: Any) -> Any:
        is_list = isinstance(tags, list)
        return [one for one in tags if not self._is_hidden_tag(one)] if is_list else tags

    def _is_hidden_tag(self, name: Any) -> bool:
        return isinstance(name, str) and name in self._hidden.tags

    def _at(self, kind: str, location: Location) -> Any:
        node = self._source.node_at(location, location, "")
        return self._object(kind, node.value, location) if node is not None else REMOVED

    def _object(self, kind: str, value: Any, here: Location) -> Any:
        """Return an object of a kind; what is none stays as it is."""
        if not isinstance(value, dict):
            return value
        if self._withheld.holds_itself(kind, value, here):
            return REMOVED
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return self._fields(kind, value, here)
        link = self._links.link(reference, kind, here)
        if link is None:
            return self._inline_reference(kind, value, here)
        if link is REMOVED:
            return REMOVED
        beside = self._fields(kind, value, here) if len(value) > 1 else {}
        return {**beside, "$ref": link}

    def _fields(self, kind: str, value: dict[str, Any], here: Location) -> Any:
        """Return an object with each of its fields."""
        made: dict[str, Any] = {}
        for key, member in value.items():
            field = field_of(kind, key)
            one = (
                self._data(key, member)
                if field is None
                else self._field(kind, field[0], field[1], key, member, here)
            )
            if one is not REMOVED:
                made[key] = one
            elif (kind, key) in _REQUIRED_FIELDS:
                made[key] = {}
        if kind == "schema":
            self._mend_schema(made, value, here)
        elif kind in ("operation", "sent operation"):
            self._mend_operation(made)
        elif kind == "link" and isinstance(made.get("operationRef"), str):
            made["operationRef"] = self._links.operation_link(made["operationRef"], here)
        if kind in _KINDS_WITH_EXAMPLES and self._source.has_internal:
            self._redact(kind, made, Node(value, self._source, here))
        if "security" in made and kind in ("operation", "sent operation", "document"):
            made["security"] = self._withheld.public_requirements(made["security"])
        return REMOVED if kind == "callback" and value and not made else made

    def _redact(self, kind: str, made: dict[str, Any], node: Node) -> None:
        """Take internal properties out of what tells of them: examples, and the encodings of a form."""
        publish_examples(made, node)
        examples = made.get("examples")
        for one in examples.values() if isinstance(examples, dict) else ():
            if as_mapping(one).get("$ref"):
                self._shared.setdefault(one["$ref"], []).append(node.get("schema"))
        if kind == "media type" and isinstance(made.get("encoding"), dict):
            gone = internal_properties(node.get("schema"))
            made["encoding"] = {name: one for name, one in made["encoding"].items() if name not in gone}

    def _redact_shared(self, examples: dict[str, Any]) -> None:
        """Take internal properties out of the examples among the components, by the schemas of all uses."""
        for name, one in examples.items():
            if isinstance(one, dict):
                publish_example(one, *self._shared.get(f"#/components/examples/{name}", ()))

    @staticmethod
    def _data(key: str, value: Any) -> Any:
        return REMOVED if is_internal(value) and key not in _DATA_FIELDS else value

    def _field(self, kind: str, shape: FieldShape, below: str, key: str, value: Any, here: Location) -> Any:
        """Return what stands at a key that holds one object, a list or a mapping of them."""
        there = here.child(key)
        match shape:
            case FieldShape.ONE:
                return self._bundle_named("paths" if kind == "paths" else "", key, below, value, there)
            case FieldShape.LIST if isinstance(value, list):
                found = (self._object(below, one, there.child(number)) for number, one in enumerate(value))
                left = [one for one in found if one is not REMOVED]
                return REMOVED if value and not left and key in _UNIONS else left
            case FieldShape.MAP if isinstance(value, dict):
                section = key if kind == "components" else ""
                found = (
                    (name, self._bundle_named(section, name, below, one, there.child(name)))
                    for name, one in value.items()
                )
                return {name: one for name, one in found if one is not REMOVED}
        return value

    def _bundle_named(self, section: str, name: str, kind: str, value: Any, here: Location) -> Any:
        """Return an object that stands under a name. A component or path that is only a reference to another
        file takes its content, where it is the first to do so.
        """
        if not section:
            return self._object(kind, value, here)
        if (section, name) in self._hidden.components:
            return REMOVED
        target = self._links.claim_target(section, name, value)
        return self._object(kind, value, here) if target is None else self._at(kind, target)

    def _mend_operation(self, made: dict[str, Any]) -> None:
        """Leave out the tags that are not published."""
        if "tags" in made:
            made["tags"] = self._public_tags(made["tags"])

    def _mend_schema(self, made: dict[str, Any], value: dict[str, Any], here: Location) -> None:
        """Leave out the names of properties that have gone, and have discriminators lead to components."""
        remove_properties(made, self._withheld.untold.names(here))
        remove_enum_values(made, self._withheld.untold.values(here))
        discriminator = value.get("discriminator")
        if isinstance(discriminator, dict) and "discriminator" in made:
            made["discriminator"] = self._discriminator(discriminator, here.child("discriminator"))

    def _discriminator(self, value: dict[str, Any], here: Location) -> dict[str, Any]:
        made = dict(value)
        if isinstance(value.get("mapping"), dict):
            links = ((name, self._target(one, here)) for name, one in value["mapping"].items())
            made["mapping"] = {name: link for name, link in links if link is not REMOVED}
        if "defaultMapping" in value:
            made["defaultMapping"] = self._target(value["defaultMapping"], here)
            if made["defaultMapping"] is REMOVED:
                del made["defaultMapping"]
        return made

    def _target(self, written: Any, here: Location) -> Any:
        """Return the target of a discriminator; the name of a component stays a name."""
        if not isinstance(written, str):
            return written
        reference = discriminator_reference(written)
        link = self._links.link(reference, "schema", here)
        return written if link is None or link == reference else link

    def _inline_reference(self, kind: str, value: dict[str, Any], here: Location) -> Any:
        """Return what a reference leads to in its place, with what stands beside the reference added."""
        target = self._links.end(value["$ref"], here)
        if target is None or target in self._open:
            return value
        self._open.append(target)
        below = self._at(kind, target)
        self._open.pop()
        beside = self._fields(kind, {key: one for key, one in value.items() if key != "$ref"}, here)
        if below is REMOVED or beside is REMOVED or not isinstance(below, dict):
            return REMOVED if below is REMOVED or beside is REMOVED else value
        made = {**beside, **{key: one for key, one in below.items() if key not in beside}}
        if isinstance(beside.get("parameters"), list) and isinstance(below.get("parameters"), list):
            made["parameters"] = [
                *beside["parameters"],
                *_inherited_parameters(below["parameters"], beside["parameters"]),
            ]
        return made


def _inherited_parameters(below: list[Any], beside: list[Any]) -> Iterable[Any]:
    """Yield the parameters of a path item that another one beside the reference to it does not replace."""
    replaced = {(as_mapping(one).get("name"), as_mapping(one).get("in")) for one in beside}
    return (one for one in below if (as_mapping(one).get("name"), as_mapping(one).get("in")) not in replaced)
