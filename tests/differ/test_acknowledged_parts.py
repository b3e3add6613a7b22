"""An acknowledgement of a changed part lets no other change of such a part pass, whatever kind of part it is."""

from typing import Any

import pytest

from tests.differ.places.test_schema_places import PLAIN, SHORT, Document
from tests.differ.test_acknowledgements import leaks

PLACE = "#/components/{}/{}"
DONE = {"200": {"description": "Done."}}


def part(kind: str, name: str) -> Document:
    """Return a reference to a component of some kind."""
    return {"$ref": PLACE.format(kind, name)}


def body(schema: Any, media: str = "application/json") -> Document:
    """Return a body."""
    return {"content": {media: {"schema": schema}}}


def api(*operations: Document, **members: Any) -> Document:
    """Return a contract with operations `POST /0`, `POST /1`…, and with further members."""
    paths = {f"/{n}": {"post": {"responses": DONE, **operation}} for n, operation in enumerate(operations)}
    return {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths, **members}


def links(**targets: str) -> Document:
    """Return a contract whose responses link to operations."""
    found = {name: {"operationId": target} for name, target in targets.items()}
    one = {"operationId": "a", "responses": {"200": {"description": "Done.", "links": found}}}
    return api(one, {"operationId": "b"})


def servers(*urls: str) -> Document:
    """Return a contract with servers."""
    return api({}, servers=[{"url": url} for url in urls])


def variable(*values: str) -> Document:
    """Return a contract with a server whose variable has values."""
    return api({}, servers=[{"url": "https://{v}.x", "variables": {"v": {"default": "a", "enum": values}}}])


def headers(*made: Document, **components: Any) -> Document:
    """Return a contract whose responses have a header each."""
    responses = [{"200": {"description": "Done.", "headers": {"X-A": item}}} for item in made]
    return api(*({"responses": response} for response in responses), components={"headers": components})


def header(schema: Any, *, required: bool = True) -> Document:
    """Return a header."""
    return {"required": required, "schema": schema}


def callbacks(*made: Document, **components: Any) -> Document:
    """Return a contract whose operations have a callback each."""
    return api(*({"callbacks": {"done": item}} for item in made), components={"callbacks": components})


def callback(schema: Any, url: str = "{$request.body#/url}") -> Document:
    """Return a callback."""
    return {url: {"post": {"requestBody": body(schema), "responses": DONE}}}


def webhooks(**bodies: Any) -> Document:
    """Return a contract with webhooks."""
    return api(
        webhooks={
            name: {"post": {"requestBody": body(value), "responses": DONE}} for name, value in bodies.items()
        }
    )


def secure_api(*needed: Any, key: str = "K") -> Document:
    """Return a contract whose operations need schemes."""
    flows = {"clientCredentials": {"tokenUrl": "https://x.test", "scopes": {"r": "", "w": "", "z": ""}}}
    schemes = {
        "key": {"type": "apiKey", "in": "header", "name": key},
        "other": {"type": "apiKey", "in": "header", "name": "L"},
        "oauth": {"type": "oauth2", "flows": flows},
    }
    return api(*({"security": item} for item in needed), components={"securitySchemes": schemes})


def query(schema: Any = PLAIN, **more: Any) -> Document:
    """Return a parameter."""
    return {"name": "q", "in": "query", "schema": schema, **more}


def of_path(shared: Document | None, own: Document | None) -> Document:
    """Return a contract with a parameter of a path, and one of its operation `PUT /0`."""
    made = api({})
    made["paths"]["/0"]["put"] = {"responses": DONE, "parameters": [own] if own else []}
    made["paths"]["/0"]["parameters"] = [shared] if shared else []
    return made


def statuses(*codes: str) -> Document:
    """Return a contract whose operation has responses."""
    return api({"responses": {code: {"description": "Done."} for code in codes}})


def responses(schema: Any, *names: str) -> Document:
    """Return a contract with a response by reference for each of two statuses."""
    shared = {"R": {"description": "R", **body(schema)}, "Old": {"description": "R", **body(SHORT)}}
    used = {code: part("responses", name) for code, name in zip(("200", "404"), names, strict=True)}
    return api({"responses": used}, components={"responses": shared})


def sending(**schemas: Any) -> Document:
    """Return a contract whose operation takes a body in some media types, `_` for the slash."""
    content = {name.replace("_", "/"): {"schema": schema} for name, schema in schemas.items()}
    return api({"requestBody": {"content": content}})


def encoding(**types: str) -> Document:
    """Return a contract whose form has fields with media types."""
    fields = {"type": "object", "properties": {"f": PLAIN, "g": PLAIN}}
    encodings = {name: {"contentType": type_} for name, type_ in types.items()}
    form = {"multipart/form-data": {"schema": fields, "encoding": encodings}}
    return api({"requestBody": {"content": form}})


def path_items(schema: Any, *names: str) -> Document:
    """Return a contract whose paths are components."""
    made = api(components={"pathItems": {
        "P": {"post": {"responses": DONE, "requestBody": body(schema)}},
        "Old": {"post": {"responses": DONE, "requestBody": body(PLAIN)}},
    }})  # fmt: skip
    made["paths"] = {f"/{n}": part("pathItems", name) for n, name in enumerate(names)}
    return made


H, C = header(SHORT), callback(SHORT)
KEY: list[Document] = [{"key": []}]
OTHER: list[Document] = [{"other": []}]
ATTACKS: dict[str, tuple[Document, Document, Document]] = {
    "a second link": (links(x="a", y="a"), links(x="b", y="a"), links(x="b", y="b")),
    "another target of a link": (links(x="a"), links(x="b"), links(x="c")),
    "a second link removed": (links(x="a", y="a"), links(y="a"), links()),
    "a second server removed": (
        servers("https://a.x", "https://b.x", "https://c.x"), servers("https://a.x", "https://b.x"),
        servers("https://a.x"),
    ),
    "another server": (servers("https://a.x"), servers("https://b.x"), servers("https://c.x")),
    "a second value of a server": (variable("a", "b", "c"), variable("a", "b"), variable("a")),
    "a header of a second operation": (headers(H, H), headers(header(PLAIN), H), headers(*[header(PLAIN)] * 2)),
    "a second optional header": (
        headers(H, H), headers(header(SHORT, required=False), H), headers(*[header(SHORT, required=False)] * 2),
    ),
    "a second reference to a header": (
        headers(part("headers", "R"), part("headers", "R"), R=H, Old=H),
        headers(part("headers", "R"), part("headers", "Old"), R=header(PLAIN), Old=H),
        headers(part("headers", "R"), part("headers", "R"), R=header(PLAIN), Old=H),
    ),
    "another media type narrowed": (
        sending(a_json=PLAIN, b_json=PLAIN), sending(a_json=SHORT, b_json=PLAIN),
        sending(a_json=SHORT, b_json=SHORT),
    ),
    "a second media type removed": (
        sending(a_json=PLAIN, b_json=PLAIN, c_json=PLAIN), sending(a_json=PLAIN, b_json=PLAIN),
        sending(a_json=PLAIN),
    ),
    "a second field of a form": (
        encoding(f="text/plain", g="text/plain"), encoding(f="image/png", g="text/plain"),
        encoding(f="image/png", g="image/png"),
    ),
    "a second callback": (callbacks(C, C), callbacks(callback(PLAIN), C), callbacks(*[callback(PLAIN)] * 2)),
    "another address of a callback": (
        callbacks(C), callbacks(callback(SHORT, "{$request.body#/b}")),
        callbacks(callback(SHORT, "{$request.body#/c}")),
    ),
    "a second reference to a callback": (
        callbacks(part("callbacks", "R"), part("callbacks", "R"), R=C, Old=C),
        callbacks(part("callbacks", "R"), part("callbacks", "Old"), R=callback(PLAIN), Old=C),
        callbacks(part("callbacks", "R"), part("callbacks", "R"), R=callback(PLAIN), Old=C),
    ),
    "a second webhook": (webhooks(a=SHORT, b=SHORT), webhooks(a=PLAIN, b=SHORT), webhooks(a=PLAIN, b=PLAIN)),
    "a second webhook removed": (webhooks(a=SHORT, b=SHORT), webhooks(a=SHORT), webhooks()),
    "security of a second operation": (secure_api([], []), secure_api(KEY, []), secure_api(KEY, KEY)),
    "another scheme": (secure_api([]), secure_api(KEY), secure_api(OTHER)),
    "one more scope": (
        secure_api([{"oauth": ["r"]}]), secure_api([{"oauth": ["r", "w"]}]), secure_api([{"oauth": ["r", "w", "z"]}]),
    ),
    "an alternative less": (
        secure_api([*KEY, *OTHER, {"oauth": ["r"]}]), secure_api([*KEY, *OTHER]), secure_api(KEY),
    ),
    "another name of a key": (secure_api(KEY), secure_api(KEY, key="A"), secure_api(KEY, key="B")),
    "a parameter of a path": (
        of_path(query(), query()), of_path(query(SHORT), query()), of_path(query(SHORT), None),
    ),
    "a required parameter of a path": (
        of_path(None, None), of_path(query(required=True), query()), of_path(query(required=True), None),
    ),
    "a second path by reference": (
        path_items(PLAIN, "P", "P"), path_items(SHORT, "P", "Old"), path_items(SHORT, "P", "P"),
    ),
    "another status": (statuses("200"), statuses("201"), statuses("202")),
    "a second status removed": (statuses("200", "201", "202"), statuses("200", "201"), statuses("200")),
    "a second status by reference": (
        responses(SHORT, "R", "R"), responses(PLAIN, "R", "Old"), responses(PLAIN, "R", "R"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("attack", ATTACKS)
def test_another_change_of_a_part_is_not_accepted(attack: str) -> None:
    """What was acknowledged for one contract does not let another one pass."""
    assert not leaks(*ATTACKS[attack])
