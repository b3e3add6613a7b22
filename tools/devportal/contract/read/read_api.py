"""The root of an OpenAPI document → `Api`: its parts read one after the other, and what they make together."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract.internal.withheld import InternalParts
from devportal.contract.model import Api, Operation, ProblemType, Webhook
from devportal.contract.read.component_texts import (
    TextDigests,
    read_component_names,
    read_unused_components,
)
from devportal.contract.read.lifecycle_extensions import (
    STABILITY_KEYS,
    is_internal,
    leads_to_internal,
    read_external_docs,
    read_grounds,
    read_stability,
)
from devportal.contract.read.raw_keys import possible_keys
from devportal.contract.read.read_operation import (
    OperationDefaults,
    read_paths,
    read_webhooks,
    resolve_successors,
    with_unique_ids,
    without_hidden_schemes,
)
from devportal.contract.read.read_parts import (
    internal_schemes,
    read_requirements,
    read_security_schemes,
    read_servers,
)
from devportal.contract.read.read_schema import SchemaReader
from devportal.contract.read.read_tags import (
    group_operations,
    group_tags,
    internal_tags,
    read_tag_groups,
    read_tags,
    title_tags,
)
from devportal.contract.read.source import Node, Source
from devportal.contract.schemas import Location
from devportal.contract.titles.abbreviations import abbreviations_of, spell_titles
from devportal.contract.titles.operation_titles import distinguish_titles
from devportal.contract.validate.example_values import with_carried_examples
from devportal.contract.values.conjunction import MAX_REFERENCE_CHAIN
from devportal.contract.values.discriminator_values import discriminator_values
from devportal.contract.wording import quote_value
from devportal.findings import Level
from devportal.language import UnknownLanguage, read_language


def read_api(root: Node, version: str, schemas: SchemaReader, hidden: InternalParts) -> Api:
    """Return what the document with this root describes, without its `hidden` parts. Problems are reported at
    their nodes. `version` is that of OpenAPI; `schemas` reads all schemas, and is finished afterwards.
    """
    info = root.mapping("info") or root
    components = root.mapping("components")
    defaults = OperationDefaults(
        servers=read_servers(root),
        security=read_requirements(root) or (),
        hidden_tags=internal_tags(root) | hidden.tags,
        hidden_operations=hidden.operations,
        hidden_schemes=internal_schemes(components),
        schemas=schemas,
    )
    _note_shared_schemas(components, schemas, hidden)
    operations = with_unique_ids(tuple(read_paths(root, defaults)))
    operations = resolve_successors(distinguish_titles(operations))
    webhooks = tuple(read_webhooks(root, defaults))
    schemas.finish()
    _report_chains(root.source, schemas.cuts)
    keys = _possible_marks(root.source)
    schemas_alone = Api(
        openapi=version,
        title="",
        version="",
        schemas=schemas.schemas,
        has_read_only="readOnly" in keys,
        has_write_only="writeOnly" in keys,
    )
    operations = tuple(with_carried_examples(schemas_alone, operation) for operation in operations)
    webhooks = tuple(_with_carried_payloads(schemas_alone, webhook) for webhook in webhooks)
    api = replace(
        schemas_alone,
        title=info.text("title").strip() or "API",
        version=info.text("version"),
        language=_language(info),
        dialect=_dialect(root),
        summary=info.text("summary"),
        description=info.text("description"),
        terms_of_service=info.text("termsOfService"),
        contact=_text_members(info, "contact", ("name", "url", "email")),
        license=_text_members(info, "license", ("name", "url", "identifier")),
        external_docs=read_external_docs(root),
        servers=defaults.servers,
        security=without_hidden_schemes(defaults.security, defaults.hidden_schemes),
        operations=operations,
        webhooks=webhooks,
        security_schemes=tuple(
            security_scheme
            for security_scheme in read_security_schemes(components)
            if ("securitySchemes", security_scheme.name) not in hidden.components
        ),
        component_names=read_component_names(root, frozenset(hidden.components)),
        unused_components=tuple(read_unused_components(root, frozenset(hidden.components))),
        problem_types=tuple(_problem_types(root)),
        plugins=root.texts("x-devportal-plugins"),
        is_marked=not keys.isdisjoint(STABILITY_KEYS),
        marks=discriminator_values(schemas.schemas),
        text_digests=TextDigests(root.source, schemas.schemas),
    )
    return _with_groups(api, root, defaults.hidden_tags)


def _note_shared_schemas(components: Node | None, schemas: SchemaReader, hidden: InternalParts) -> None:
    """Have the reader of schemas know those under `components`, whether anything refers to them or not."""
    if components is None:
        return
    for name, member in components.members("schemas"):
        if ("schemas", name) not in hidden.components and not leads_to_internal(member):
            schemas.note(member)


def _possible_marks(source: Source) -> frozenset[str]:
    """Return which of the keys that mark directions and stability may occur anywhere in the files."""
    return frozenset[str]().union(
        *(
            possible_keys(document, "readOnly", "writeOnly", *STABILITY_KEYS)
            for document in source.documents().values()
        )
    )


def _with_carried_payloads(api: Api, webhook: Webhook) -> Webhook:
    operations = (with_carried_examples(api, operation, is_event=True) for operation in webhook.operations)
    return replace(webhook, operations=tuple(operations))


def _with_groups(api: Api, root: Node, hidden_tags: frozenset[str]) -> Api:
    """Return the API with its tags, and the groups that these make of its operations."""
    declared = read_tags(root, hidden_tags)
    abbreviations = abbreviations_of(api.operations, declared)
    operations = spell_titles(api.operations, abbreviations)
    tags = spell_titles(title_tags(declared, operations), abbreviations)
    tag_names = {tag.name for tag in tags}
    tag_names.update(name for operation in _requests(api) for name in operation.tags)
    tag_groups = tuple(read_tag_groups(root, frozenset(tag_names), hidden_tags))
    return replace(
        api,
        operations=operations,
        tags=tags,
        tag_groups=group_tags(tag_groups, tags, operations),
        groups=spell_titles(group_operations(operations, tags), abbreviations),
    )


def _requests(api: Api) -> Iterator[Operation]:
    """Yield the operations of paths and of webhooks."""
    yield from api.operations
    for webhook in api.webhooks:
        yield from webhook.operations


def _language(info: Node) -> str:
    """Return `x-language`, empty if it is absent; reports an invalid language tag."""
    if not info.has("x-language"):
        return ""
    tag = info.value["x-language"]
    try:
        return read_language(tag)
    except UnknownLanguage as error:
        info.source.report(
            "contract-language",
            info.location.child("x-language"),
            f"{quote_value(tag)} is not a language tag",
            help=str(error),
            level=Level.WARNING,
        )
        return ""


def _dialect(root: Node) -> str:
    """Return the dialect of schemas, unless it is the one that holds anyway (OAS 3.1.0 §4.8.24.5)."""
    uri = root.text("jsonSchemaDialect")
    return "" if uri.rstrip("#").startswith("https://spec.openapis.org/oas/3.") else uri


def _report_chains(source: Source, cuts: tuple[Location, ...]) -> None:
    for location in cuts:
        source.report(
            "contract-depth",
            location,
            f"more than {MAX_REFERENCE_CHAIN} references follow each other from here; the first one is left out",
            help="make the schema of fewer others: put some of the chain together",
            level=Level.ERROR,
        )


def _text_members(node: Node, key: str, names: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    member = node.mapping(key)
    return (
        tuple((name, member.text(name)) for name in names if member.text(name)) if member is not None else ()
    )


def _problem_types(root: Node) -> Iterator[ProblemType]:
    for item in root.items("x-problem-types"):
        if is_internal(item):
            continue
        status = item.get("status")
        if (
            not item.text("type")
            or not item.text("title")
            or status is None
            or not isinstance(status.value, int)
        ):
            item.report(
                "contract-problem-type",
                "a problem type needs 'type' (a URI), 'title' and 'status' (a number)",
                help="RFC 9457 §4 asks for these three",
            )
            continue
        yield ProblemType(
            uri=item.text("type"),
            title=item.text("title"),
            status=status.value,
            description=item.text("description"),
            resolution=item.text("resolution"),
            stability=read_stability(item),
            grounds=read_grounds(item),
            location=item.location,
        )
