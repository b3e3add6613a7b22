"""The schemas of the OAS that lie in the package: they judge as openapi-spec-validator does."""

from collections.abc import Iterable
from typing import Any

import pytest
from openapi_spec_validator import (
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
)

from devportal.contract.validate.oas_schemas import oas_validator

THEIRS = {
    "3.0.3": OpenAPIV30SpecValidator,
    "3.1.1": OpenAPIV31SpecValidator,
    "3.2.0": OpenAPIV32SpecValidator,
}
OK = {"200": {"description": "OK"}}


def document(version: str, **fields: Any) -> dict[str, Any]:
    """Return a small document of a version, with other fields."""
    head = {"openapi": version, "info": {"title": "Parcels", "version": "1"}}
    return {**head, "paths": {"/parcels": {"get": {"responses": OK}}}, **fields}


def places(paths: Iterable[Iterable[str | int]]) -> set[tuple[str, ...]]:
    """Return pointers as they can be compared: the number of an item is text in one library."""
    return {tuple(map(str, path)) for path in paths}


@pytest.mark.parametrize("version", THEIRS)
@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({}, None),
        ({"tags": [{"name": "parcels"}]}, None),
        ({"components": {"schemas": {"Parcel": {"type": "object", "properties": {"id": {}}}}}}, None),
        ({"info": {"title": "Parcels"}}, ("info",)),
        ({"unknown": 1}, ()),
        ({"servers": {"url": "/"}}, ("servers",)),
        ({"paths": {"/parcels": {"get": {"responses": {"20": {"description": "OK"}}}}}}, ...),
        ({"components": {"securitySchemes": {"key": {"type": "apiKey", "name": "key"}}}}, ...),
    ],
)
def test_a_document_is_judged_as_openapi_spec_validator_judges_it(
    version: str, fields: dict[str, Any], place: Any
) -> None:
    """The same documents are valid, and the same place is wrong; `...` is any place."""
    value = document(version, **fields)

    ours = places(error.instance_path for error in oas_validator("document", version).iter_errors(value))
    theirs = places(error.absolute_path for error in THEIRS[version](value).iter_errors())

    assert bool(ours) == bool(theirs) == (place is not None)
    assert place in (None, ...) or place in ours & theirs
