"""Findings for content of a contract that the portal does not show: nothing is dropped silently.

This walks the raw document, because the model lacks what the reader ignores. Repeated content is one finding
at its first place, with a count.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from devportal.contract.http_methods import PATH_ITEM_METHODS
from devportal.contract.internal.withheld import component_of, is_internal, published_objects, references_in
from devportal.contract.keywords import CONSTRAINTS, KEYWORDS, names_of
from devportal.contract.load import Contract
from devportal.contract.model import IGNORED_HEADER_PARAMETERS
from devportal.contract.read.source import Source
from devportal.contract.schemas import Location
from devportal.contract.validate.extensions import (
    ADVICE_BY_FOREIGN_EXTENSION,
    EXTENSION_BY_NAME,
    HIDING_EXTENSIONS,
    SHOWN_EXTENSIONS,
)
from devportal.contract.validate.field_advice import foreign_version_advice, unknown_field_advice
from devportal.contract.validate.oas_objects import (
    MAP_MEMBER_KINDS,
    OBJECT_FIELDS,
    child_objects,
    fixed_fields_of,
)
from devportal.contract.wording import join_names, quote_value
from devportal.findings import Finding, Level, in_order
from devportal.suggestions import suggest_name

MAX_FINDINGS_PER_RULE = 50
"""How many findings of one rule are reported individually."""
_IGNORABLE_EXTENSIONS = SHOWN_EXTENSIONS - {"x-internal", "x-audience"}
"""Extensions without effect beside a `$ref` if OAS ignores its siblings."""
_REFERENCE_SIBLINGS = {"summary", "description"}
"""What counts beside the `$ref` of anything but a schema or path item from 3.1 on (OAS 3.1.1 §4.8.23)."""
_EXCLUSIVE_BOUNDS = tuple(row.exclusive for row in CONSTRAINTS.values() if row.exclusive)
_STRUCTURAL_KEYWORDS = frozenset(names_of(row for row in KEYWORDS if row.has_page))
"""The keywords that give a shared schema its own page."""


@dataclass(frozen=True, slots=True)
class _UnshownPart:
    """Something that is not shown, however often it is there."""

    rule: str
    level: Level
    message: str
    advice: str


@dataclass(slots=True)
class _WalkState:
    """What the walk over a contract has found so far: unshown parts with their places, used components, and tags."""

    counts: dict[_UnshownPart, list[Location]] = field(default_factory=dict)
    used: set[tuple[str, str]] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)

    def note(self, location: Location, level: Level, rule: str, message: str, advice: str) -> None:
        """Note one place of something that is not shown."""
        self.counts.setdefault(_UnshownPart(rule, level, message, advice), []).append(location)


_TAGGED_KINDS = ("operation", "sent operation")
"""The kinds of objects that have tags; those of webhooks and callbacks are sent operations."""
_LocatedObject = tuple[str, Any, Location]


def check_dropped_content(contract: Contract) -> Iterator[Finding]:
    """Yield the content that the pages do not show, each once, at its first place."""
    state = _WalkState()
    for kind, value, location in published_objects(contract.source):
        _inspect_object(contract.api.openapi, kind, value, location, state)
    _note_unused(contract, state)
    by_rule: dict[str, list[Finding]] = {}
    for part, locations in state.counts.items():
        by_rule.setdefault(part.rule, []).append(_finding(contract, part, locations))
    for findings in by_rule.values():
        yield from _limit_findings(findings)


def _finding(contract: Contract, part: _UnshownPart, locations: list[Location]) -> Finding:
    times = len(locations)
    return Finding(
        rule=part.rule,
        level=part.level,
        place=contract.place(locations[0]),
        message=part.message + (f" ({times:,} times, here first)" if times > 1 else ""),
        help=part.advice,
    )


def _limit_findings(findings: list[Finding]) -> Iterator[Finding]:
    """Yield the first findings of a rule, and one for the rest: a generated contract may have thousands."""
    ordered = in_order(findings)
    yield from ordered[:MAX_FINDINGS_PER_RULE]
    if len(ordered) > MAX_FINDINGS_PER_RULE:
        rest = ordered[MAX_FINDINGS_PER_RULE]
        yield replace(
            rest,
            message=f"{len(ordered) - MAX_FINDINGS_PER_RULE:,} more of this rule, the first: {rest.message}",
        )


def _inspect_object(
    version: str, kind: str, value: dict[str, Any], location: Location, state: _WalkState
) -> None:
    if kind in _TAGGED_KINDS:
        tags = value.get("tags")
        state.tags.update(map(str, tags if isinstance(tags, list) else ()))
    reference = value.get("$ref")
    is_reference = isinstance(reference, str) and kind in _REFERABLE
    for key, member in value.items():
        is_extension = key.startswith("x-")
        may_be_ignored = is_reference and (not is_extension or key in _IGNORABLE_EXTENSIONS)
        if key == "$ref" and kind in _REFERABLE:
            continue
        if may_be_ignored and _is_ignored_beside(version, kind, key):
            _note_ref_sibling(version, kind, key, location, state)
        elif is_extension:
            _note_extension(kind, value, key, location, state)
        else:
            _note_unknown_field(version, kind, key, member, location, state)
    if not is_reference:
        _note_ignored(version, kind, value, location, state)


_REFERABLE = frozenset({"schema", "path item", *(kind for _, kind in OBJECT_FIELDS["components"].values())})


def _note_extension(
    kind: str, value: dict[str, Any], key: str, location: Location, state: _WalkState
) -> None:
    """Note an extension that nothing reads, or that has no effect in this kind of object."""
    known = EXTENSION_BY_NAME.get(key)
    if key in HIDING_EXTENSIONS and value[key] is True:
        if value.get("x-internal") is not True:
            state.note(
                location.child(key),
                Level.WARNING,
                "contract-hidden",
                f"{quote_value(key)} leaves this out in another tool, and the site shows it",
                "write 'x-internal: true' to leave it out here too",
            )
    elif known is None:
        state.note(
            location.child(key),
            Level.NOTE,
            "contract-extension",
            f"the extension {quote_value(key)} is not shown",
            ADVICE_BY_FOREIGN_EXTENSION.get(key, "say it in a description, if readers need it"),
        )
    elif known.kinds is not None and kind not in known.kinds:
        where = known.where.replace("`", "'")
        state.note(
            location.child(key),
            Level.WARNING,
            "contract-extension-place",
            f"the extension {quote_value(key)} has no effect {_place_in(kind)}",
            f"it belongs in: {where}",
        )


def _place_in(kind: str) -> str:
    """Return where something is that is in a kind of object, as a message says it."""
    article = "an" if kind[0] in "aeioX" else "a"
    return _PLACES.get(kind, f"in {article} {kind}")


_PLACES: Mapping[str, str] = {
    "document": "at the root",
    "part": "here",
    "sent operation": "in the operation of an event",
    **{field: f"in '{field}'" for field in ("components", "info", "paths", "responses")},
}


def _is_ignored_beside(version: str, kind: str, key: str) -> bool:
    if kind == "path item":
        return False
    return version.startswith("3.0") or (kind != "schema" and key not in _REFERENCE_SIBLINGS)


def _note_ref_sibling(version: str, kind: str, key: str, location: Location, state: _WalkState) -> None:
    wrap = kind == "schema" and version.startswith("3.0")
    state.note(
        location.child(key),
        Level.NOTE,
        "contract-ignored",
        f"{quote_value(key)} stands beside the '$ref' of a {kind}, where OAS {version[:3]} ignores it",
        "put the '$ref' into an 'allOf'" if wrap else "move it into what the '$ref' leads to",
    )


def _note_unknown_field(
    version: str, kind: str, key: str, value: Any, location: Location, state: _WalkState
) -> None:
    """Note a field that its object does not have: in no version, or not in this one."""
    fields = None if kind in MAP_MEMBER_KINDS else fixed_fields_of(kind, version)
    is_path = kind == "document" and key.startswith("/")  # which the reader reports
    if fields is None or key in fields.in_version or is_path:
        return
    if key in fields.in_other_versions:
        state.note(
            location.child(key),
            Level.WARNING,
            "contract-version",
            f"{quote_value(key)} of a {kind} {fields.in_other_versions[key]} and has no effect in OAS {version[:3]}",
            foreign_version_advice(key, kind),
        )
        return
    is_end_of_text = value is None and " " in key
    may_annotate = (
        kind == "schema" and not version.startswith("3.0") and not suggest_name(key, fields.in_version)
    )
    state.note(
        location.child(key),
        Level.NOTE if may_annotate and not is_end_of_text else Level.WARNING,
        "contract-unknown",
        f"{quote_value(key)} is not a field of a {kind}, so it is not shown",
        unknown_field_advice(key, value, kind, version),
    )


def _note_ignored(
    version: str, kind: str, value: dict[str, Any], location: Location, state: _WalkState
) -> None:
    """Report content that has no meaning in its place according to the OAS."""
    if kind in ("parameter", "header", "media type") and "example" in value and value.get("examples"):
        state.note(
            location.child("example"),
            Level.WARNING,
            "contract-ignored",
            f"this {kind} has both 'example' and 'examples', so 'example' is not shown",
            "move it among the 'examples'",
        )
    name = str(value.get("name"))
    if kind == "parameter" and value.get("in") == "header" and name.lower() in IGNORED_HEADER_PARAMETERS:
        state.note(
            location,
            Level.NOTE,
            "contract-ignored",
            f"the header {quote_value(name)} is described by media types and security, so OAS ignores it as a "
            "parameter",
            "remove the parameter",
        )
    for key in _EXCLUSIVE_BOUNDS if kind == "schema" and not version.startswith("3.0") else ():
        if isinstance(value.get(key), bool):
            state.note(
                location.child(key),
                Level.WARNING,
                "contract-version",
                f"{quote_value(key)} is a number from OAS 3.1 on, so true and false mean nothing",
                f"write the bound itself under {quote_value(key)}",
            )


def _note_unused(contract: Contract, state: _WalkState) -> None:
    """Note the components and tags that nothing leads to and that have no page."""
    document = contract.source.root().value
    used = _used_components(contract)
    for component in _components(contract.source):
        kind, section, name = component.kind, component.section, component.name
        if (section, name) in used or is_internal(component.value) or is_internal(component.content):
            continue
        if not _is_shown_alone(kind, component.content):
            state.note(
                Location("", ("components", section, name)),
                Level.NOTE,
                "contract-unused",
                f"nothing refers to the {kind} {quote_value(name)}, so it is not shown",
                "refer to it, or remove it",
            )
    tags = document.get("tags")
    unused = {
        number: str(tag.get("name"))
        for number, tag in enumerate(tags if isinstance(tags, list) else ())
        if isinstance(tag, dict) and not is_internal(tag) and _is_empty_tag(tag, state.tags)
    }
    hidden = _tags_of_hidden_operations(contract.source) if unused else frozenset()
    unused = {number: name for number, name in unused.items() if name not in hidden}
    for first in [*unused][:1]:
        names = join_names([*unused.values()])
        message = (
            f"no operation has the tag {names} and it has no description, so it is not shown"
            if len(unused) == 1
            else f"no operation has the tags {names} and they have no descriptions, so they are not shown"
        )
        advice = "describe it, or remove it" if len(unused) == 1 else "describe them, or remove them"
        state.note(Location("", ("tags", str(first))), Level.NOTE, "contract-unused", message, advice)


def _tags_of_hidden_operations(source: Source) -> frozenset[str]:
    """Return the tags of operations that the site leaves out, as internal or for other audiences.

    Their tags are left out with them, on purpose. Finds the operations of all files, in path items that may be
    hidden themselves.
    """
    names: set[str] = set()
    pending: list[Any] = [document.data for document in source.documents().values()]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            for key, member in value.items():
                tags = member.get("tags") if isinstance(member, dict) else None
                if key.lower() in PATH_ITEM_METHODS and isinstance(tags, list):
                    names.update(map(str, tags))
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return frozenset(names)


def _is_empty_tag(tag: dict[str, Any], used: set[str]) -> bool:
    """Say whether a tag neither groups operations nor is a chapter of the overview."""
    texts = (tag.get(key) for key in ("summary", "description", "externalDocs"))
    return str(tag.get("name")) not in used and not any(texts)


def _is_shown_alone(kind: str, value: Any) -> bool:
    """Say whether a component is shown without anything that refers to it."""
    is_schema = kind == "schema" and isinstance(value, dict)
    return kind == "security scheme" or (is_schema and not _STRUCTURAL_KEYWORDS.isdisjoint(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Component:
    """A component as it is written, and its content: that of another file if it is only a reference to that."""

    kind: str
    section: str
    name: str
    value: Any
    content: Any
    location: Location
    """The location of the content."""


def _components(source: Source) -> Iterator[_Component]:
    """Yield the components of a contract, in the order written."""
    components = source.root().value.get("components")
    for section, members in components.items() if isinstance(components, dict) else ():
        if section not in OBJECT_FIELDS["components"] or not isinstance(members, dict):
            continue
        _, kind = OBJECT_FIELDS["components"][section]
        for name, value in members.items():
            content, location = _content(source, value, Location("", ("components", section, str(name))))
            yield _Component(
                kind=kind, section=section, name=str(name), value=value, content=content, location=location
            )


def _content(source: Source, value: Any, location: Location) -> tuple[Any, Location]:
    """Return what a value that is only a reference to another file stands for, and its location; any other value
    stands for itself.
    """
    followed: set[Location] = set()
    while isinstance(value, dict) and [*value] == ["$ref"] and location not in followed:
        followed.add(location)
        target = source.find_location(str(value["$ref"]), location)
        node = source.node_at(target, location, str(value["$ref"])) if target is not None else None
        if target is None or node is None or not target.file:
            break
        value, location = node.value, target
    return value, location


def _used_components(contract: Contract) -> set[tuple[str, str]]:
    """Return the components that something shown refers to, over any number of references.

    A component that is only a reference to another file gives the content there its name. So it is used if
    something refers to that content, by the component or by the file.
    """
    source = contract.source
    used: set[tuple[str, str]] = set()
    components = [*_components(source)]
    pending: deque[_LocatedObject] = deque([("document", source.root().value, Location("", ()))])
    pending.extend(
        (component.kind, component.content, component.location)
        for component in components
        if not is_internal(component.value) and _is_shown_alone(component.kind, component.content)
    )
    seen: set[Location] = set()
    while pending:
        kind, value, location = pending.popleft()
        if not isinstance(value, dict) or is_internal(value):
            continue
        file, above = location
        for below, member, pointer in child_objects(kind, value):
            if isinstance(member, dict) and kind != "components":
                pending.append((below, member, Location(file, above + pointer)))
        for reference in references_in(kind, value):
            target = source.locate(reference, location)
            if target is None or target in seen:
                continue
            seen.add(target)
            component = component_of(target)
            used |= {component} if component is not None else set()
            node = source.node_at(target, location, reference)
            pending.extend([(kind, node.value, target)] if node is not None else [])
    return used | {(part.section, part.name) for part in components if part.location in seen}
