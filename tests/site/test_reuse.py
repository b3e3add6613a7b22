"""A page that is not rendered again is the page that would be."""

import json
from collections.abc import Callable, Iterator
from datetime import date
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
import yaml

from devportal.contract import read_contract
from devportal.documents import parse_document
from devportal.markup import Page
from devportal.project.inputs import Inputs
from devportal.project.settings import Settings
from devportal.site.cache.reuse import edit_between, first_words, parse_basis, render_basis
from devportal.site.cache.store import PageStore
from devportal.site.load_inputs import load_inputs
from devportal.site.portal import Portal, render_portal
from tests.corpus import contract_param, corpus_file

from .building import CONTRACT, ROOT

BATCH = 4
CONTRACTS = sorted((ROOT / "tests" / "reference" / "contracts").glob("*.yaml"))


class Project:
    """A contract in a folder that is rendered into one store again and again."""

    def __init__(self, folder: Path, document: Any) -> None:
        """Take where, and the contract to begin with."""
        self.document = json.loads(json.dumps(document, default=str))
        self._inputs = Inputs(root=folder, contract=folder / "openapi.json", today=date(2026, 12, 1))
        self._store = PageStore()

    def render(self, *, afresh: bool = False) -> tuple[Portal, list[Page]]:
        """Return the portal as it is now, and its pages."""
        assert self._inputs.contract is not None
        self._inputs.contract.write_text(json.dumps(self.document), encoding="utf-8")
        store = PageStore() if afresh else self._store
        portal = render_portal(load_inputs(self._inputs), self._inputs, store)
        return portal, [store.page(head) for head in portal.heads]

    def assert_fresh(self, rendered: tuple[Portal, list[Page]]) -> None:
        """Assert that pages and files are those of a build that follows no other."""
        portal, pages = self.render(afresh=True)
        assert rendered[1] == pages
        files, other_files = (
            [(file.uri, file.content) for file in each.artefacts] for each in (rendered[0], portal)
        )
        assert files == other_files


def descriptions(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield where the descriptions of a contract stand."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if key == "description" and isinstance(inner, str):
            yield (*path, key)
        yield from descriptions(inner, (*path, key))


def edit(document: Any, path: tuple[str | int, ...], text: str) -> None:
    """Put a text before what stands at a path."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = text + document[path[-1]]


def distant_batches(places: list[tuple[str | int, ...]]) -> list[list[tuple[str | int, ...]]]:
    """Return places in batches of some that are far from each other, so that few pages have two of them."""
    step = -(-len(places) // BATCH)
    return [places[start::step] for start in range(step)]


@pytest.mark.parametrize(
    "contract",
    [CONTRACTS[0], *(pytest.param(path, marks=pytest.mark.deep) for path in CONTRACTS[1:])],
    ids=lambda path: path.stem,
)
def test_each_edited_description_changes_what_a_fresh_build_changes(contract: Path, tmp_path: Path) -> None:
    """One after the other, all descriptions of contracts that have them in every place there is."""
    project = Project(tmp_path, yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    places = list(descriptions(project.document))
    spared = 0

    for batch in distant_batches(places):
        for path in batch:
            edit(project.document, path, "Edited. ")
            portal, pages = project.render()
            spared += len(pages) - portal.rendered
        project.assert_fresh((portal, pages))

    assert places
    assert spared > 0


@pytest.mark.parametrize("name", [*map(contract_param, ["museum-3.1.yaml", "bandwidth.yml"])])
def test_edited_descriptions_of_others(name: str, tmp_path: Path) -> None:
    """A few descriptions of real contracts, of every length."""
    project = Project(
        tmp_path, yaml.load(corpus_file(name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    )
    project.render()
    places = list(descriptions(project.document))

    for path in places[:: max(1, len(places) // 4)]:
        edit(project.document, path, "Edited. ")
        rendered = project.render()

    project.assert_fresh(rendered)


METHODS = ("get", "put", "post", "delete", "patch")


def operations_of(document: Any) -> list[dict[str, Any]]:
    """Return the operations of a contract."""
    return [item[method] for item in document["paths"].values() for method in METHODS if method in item]


def add_parameter(operation: dict[str, Any]) -> None:
    """Add a parameter of a query that nothing requires."""
    parameter = {"name": "dry_run", "in": "query", "schema": {"type": "boolean"}}
    operation["parameters"] = [*operation.get("parameters", []), parameter]


def remove_parameters(operation: dict[str, Any]) -> None:
    """Leave only the parameters of the path, which the others may need."""
    operation["parameters"] = [
        parameter for parameter in operation.get("parameters", []) if parameter.get("in") == "path"
    ]


def require_value(operation: dict[str, Any]) -> None:
    """Require a value that responses of other operations may have."""
    parameter = {"name": "order_id", "in": "query", "required": True, "schema": {"type": "string"}}
    operation["parameters"] = [*operation.get("parameters", []), parameter]


def return_identifier(operation: dict[str, Any]) -> None:
    """Return a value that others may ask for."""
    schema = {"type": "object", "properties": {"order_id": {"type": "string"}, "id": {"type": "string"}}}
    content = {"application/json": {"schema": schema}}
    operation["responses"] = {"201": {"description": "Made.", "content": content}}


def return_problem(operation: dict[str, Any]) -> None:
    """Return the example of a problem."""
    example = {"type": "https://errors.example/new", "title": "New", "status": 409}
    content = {"application/problem+json": {"example": example}}
    operation["responses"] = {**operation["responses"], "409": {"description": "No.", "content": content}}


def send_body(operation: dict[str, Any]) -> None:
    """Take another body, with a schema of its own."""
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string", "maxLength": 9}}}
    operation["requestBody"] = {"content": {"application/json": {"schema": schema}}}


def rewrite(operation: dict[str, Any]) -> None:
    """Change its description with its structure."""
    operation["description"] = "Rewritten."
    add_parameter(operation)


def deprecate(operation: dict[str, Any]) -> None:
    """Deprecate it: lists say so."""
    operation["deprecated"] = not operation.get("deprecated", False)


def retitle(operation: dict[str, Any]) -> None:
    """Call it otherwise."""
    operation["summary"] = f"{operation.get('summary', '')} anew"


def make_public(operation: dict[str, Any]) -> None:
    """Ask for no credential: the page of authentication lists it."""
    operation["security"] = []


def mark_beta(operation: dict[str, Any]) -> None:
    """Promise less of its responses: a page lists all that is not stable."""
    for response in operation["responses"].values():
        response["x-stability-level"] = "beta"


def move_to_sandbox(operation: dict[str, Any]) -> None:
    """Send it to a sandbox: then operations have consoles."""
    operation["servers"] = [{"url": "https://sandbox.example"}]


def call_back(operation: dict[str, Any]) -> None:
    """Send a request to the caller."""
    sent = {"post": {"responses": {"204": {"description": "Taken."}}}}
    operation["callbacks"] = {"done": {"{$request.query.url}": sent}}


EDITS = (
    add_parameter,
    remove_parameters,
    require_value,
    return_identifier,
    return_problem,
    send_body,
    rewrite,
    deprecate,
    retitle,
    make_public,
    mark_beta,
    move_to_sandbox,
    call_back,
)


@pytest.mark.parametrize("change", EDITS, ids=lambda change: change.__name__)
@pytest.mark.deep
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: path.stem)
def test_edited_operations_change_what_a_fresh_build_changes(
    change: Callable[[dict[str, Any]], None], contract: Path, tmp_path: Path
) -> None:
    """Whatever is edited, on the operation's own page and on all that show something of it."""
    project = Project(tmp_path, yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    operations = operations_of(project.document)

    for operation in operations[:: max(1, len(operations) // 3)]:
        change(operation)
        project.assert_fresh(project.render())

    assert operations


def add_property(schema: dict[str, Any]) -> None:
    """Add a property."""
    schema["properties"] = {**schema.get("properties", {}), "added_id": {"type": "string", "maxLength": 9}}


def require_properties(schema: dict[str, Any]) -> None:
    """Require all properties."""
    schema["required"] = sorted(schema.get("properties", {}))


def refer(schema: dict[str, Any]) -> None:
    """Be nothing but a text, or what another member says."""
    schema.clear()
    schema["type"] = "string"


def list_values(schema: dict[str, Any]) -> None:
    """Allow few values."""
    schema["enum"] = ["a", "b"]


def give_example(schema: dict[str, Any]) -> None:
    """Give another example."""
    schema["example"] = {"added": 1}


def retitle_schema(schema: dict[str, Any]) -> None:
    """Call it otherwise, with another description."""
    schema["title"], schema["description"] = "Other", "Another description."


def select(schema: dict[str, Any]) -> None:
    """Have a property select what extends it."""
    schema["properties"] = {**schema.get("properties", {}), "kind": {"type": "string"}}
    schema["discriminator"] = {"propertyName": "kind"}


def limit(schema: dict[str, Any]) -> None:
    """Allow fewer properties: what is made as an example may change."""
    schema["additionalProperties"] = False
    schema["minLength"] = 3


def promise_less(schema: dict[str, Any]) -> None:
    """Promise less of it."""
    schema["x-stability-level"] = "beta"


SCHEMA_EDITS = (
    add_property,
    require_properties,
    refer,
    list_values,
    give_example,
    retitle_schema,
    select,
    limit,
    deprecate,
    promise_less,
)


@pytest.mark.parametrize("change", SCHEMA_EDITS, ids=lambda change: change.__name__)
@pytest.mark.deep
@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda path: path.stem)
def test_edited_schemas_change_what_a_fresh_build_changes(
    change: Callable[[dict[str, Any]], None], contract: Path, tmp_path: Path
) -> None:
    """On the pages of all that refers to them, by any number of others."""
    project = Project(tmp_path, yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    schemas = [*filter(is_object, project.document["components"]["schemas"].values())]

    for schema in schemas[:: max(1, len(schemas) // 4)]:
        change(schema)
        project.assert_fresh(project.render())

    assert schemas


def first_operation(document: Any) -> tuple[str, str, dict[str, Any]]:
    """Return path, method and object of the operation in the middle of a contract."""
    found = [
        (path, method, item[method])
        for path, item in document["paths"].items()
        for method in METHODS
        if method in item
    ]
    return found[len(found) // 2]


def add_operation(document: Any) -> None:
    """Add one that is like another, in the same group."""
    path, method, operation = first_operation(document)
    document["paths"][f"{path}/added"] = {method: {**operation, "operationId": "addedOperation"}}


def add_first_operation(document: Any) -> None:
    """Add one before all others, of a resource that gives what others need."""
    body = {"type": "object", "properties": {"id": {"type": "string"}, "order_id": {"type": "string"}}}
    content = {"application/json": {"schema": body}}
    responses = {"201": {"description": "Made.", "content": content}}
    added = {"/added/orders": {"post": {"responses": responses, "summary": "Create an order"}}}
    document["paths"] = {**added, **document["paths"]}


def remove_operation(document: Any) -> None:
    """Remove one, with its path if that has no other."""
    path, method, _ = first_operation(document)
    del document["paths"][path][method]
    if not any(method in document["paths"][path] for method in METHODS):
        del document["paths"][path]


def move_operation(document: Any) -> None:
    """Put it at another path."""
    path, method, operation = first_operation(document)
    document["paths"][path] = {key: value for key, value in document["paths"][path].items() if key != method}
    document["paths"][f"/moved{path}"] = {method: operation}


def rename_operation(document: Any) -> None:
    """Give it another identifier, so that its page has another address."""
    first_operation(document)[2]["operationId"] = "anotherName"


def tag_otherwise(document: Any) -> None:
    """Put it into the group of another."""
    operations = operations_of(document)
    first_operation(document)[2]["tags"] = operations[0].get("tags", ["Others"])


def title_alike(document: Any) -> None:
    """Call it as another is called: lists then show their paths."""
    operations = operations_of(document)
    operations[0]["summary"] = first_operation(document)[2]["summary"] = "Do the same"


def share_parameter(document: Any) -> None:
    """Give all operations of a path a parameter."""
    parameter = {"name": "shared", "in": "query", "description": "Shared.", "schema": {"type": "string"}}
    document["paths"][first_operation(document)[0]]["parameters"] = [parameter]


def name_successor(document: Any) -> None:
    """Deprecate an operation in favour of another."""
    operations = operations_of(document)
    operations[0] |= {"deprecated": True, "x-successor": operations[-1].get("operationId", "none")}


def link_operation(document: Any) -> None:
    """Lead from a response to another operation."""
    operations = operations_of(document)
    link = {"next": {"operationId": operations[-1].get("operationId", "none")}}
    for response in operations[0]["responses"].values():
        response["links"] = link


def add_schema(document: Any) -> None:
    """Add one that an operation returns, before all others by name."""
    schema = {"type": "object", "properties": {"number": {"type": "integer"}}}
    document["components"] = {**document.get("components", {})}
    document["components"]["schemas"] = {"AAA": schema, **document["components"].get("schemas", {})}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/AAA"}}}
    first_operation(document)[2]["responses"]["418"] = {"description": "Tea.", "content": content}


def replace_references(value: Any, target: str, other: dict[str, Any]) -> Any:
    """Return a value with another schema in place of the references to a target."""
    if isinstance(value, dict):
        if value.get("$ref") == target:
            return other
        return {key: replace_references(inner, target, other) for key, inner in value.items()}
    return [replace_references(item, target, other) for item in value] if isinstance(value, list) else value


def remove_schema(document: Any) -> None:
    """Have a text in place of a schema."""
    schemas = document.get("components", {}).get("schemas", {})
    if schemas:
        name = [*schemas][len(schemas) // 2]
        del schemas[name]
        reference = f"#/components/schemas/{name}"
        document.update(replace_references(document, reference, {"type": "string"}))


def rename_schema(document: Any) -> None:
    """Call a schema otherwise."""
    schemas = document.get("components", {}).get("schemas", {})
    if schemas:
        name = next(iter(schemas))
        schemas["Renamed"] = schemas.pop(name)
        reference = f"#/components/schemas/{name}"
        document.update(replace_references(document, reference, {"$ref": "#/components/schemas/Renamed"}))


def extend_schema(document: Any) -> None:
    """Add a schema that another's discriminator selects."""
    schemas = document.get("components", {}).get("schemas", {})
    if schemas:
        name = [*schemas][-1]
        if isinstance(schemas[name], dict):
            select(schemas[name])
        own = {"type": "object", "properties": {"more": {"type": "string"}}}
        schemas["Heir"] = {"allOf": [{"$ref": f"#/components/schemas/{name}"}, own]}


def reverse_order(document: Any) -> None:
    """Write paths and schemas in another order."""
    document["paths"] = dict(reversed(document["paths"].items()))
    if "schemas" in document.get("components", {}):
        document["components"]["schemas"] = dict(reversed(document["components"]["schemas"].items()))


STRUCTURAL_EDITS = (
    add_operation,
    add_first_operation,
    remove_operation,
    move_operation,
    rename_operation,
    tag_otherwise,
    title_alike,
    share_parameter,
    name_successor,
    link_operation,
    add_schema,
    remove_schema,
    rename_schema,
    extend_schema,
    reverse_order,
)


@pytest.mark.parametrize(
    "contract",
    [CONTRACTS[0], *(pytest.param(path, marks=pytest.mark.deep) for path in CONTRACTS[1:])],
    ids=lambda path: path.stem,
)
def test_parts_that_come_and_go_change_what_a_fresh_build_changes(contract: Path, tmp_path: Path) -> None:
    """One edit after the other; pages that show nothing of it stay, unless parts have names that others may use."""
    project = Project(tmp_path, yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    spared = 0
    document = parse_document(json.dumps(project.document), name="openapi.json")
    has_names = any(unit.names_parts for unit in read_contract(document).texts())

    for change in STRUCTURAL_EDITS:
        change(project.document)
        portal, pages = project.render()
        project.assert_fresh((portal, pages))
        spared += len(pages) - portal.rendered

    assert (spared > 0) is not has_names


@pytest.mark.parametrize(
    ("change", "rendered"),
    [
        (lambda paths: retitle(paths["/3/things/7"]["get"]), 12),
        (lambda paths: paths.update({"/3/things": paths["/3/things/7"]}), 13),
        (lambda paths: paths.pop("/3/things/7"), 11),
    ],
    ids=["retitled", "added", "removed"],
)
def test_operation_that_comes_or_goes_changes_its_group_and_lists(
    change: Callable[[Any], None], rendered: int, tmp_path: Path
) -> None:
    """The left column of all pages of its group lists it; elsewhere, its group has only another number there."""
    document = with_operations(0)
    for group in range(10):
        paths = with_operations(10)["paths"]
        for path, item in paths.items():
            document["paths"][f"/{group}{path}"] = {"get": {**item["get"], "tags": [f"G{group}"]}}
    project = Project(tmp_path, document)
    project.render()
    change(project.document["paths"])

    portal, pages = project.render()

    assert len(pages) > 110
    assert portal.rendered == rendered + 10  # the overview, authentication, the page of each group
    project.assert_fresh((portal, pages))


@pytest.mark.parametrize("target", ["#operation/other", "#operation%2Fother", "#/paths/~1things~1other/get"])
def test_links_in_texts_lead_to_an_operation_from_when_on_it_is_there(target: str, tmp_path: Path) -> None:
    """Before, they led to the overview."""
    document = with_operations(3)
    document["paths"]["/things/0"]["get"]["description"] = f"See [the other]({target})."
    project = Project(tmp_path, document)
    project.render()
    added = {**document["paths"]["/things/1"]["get"], "operationId": "other"}
    project.document["paths"]["/things/other"] = {"get": added}

    portal, pages = project.render()

    assert any('href="../other/" rel="noopener noreferrer">the other</a>' in page.body for page in pages)
    project.assert_fresh((portal, pages))


def test_operations_with_other_credentials_change_the_whole_collection(tmp_path: Path) -> None:
    """Requests inherit the credentials that most operations need."""
    document = with_operations(3)
    scheme = {"type": "http", "scheme": "bearer"}
    document["components"] = {"securitySchemes": {"Token": scheme, "Other": {**scheme, "scheme": "basic"}}}
    for number, name in enumerate(["Token", "Token", "Other"]):
        document["paths"][f"/things/{number}"]["get"]["security"] = [{name: []}]
    project = Project(tmp_path, document)
    project.render()
    for number in (0, 1):
        project.document["paths"][f"/others/{number}"] = project.document["paths"]["/things/2"]

    project.assert_fresh(project.render())


def test_edits_of_every_kind_change_what_a_fresh_build_changes(tmp_path: Path) -> None:
    """One after the other, each of an operation or schema of its own."""
    project = Project(tmp_path, yaml.load(CONTRACTS[0].read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    operations = operations_of(project.document)
    schemas = [*filter(is_object, project.document["components"]["schemas"].values())]
    edits = [*zip(EDITS, cycle(operations), strict=False), *zip(SCHEMA_EDITS, cycle(schemas), strict=False)]
    spared = 0

    for change, part in edits:
        change(part)
        portal, pages = project.render()
        project.assert_fresh((portal, pages))
        spared += len(pages) - portal.rendered

    assert spared > 0


def change_component(component: dict[str, Any]) -> None:
    """Change something of a component of any kind."""
    if "schema" in component:
        component["schema"] = {"type": "string", "maxLength": 7}
    elif "content" in component:
        component["content"] = {
            "application/json": {"schema": {"type": "array", "items": {"type": "string"}}}
        }
    elif "value" in component:
        component["value"] = {"description": "Another value."}
    else:
        component["summary"] = "Another"


@pytest.mark.parametrize(
    "contract",
    [CONTRACTS[0], *(pytest.param(path, marks=pytest.mark.deep) for path in CONTRACTS[1:])],
    ids=lambda path: path.stem,
)
def test_edited_components_change_what_a_fresh_build_changes(contract: Path, tmp_path: Path) -> None:
    """On the pages of all that refers to them; a value that they describe is no description."""
    project = Project(tmp_path, yaml.load(contract.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    project.render()
    sections = {**project.document["components"]}
    del sections["schemas"]
    components = [component for section in sections.values() for component in section.values()]

    for component in components:
        if isinstance(component.get("value"), dict):
            component["value"]["description"] = "Another description."
            project.assert_fresh(project.render())
        change_component(component)
        project.assert_fresh(project.render())

    assert components


def test_edited_response_is_rendered_where_it_is_used(tmp_path: Path) -> None:
    """The pages of the operations that refer to it, and the overview."""
    document = with_operations(20)
    document["components"] = {"responses": {"Gone": {"description": "Gone."}}}
    for number in (3, 4):
        document["paths"][f"/things/{number}"]["get"]["responses"] = {
            "410": {"$ref": "#/components/responses/Gone"}
        }
    project = Project(tmp_path, document)
    project.render()
    header = {"Retry-After": {"schema": {"type": "integer"}}}
    project.document["components"]["responses"]["Gone"]["headers"] = header

    portal, pages = project.render()

    assert portal.rendered == 3
    project.assert_fresh((portal, pages))


def is_object(value: object) -> bool:
    """Say whether a value is a mapping."""
    return isinstance(value, dict)


def test_edited_operation_is_rendered_without_the_others(tmp_path: Path) -> None:
    """Its page and the overview, which is small; what nothing else shows is on no other page."""
    project = Project(tmp_path, with_operations(20))
    whole, _ = project.render()
    add_parameter(project.document["paths"]["/things/7"]["get"])

    portal, pages = project.render()

    assert whole.rendered > 20
    assert portal.rendered == 2
    project.assert_fresh((portal, pages))


def test_value_that_an_edited_operation_returns_is_shown_where_it_is_needed(tmp_path: Path) -> None:
    """On the pages of the operations that require it, and nowhere else."""
    project = Project(tmp_path, with_operations(20))
    require_value(project.document["paths"]["/things/3"]["get"])
    project.render()
    return_identifier(project.document["paths"]["/things/7"]["get"])

    portal, pages = project.render()

    assert portal.rendered == 3
    project.assert_fresh((portal, pages))


def with_operations(count: int) -> dict[str, Any]:
    """Return a contract with so many operations."""
    responses = {"200": {"description": "Done."}}
    paths = {f"/things/{number}": {"get": {"tags": ["T"], "responses": responses}} for number in range(count)}
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}


def test_description_within_an_example_is_a_value(tmp_path: Path) -> None:
    """Samples write it as a URL does, so that its words are on no page."""
    document = with_operations(3)
    example = {"description": "Some words"}
    parameter = {
        "name": "q",
        "in": "query",
        "required": True,
        "schema": {"type": "object"},
        "example": example,
    }
    document["paths"]["/things/1"]["get"]["parameters"] = [parameter]
    project = Project(tmp_path, document)
    project.render()
    parameter = project.document["paths"]["/things/1"]["get"]["parameters"][0]
    parameter["example"]["description"] = "Other words"

    project.assert_fresh(project.render())


def test_schema_that_a_discriminator_selected_is_in_no_sample_any_more(tmp_path: Path) -> None:
    """A sample of its parent may have its members on a page that names neither it nor a link to it."""
    document = with_operations(3)
    kind = {"propertyName": "kind"}
    pet = {"type": "object", "properties": {"kind": {"type": "string"}}, "discriminator": kind}
    own = {"type": "object", "required": ["bark"], "properties": {"bark": {"type": "string"}}}
    dog = {"allOf": [{"$ref": "#/components/schemas/Pet"}, own]}
    owner = {"type": "object", "properties": {"pet": {"$ref": "#/components/schemas/Pet"}}}
    document["components"] = {"schemas": {"Pet": pet, "Dog": dog, "Owner": owner}}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Owner"}}}
    document["paths"]["/things/1"]["get"]["responses"]["200"]["content"] = content
    project = Project(tmp_path, document)
    project.render()
    project.document["components"]["schemas"]["Dog"] = own
    project.assert_fresh(project.render())
    project.document["components"]["schemas"]["Dog"] = dog
    project.assert_fresh(project.render())
    del project.document["components"]["schemas"]["Dog"]

    project.assert_fresh(project.render())


def test_problem_that_an_edited_operation_returns_lists_it(tmp_path: Path) -> None:
    """The page of a problem type has the operations that return it, and an example of theirs."""
    document = with_operations(3)
    problem = {"type": "https://errors.example/new", "title": "New", "status": 409}
    document["x-problem-types"] = [problem]
    project = Project(tmp_path, document)
    project.render()
    return_problem(project.document["paths"]["/things/1"]["get"])

    portal, pages = project.render()

    assert any("https://errors.example/new" in page.body and "/things/1" in page.body for page in pages)
    project.assert_fresh((portal, pages))


def test_last_part_that_becomes_stable_takes_the_list_of_such_parts_with_it(tmp_path: Path) -> None:
    """All pages lead to that list while there is one."""
    document = with_operations(3)
    project = Project(tmp_path, document)
    mark_beta(project.document["paths"]["/things/1"]["get"])
    with_list = project.render()[1]
    project.document = document

    portal, pages = project.render()

    assert len(pages) == len(with_list) - 1
    project.assert_fresh((portal, pages))


@pytest.mark.parametrize(
    ("reference", "parameter"),
    [
        ("#/paths/~1things~10/get/parameters/0", {}),
        ("#/%70aths/~1things~10/get/parameters/0", {}),
        ("#/paths/~1things~10/get/parameters/0/schema", {"name": "a", "in": "query"}),
    ],
)
def test_operations_that_share_a_part_change_together(
    reference: str, parameter: dict[str, Any], tmp_path: Path
) -> None:
    """A reference may lead into another operation."""
    document = with_operations(3)
    add_parameter(document["paths"]["/things/0"]["get"])
    schema = {"schema": {"$ref": reference}} if parameter else {"$ref": reference}
    document["paths"]["/things/1"]["get"]["parameters"] = [{**parameter, **schema}]
    project = Project(tmp_path, document)
    project.render()
    project.document["paths"]["/things/0"]["get"]["parameters"][0]["schema"]["maximum"] = 9

    project.assert_fresh(project.render())


def test_server_that_is_described_as_a_sandbox_brings_consoles_to_all_pages(tmp_path: Path) -> None:
    """A description decides here what other pages have."""
    document = with_operations(3)
    document["servers"] = [{"url": "https://a.example", "description": "Live"}]
    project = Project(tmp_path, document)
    project.render()
    project.document["servers"][0]["description"] = "Sandbox"

    project.assert_fresh(project.render())


def test_nothing_is_rendered_where_nothing_changed(tmp_path: Path) -> None:
    """Not even the lists that are made of all pages."""
    project = Project(tmp_path, CONTRACT)
    first, pages = project.render()
    again, same = project.render()

    assert first.rendered == len(pages)
    assert again.rendered == 0
    assert same == pages


def test_chapters_that_come_and_go_are_linked_as_in_a_fresh_build(tmp_path: Path) -> None:
    """Any page may have a link to a heading of the contract's description."""
    get = {"description": "See [errors](#section/Errors).", "responses": {}}
    info = {"title": "T", "version": "1", "description": "# Errors"}
    project = Project(tmp_path, {"openapi": "3.1.0", "info": info, "paths": {"/a": {"get": get}}})
    linked = [page for page in project.render()[1] if "#section/Errors" in page.body]
    info["description"] = "# Faults"
    project.document["info"] = info
    portal, pages = project.render()

    assert len(linked) == 2
    project.assert_fresh((portal, pages))


@pytest.mark.parametrize(
    "change",
    [
        lambda document: document["info"].update(title="Other"),
        lambda document: document["paths"]["/parcels/{id}"]["get"].update(summary="Other"),
        lambda document: document["paths"].update({"/new": {"get": {"responses": {}}}}),
        lambda document: document["paths"].pop("/parcels/{id}"),
    ],
)
def test_another_change_leaves_what_a_fresh_build_leaves(change: Any, tmp_path: Path) -> None:
    """Pages come and go as in a fresh build."""
    project = Project(tmp_path, CONTRACT)
    project.render()
    change(project.document)
    portal, pages = project.render()

    assert portal.rendered == len(pages)
    project.assert_fresh((portal, pages))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sends a message. And more.", ("Sends a message", "And more")),
        ("**Note** <em>well</em>: sends it", ("Note", "well", "sends it")),
        ("<strong>Note</strong>", ("Note",)),
        ("[docs](https://example.com/docs)", ("docs",)),
        ("<!-- nothing to see -->", ()),
        ("…", ()),
        ("日本語の説明。次の文", ("日本語の説明", "次の文")),
        ("日本" * 50, ("日本" * 30,)),
        ("- " * 300 + "words at last", ()),
        ("word " * 30, ("word word word word word word word word word word word word",)),
    ],
)
def test_first_words_are_those_that_every_page_shows(text: str, words: tuple[str, ...]) -> None:
    """No markup, nothing that a page may have cut, no word of which only a part may be there."""
    assert first_words(text) == words


def test_mark_of_an_operation_is_shown_on_its_page_alone() -> None:
    """A release, or a run of the tests, that says more of one operation leaves the pages of all others."""
    contract = read_contract(parse_document(json.dumps(CONTRACT, default=str), name="openapi.json"))
    before = render_basis("same", contract, Settings(), None, {"a/one.md": "since 1", "a/two.md": "since 1"})
    now = render_basis("same", contract, Settings(), before, {"a/two.md": "since 1", "a/three.md": "since 2"})

    edited = edit_between(PageStore(), now, parse_basis(before.to_json()), contract)

    assert edited is not None
    assert edited.uris == {"a.md", "a/one.md", "a/three.md"}
    assert not edited.units


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"digest": "a", "texts": {"structure": "", "descriptions": []}}']
)
def test_what_another_version_has_noted_is_not_used(text: str) -> None:
    """A cache that an older or newer toolkit has left is rendered anew, not stumbled over."""
    assert parse_basis(text) is None
