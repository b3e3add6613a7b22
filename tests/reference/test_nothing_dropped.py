"""Everything in a contract is on the pages where it belongs: of our contracts and of those of others."""

import copy
import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import read_contract
from devportal.contract.validate.check import check_contract
from devportal.documents import parse_document
from devportal.markup import Page
from tests.contracts import contract_at
from tests.corpus import corpus_file, each_contract

from .claims import Claim, is_met
from .coverage import claims, missing
from .laws import breaches
from .raw import Raw
from .reading import CONTRACTS, RICH, pages_of, pages_of_others
from .shown import Shown
from .twin_laws import twin_breaches

ROOT = Path(__file__).parents[2]
COMPLETE = ("complete-3.0.yaml", "complete-3.1.yaml", "complete-3.2.yaml")
"""Contracts with every keyword of a version."""

Pointer = tuple[str | int, ...]


def pages_in(path: Path) -> dict[str, Page]:
    """Return the pages of the contract in a file."""
    return pages_of(contract_at(path).api)


@pytest.mark.parametrize("name", [*COMPLETE, *RICH])
def test_contracts_of_the_tests_are_shown_whole(name: str) -> None:
    """Every keyword of each version of the OAS, in HTML and in Markdown."""
    path = CONTRACTS / name
    pages = pages_in(path)

    assert missing(Raw.read(path), pages) == []
    assert breaches(pages) == []
    assert twin_breaches(pages) == []


def test_our_contract_is_shown_whole() -> None:
    """The contract of this project."""
    path = ROOT / "openapi" / "openapi.yaml"
    pages = pages_in(path)

    assert missing(Raw.read(path), pages) == []
    assert breaches(pages) == []
    assert twin_breaches(pages) == []


@pytest.mark.corpus
@each_contract
def test_contracts_of_others_are_shown_whole(name: str) -> None:
    """Real contracts: nothing is missing, and their pages keep the laws."""
    pages = pages_of_others(name)

    assert missing(Raw.read(corpus_file(name)), pages) == []
    assert breaches(pages, every=max(1, len(pages) // 100)) == []
    assert twin_breaches(pages, every=max(1, len(pages) // 100)) == []


@pytest.mark.parametrize("name", COMPLETE)
def test_complete_contracts_are_right(name: str) -> None:
    """A keyword in a wrong place would be shown nowhere for a good reason."""
    contract = contract_at(CONTRACTS / name, name)

    assert contract.findings == ()
    assert [finding for finding in check_contract(contract) if finding.level == "error"] == []


NAMED = {
    "paths", "webhooks", "x-webhooks", "responses", "headers", "examples", "links", "callbacks", "content",
    "encoding", "properties", "patternProperties", "$defs", "dependentSchemas", "dependentRequired",
    "mapping", "variables", "scopes", "x-scopes", "x-enumDescriptions", "schemas", "parameters", "pathItems",
    "mediaTypes", "requestBodies", "securitySchemes",
}  # fmt: skip
"""Keywords whose members have names that the author chose."""
DATA = {"example", "examples", "value", "dataValue", "default", "const", "enum", "requestBody"}
"""Keywords below which there may be a value instead of a part of the contract."""
QUIET = {
    "/openapi": "without it there is no contract",
    "/$self": "where the contract lies",
    "/jsonSchemaDialect": "how schemas are read",
    "schemas*/$anchor": "what references call a schema",
    **dict.fromkeys(
        ("properties*/x-beta-keywords", "x-beta-keywords/*", "properties*/x-beta-values", "x-beta-values/*"),
        "inside a beta part its badge says so; test_wording has the words of a row",
    ),
    "x-codeSamples*/lang": "how a sample with a label is coloured",
    "tags*/parent": "where a tag stands at the left",
    "x-tagGroups*/tags": "where tags stand at the left",
}
"""What no page says, with the reason."""
UNSAID = (("type", "object"), ("type", "array"))
"""What a page says by what it shows below."""


def kinds_in(node: Any, above: str = "", pointer: Pointer = ()) -> Iterator[tuple[str, Pointer]]:
    """Yield each keyword with what it stands under, and where; names of the author's choice are one kind."""
    members = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, member in members:
        is_named = isinstance(key, int) or above in NAMED
        if (key, member) not in UNSAID:
            yield f"{above}/{'*' if is_named else key}", (*pointer, key)
        is_value = key in DATA and not (isinstance(member, dict) and key in NAMED)
        if is_named or not is_value:
            yield from kinds_in(member, f"{above}*" if is_named else str(key), (*pointer, key))


def without_node(document: Any, pointer: Pointer) -> Any:
    """Return a document without the node at a pointer."""
    left = node = copy.deepcopy(document)
    for step in pointer[:-1]:
        node = node[step]
    del node[pointer[-1]]
    return left


def keywords_of(document: Any) -> dict[str, list[Pointer]]:
    """Return the places of each keyword of a contract."""
    found: dict[str, list[Pointer]] = {}
    for kind, pointer in kinds_in(document):
        found.setdefault(kind, []).append(pointer)
    return found


@pytest.mark.deep  # each keyword of three contracts, which the tests above hold against their pages
@pytest.mark.parametrize("name", COMPLETE)
def test_what_is_dropped_is_noticed(name: str) -> None:
    """Pages made without one keyword or one member are found to lack it, whichever it is.

    A keyword that says nothing new in one place (what its neighbour says too) is dropped in the next.
    """
    raw = Raw.read(CONTRACTS / name)
    document = raw.root.value
    whole = Shown(pages_in(CONTRACTS / name))
    said = set(claims(raw, whole))

    unnoticed = [
        kind
        for kind, places in keywords_of(document).items()
        if kind not in QUIET
        and not any(is_noticed(without_node(document, place), said, whole) for place in places)
    ]

    assert unnoticed == []


def is_noticed(mutant: Any, said: set[Claim], whole: Shown) -> bool:
    """Say whether pages made of a mutant are found to lack what it does not say any more."""
    lost = said - set(claims(Raw(mutant), whole))
    if not lost:
        return False
    document = parse_document(json.dumps(mutant), name="mutant.json")
    homes = tuple({home for claim in lost for home in claim.homes})
    shown = Shown(pages_of(read_contract(document).api, needed=partial(is_asked, homes=homes)))
    return any(not is_met(claim, shown) for claim in lost)


def is_asked(uri: str, *, homes: tuple[str, ...]) -> bool:
    """Say whether a page, or one below it, is among those asked, or may hold what they lead to: a schema."""
    stem = uri.removesuffix("index.md").removesuffix(".md")
    return "/schemas/" in uri or any(home.startswith(stem) for home in homes)
