"""Places of changes whose rules name none: every change stands at a line."""

from devportal.contract import Contract, read_contract
from devportal.differ.output import ComparedContracts
from devportal.documents import parse_document

from .comparing import diff_of

_TEXT = """\
openapi: 3.1.0
info:
  title: Parcels
  version: 1.0.0
jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema
servers:
  - url: https://a.example
security:
  - key: []
paths:
  /inherited: {get: {security: [], responses: {'200': {description: Fine.}}}}
  /parcels:
    post:
      security:
        - key: []
      servers:
        - url: https://c.example
      responses: {'204': {description: Done.}}
      callbacks:
        done:
          '{$request.body#/url}':
            post: {responses: {'204': {description: Done.}}}
webhooks:
  parcel.lost:
    post:
      security:
        - key: []
      responses: {'204': {description: Done.}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: Key}
"""


def contract(name: str, *edits: tuple[str, str]) -> Contract:
    """Return the contract with some of its text replaced."""
    text = _TEXT
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return read_contract(parse_document(text, name=name))


def places(*edits: tuple[str, str]) -> dict[str, tuple[str, str]]:
    """Return where each change stands, in the old contract and in the edited one, by its rule."""
    sides = ComparedContracts(old=contract("old.yaml"), new=contract("new.yaml", *edits))
    changes = diff_of(sides).comparison.changes
    return {change.rule: (str(sides.old_place(change)), str(sides.new_place(change))) for change in changes}


def test_what_the_contract_says_of_itself() -> None:
    """Stands at its own key."""
    found = places(
        ("openapi: 3.1.0", "openapi: 3.2.0"),
        ("Parcels", "Letters"),
        ("1.0.0", "0.9.0"),
        ("draft/2020-12", "draft/2019-09"),
        ("https://a.example", "https://b.example"),
    )

    assert found["doc.openapi.changed"] == ("old.yaml:1:1", "new.yaml:1:1")
    assert found["doc.info.changed"] == ("old.yaml:2:1", "new.yaml:2:1")
    assert found["doc.version.decreased"] == ("old.yaml:4:3", "new.yaml:4:3")
    assert found["doc.dialect.changed"] == ("old.yaml:5:1", "new.yaml:5:1")
    assert found["server.url.changed"] == ("old.yaml:6:1", "new.yaml:6:1")


def test_part_of_an_operation() -> None:
    """Stands at its own key, or where that is gone at the operation."""
    found = places(
        ("      security:\n        - key: []\n      servers", "      servers"),
        ("security:\n  - key: []\npaths", "paths"),
        ("https://c.example", "https://d.example"),
    )

    assert found["security.dropped"] == ("old.yaml:14:7", "new.yaml:11:5")
    assert found["operation.server.changed"] == ("old.yaml:16:7", "new.yaml:12:7")


def test_event() -> None:
    """A callback stands at its request, and in the other contract nowhere if it is not there."""
    removed = _TEXT[_TEXT.index("      callbacks") : _TEXT.index("webhooks")]

    assert places(("#/url}", "#/uri}"))["callback.expression.changed"] == ("old.yaml:22:13", "new.yaml:22:13")
    assert places((removed, ""))["callback.removed"] == ("old.yaml:22:13", "None")
    assert places(("Key}", "Token}"))["webhook.security.changed"] == ("old.yaml:26:7", "new.yaml:26:7")


def test_event_of_several_requests() -> None:
    """Stands at the first one."""
    second = (
        "webhooks:\n  parcel.lost:\n    post:",
        "webhooks:\n  parcel.lost:\n    put: {responses: {}}\n    post:",
    )
    found = places(("Key}", "Token}"), second)

    assert found["webhook.security.changed"][1] == "new.yaml:25:5"


def test_operation_whose_path_is_another() -> None:
    """Is found again where only a placeholder has another name; a path that has moved is not there."""
    inherited = "/inherited: {get: {"
    own = "/a/{id}: {get: {operationId: a, "
    old = contract("old.yaml", (inherited, own))

    def place(path: str) -> tuple[str, str]:
        new = contract(
            "new.yaml", (inherited, own.replace("/a/{id}", path)), ("security: []", "security: [key: []]")
        )
        sides = ComparedContracts(old=old, new=new)
        (found,) = (
            change for change in diff_of(sides).comparison.changes if change.rule == "security.required"
        )
        return str(sides.old_place(found)), str(sides.new_place(found))

    assert place("/a/{key}")[1].startswith("new.yaml:11:")
    assert place("/b/{id}")[0].startswith("old.yaml:11:")
    assert place("/b/{id}")[1] == "None"


def test_contract_without_the_part() -> None:
    """What is not written stands where it would be."""
    (place,) = places(("jsonSchemaDialect: https://json-schema.org/draft/2020-12/schema\n", "")).values()

    assert place == ("old.yaml:5:1", "new.yaml:1:1")
