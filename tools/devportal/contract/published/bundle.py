"""The published contract as one document: all files in one, without anything internal.

The download must match the pages. It is made from the raw documents, since only they have every word of the
contract, and by the same rules as the model: a reference to another file becomes a reference to a component,
internal parts are left out with everything that only they refer to, and the rest stays as written.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

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
from devportal.contract.published.bundle_references import REMOVED, ROOT, BundleReferences
from devportal.contract.read.raw_keys import may_have_key
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.validate.oas_objects import (
    OBJECT_FIELDS,
    FieldShape,
    discriminator_reference,
    field_of,
)
from devportal.documents.pointer import as_mapping

_DATA_FIELDS = frozenset({*names_of(DATA_ROWS), "value", "dataValue"})
"""Fields that hold data of the API: nothing in them is marked as internal."""
_KINDS_WITH_EXAMPLES = frozenset({"media type", "parameter", "header", "schema"})
_UNIONS = frozenset(keywords_below(Below.COMBINED))
"""Lists in which something has to be (JSON Schema 2020-12 §10.2.1)."""
_REQUIRED_FIELDS = frozenset({("parameter", "schema"), ("header", "schema"), ("schema", "items")})
"""Fields that become an empty schema if their schema is internal, since OAS 3.0 requires one."""


def bundle(contract: Contract) -> dict[str, Any]:
    """Return the contract as one document of the same OAS version, its keys in the order written."""
    if is_bundled(contract):
        data: dict[str, Any] = contract.source.root().value
        return data
    return _bundle(contract.source, contract.api.openapi)


@lru_cache(maxsize=2)
def _bundle(source: Source, version: str) -> dict[str, Any]:
    """Return a contract as one document; those of the last sources are kept, since several files show all of it."""
    return _Bundler(source.quiet(), version).document()


_IDENTIFIER_KEYWORDS = ("$id", "$anchor", "$self", "$dynamicAnchor", "$dynamicRef")
"""What a reference may name in place of a JSON pointer."""


def is_bundled(contract: Contract) -> bool:
    """Say whether a contract is one document already, with nothing internal in it: most are."""
    documents = contract.source.documents()
    return not (
        len(documents) > 1
        or contract.source.has_internal
        or contract.source.once(_may_have_identifiers)
        or any(finding.rule.startswith("contract-ref") for finding in contract.findings)
    )


def _may_have_identifiers(source: Source) -> bool:
    return may_have_key(source.documents()[""], *_IDENTIFIER_KEYWORDS)


class _Bundler:
    """Copies objects as they are published. Methods return REMOVED for unpublished objects."""

    def __init__(self, source: Source, version: str) -> None:
        self._source = source
        self._hidden = internal_parts(source)
        self._withheld = UnpublishedObjects(source, self._hidden.operations)
        self._links = BundleReferences(source, version, self._withheld)
        self._open: list[Location] = []
        self._shared: dict[str, list[Node | None]] = {}

    def document(self) -> dict[str, Any]:
        """Return the whole."""
        root: dict[str, Any] = self._source.root().value
        bundled: Any = self._fields("document", root, ROOT)
        components = bundled.setdefault("components", {})
        for section, name, location in self._links.pulled_components():
            kind = OBJECT_FIELDS["components"][section][1]
            components.setdefault(section, {})[name] = self._object_at(kind, location)
        self._redact_shared(as_mapping(as_mapping(components).get("examples")))
        if not components and "components" not in root:
            del bundled["components"]
        return self._without_hidden_tags(bundled)

    def _without_hidden_tags(self, bundled: dict[str, Any]) -> dict[str, Any]:
        tags, groups = bundled.get("tags"), bundled.get("x-tagGroups")
        if self._hidden.tags and isinstance(tags, list):
            bundled["tags"] = [tag for tag in tags if not self._is_hidden_tag(as_mapping(tag).get("name"))]
        if self._hidden.tags and isinstance(groups, list):
            published_groups = (
                {**group, "tags": self._public_tags(group["tags"])}
                if as_mapping(group).get("tags")
                else group
                for group in groups
            )
            bundled["x-tagGroups"] = [
                group for group in published_groups if as_mapping(group).get("tags") != []
            ]
        return bundled

    def _public_tags(self, tags: Any) -> Any:
        is_list = isinstance(tags, list)
        return [tag for tag in tags if not self._is_hidden_tag(tag)] if is_list else tags

    def _is_hidden_tag(self, name: Any) -> bool:
        return isinstance(name, str) and name in self._hidden.tags

    def _object_at(self, kind: str, location: Location) -> Any:
        node = self._source.node_at(location, location, "")
        return self._object(kind, node.value, location) if node is not None else REMOVED

    def _object(self, kind: str, value: Any, location: Location) -> Any:
        """Return the published form of an object of a kind; other values stay unchanged."""
        if not isinstance(value, dict):
            return value
        if self._withheld.is_itself_unpublished(kind, value, location):
            return REMOVED
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return self._fields(kind, value, location)
        link = self._links.link(reference, kind, location)
        if link is None:
            return self._inline_reference(kind, value, location)
        if link is REMOVED:
            return REMOVED
        siblings = self._fields(kind, value, location) if len(value) > 1 else {}
        return {**siblings, "$ref": link}

    def _fields(self, kind: str, value: dict[str, Any], location: Location) -> Any:
        """Return an object with each of its fields."""
        bundled: dict[str, Any] = {}
        for key, member in value.items():
            field = field_of(kind, key)
            published = (
                self._data(key, member)
                if field is None
                else self._field(kind, field[0], field[1], key, member, location)
            )
            if published is not REMOVED:
                bundled[key] = published
            elif (kind, key) in _REQUIRED_FIELDS:
                bundled[key] = {}
        if kind == "schema":
            self._redact_schema(bundled, value, location)
        elif kind in ("operation", "sent operation"):
            self._remove_hidden_tags(bundled)
        elif kind == "link" and isinstance(bundled.get("operationRef"), str):
            bundled["operationRef"] = self._links.operation_link(bundled["operationRef"], location)
        if kind in _KINDS_WITH_EXAMPLES and self._source.has_internal:
            self._redact(kind, bundled, Node(value, self._source, location))
        if "security" in bundled and kind in ("operation", "sent operation", "document"):
            bundled["security"] = self._withheld.public_requirements(bundled["security"])
        return REMOVED if kind == "callback" and value and not bundled else bundled

    def _redact(self, kind: str, bundled: dict[str, Any], node: Node) -> None:
        """Remove internal properties from examples and from the encodings of a form."""
        publish_examples(bundled, node)
        examples = bundled.get("examples")
        for example in examples.values() if isinstance(examples, dict) else ():
            if as_mapping(example).get("$ref"):
                self._shared.setdefault(example["$ref"], []).append(node.get("schema"))
        if kind == "media type" and isinstance(bundled.get("encoding"), dict):
            internal = internal_properties(node.get("schema"))
            bundled["encoding"] = {
                name: value for name, value in bundled["encoding"].items() if name not in internal
            }

    def _redact_shared(self, examples: dict[str, Any]) -> None:
        """Take internal properties out of the examples among the components, by the schemas of all uses."""
        for name, example in examples.items():
            if isinstance(example, dict):
                publish_example(example, *self._shared.get(f"#/components/examples/{name}", ()))

    @staticmethod
    def _data(key: str, value: Any) -> Any:
        return REMOVED if is_internal(value) and key not in _DATA_FIELDS else value

    def _field(
        self, kind: str, shape: FieldShape, below: str, key: str, value: Any, location: Location
    ) -> Any:
        """Return the value of a field that holds one object, a list or a mapping of objects."""
        member_location = location.child(key)
        match shape:
            case FieldShape.ONE:
                return self._bundle_component(
                    "paths" if kind == "paths" else "", key, below, value, member_location
                )
            case FieldShape.LIST if isinstance(value, list):
                members = (
                    self._object(below, member, member_location.child(number))
                    for number, member in enumerate(value)
                )
                published = [member for member in members if member is not REMOVED]
                return REMOVED if value and not published and key in _UNIONS else published
            case FieldShape.MAP if isinstance(value, dict):
                section = key if kind == "components" else ""
                members = (
                    (
                        name,
                        self._bundle_component(section, name, below, member, member_location.child(name)),
                    )
                    for name, member in value.items()
                )
                return {name: member for name, member in members if member is not REMOVED}
        return value

    def _bundle_component(self, section: str, name: str, kind: str, value: Any, location: Location) -> Any:
        """Return a named object. The first component or path that is only a reference to another file is
        replaced by the content of that file.
        """
        if not section:
            return self._object(kind, value, location)
        if (section, name) in self._hidden.components:
            return REMOVED
        target = self._links.claim_target(section, name, value)
        return self._object(kind, value, location) if target is None else self._object_at(kind, target)

    def _remove_hidden_tags(self, operation: dict[str, Any]) -> None:
        """Leave out the tags that are not published."""
        if "tags" in operation:
            operation["tags"] = self._public_tags(operation["tags"])

    def _redact_schema(self, bundled: dict[str, Any], value: dict[str, Any], location: Location) -> None:
        """Remove the names of internal properties, and let discriminators refer to components."""
        remove_properties(bundled, self._withheld.internal_names.names(location))
        remove_enum_values(bundled, self._withheld.internal_names.values(location))
        discriminator = value.get("discriminator")
        if isinstance(discriminator, dict) and "discriminator" in bundled:
            bundled["discriminator"] = self._discriminator(discriminator, location.child("discriminator"))

    def _discriminator(self, value: dict[str, Any], location: Location) -> dict[str, Any]:
        bundled = dict(value)
        if isinstance(value.get("mapping"), dict):
            links = ((name, self._target(member, location)) for name, member in value["mapping"].items())
            bundled["mapping"] = {name: link for name, link in links if link is not REMOVED}
        if "defaultMapping" in value:
            bundled["defaultMapping"] = self._target(value["defaultMapping"], location)
            if bundled["defaultMapping"] is REMOVED:
                del bundled["defaultMapping"]
        return bundled

    def _target(self, target: Any, location: Location) -> Any:
        """Return the target of a discriminator; the name of a component stays a name."""
        if not isinstance(target, str):
            return target
        reference = discriminator_reference(target)
        link = self._links.link(reference, "schema", location)
        return target if link is None or link == reference else link

    def _inline_reference(self, kind: str, value: dict[str, Any], location: Location) -> Any:
        """Return the target of a reference in its place, merged with the siblings of the reference."""
        target = self._links.chain_end(value["$ref"], location)
        if target is None or target in self._open:
            return value
        self._open.append(target)
        target_value = self._object_at(kind, target)
        self._open.pop()
        siblings = self._fields(
            kind, {key: member for key, member in value.items() if key != "$ref"}, location
        )
        if target_value is REMOVED or siblings is REMOVED or not isinstance(target_value, dict):
            return REMOVED if target_value is REMOVED or siblings is REMOVED else value
        merged = {
            **siblings,
            **{key: member for key, member in target_value.items() if key not in siblings},
        }
        if isinstance(siblings.get("parameters"), list) and isinstance(target_value.get("parameters"), list):
            merged["parameters"] = [
                *siblings["parameters"],
                *_inherited_parameters(target_value["parameters"], siblings["parameters"]),
            ]
        return merged


def _inherited_parameters(inherited: list[Any], own: list[Any]) -> Iterable[Any]:
    """Yield the parameters of a path item that another one beside the reference to it does not replace."""
    replaced = {(as_mapping(item).get("name"), as_mapping(item).get("in")) for item in own}
    return (
        item
        for item in inherited
        if (as_mapping(item).get("name"), as_mapping(item).get("in")) not in replaced
    )
